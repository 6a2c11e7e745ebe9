// SPDX-License-Identifier: Apache-2.0
// Analyses of a control-flow graph given as successor lists.
#pragma once
#include <cstdint>
#include <vector>

#include "toolchain/compiler/codegen/bit_set.h"
#include "toolchain/compiler/codegen/machine.h"
#include "toolchain/compiler/ir/ir.h"

namespace g80::codegen {

/// With the dominators from its root.
struct FlowGraph : ir::Dominators {
  std::vector<std::vector<ir::BlockId>> next, prev;
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
BitSet region_between(const FlowGraph& graph, ir::BlockId start, ir::BlockId stop);

/// Natural loops: number of loops around each block, and for each header the blocks of its loop.
struct Loops {
  std::vector<unsigned> depth;
  std::vector<BitSet> body;         // by header; empty: not a header
  std::vector<ir::BlockId> header;  // by block: of the innermost loop around it, its own if it is one; kNone: no loop
  std::vector<ir::BlockId> outer;   // by header: that of the next loop around
};
Loops find_loops(const FlowGraph& graph);

/// Numbers of blocks from `begin` on in front of `end`, without those from `gap_begin` on in front of `gap_end`. Both
/// are what a block dominates, so that those of two regions contain each other or have nothing in common.
struct Span {
  std::uint32_t begin = 0, end = 0, gap_begin = 0, gap_end = 0;

  bool has(std::uint32_t number) const {
    return number >= begin && number < end && (number < gap_begin || number >= gap_end);
  }
  bool contains(const Span& other) const;
  bool intersects(const Span& other) const;
};

/// Regions with one way in. They are spans of numbers in the tree of dominators, whatever their size.
class Regions {
 public:
  Regions() = default;
  explicit Regions(const FlowGraph& graph);

  /// Nothing but `entry` leads to the blocks between it and `meet` (kNone: all that it leads to), and they lead nowhere
  /// else. The region of a loop contains the entry, its header.
  bool has_one_way_in(const FlowGraph& graph, ir::BlockId entry, ir::BlockId meet, bool is_loop) const;
  /// The blocks of such a region.
  Span span(ir::BlockId entry, ir::BlockId meet, bool is_loop) const;
  std::uint32_t number(ir::BlockId block) const { return number_[block]; }
  /// By number.
  const std::vector<ir::BlockId>& blocks() const { return blocks_; }
  template <typename F>
  void for_each(const Span& span, F&& f) const {
    for (std::uint32_t number = span.begin; number < span.end; ++number) {
      if (span.has(number)) f(blocks_[number]);
    }
  }

 private:
  struct Target {
    std::uint32_t depth = ir::kNone;
    ir::BlockId block = ir::kNone;
  };
  /// The two targets of edges that are nearest to the root.
  struct Nearest {
    Target first, second;
    void add(const Target& target);
  };

  bool leads_back(const FlowGraph& graph, ir::BlockId entry, ir::BlockId meet) const;
  /// True if `entry` dominates `meet`: what follows that is no part of the region.
  bool is_gap(ir::BlockId entry, ir::BlockId meet) const {
    return meet != ir::kNone && number_[meet] > number_[entry] && number_[meet] < end_[entry];
  }

  std::vector<ir::BlockId> blocks_;
  // by block: its number, that behind all blocks it dominates, how many blocks dominate it, where these lead
  std::vector<std::uint32_t> number_, end_, depth_;
  std::vector<Nearest> targets_;
};

}  // namespace g80::codegen
