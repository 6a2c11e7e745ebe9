// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/flow_graph.h"

#include <algorithm>

namespace g80::codegen {

using ir::BlockId;

FlowGraph make_flow_graph(std::vector<std::vector<BlockId>> next, BlockId root) {
  const std::vector<BlockId> order = ir::reverse_postorder(root, next);
  std::vector<std::vector<BlockId>> prev(next.size());
  for (const BlockId block : order) {
    for (const BlockId target : next[block]) {
      if (prev[target].empty() || prev[target].back() != block) prev[target].push_back(block);
    }
  }
  FlowGraph graph{ir::find_dominators(order, prev), std::move(next), std::move(prev)};
  return graph;
}

FlowGraph make_flow_graph(const ir::Function& function) {
  std::vector<std::vector<BlockId>> next(function.blocks.size());
  for (BlockId block = 0; block < next.size(); ++block) {
    if (!function.blocks[block].insts.empty()) next[block] = function.successors(block);
  }
  return make_flow_graph(std::move(next));
}

FlowGraph make_flow_graph(const MachineFunction& function) {
  std::vector<std::vector<BlockId>> next(function.blocks.size());
  for (BlockId block = 0; block < next.size(); ++block) next[block] = successors(function.blocks[block].end);
  return make_flow_graph(std::move(next));
}

namespace {

/// How much code leads to a block, its own included. Where blocks have one predecessor each, that of one is that of the
/// other and its own.
class LeadingCode {
 public:
  LeadingCode(const FlowGraph& graph, const std::vector<std::size_t>& sizes)
      : graph_(graph),
        sizes_(sizes),
        cycle_(graph.next.size(), ir::kNone),
        is_cyclic_(graph.next.size(), 0),
        known_(graph.next.size(), 0) {
    // blocks of a cycle are found together: nothing before them in the order that is not found yet leads to them
    for (const BlockId first : graph.order) {
      if (cycle_[first] != ir::kNone) continue;
      std::vector<BlockId> work{first};
      cycle_[first] = first;
      while (!work.empty()) {
        const BlockId block = work.back();
        work.pop_back();
        for (const BlockId pred : graph.prev[block]) {
          if (pred == block) is_cyclic_[first] = 1;
          if (cycle_[pred] != ir::kNone) continue;
          cycle_[pred] = first;
          is_cyclic_[first] = 1;
          work.push_back(pred);
        }
      }
    }
  }

  std::size_t of(BlockId block) {
    std::vector<BlockId> chain;
    while (known_[block] == 0 && !is_cyclic_[cycle_[block]] && graph_.prev[block].size() == 1) {
      chain.push_back(block);
      block = graph_.prev[block][0];
    }
    if (known_[block] == 0) {
      for (const BlockId other : ir::reverse_postorder(block, graph_.prev)) known_[block] += size(other);
    }
    std::size_t sum = known_[block];
    for (auto next = chain.rbegin(); next != chain.rend(); ++next) known_[*next] = sum += size(*next);
    return sum;
  }

 private:
  std::size_t size(BlockId block) const { return block < sizes_.size() ? sizes_[block] : 1; }

  const FlowGraph& graph_;
  const std::vector<std::size_t>& sizes_;
  std::vector<BlockId> cycle_;           // by block: the first block of its cycle, or itself
  std::vector<std::uint8_t> is_cyclic_;  // by first block: it is a cycle
  std::vector<std::size_t> known_;       // 0: not yet
};

/// The exit that most code leads to; kNone: there is no exit.
BlockId main_exit(const FlowGraph& graph, const std::vector<std::size_t>& sizes) {
  BlockId best = ir::kNone;
  std::size_t most = 0;
  LeadingCode leading(graph, sizes);
  for (const BlockId block : graph.order) {
    if (!graph.next[block].empty()) continue;
    const std::size_t reach = leading.of(block);
    if (best != ir::kNone && reach <= most) continue;
    best = block;
    most = reach;
  }
  return best;
}

/// Post-dominators of a graph whose last node is the end of all paths; nodes that do not reach it have no position.
ir::Dominators post_dominators(const std::vector<std::vector<BlockId>>& next) {
  std::vector<std::vector<BlockId>> prev(next.size());
  for (BlockId block = 0; block < next.size(); ++block) {
    for (const BlockId target : next[block]) prev[target].push_back(block);
  }
  return ir::find_dominators(ir::reverse_postorder(static_cast<BlockId>(next.size() - 1), prev), next);
}

}  // namespace

Meeting find_meeting_points(const FlowGraph& graph, BlockId header, const std::vector<std::size_t>& sizes) {
  const auto count = static_cast<BlockId>(graph.next.size());
  Meeting meeting;
  meeting.only_leaves.assign(count, 1);
  meeting.point.assign(count, ir::kNone);
  std::vector<std::vector<BlockId>> next(count + 1);
  for (const BlockId block : graph.order) next[block] = graph.next[block];
  if (header != ir::kNone) {
    for (const BlockId latch : graph.prev[header]) std::replace(next[latch].begin(), next[latch].end(), header, count);
  } else if (const BlockId exit = main_exit(graph, sizes); exit != ir::kNone) {
    next[exit].push_back(count);
  }
  const ir::Dominators among_arriving = post_dominators(next);
  for (const BlockId block : graph.order) {
    if (among_arriving.position[block] == ir::kNone) continue;
    meeting.only_leaves[block] = 0;
    meeting.point[block] = among_arriving.idom[block] == count ? header : among_arriving.idom[block];
    next[block].clear();
  }
  // what is left: paths that all leave, each to an end of its own
  for (const BlockId block : graph.order) {
    if (meeting.only_leaves[block] && next[block].empty()) next[block].push_back(count);
  }
  const std::vector<BlockId> among_leaving = post_dominators(next).idom;
  for (const BlockId block : graph.order) {
    if (meeting.only_leaves[block] && among_leaving[block] != count) meeting.point[block] = among_leaving[block];
  }
  return meeting;
}

BitSet region_between(const FlowGraph& graph, BlockId start, BlockId stop) {
  BitSet inside;
  std::vector<BlockId> work{start};
  while (!work.empty()) {
    const BlockId block = work.back();
    work.pop_back();
    for (const BlockId target : graph.next[block]) {
      if (target == stop || inside.test(target)) continue;
      inside.set(target);
      work.push_back(target);
    }
  }
  return inside;
}

Loops find_loops(const FlowGraph& graph) {
  Loops loops;
  loops.depth.assign(graph.next.size(), 0);
  loops.body.resize(graph.next.size());
  for (const BlockId latch : graph.order) {
    for (const BlockId header : graph.next[latch]) {
      if (!graph.dominates(header, latch)) continue;
      BitSet& body = loops.body[header];
      body.set(header);
      std::vector<BlockId> work;
      if (!body.test(latch)) {
        body.set(latch);
        work.push_back(latch);
      }
      while (!work.empty()) {
        const BlockId block = work.back();
        work.pop_back();
        for (const BlockId pred : graph.prev[block]) {
          if (body.test(pred)) continue;
          body.set(pred);
          work.push_back(pred);
        }
      }
    }
  }
  loops.header.assign(graph.next.size(), ir::kNone);
  loops.outer.assign(graph.next.size(), ir::kNone);
  for (const BlockId header : graph.order) {  // outer loops first
    if (loops.body[header].empty()) continue;
    loops.outer[header] = loops.header[header];
    loops.body[header].for_each([&](std::size_t block) {
      ++loops.depth[block];
      loops.header[block] = header;
    });
  }
  return loops;
}

bool Span::contains(const Span& other) const {
  if (other.begin < begin || other.end > end) return false;
  const bool is_gap_apart = gap_end <= other.begin || gap_begin >= other.end;
  return gap_begin == gap_end || is_gap_apart || (gap_begin >= other.gap_begin && gap_end <= other.gap_end);
}

bool Span::intersects(const Span& other) const {
  // of the inner span, what lies in neither gap
  const std::uint32_t from = std::max(begin, other.begin), to = std::min(end, other.end);
  if (from >= to) return false;
  const auto in_gap = [&](std::uint32_t first, std::uint32_t last) {
    return std::max(std::min(last, to), from) - std::min(std::max(first, from), to);
  };
  const std::uint32_t a = in_gap(gap_begin, gap_end), b = in_gap(other.gap_begin, other.gap_end);
  const bool is_nested = gap_begin < other.gap_end && other.gap_begin < gap_end;
  return to - from > (is_nested ? std::max(a, b) : a + b);
}

void Regions::Nearest::add(const Target& target) {
  if (target.block == first.block || target.block == second.block) return;
  if (target.depth < first.depth) {
    second = first;
    first = target;
  } else if (target.depth < second.depth) {
    second = target;
  }
}

Regions::Regions(const FlowGraph& graph)
    : blocks_(graph.order.size()),
      number_(graph.number),
      end_(graph.end),
      depth_(graph.next.size(), 0),
      targets_(graph.next.size()) {
  for (const BlockId block : graph.order) {
    blocks_[number_[block]] = block;
    if (graph.idom[block] != ir::kNone) depth_[block] = depth_[graph.idom[block]] + 1;
  }
  for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
    for (const BlockId target : graph.next[*block]) targets_[*block].add({depth_[target], target});
    const BlockId above = graph.idom[*block];
    if (above == ir::kNone) continue;
    targets_[above].add(targets_[*block].first);
    targets_[above].add(targets_[*block].second);
  }
}

bool Regions::has_one_way_in(const FlowGraph& graph, BlockId entry, BlockId meet, bool is_loop) const {
  const auto may_lead_to = [&](BlockId target) { return target == meet || (is_loop && target == entry); };
  const auto leaves = [&](const Target& target) { return target.depth <= depth_[entry]; };
  for (std::uint32_t at = number_[entry]; at < end_[entry];) {
    const BlockId block = blocks_[at];
    if (block == meet && meet != entry) {
      at = end_[block];
      continue;
    }
    const bool is_around_meet = is_gap(block, meet);
    const Nearest& nearest = targets_[block];
    if (!is_around_meet && !leaves(nearest.first)) {
      at = end_[block];
      continue;
    }
    if (!is_around_meet && may_lead_to(nearest.first.block) && !leaves(nearest.second)) {
      at = end_[block];
      continue;
    }
    for (const BlockId target : graph.next[block]) {
      if (leaves({depth_[target], target}) && !may_lead_to(target)) return false;
    }
    ++at;
  }
  return !leads_back(graph, entry, meet);
}

/// True if blocks that `meet` dominates lead to others between `entry` and it. What these have in common is a dominator
/// of `meet`.
bool Regions::leads_back(const FlowGraph& graph, BlockId entry, BlockId meet) const {
  if (!is_gap(entry, meet)) return false;
  const auto is_behind_meet = [&](BlockId block) {
    return number_[block] >= number_[meet] && number_[block] < end_[meet];
  };
  for (BlockId above = meet; above != entry;) {
    above = graph.idom[above];
    for (std::uint32_t at = number_[above] + 1; at < end_[above]; at = end_[blocks_[at]]) {
      const std::vector<BlockId>& prev = graph.prev[blocks_[at]];
      if (blocks_[at] != meet && std::any_of(prev.begin(), prev.end(), is_behind_meet)) return true;
    }
  }
  return false;
}

Span Regions::span(BlockId entry, BlockId meet, bool is_loop) const {
  Span span{number_[entry] + (is_loop ? 0 : 1), end_[entry], end_[entry], end_[entry]};
  if (!is_gap(entry, meet)) return span;
  span.gap_begin = number_[meet];
  span.gap_end = end_[meet];
  return span;
}

}  // namespace g80::codegen
