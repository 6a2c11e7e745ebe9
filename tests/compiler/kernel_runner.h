// SPDX-License-Identifier: Apache-2.0
// Compiles an IR kernel and runs it on the golden reference; runs the same kernel in the interpreter, thread by thread.
//
// The kernel's first parameter is the output buffer, the second the input buffer, both in global memory.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tb/golden/grid.h"
#include "tb/golden/memory_image.h"
#include "tests/compiler/ir_interpreter.h"
#include "toolchain/compiler/compile.h"

namespace g80 {

struct Shape {
  std::uint32_t threads = 64, blocks = 1;
  std::uint32_t output_words = 1;  // of a thread
};

inline constexpr std::uint32_t kOutput = 0x10000, kInput = 0x80000;

inline ir::Inst make_inst(ir::Op op, std::vector<ir::ValueId> operands, std::vector<ir::BlockId> blocks = {}) {
  ir::Inst inst;
  inst.op = op;
  inst.operands = std::move(operands);
  inst.blocks = std::move(blocks);
  return inst;
}

/// Adds the parameters that the runner sets: out, in and `more` words.
inline void add_parameters(ir::Function& f, unsigned more = 0) {
  for (unsigned i = 0; i < 2 + more; ++i) {
    ir::KernelParameter param;
    param.name = i == 0 ? "out" : i == 1 ? "in" : "p" + std::to_string(i);
    param.offset = 4 * i;
    f.params.push_back(param);
  }
}

inline ir::ValueId load_parameter(ir::Function& f, ir::BlockId block, unsigned index) {
  ir::Inst load = make_inst(ir::Op::kLoad, {f.i32(0)});
  load.space = ir::Space::kParam;
  load.offset = static_cast<std::int32_t>(4 * index);
  return f.append1(block, load, ir::Type::kI32);
}

inline std::vector<std::uint32_t> parameter_words(const ir::Function& f) {
  std::vector<std::uint32_t> words{kOutput, kInput};
  for (std::size_t i = 2; i < f.params.size(); ++i) words.push_back(static_cast<std::uint32_t>(0x1234567u * i + 3));
  return words;
}

struct Outcome {
  std::string fault;  // empty: the kernel has finished
  std::vector<std::uint32_t> output;
};

inline Outcome execute(const Module& module, const Kernel& kernel, const ir::Function& f,
                       const std::vector<std::uint32_t>& input, const Shape& shape, golden::FirstPath first,
                       golden::StepObserver* observer = nullptr) {
  const std::uint32_t words = shape.threads * shape.blocks * shape.output_words;
  golden::MemoryImage image;
  image.allow(kOutput, words * 4);
  image.allow(kInput, std::max<std::size_t>(input.size(), 1) * 4);
  for (std::size_t i = 0; i < input.size(); ++i) image.set_word(kInput + static_cast<std::uint32_t>(4 * i), input[i]);
  golden::Launch launch;
  launch.block_x = shape.threads;
  launch.grid_x = shape.blocks;
  launch.registers = kernel.reg;
  launch.shared_bytes = std::max(kernel.smem, 64u);
  launch.local_bytes = kernel.lmem;
  launch.params = parameter_words(f);
  launch.first_path = first;
  for (const ConstantSegment& segment : kernel.constants) {
    std::vector<std::uint8_t>& bank = launch.constant[segment.bank];
    bank.resize(segment.offset + segment.words.size() * 4 + 256);
    for (std::size_t i = 0; i < segment.words.size(); ++i) {
      for (unsigned k = 0; k < 4; ++k)
        bank[segment.offset + 4 * i + k] = static_cast<std::uint8_t>(segment.words[i] >> 8 * k);
    }
  }
  golden::RunOptions options;
  options.max_warp_instructions = 20000000;
  options.observer = observer;
  const golden::RunResult run = golden::run_grid(golden::Program(kernel.code, module.arch), launch, image, options);
  Outcome outcome;
  if (run.status != golden::RunStatus::kFinished) outcome.fault = "not finished: " + golden::describe(run.fault);
  for (std::uint32_t i = 0; i < words; ++i) outcome.output.push_back(image.word(kOutput + 4 * i));
  return outcome;
}

inline std::vector<std::uint32_t> run_compiled(const Module& module, const Kernel& kernel, const ir::Function& f,
                                               const std::vector<std::uint32_t>& input, const Shape& shape,
                                               golden::FirstPath first = golden::FirstPath::kTaken,
                                               golden::StepObserver* observer = nullptr) {
  const Outcome outcome = execute(module, kernel, f, input, shape, first, observer);
  EXPECT_EQ(outcome.fault, "");
  return outcome.output;
}

inline std::vector<std::uint32_t> run_interpreted(const ir::Function& f, const std::vector<std::uint32_t>& input,
                                                  const Shape& shape) {
  std::vector<std::uint32_t> output(shape.threads * shape.blocks * shape.output_words, 0);
  const std::vector<std::uint32_t> params = parameter_words(f);
  for (std::uint32_t thread = 0; thread < shape.threads * shape.blocks; ++thread) {
    std::vector<std::uint8_t> local(4096, 0), shared(16384, 0);  // of s[] a thread sees what it has stored itself
    const auto bytes_at = [&](ir::Space space, std::uint32_t address) -> std::uint8_t* {
      if (space == ir::Space::kParam) {
        return const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(params.data())) + address;
      }
      if (space == ir::Space::kLocal) return &local.at(address);
      if (space == ir::Space::kShared) return &shared.at(address);
      if (address >= kInput) {
        return const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(input.data())) + (address - kInput);
      }
      return reinterpret_cast<std::uint8_t*>(&output.at((address - kOutput) / 4)) + address % 4;
    };
    ir::ThreadContext context;
    context.load = [&](ir::Space space, std::uint32_t address, unsigned bytes) {
      std::uint64_t value = 0;
      std::memcpy(&value, bytes_at(space, address), bytes);
      return value;
    };
    context.store = [&](ir::Space space, std::uint32_t address, unsigned bytes, std::uint64_t value) {
      std::memcpy(bytes_at(space, address), &value, bytes);
    };
    context.special = [&](ir::Special special) -> std::uint32_t {
      switch (special) {
        case ir::Special::kTidX: return thread % shape.threads;
        case ir::Special::kNtidX: return shape.threads;
        case ir::Special::kCtaidX: return thread / shape.threads;
        case ir::Special::kNctaidX: return shape.blocks;
        case ir::Special::kNtidY:
        case ir::Special::kNtidZ:
        case ir::Special::kNctaidY:
        case ir::Special::kNctaidZ: return 1;
        case ir::Special::kLaneid: return thread % shape.threads % 32;
        default: return 0;
      }
    };
    context.address_of = [](std::uint32_t) { return 0u; };
    ir::Interpreter(f, context).run();
  }
  return output;
}

/// The kernel in a module, with `local_bytes` of local memory from address 0.
inline ir::Module module_of(ir::Function f, std::uint32_t local_bytes = 0) {
  ir::Module module;
  module.name = "test";
  if (local_bytes != 0) {
    ir::Variable state;
    state.name = "state";
    state.space = ir::Space::kLocal;
    state.bytes = local_bytes;
    module.variables.push_back(state);
    ir::Inst where = make_inst(ir::Op::kVarAddr, {});  // names the variable, so that the kernel gets its bytes
    where.variable = 0;
    const ir::InstId id = f.add_inst(where, {ir::Type::kI32});
    f.blocks[0].insts.insert(f.blocks[0].insts.begin(), id);
  }
  module.kernels.push_back(std::move(f));
  return module;
}

/// Compiles `f`, runs it both ways and compares every word with the interpreter. Empty: all are the same.
inline std::string mismatch(const ir::Function& f, const std::vector<std::uint32_t>& input, const Shape& shape,
                            const CompileOptions& options = {}, std::uint32_t local_bytes = 0) {
  try {
    const CompileResult compiled = generate_code(module_of(f, local_bytes), "test.ptx", options);
    const std::vector<std::uint32_t> expected = run_interpreted(f, input, shape);
    for (const golden::FirstPath first : {golden::FirstPath::kTaken, golden::FirstPath::kFallthrough}) {
      const Outcome outcome = execute(compiled.module, compiled.module.kernels[0], f, input, shape, first);
      if (!outcome.fault.empty()) return outcome.fault;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        if (outcome.output[i] == expected[i]) continue;
        return "word " + std::to_string(i) + ": compiled " + std::to_string(outcome.output[i]) + ", interpreted " +
               std::to_string(expected[i]);
      }
    }
  } catch (const std::exception& problem) {
    return problem.what();
  }
  return "";
}

/// Compiles `f`, runs it both ways and compares every word.
inline CompileResult expect_same(const ir::Function& f, const std::vector<std::uint32_t>& input, const Shape& shape,
                                 const CompileOptions& options = {}) {
  ir::Module module;
  module.name = "test";
  module.kernels.push_back(f);
  CompileResult compiled = generate_code(module, "test.ptx", options);
  const std::vector<std::uint32_t> expected = run_interpreted(f, input, shape);
  for (const golden::FirstPath first : {golden::FirstPath::kTaken, golden::FirstPath::kFallthrough}) {
    const std::vector<std::uint32_t> actual =
        run_compiled(compiled.module, compiled.module.kernels[0], f, input, shape, first);
    EXPECT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (actual[i] == expected[i]) continue;
      ADD_FAILURE() << "word " << i << ": compiled " << std::hex << actual[i] << ", interpreted " << expected[i];
      break;
    }
  }
  return compiled;
}

}  // namespace g80
