// SPDX-License-Identifier: Apache-2.0
// The code generator's pipeline.
#include <algorithm>

#include "toolchain/compiler/codegen/address_registers.h"
#include "toolchain/compiler/codegen/allocate.h"
#include "toolchain/compiler/codegen/choose_version.h"
#include "toolchain/compiler/codegen/emit.h"
#include "toolchain/compiler/codegen/flow_graph.h"
#include "toolchain/compiler/codegen/generate.h"
#include "toolchain/compiler/codegen/guards.h"
#include "toolchain/compiler/codegen/if_conversion.h"
#include "toolchain/compiler/codegen/ir_builder.h"
#include "toolchain/compiler/codegen/layout.h"
#include "toolchain/compiler/codegen/link_functions.h"
#include "toolchain/compiler/codegen/loop_addresses.h"
#include "toolchain/compiler/codegen/occupancy_steps.h"
#include "toolchain/compiler/codegen/prepare.h"
#include "toolchain/compiler/codegen/reconvergence.h"
#include "toolchain/compiler/codegen/rotate_loops.h"
#include "toolchain/compiler/codegen/select.h"
#include "toolchain/compiler/codegen/sink_updates.h"
#include "toolchain/compiler/codegen/zero_tests.h"
#include "toolchain/compiler/optimize/passes.h"

namespace g80 {
namespace {

using namespace codegen;

constexpr std::uint32_t kMaxLocalBytes = 0x10000;  // l[] of a thread has 16-bit addresses

/// Accesses to global memory have no offset, so offsets become additions. Equal ones are computed once.
void materialize_addresses(ir::Function& function) {
  IrBuilder builder(function);
  for (ir::Block& block : function.blocks) {
    builder.out.clear();
    const std::vector<ir::InstId> insts = block.insts;
    for (const ir::InstId id : insts) {
      const ir::Inst inst = function.insts[id];
      const bool is_access = inst.op == ir::Op::kLoad || inst.op == ir::Op::kStore || inst.op == ir::Op::kAtomic;
      if (is_access && inst.space == ir::Space::kGlobal && inst.offset != 0) {
        builder.loc = inst.loc;
        ir::ValueId base = inst.operands[0];
        std::uint32_t offset = static_cast<std::uint32_t>(inst.offset);
        if (const ir::Inst* sum = function.def(base);
            sum != nullptr && sum->op == ir::Op::kAdd && function.is_constant(sum->operands[1])) {
          offset += static_cast<std::uint32_t>(function.values[sum->operands[1]].bits);
          base = sum->operands[0];
        }
        const ir::ValueId address = builder.add(base, function.i32(offset));
        function.insts[id].operands[0] = address;
        function.insts[id].offset = 0;
      }
      builder.out.push_back(id);
    }
    block.insts = builder.out;
  }
}

/// Replaces addresses of shared, local and constant variables by numbers.
void resolve_addresses(const ir::Module& module, const KernelLayout& layout, ir::Function& function) {
  std::vector<ir::ValueId> replacement(function.values.size(), ir::kNone);
  for (ir::Block& block : function.blocks) {
    std::vector<ir::InstId> kept;
    for (const ir::InstId id : block.insts) {
      const ir::Inst& inst = function.insts[id];
      if (inst.op != ir::Op::kVarAddr || module.variables[inst.variable].space == ir::Space::kGlobal) {
        kept.push_back(id);
        continue;
      }
      const ir::ValueId result = inst.results[0];
      const std::uint32_t address = layout.address[inst.variable] + static_cast<std::uint32_t>(inst.offset);
      const ir::ValueId constant = function.i32(address);
      replacement[result] = constant;
    }
    block.insts = std::move(kept);
  }
  function.replace_uses(replacement);
}

unsigned register_limit(const ir::Function& function, const CompileOptions& options) {
  unsigned limit = options.max_registers != 0 ? options.max_registers : function.max_registers;
  if (limit == 0 && function.max_threads != 0)
    limit = most_registers_for(options.arch, function.max_threads, function.min_blocks);
  return limit == 0 ? kMaxRegisters : std::min(limit, kMaxRegisters);
}

/// Expands all operations that have no machine instruction.
void prepare(const ir::Module& module, const KernelLayout& layout, ir::Function& function,
             const CompileOptions& options, const std::string& filename) {
  resolve_addresses(module, layout, function);
  expand_float(function, options, filename);
  expand_division_64(function);
  legalize_i64(function, filename);
  ir::simplify(function);
  remove_dead(function);
  expand_integer(function);
  materialize_addresses(function);
  ir::number_values(function);
  test_updated_values(function);
  count_to_zero(function);
  sink_zero_tests(function);
  split_critical_edges(function);
  remove_dead(function);
}

/// Arranges machine instructions and blocks, before registers are allocated.
void arrange(MachineFunction& code, const std::vector<std::uint8_t>& divergent) {
  for (ir::BlockId block = 0; block < code.blocks.size(); ++block) {
    code.blocks[block].end.divergent = block < divergent.size() && divergent[block] != 0;
  }
  merge_zero_tests(code);
  convert_ifs(code);
  guard_choices(code);
  merge_blocks(code);
  thread_jumps(code);
  rotate_loops(code);
  merge_blocks(code);
  share_address_registers(code);
  keep_loop_addresses(code);
  sink_updates(code);
  insert_reconvergence(code);
  const Loops loops = find_loops(make_flow_graph(code));
  for (ir::BlockId block = 0; block < code.blocks.size(); ++block) code.blocks[block].loop_depth = loops.depth[block];
}

/// Allocates registers and emits code words. `function` is the kernel, whose limits also apply to its functions.
Version finish(const MachineFunction& code, const ir::Function& function, const std::string& filename,
               const CompileOptions& options) {
  const unsigned limit = register_limit(function, options);
  try {
    Version version = choose_version(code, {options.arch, limit, function.max_threads});
    if (version.code.local_bytes > kMaxLocalBytes) {
      refuse(filename, function.loc,
             "'" + function.name + "' needs more than " + std::to_string(kMaxLocalBytes) + " bytes of local memory");
    }
    return version;
  } catch (const OutOfRegisters&) {
    refuse(filename, function.loc,
           "'" + function.name + "' cannot be compiled with " + std::to_string(limit) + " registers per thread");
  }
}

/// The lines of .loc if the kernel has any, otherwise those of the PTX text.
LineTable line_table(const Kernel& kernel, const KernelInfo& info, const std::vector<std::string>& files) {
  const bool has_loc =
      std::any_of(info.lines.begin(), info.lines.end(), [](const ir::Location& l) { return l.line != 0; });
  LineTable table;
  std::size_t word = 0;
  for (const ir::Location& location : info.lines) {
    const auto address = static_cast<std::uint32_t>(4 * word);
    if (has_loc)
      table.add(address, location.line != 0 ? files.at(location.file) : "", location.line);
    else
      table.add(address, files.at(0), location.ptx_line);
    word += isa::is_long(kernel.code[word]) ? 2 : 1;
  }
  return table;
}

}  // namespace

CompileResult generate_code(ir::Module module, const std::string& filename, const CompileOptions& options) {
  ir::verify(module);
  CompileResult result;
  result.module.arch = options.arch;
  result.module.name = module.name;
  result.files = module.files;
  const ModuleLayout variables = place_module_variables(module, result.module, filename);
  for (ir::Function& function : module.kernels) {
    if (const auto launched = options.launched_threads.find(function.name);
        launched != options.launched_threads.end() && function.max_threads == 0 && function.max_registers == 0)
      function.max_threads = launched->second;
    const KernelLayout layout = place_kernel_variables(module, function, variables, filename);
    ir::for_each_function(function, [&](ir::Function& f) { prepare(module, layout, f, options, filename); });
    ir::verify(function);
    const std::vector<std::vector<std::uint8_t>> divergent = find_divergent_branches(function);
    std::vector<CalledFunction> called;
    std::vector<Version> finished;  // the functions, and last the kernel
    ir::for_each_function(function, [&](ir::Function& f) {
      CallContext calls{&f != &function, &called, {}};
      if (!finished.empty()) calls.literals = finished.back().code.literals;
      MachineFunction code = Selector(module, f, layout, calls, options, filename).run();
      for (const CalledFunction& callee : called) code.local_bytes = std::max(code.local_bytes, callee.local_end);
      arrange(code, divergent[finished.size()]);
      finished.push_back(finish(code, function, filename, options));
      if (calls.is_called) called.push_back(describe(finished.back()));
    });
    Version version = std::move(finished.back());
    finished.pop_back();
    link_functions(version, finished, options.arch);
    const MachineFunction& code = version.code;
    Kernel& kernel = version.kernel;
    KernelInfo& info = version.info;
    kernel.name = info.name = function.name;
    if (!module.files.empty()) kernel.lines = line_table(kernel, info, module.files);
    kernel.smem = layout.shared_bytes;
    kernel.lmem = code.local_bytes;
    for (const ir::KernelParameter& param : function.params) {
      Parameter parameter;
      parameter.name = param.name;
      parameter.type = param.type;
      parameter.offset = kParameterBase + param.offset;
      if (param.bytes != data_type_bytes(param.type)) parameter.bytes = param.bytes;
      kernel.params.push_back(parameter);
    }
    info.registers = kernel.reg;
    info.shared_bytes = kernel.smem;
    info.local_bytes = kernel.lmem;
    info.constant_bytes = static_cast<std::uint32_t>(4 * code.literals.size());
    info.stack_entries = code.stack_depth;
    info.spill_loads = code.spill_loads;
    info.spill_stores = code.spill_stores;
    for (const Version& one : finished) {
      info.spill_loads += one.code.spill_loads;
      info.spill_stores += one.code.spill_stores;
    }
    result.module.kernels.push_back(std::move(kernel));
    result.kernels.push_back(std::move(info));
  }
  return result;
}

}  // namespace g80
