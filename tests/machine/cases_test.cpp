// SPDX-License-Identifier: Apache-2.0
// Every runnable case of the real kernels on the cycle model of four chips, in lock-step with the reference: memory
// exactly as expected. A case that a chip cannot run is refused with the reason, and counted.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>

#include "app/report/statistics.h"
#include "tb/check/lockstep.h"
#include "tb/machine/gpu_backend.h"
#include "tests/conformance/kernel_cases.h"
#include "tests/machine/variations.h"
#include "tests/support/data_dirs.h"
#include "tests/support/random_seed.h"
#include "toolchain/assembler/register_count.h"

namespace g80 {
namespace {

using conformance::KernelCase;
using conformance::KernelCode;

constexpr unsigned kCudaSpace = 14;

/// What the code itself says: most of the files do not say how many registers were allocated, and the feature level of
/// a file is often that of its compiler.
struct Needs {
  unsigned registers = 1;
  isa::Arch level = isa::Arch::kSm10;  // the first that has all instructions which any level has
};
Needs needs_of(const KernelCode& code) {
  Needs needs;
  for (std::size_t i = 0; i < code.words.size();) {
    const bool two_words = isa::is_long(code.words[i]) && i + 1 < code.words.size();
    const std::uint32_t second = two_words ? code.words[i + 1] : 0;
    isa::Instruction insn;
    for (const isa::Arch level : {isa::Arch::kSm10, isa::Arch::kSm11, isa::Arch::kSm12, isa::Arch::kSm13}) {
      if (isa::decode(code.words[i], second, level, insn) != isa::DecodeError::kNone) continue;
      needs.level = std::max(needs.level, level);
      needs.registers = std::max(needs.registers, registers_named(insn));
      break;
    }
    i += two_words ? 2 : 1;
  }
  return needs;
}

/// A module of nothing but code and constants, as no file describes it.
Module module_of(const KernelCase& test, const KernelCode& code) {
  Module module;
  const Needs needs = needs_of(code);
  module.arch = needs.level;
  Kernel& kernel = module.kernels.emplace_back();
  kernel.name = test.kernel;
  kernel.lmem = code.local_bytes;
  kernel.smem = kMaxSharedBytes;  // unknown for most of them; s[] beyond the parameters begins as zero
  kernel.reg = needs.registers;
  kernel.bar = kMaxBarriers;
  kernel.code = code.words;
  for (const auto& [bank, bytes] : test.constant) {
    ConstantSegment& segment = kernel.constants.emplace_back();
    segment.bank = bank;
    segment.words.resize((bytes.size() + 3) / 4);
    std::memcpy(segment.words.data(), bytes.data(), bytes.size());
  }
  return module;
}

struct CaseEnd {
  std::string refused{};  // why this chip cannot run it, told before anything ran
  std::string wrong{};    // what is wrong with the run, or nothing
  RunResult run{};        // of one that finished
};

CaseEnd run_case(const Config& config, const KernelCase& test, const KernelCode& code,
                 const MachineOptions& options = {}) {
  if (test.entry != 0) return {"", "entry is not the first instruction"};
  const Module module = module_of(test, code);
  if (static_cast<unsigned>(module.arch) > config.device.compute_minor) {
    return {fmt::format("instructions of {}, the chip has compute capability 1.{}", isa::arch_name(module.arch),
                        config.device.compute_minor)};
  }
  GpuBackend gpu(config, options);
  gpu.load(module);
  LaunchRequest request;
  request.kernel = &module.kernels.front();
  request.grid = {test.grid[0], test.grid[1], 1};
  request.block = test.block;
  request.params = test.params;
  request.max_cycles = 10'000'000;
  if (const auto reason = gpu.launch_error(request)) return {*reason};
  const std::uint32_t base = gpu.allocate(test.mem_size, "g14", Backend::Contents::kClearIfUsed);
  gpu.set_global(kCudaSpace, base, test.mem_size - 1);
  for (const auto& [address, words] : test.mem_init) gpu.write(base + address, words.data(), words.size() * 4);
  const LaunchResult result = gpu.launch(request);
  if (result.end != LaunchEnd::kFinished) return {"", std::string(launch_end_name(result.end)) + ": " + result.message};
  std::uint64_t issued = 0;
  for (const SmCounters& sm : result.sms) issued += sm.warp_instructions;
  if (options.lockstep && gpu.lockstep()->counters().instructions != issued)
    return {"", "the reference did not step every instruction"};
  std::vector<std::uint32_t> words(test.mem_size / 4);
  gpu.read(base, words.data(), test.mem_size);
  CaseEnd end{"", conformance::first_difference(words, test.expected())};
  end.run.launches.push_back(result);
  return end;
}

TEST(CasesOnDrawnMachines, LeaveTheExpectedMemory) {
  const std::string directory = conformance::cases_directory();
  const auto cases = conformance::read_kernel_cases(directory);
  if (!cases) GTEST_SKIP() << "cases.jsonl is not in " << directory;
  const unsigned seed = 1 + random_seed();
  std::mt19937 random(seed);
  std::size_t total = 0, passed = 0;
  for (const KernelCase& test : *cases) {
    testing::Variation machine = testing::combination(random);
    machine.sets.push_back("sm.init=zero");  // some of them read what nobody wrote
    machine.machine.lockstep = true;
    CaseEnd end;
    try {
      end = run_case(load_config("8600gts", machine.sets), test, conformance::load_kernel_code(directory, test.kernel),
                     machine.machine);
    } catch (const std::exception& error) {
      end.wrong = error.what();
    }
    if (!end.refused.empty()) continue;  // told by the test below
    ++total;
    EXPECT_EQ(end.wrong, "") << test.label << " on " << machine.name << ", seed " << seed;
    passed += end.wrong.empty();
  }
  test::tally("cases", passed, total,
              fmt::format("cases.jsonl on cycle models of other shapes, drawn with seed {}", seed));
  EXPECT_GT(total, 0u);
}

// With `ctest -C long -L long` only.
TEST(CasesInRtl, TakeTheSameCycles) {
  const std::string directory = conformance::cases_directory();
  const auto cases = conformance::read_kernel_cases(directory);
  if (!cases) GTEST_SKIP() << "cases.jsonl is not in " << directory;
  const Config config = load_config("gtx280", {"gpu.num_tpcs=1"});
  MachineOptions rtl;
  rtl.rtl = "sm";
  std::size_t total = 0, passed = 0;
  for (const KernelCase& test : *cases) {
    const KernelCode code = conformance::load_kernel_code(directory, test.kernel);
    const CaseEnd plain = run_case(config, test, code), end = run_case(config, test, code, rtl);
    if (!end.refused.empty()) continue;  // told by the test below
    ++total;
    EXPECT_EQ(end.wrong, "") << test.label;
    const bool equal = statistics_json({end.run}) == statistics_json({plain.run});
    EXPECT_TRUE(equal) << test.label << " counts something else";
    passed += end.wrong.empty() && equal;
  }
  test::tally("cases", passed, total, "cases.jsonl on multiprocessors in SystemVerilog, in as many cycles");
  EXPECT_GT(total, 0u);
}

struct Machine {
  std::string name;
  std::string preset;
  std::vector<std::string> sets{};
  bool retry = false;  // only the cases that the preset itself refuses
};
void PrintTo(const Machine& machine, std::ostream* out) { *out << machine.name; }

class Cases : public ::testing::TestWithParam<Machine> {};

TEST_P(Cases, EveryKernelLeavesTheExpectedMemory) {
  const std::string directory = conformance::cases_directory();
  const auto cases = conformance::read_kernel_cases(directory);
  if (!cases) GTEST_SKIP() << "cases.jsonl is not in " << directory;
  const Machine& machine = GetParam();
  const Config config = load_config(machine.preset, machine.sets), preset = load_config(machine.preset);
  std::map<std::string, KernelCode> kernels;
  std::size_t total = 0, passed = 0, refused = 0;
  for (const KernelCase& test : *cases) {
    if (machine.retry && test.threads() <= preset.device.max_threads_per_block) continue;
    if (kernels.count(test.kernel) == 0) kernels[test.kernel] = conformance::load_kernel_code(directory, test.kernel);
    CaseEnd end;
    try {
      end = run_case(config, test, kernels[test.kernel]);
    } catch (const std::exception& error) {
      end.wrong = error.what();
    }
    if (!end.refused.empty()) {
      ++refused;
      std::printf("%s: refused: %s\n", test.label.c_str(), end.refused.c_str());
      EXPECT_TRUE(test.threads() > config.device.max_threads_per_block || config.device.compute_minor == 0)
          << test.label << ": " << end.refused;
      continue;
    }
    EXPECT_LE(test.threads(), config.device.max_threads_per_block) << test.label << " should have been refused";
    ++total;
    EXPECT_EQ(end.wrong, "") << test.label;
    passed += end.wrong.empty();
  }
  test::tally("cases", passed, total,
              fmt::format("cases.jsonl on the cycle model ({}){}", machine.name,
                          refused == 0 ? "" : fmt::format(", {} refused by the chip's limits", refused)));
  EXPECT_EQ(passed, total);
  EXPECT_GT(total, 0u);
}

INSTANTIATE_TEST_SUITE_P(Machines, Cases,
                         ::testing::Values(Machine{"tiny", "tiny"},
                                           Machine{"tiny with room for 512 threads",
                                                   "tiny",
                                                   {"device.max_threads_per_block=512", "device.max_block_x=512",
                                                    "device.max_block_y=512", "sm.max_warps=16", "sm.max_threads=512",
                                                    "sm.num_registers=8192"},
                                                   true},
                                           Machine{"8600gts", "8600gts"}, Machine{"8800gtx", "8800gtx"},
                                           Machine{"gtx280 with two of its TPCs", "gtx280", {"gpu.num_tpcs=2"}}),
                         [](const auto& info) { return info.param.preset + (info.param.retry ? "_with_room" : ""); });

}  // namespace
}  // namespace g80
