// SPDX-License-Identifier: Apache-2.0
// One case of the real kernels on the cycle model: the file says code, arguments and memory, not what was allocated.
#pragma once
#include <cstring>
#include <string>

#include "tb/check/lockstep.h"
#include "tb/machine/gpu_backend.h"
#include "tests/conformance/kernel_cases.h"
#include "toolchain/assembler/register_count.h"

namespace g80::testing {

using conformance::KernelCase;
using conformance::KernelCode;

inline constexpr unsigned kCudaSpace = 14;

/// What the code itself says: most of the files do not say how many registers were allocated, and the feature level of
/// a file is often that of its compiler.
struct Needs {
  unsigned registers = 1;
  isa::Arch level = isa::Arch::kSm10;  // the first that has all instructions which any level has
};
inline Needs needs_of(const KernelCode& code) {
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
inline Module module_of(const KernelCase& test, const KernelCode& code) {
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

inline CaseEnd run_case(const Config& config, const KernelCase& test, const KernelCode& code,
                        const MachineOptions& options = {}) {
  if (test.entry != 0) return {"", "entry is not the first instruction"};
  const Module module = module_of(test, code);
  if (static_cast<unsigned>(module.arch) > config.device.compute_minor) {
    return {fmt::format("instructions of {}, the chip has compute capability 1.{}", isa::arch_name(module.arch),
                        config.device.compute_minor)};
  }
  GpuBackend gpu(config, options);
  gpu.load(module);
  std::optional<Launch> launch;
  try {
    launch.emplace(config, module.kernels.front(), Launch::Extent{test.grid[0], test.grid[1], 1}, test.block,
                   test.params, 0, 10'000'000);
  } catch (const LaunchRefused& refused) {
    return {refused.what()};
  }
  const std::uint32_t base = gpu.allocate(test.mem_size, "g14", Backend::Contents::kClearIfUsed);
  gpu.set_global(kCudaSpace, base, test.mem_size - 1);
  for (const auto& [address, words] : test.mem_init) gpu.write(base + address, words.data(), words.size() * 4);
  const LaunchResult result = gpu.launch(*launch);
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

}  // namespace g80::testing
