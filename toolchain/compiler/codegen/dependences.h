// SPDX-License-Identifier: Apache-2.0
// Dependences that order the instructions of a block: registers, memory, and copies that the allocator may coalesce.
#pragma once
#include <cstdint>
#include <vector>

#include "toolchain/compiler/codegen/live_ranges.h"
#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

/// One instruction must follow another. If `waits`, it waits for the other's result.
struct Dependence {
  std::uint32_t inst = 0;  // index in the block
  bool waits = false;
};

struct Dependences {
  std::vector<std::vector<Dependence>> next;  // by instruction: which must follow it
  std::vector<std::uint32_t> count;           // by instruction: in how many of those lists it is
};

/// What dependences in a block must know of the whole function. Pairs of words that copies connect: the allocator makes
/// them one register unless their values are needed at the same time.
class CopyPartners {
 public:
  CopyPartners(const MachineFunction& function, const Liveness& liveness);
  /// The words that get copies of this one.
  const std::vector<std::uint32_t>& of(std::uint32_t word) const { return partners_[word]; }
  /// Somewhere the launch header or the parameters in s[] are written.
  bool stores_parameters() const { return stores_parameters_; }

 private:
  std::vector<std::vector<std::uint32_t>> partners_;
  bool stores_parameters_ = false;
};

/// Accesses of one space keep their order where one of them writes or is volatile, unless both have fixed addresses in
/// l[] that do not overlap. (Other addresses of a space that differ in this thread say nothing: threads of a warp
/// exchange values through s[] and g[] in the order of their accesses.) Header and parameters in s[] are never written.
/// Atomic operations, fences and volatile accesses keep their order with everything they could publish.
Dependences find_dependences(const MachineFunction& function, const MachineBlock& block, const Liveness& liveness,
                             const CopyPartners& partners);

/// No instruction may move across this one: barriers, control, clocks, and loops within the block.
bool is_pinned(const MachineInst& inst);

}  // namespace g80::codegen
