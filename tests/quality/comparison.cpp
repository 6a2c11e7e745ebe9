// SPDX-License-Identifier: Apache-2.0
#include "tests/quality/comparison.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "source_dir.h"
#include "tb/golden/grid.h"
#include "tb/golden/memory_image.h"
#include "tests/conformance/kernel_cases.h"
#include "toolchain/compiler/compile.h"
#include "toolchain/cuda/compile/device_pass.h"

namespace g80::quality {
namespace {

using conformance::KernelCase;
using conformance::KernelCode;

enum class Literals : std::uint8_t { kCase, kMask };

struct RowText {
  const char *name, *file;
  Literals literals;
  const char* reason;
};

constexpr RowText kRows[] = {
#define QUALITY_ROW(name, file, literals, reason) {#name, #file, Literals::literals, reason},
#include "tests/quality/rows.def"
#undef QUALITY_ROW
};

struct PublishedText {
  const char *name, *listing;
  CodeShape shape;
  const char* reason;
};

const PublishedText kPublished[] = {
#define UNWRAP(...) __VA_ARGS__
#define PUBLISHED_ROW(name, listing, registers, instructions, loops, reason) \
  {#name, listing, {registers, instructions, UNWRAP loops}, reason},
#include "tests/quality/published.def"
#undef PUBLISHED_ROW
#undef UNWRAP
};

void put_words(std::vector<std::uint8_t>& bank, std::uint32_t offset, const std::vector<std::uint32_t>& words) {
  bank.resize(std::max<std::size_t>(bank.size(), offset + 4 * words.size()));
  std::memcpy(bank.data() + offset, words.data(), 4 * words.size());
}

struct Run {
  std::vector<std::uint32_t> memory;
  std::uint64_t executed = 0;
};

Run run(const golden::Program& program, const golden::Launch& launch, const KernelCase& test) {
  golden::MemoryImage image;
  image.allow(0, test.mem_size);
  Run result{test.initial(), 0};
  std::memcpy(image.at(0), result.memory.data(), test.mem_size);
  golden::RunOptions options;
  options.max_warp_instructions = 10'000'000;
  const golden::RunResult ended = golden::run_grid(program, launch, image, options);
  if (ended.status != golden::RunStatus::kFinished) {
    throw std::runtime_error(test.label + ": " + (ended.fault ? golden::describe(ended.fault) : "does not end"));
  }
  std::memcpy(result.memory.data(), image.at(0), test.mem_size);
  result.executed = ended.warp_instructions;
  return result;
}

golden::Launch make_launch(const KernelCase& test) {
  golden::Launch launch;
  launch.grid_x = test.grid[0], launch.grid_y = test.grid[1];
  launch.block_x = test.block[0], launch.block_y = test.block[1], launch.block_z = test.block[2];
  launch.params = test.params;
  return launch;
}

/// One case with both codes. Ours reads as `literals` what the binary reads from its literal pool.
void run_both(const KernelCase& test, const KernelCode& binary, const std::optional<std::vector<std::uint8_t>>& pool,
              const Module& module, const Kernel& kernel, Row& row) {
  golden::Launch launch = make_launch(test);
  launch.start_pc = test.entry;
  launch.local_bytes = binary.local_bytes;
  for (const auto& [bank, bytes] : test.constant) launch.constant[bank] = bytes;
  if (pool) launch.constant[kLiteralBank] = *pool;
  const Run theirs = run(golden::Program(binary.words, binary.arch), launch, test);

  golden::Launch ours = make_launch(test);
  ours.local_bytes = kernel.lmem;
  ours.registers = kernel.reg;
  for (const ConstantSegment& segment : kernel.constants) {
    put_words(ours.constant[segment.bank], segment.offset, segment.words);
  }
  for (const ConstantVariable& variable : module.constants) {
    std::vector<std::uint32_t> words = variable.words;
    words.resize((variable.bytes + 3) / 4);
    if (variable.name == "literals") {
      const std::vector<std::uint8_t>& literals = launch.constant[kLiteralBank];
      std::memcpy(words.data(), literals.data(), std::min<std::size_t>(literals.size(), variable.bytes));
    }
    put_words(ours.constant[variable.bank], variable.offset, words);
  }
  const Run mine = run(golden::Program(kernel.code, module.arch), ours, test);

  const std::string wrong = conformance::first_difference(mine.memory, pool ? theirs.memory : test.expected());
  if (!wrong.empty()) row.differences.push_back(test.label + ": " + wrong);
  row.nvidia.executed += theirs.executed;
  row.ours.executed += mine.executed;
  ++row.runs;
}

/// Registers as the binary's file states them, where it does.
unsigned stated_registers(const std::string& binaries, const std::string& name, unsigned counted) {
  std::ifstream file(binaries + "/" + name + ".json");
  const auto info = nlohmann::json::parse(file);
  const auto stated = info.find("registers");
  return stated != info.end() && stated->is_number() ? stated->get<unsigned>() : counted;
}

bool is_over(std::uint64_t ours, std::uint64_t theirs) { return 100 * ours > (100 + kBoundPercent) * theirs; }

CodeShape shape_of(const Module& module, const Kernel& kernel) {
  CodeShape shape = measure_code(kernel.code, 0, module.arch);
  shape.registers = kernel.reg;
  return shape;
}

}  // namespace

Module compile_kernels(const std::string& file) {
  const std::string root = G80_SOURCE_DIR;
  const std::string source = root + "/tests/quality/kernels/" + file + ".cu";
  const cuda::TemporaryFolder folder;
  const auto ptx = cuda::compile_to_ptx(source, {}, root + "/toolchain/cuda/include", folder);
  if (!ptx) throw std::runtime_error("clang refuses " + source);
  return compile_ptx(*ptx, file + ".ptx", {}).module;
}

std::vector<std::string> Row::over() const {
  std::vector<std::string> result;
  if (is_over(ours.shape.registers, nvidia.shape.registers)) result.push_back("registers");
  if (ours.shape.loops.size() == nvidia.shape.loops.size()) {
    for (std::size_t i = 0; i < ours.shape.loops.size(); ++i) {
      if (!is_over(ours.shape.loops[i], nvidia.shape.loops[i])) continue;
      result.push_back("instructions in loop " + std::to_string(i + 1));
    }
  }
  if (is_over(ours.executed, nvidia.executed)) result.push_back("executed instructions");
  return result;
}

std::vector<Row> compare_code(const std::string& binaries) {
  const auto cases = conformance::read_kernel_cases(binaries);
  if (!cases) throw std::runtime_error("cases.jsonl is not in " + binaries);
  std::map<std::string, Module> modules;
  std::vector<Row> rows;
  for (const RowText& text : kRows) {
    if (modules.count(text.file) == 0) modules[text.file] = compile_kernels(text.file);
    const Module& module = modules[text.file];
    const Kernel* const kernel = module.find_kernel(text.name);
    if (kernel == nullptr) throw std::runtime_error(std::string("no kernel ") + text.name);
    const KernelCode binary = conformance::load_kernel_code(binaries, text.name);
    Row& row = rows.emplace_back();
    row.name = text.name, row.file = text.file, row.reason = text.reason;
    row.nvidia.shape = measure_code(binary.words, 0, binary.arch);
    row.nvidia.shape.registers = stated_registers(binaries, text.name, row.nvidia.shape.registers);
    row.ours.shape = shape_of(module, *kernel);
    std::optional<std::vector<std::uint8_t>> pool;
    if (text.literals == Literals::kMask) pool = {0xff, 0x03, 0xff, 0x03, 0xff, 0x03, 0xff, 0x03};
    for (const KernelCase& test : *cases) {
      if (test.kernel == text.name) run_both(test, binary, pool, module, *kernel, row);
    }
  }
  const Module published = compile_kernels("published");
  for (const PublishedText& text : kPublished) {
    Row& row = rows.emplace_back();
    row.name = text.name, row.file = "published", row.reason = text.reason, row.listing = text.listing;
    row.nvidia.shape = text.shape;
    row.ours.shape = shape_of(published, *published.find_kernel(text.name));
  }
  return rows;
}

}  // namespace g80::quality
