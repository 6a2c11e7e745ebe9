// SPDX-License-Identifier: Apache-2.0
// Colouring of the interference graph: nodes are removed in order of their degree, the least connected first, and get
// the lowest free place in the opposite order.
#pragma once
#include <vector>

#include "toolchain/compiler/codegen/interference.h"
#include "toolchain/compiler/codegen/live_ranges.h"
#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

inline constexpr int kNoColour = -1;
inline constexpr unsigned kFlagRegisters = 4;
inline constexpr unsigned kAddressRegisters = 4;  // $a1 .. $a4

/// Nodes are leaders of the graph, which must be coalesced; colours are places of their first units.
class Colouring {
 public:
  Colouring(const MachineFunction& function, const Liveness& liveness, const Interference& graph, unsigned limit);

  /// From now on, general registers leave the places in front of `low_end()` to those that can have no other.
  void keep_low_places();
  /// `costs`: by node; 0: nobody names it, it gets no colour.
  void run(const std::vector<double>& costs);

  const std::vector<std::uint32_t>& nodes() const { return nodes_; }
  /// Those that found no place.
  const std::vector<std::uint32_t>& failed() const { return failed_; }
  const std::vector<int>& colours() const { return colour_; }
  /// In the whole graph.
  unsigned degree(std::uint32_t node) const { return degree_[node]; }
  /// Of general registers that must lie in front of another place than the last.
  unsigned low_end() const { return low_end_; }
  /// Units of a class.
  unsigned places(RegClass cls) const;

 private:
  int lowest_free(std::uint32_t node) const;

  const MachineFunction& function_;
  const Liveness& liveness_;
  const Interference& graph_;
  unsigned limit_;
  std::vector<std::uint32_t> nodes_, failed_;
  std::vector<int> colour_;
  std::vector<unsigned> degree_;
  unsigned low_end_ = ~0u;  // units
};

/// Writes the numbers of coloured registers into the instructions, and removes copies of a register to itself. Returns
/// the number of general registers used.
unsigned assign_registers(MachineFunction& function, const Liveness& liveness, const Interference& graph,
                          const std::vector<int>& colours);

}  // namespace g80::codegen
