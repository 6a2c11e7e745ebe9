// SPDX-License-Identifier: Apache-2.0
// The interference graph: which units (words, or halves: live_ranges.h) cannot share a register, and which virtual
// registers became one by coalescing.
#pragma once
#include <vector>

#include "toolchain/compiler/codegen/live_ranges.h"
#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

class Interference {
 public:
  Interference(const MachineFunction& function, const Liveness& liveness);

  /// Coalesces the two sides of copies if they do not interfere, inner loops first.
  void coalesce();

  struct Node {
    std::uint32_t leader = 0;  // node number of the group this register belongs to
    std::uint8_t offset = 0;   // of its first unit within that group
  };
  /// After coalesce().
  const Node& find(std::uint32_t reg) const { return parent_[reg]; }
  // All in units.
  unsigned units(std::uint32_t leader) const { return units_[leader]; }
  unsigned align(std::uint32_t leader) const { return align_[leader]; }
  int fixed(std::uint32_t leader) const { return fixed_[leader]; }
  unsigned end(std::uint32_t leader) const { return end_[leader]; }
  /// Calls f(other leader, offset of the unit in it) for the units that interfere with unit `offset` of a leader.
  template <typename F>
  void for_each_neighbour(std::uint32_t leader, unsigned offset, F&& f) const {
    edges_[liveness_.first_unit[leader] + offset].for_each([&](std::size_t unit) {
      const std::uint32_t reg = liveness_.owner[unit];
      const Node& node = parent_[reg];
      f(node.leader, static_cast<unsigned>(unit - liveness_.first_unit[reg] + node.offset));
    });
  }
  unsigned degree(std::uint32_t leader) const;

 private:
  void build();
  void add_edge(std::uint32_t a, std::uint32_t b);
  Node find_leader(std::uint32_t reg);
  bool try_merge(const Reg& a, const Reg& b);
  bool interfere(std::uint32_t a, std::uint32_t b) const;

  const MachineFunction& function_;
  const Liveness& liveness_;
  std::vector<BitSet> edges_;                        // by unit; those of a leader's units are complete
  std::vector<std::vector<std::uint32_t>> members_;  // by unit of a leader: the units that became one with it
  std::vector<Node> parent_;                         // find_leader() shortens its way
  std::vector<std::uint8_t> units_, align_;
  std::vector<std::uint16_t> end_;
  std::vector<int> fixed_;
};

}  // namespace g80::codegen
