// Questions about the shape of a control-flow graph that is given as successor lists.
#pragma once
#include <cstdint>
#include <vector>

#include "kernels/toolchain/compiler/codegen/machine.h"
#include "kernels/toolchain/compiler/ir.h"

namespace g80::codegen {

struct FlowGraph {
  std::vector<std::vector<ir::BlockId>> next, prev;
  std::vector<ir::BlockId> order;       // reverse postorder from block 0
  std::vector<std::uint32_t> position;  // in `order`, kNone: unreachable
  std::vector<ir::BlockId> idom;

  bool dominates(ir::BlockId a, ir::BlockId b) const;
};
FlowGraph make_flow_graph(std::vector<std::vector<ir::BlockId>> next);
FlowGraph make_flow_graph(const ir::Function& function);
FlowGraph make_flow_graph(const MachineFunction& function);

/// Where paths meet again, not counting paths that only end the thread: ways to an early exit do not keep the rest of a
/// region from having a meeting point.
struct Meeting {
  std::vector<std::uint8_t> leads_only_to_early_exit;
  std::vector<ir::BlockId> point;  // immediate post-dominator among the other paths; kNone: there is none
};
Meeting find_meeting_points(const FlowGraph& graph);

/// Blocks reachable from `start` (itself only if on a cycle) without entering `stop`.
std::vector<std::uint8_t> region_between(const FlowGraph& graph, ir::BlockId start, ir::BlockId stop);

/// Natural loops: number of loops around each block, and for each header the blocks of its loop.
struct Loops {
  std::vector<unsigned> depth;
  std::vector<std::vector<std::uint8_t>> body;  // by header; empty: not a header
};
Loops find_loops(const FlowGraph& graph);

}  // namespace g80::codegen
