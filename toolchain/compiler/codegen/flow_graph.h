// SPDX-License-Identifier: Apache-2.0
// Analyses of a control-flow graph given as successor lists.
#pragma once
#include <cstdint>
#include <vector>

#include "toolchain/compiler/codegen/machine.h"
#include "toolchain/compiler/ir/ir.h"

namespace g80::codegen {

struct FlowGraph {
  std::vector<std::vector<ir::BlockId>> next, prev;
  std::vector<ir::BlockId> order;       // reverse postorder from the root
  std::vector<std::uint32_t> position;  // in `order`, kNone: unreachable
  std::vector<ir::BlockId> idom;

  bool dominates(ir::BlockId a, ir::BlockId b) const;
};
FlowGraph make_flow_graph(std::vector<std::vector<ir::BlockId>> next, ir::BlockId root = 0);
FlowGraph make_flow_graph(const ir::Function& function);
FlowGraph make_flow_graph(const MachineFunction& function);

/// Where paths reconverge. Paths have a goal: the exit that most blocks reach or, with a header, the header's next
/// turn. Those that leave instead (for an early exit) do not keep the others from having a meeting point.
struct Meeting {
  std::vector<std::uint8_t> only_leaves;  // no path from the block reaches the goal
  /// The immediate post-dominator: of a block that reaches the goal among the paths to it, of another among all paths.
  /// kNone: there is none.
  std::vector<ir::BlockId> point;
};
/// `sizes`: how much code a block is, where that is not 1.
Meeting find_meeting_points(const FlowGraph& graph, ir::BlockId header = ir::kNone,
                            const std::vector<std::size_t>& sizes = {});

/// Blocks reachable from `start` (itself only if on a cycle) without entering `stop`.
std::vector<std::uint8_t> region_between(const FlowGraph& graph, ir::BlockId start, ir::BlockId stop);

/// Natural loops: number of loops around each block, and for each header the blocks of its loop.
struct Loops {
  std::vector<unsigned> depth;
  std::vector<std::vector<std::uint8_t>> body;  // by header; empty: not a header
};
Loops find_loops(const FlowGraph& graph);

}  // namespace g80::codegen
