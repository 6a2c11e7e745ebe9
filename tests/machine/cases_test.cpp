// Every runnable case of the real kernels on the cycle model of a GeForce 8600 GTS, in lock-step with the reference:
// memory exactly as expected.
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "kernels/toolchain/assembler/register_count.h"
#include "tb/machine/gpu_backend.h"
#include "tests/conformance/kernel_cases.h"
#include "tests/support/data_dirs.h"

namespace g80 {
namespace {

using conformance::KernelCase;
using conformance::KernelCode;

constexpr unsigned kCudaSpace = 14;

/// Registers that the code names: most of the files do not say how many were allocated.
unsigned registers_of(const KernelCode& code) {
  unsigned registers = 1;
  for (std::size_t i = 0; i < code.words.size();) {
    const bool two_words = isa::is_long(code.words[i]) && i + 1 < code.words.size();
    isa::Instruction insn;
    if (isa::decode(code.words[i], two_words ? code.words[i + 1] : 0, code.arch, insn) == isa::DecodeError::kNone) {
      registers = std::max(registers, registers_named(insn));
    }
    i += two_words ? 2 : 1;
  }
  return registers;
}

/// A module of nothing but code and constants, as no file describes it.
Module module_of(const KernelCase& test, const KernelCode& code) {
  Module module;
  module.arch = code.arch;
  Kernel& kernel = module.kernels.emplace_back();
  kernel.name = test.kernel;
  kernel.lmem = code.local_bytes;
  kernel.smem = kMaxSharedBytes;  // unknown for most of them; s[] beyond the parameters begins as zero
  kernel.reg = registers_of(code);
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

/// What is wrong with the run, or nothing.
std::string run_case(const Config& config, const KernelCase& test, const KernelCode& code) {
  if (test.entry != 0) return "entry is not the first instruction";
  const Module module = module_of(test, code);
  GpuBackend gpu(config, MachineOptions());
  gpu.load(module);
  const std::uint32_t base = gpu.allocate(test.mem_size, "g14");
  gpu.set_global(kCudaSpace, base, test.mem_size - 1);
  std::vector<std::uint32_t> words = test.initial();
  gpu.write(base, words.data(), test.mem_size);
  LaunchRequest request;
  request.kernel = &module.kernels.front();
  request.grid = {test.grid[0], test.grid[1], 1};
  request.block = test.block;
  request.params = test.params;
  request.max_cycles = 10'000'000;
  const LaunchResult result = gpu.launch(request);
  if (result.end != LaunchEnd::kFinished) return std::string(launch_end_name(result.end)) + ": " + result.message;
  std::uint64_t issued = 0;
  for (const SmCounters& sm : result.sms) issued += sm.warp_instructions;
  if (gpu.lockstep()->counters().instructions != issued) return "the reference did not step every instruction";
  gpu.read(base, words.data(), test.mem_size);
  return conformance::first_difference(words, test.expected());
}

TEST(Cases, EveryKernelLeavesTheExpectedMemoryOnThe8600Gts) {
  const std::string directory = conformance::cases_directory();
  const auto cases = conformance::read_kernel_cases(directory);
  if (!cases) GTEST_SKIP() << "cases.jsonl is not in " << directory;
  const Config config = load_config("8600gts");
  std::map<std::string, KernelCode> kernels;
  std::size_t total = 0, passed = 0;
  for (const KernelCase& test : *cases) {
    if (test.threads() > config.device.max_threads_per_block) {
      std::printf("%s runs blocks of %u threads, more than the chip's %u: reference only\n", test.label.c_str(),
                  test.threads(), config.device.max_threads_per_block);
      continue;
    }
    if (kernels.count(test.kernel) == 0) kernels[test.kernel] = conformance::load_kernel_code(directory, test.kernel);
    ++total;
    std::string wrong;
    try {
      wrong = run_case(config, test, kernels[test.kernel]);
    } catch (const std::exception& error) {
      wrong = error.what();
    }
    EXPECT_EQ(wrong, "") << test.label;
    passed += wrong.empty();
  }
  test::tally("cases", passed, total, "cases.jsonl on the cycle model (8600gts)");
  EXPECT_EQ(passed, total);
  EXPECT_GT(total, 0u);
}

}  // namespace
}  // namespace g80
