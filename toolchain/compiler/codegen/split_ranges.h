// SPDX-License-Identifier: Apache-2.0
// Registers that a loop keeps but does not name wait for its end in l[]: one store in front of it and a load where it
// is left, instead of a load wherever they are read.
#pragma once
#include <vector>

#include "toolchain/compiler/codegen/flow_graph.h"
#include "toolchain/compiler/codegen/live_ranges.h"
#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

/// A register and the loop it can wait for.
struct Wait {
  std::uint32_t reg = kNoRegister;
  ir::BlockId header = ir::kNone;
  double cost = 0;  // accesses, weighted by loops
};

class RangeSplitter {
 public:
  /// Keeps `liveness` up to date.
  RangeSplitter(MachineFunction& function, Liveness& liveness);

  /// By virtual register of one word: the cheapest wait around a loop that needs `limit` registers or more at once.
  std::vector<Wait> find(unsigned limit) const;
  /// Splits; waits found before remain valid.
  void split(const Wait& wait);

 private:
  struct Edge {
    ir::BlockId from, to;
  };
  bool is_inside(ir::BlockId header, ir::BlockId block) const { return loops_.body[header].test(block); }
  unsigned most_in_use(ir::BlockId header, std::vector<unsigned>& pressure) const;
  std::vector<Edge> entries(ir::BlockId header) const;
  std::vector<Edge> exits(ir::BlockId header, std::uint32_t reg) const;
  bool only_from(ir::BlockId header, ir::BlockId to) const;
  bool is_only_way(const Edge& edge) const;
  bool can_divide(const Edge& edge) const;
  double weight(const Edge& edge) const;
  ir::BlockId block_on(const Edge& edge);

  MachineFunction& function_;
  Liveness& liveness_;
  Loops loops_;
};

}  // namespace g80::codegen
