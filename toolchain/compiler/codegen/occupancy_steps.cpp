// SPDX-License-Identifier: Apache-2.0
// The multiprocessor of each feature level, from the CUDA Programming Guide, appendix A. Registers are allocated to
// pairs of warps, in units of 256 (sm_10, sm_11) or 512.
#include "toolchain/compiler/codegen/occupancy_steps.h"

#include <algorithm>

#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {
namespace {

struct Multiprocessor {
  unsigned registers, granule, threads;
};
constexpr unsigned kMaxBlocks = 8, kMaxBlockThreads = 512, kWarp = 32, kWarpPair = 64;

Multiprocessor multiprocessor(isa::Arch arch) {
  return arch >= isa::Arch::kSm12 ? Multiprocessor{16384, 512, 1024} : Multiprocessor{8192, 256, 768};
}

unsigned blocks(const Multiprocessor& sm, unsigned threads, unsigned registers) {
  const unsigned pairs = (threads + kWarpPair - 1) / kWarpPair;
  const unsigned needed = (pairs * kWarpPair * registers + sm.granule - 1) / sm.granule * sm.granule;
  const unsigned whole_warps = std::max((threads + kWarp - 1) / kWarp, 1u) * kWarp;
  return std::min({kMaxBlocks, sm.threads / whole_warps, sm.registers / std::max(needed, 1u)});
}

/// True if, from `from` to `to` registers, no block size loses resident blocks.
bool none_loses(isa::Arch arch, unsigned threads, unsigned from, unsigned to) {
  const Multiprocessor sm = multiprocessor(arch);
  if (threads != 0) return blocks(sm, threads, to) >= blocks(sm, threads, from);
  for (unsigned size = kWarpPair; size <= kMaxBlockThreads; size += kWarpPair) {
    if (blocks(sm, size, to) < blocks(sm, size, from)) return false;
  }
  return true;
}

}  // namespace

unsigned resident_blocks(isa::Arch arch, unsigned threads, unsigned registers) {
  return blocks(multiprocessor(arch), threads, registers);
}

unsigned most_registers_as_good(isa::Arch arch, unsigned threads, unsigned registers) {
  while (registers < kMaxRegisters && none_loses(arch, threads, registers, registers + 1)) ++registers;
  return registers;
}

unsigned most_registers_for(isa::Arch arch, unsigned threads, unsigned min_blocks) {
  const unsigned wanted = std::min(std::max(min_blocks, 1u), resident_blocks(arch, threads, 1));
  unsigned registers = kMaxRegisters;
  while (resident_blocks(arch, threads, registers) < wanted) --registers;
  return registers;
}

unsigned next_better_registers(isa::Arch arch, unsigned threads, unsigned registers) {
  for (unsigned fewer = registers; fewer-- > 1;) {
    if (!none_loses(arch, threads, fewer, registers)) return fewer;
  }
  return 0;
}

}  // namespace g80::codegen
