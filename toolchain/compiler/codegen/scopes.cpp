// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/scopes.h"

#include <algorithm>
#include <unordered_map>

namespace g80::codegen {
namespace {

using ir::BlockId;

bool ends_at_once(const MachineBlock& block) { return block.end.kind == TerminatorKind::kExit && block.insts.empty(); }

std::vector<std::size_t> code_sizes(const MachineFunction& function) {
  std::vector<std::size_t> sizes;
  for (const MachineBlock& block : function.blocks) sizes.push_back(block.insts.size() + 1);
  return sizes;
}

/// Ways to a common end that does nothing are ends of their own: there is nothing to meet for. They cost no code.
void split_ends(MachineFunction& function) {
  const std::size_t count = function.blocks.size();
  std::vector<std::uint8_t> is_taken(count, 0);
  for (BlockId block = 0; block < count; ++block) {
    const auto own = [&](BlockId target) {
      if (target == ir::kNone || !ends_at_once(function.blocks[target]) || !is_taken[target]) {
        if (target != ir::kNone) is_taken[target] = 1;
        return target;
      }
      function.blocks.push_back(function.blocks[target]);
      return static_cast<BlockId>(function.blocks.size() - 1);
    };
    if (function.blocks[block].end.kind == TerminatorKind::kNone) continue;
    for (const bool other : {false, true}) {
      const Terminator& end = function.blocks[block].end;
      const BlockId target = own(other ? end.other : end.taken);
      (other ? function.blocks[block].end.other : function.blocks[block].end.taken) = target;
    }
  }
}

/// Leads each edge to a target that `is_out` names to a node of its own, behind those of the blocks.
template <typename Predicate>
void split_ways_out(std::vector<std::vector<BlockId>>& next, Predicate&& is_out) {
  const std::size_t count = next.size();
  for (BlockId block = 0; block < count; ++block) {
    for (std::size_t k = 0; k < next[block].size(); ++k) {
      if (next[block][k] >= count || !is_out(next[block][k])) continue;
      next[block][k] = static_cast<BlockId>(next.size());
      next.push_back({});
    }
  }
}

/// Instructions that are worth a breakaddr, a joinat and a join if they are executed once instead of twice.
constexpr std::size_t kWorthMeeting = 6;
constexpr std::uint8_t kIfSet = 0x05;  // condition lg

/// A loop, or a part of the code with several ways to its end.
struct Part {
  BlockId header = ir::kNone;  // kNone: no loop
  BlockId entry = 0;           // breakaddr goes in front of the header, or to the end of an earlier block
  BlockId meet = ir::kNone;    // where its lanes go on; kNone: they end
  BlockId beyond = ir::kNone;  // where lanes go on that leave the scope around, too
  BitSet inside;               // what lies between, without an earlier entry

  bool is_entered_at_header() const { return entry == header; }
};

/// Tells of most parts without a header that no lanes meet sooner within, without a visit of their blocks.
///
/// Where lanes that part at a branch meet sooner, two paths without a common block lead from the branch to a block with
/// several predecessors. If that block is the meeting point of its dominator, or the dominator has another meeting
/// point in the part, the branch has a meeting point in the part, too, and nothing is gained. This holds while lanes
/// leave the part at its end only, and for branches outside of cycles.
class SoonerMeetings {
 public:
  SoonerMeetings(const FlowGraph& graph, const Regions& regions, const Meeting& meeting, const Loops& loops)
      : regions_(regions), loops_(loops) {
    for (const BlockId block : regions.blocks()) {
      const std::uint32_t number = regions.number(block);
      const std::vector<BlockId>& next = graph.next[block];
      const BlockId point = meeting.point[block];
      if (next.empty()) ends_.push_back(number);
      if (loops.header[block] == block) headers_.push_back(number);
      for (const BlockId target : next) {
        is_reducible_ &= graph.position[target] > graph.position[block] || graph.dominates(target, block);
      }
      if (next.size() == 2 && loops.header[block] != ir::kNone && next[0] != point && next[1] != point) {
        in_cycles_.push_back({point, number});
      }
      if (graph.prev[block].size() < 2 || graph.idom[block] == ir::kNone) continue;
      const BlockId expected = meeting.point[graph.idom[block]];
      if (expected == block) continue;
      merges_.push_back(number);
      merges_before_.push_back({expected, number});
    }
    std::sort(in_cycles_.begin(), in_cycles_.end());
    std::sort(merges_before_.begin(), merges_before_.end());
  }

  bool may_be_in(const Span& span, BlockId meet) const {
    if (!is_reducible_) return true;
    if (has_any(ends_, span)) return has_any(merges_, span) || has_any(headers_, span);
    if (has_any(merges_before_, span, meet, [](std::uint32_t) { return true; })) return true;
    return has_any(in_cycles_, span, meet, [&](std::uint32_t number) {
      return span.has(regions_.number(loops_.header[regions_.blocks()[number]]));
    });
  }

 private:
  using Before = std::pair<BlockId, std::uint32_t>;  // a meeting point, a number

  static bool has_any(const std::vector<std::uint32_t>& numbers, const Span& span) {
    const auto has_from = [&](std::uint32_t from, std::uint32_t end) {
      const auto at = std::lower_bound(numbers.begin(), numbers.end(), from);
      return at != numbers.end() && *at < end;
    };
    return has_from(span.begin, span.gap_begin) || has_from(span.gap_end, span.end);
  }

  template <typename Predicate>
  static bool has_any(const std::vector<Before>& list, const Span& span, BlockId meet, Predicate&& is_wanted) {
    const auto has_from = [&](std::uint32_t from, std::uint32_t end) {
      auto at = std::lower_bound(list.begin(), list.end(), Before{meet, from});
      const auto last = std::lower_bound(list.begin(), list.end(), Before{meet, end});
      for (; at < last; ++at) {
        if (is_wanted(at->second)) return true;
      }
      return false;
    };
    return has_from(span.begin, span.gap_begin) || has_from(span.gap_end, span.end);
  }

  const Regions& regions_;
  const Loops& loops_;
  bool is_reducible_ = true;
  // numbers of ends, headers, and blocks with several predecessors that are not the meeting point of their dominator
  std::vector<std::uint32_t> ends_, headers_, merges_;
  std::vector<Before> merges_before_;  // the last with the meeting point of the dominator
  std::vector<Before> in_cycles_;      // branches of which no way leads to the meeting point at once
};

class ScopeMaker {
 public:
  explicit ScopeMaker(MachineFunction& function) : function_(function) {
    split_ends(function_);
    scopes_.list.push_back({0, ir::kNone});
    while (scopes_.scope_of.size() < function_.blocks.size()) scopes_.add_block(0);
  }

  Scopes run() {
    for (scope_ = 0; scope_ < scopes_.list.size(); ++scope_) {
      while (take_out_a_loop() || take_out_an_alternative()) continue;
    }
    return std::move(scopes_);
  }

 private:
  /// Outer loops first: breaks of an inner one would stand between it and its own.
  bool take_out_a_loop() {
    graph_ = scopes_.graph(function_, scope_);
    regions_ = Regions(graph_);
    loops_ = find_loops(graph_);
    std::vector<BlockId> headers;
    for (const BlockId block : graph_.order) {
      if (loops_.header[block] == block && block != scopes_.list[scope_].header) headers.push_back(block);
    }
    if (headers.empty()) return false;
    std::stable_sort(headers.begin(), headers.end(),
                     [&](BlockId a, BlockId b) { return loops_.depth[a] < loops_.depth[b]; });
    meeting_ = scopes_.meeting_points(function_, graph_, scope_);
    for (const BlockId header : headers) {
      Part part;
      part.header = part.entry = header;
      part.meet = meeting_.point[header];
      const auto& body = loops_.body[header];
      for (std::size_t steps = 0; part.meet != ir::kNone && body.test(part.meet); ++steps) {
        part.meet = steps == graph_.next.size() ? ir::kNone : meeting_.point[part.meet];
      }
      if (!enclose(part)) continue;
      part.inside = blocks_of(part);
      if (part.meet != ir::kNone && ends_at_once(function_.blocks[part.meet])) {
        part.inside.set(part.meet);
        part.meet = ir::kNone;
      }
      if (!gains(part) || !find_beyond(part)) continue;
      take_out(part);
      return true;
    }
    return false;
  }

  /// Ways from a branch that meet on most of them sooner than on all: `a || b` in front of a large block, a loop that
  /// leads to two places.
  bool take_out_an_alternative() {
    meeting_ = scopes_.meeting_points(function_, graph_, scope_);
    const SoonerMeetings sooner(graph_, regions_, meeting_, loops_);
    for (const BlockId block : graph_.order) {
      if (!is_real(block) || !function_.blocks[block].end.divergent) continue;
      Part part;
      part.entry = block;
      part.meet = meeting_.point[block];
      if (part.meet == ir::kNone || !is_real(part.meet) || graph_.prev[part.meet].size() < 2) continue;
      if (ends_at_once(function_.blocks[part.meet]) || !enclose(part)) continue;
      if (!sooner.may_be_in(regions_.span(part.entry, part.meet, false), part.meet)) continue;
      part.inside = blocks_of(part);
      if (!gains(part) || !find_beyond(part)) continue;
      take_out(part);
      return true;
    }
    return false;
  }

  bool is_real(BlockId block) const { return block < function_.blocks.size(); }

  /// Finds the smallest part from around `part.entry` to the meeting point that has one way in.
  bool enclose(Part& part) const {
    if (part.meet != ir::kNone && !is_real(part.meet)) part.meet = ir::kNone;
    for (; part.entry != ir::kNone; part.entry = graph_.idom[part.entry]) {
      const bool is_loop = part.is_entered_at_header();
      if (is_loop ? part.entry == scopes_.list[scope_].root : !comes_to(part.entry, part.meet)) return false;
      if (scopes_.after[part.entry] != part.entry) continue;
      if (regions_.has_one_way_in(graph_, part.entry, part.meet, is_loop)) return true;
    }
    return false;
  }

  /// Leaves out the nodes for ways out of the scope.
  BitSet blocks_of(const Part& part) const {
    BitSet inside;
    regions_.for_each(regions_.span(part.entry, part.meet, part.is_entered_at_header()), [&](BlockId block) {
      if (is_real(block)) inside.set(block);
    });
    return inside;
  }

  /// False: lanes leave the scope around to several places.
  bool find_beyond(Part& part) const {
    if (part.meet == ir::kNone) return true;
    bool is_one = true;
    for_each_that_may_leave(part, [&](BlockId block) {
      for (const BlockId next : successors(function_.blocks[block].end)) {
        const std::uint32_t scope = scopes_.scope_of[next];
        if (scope == scope_ || scope == scopes_.scope_of[block] || next == part.beyond) continue;
        is_one &= part.beyond == ir::kNone;
        part.beyond = next;
      }
    });
    return is_one;
  }

  /// The blocks of a part, with those of the scopes in it that have no breakaddr: all their lanes leave the scope
  /// around at once.
  template <typename F>
  void for_each_that_may_leave(const Part& part, F&& f) const {
    std::vector<std::uint8_t> leaves(scopes_.list.size(), 0);
    bool has_scopes = false;
    f(part.entry);
    part.inside.for_each([&](std::size_t inside) {
      const auto block = static_cast<BlockId>(inside);
      if (block == part.entry) return;
      if (scopes_.after[block] == block) {
        f(block);
      } else if (scopes_.after[block] == ir::kNone) {
        leaves[scopes_.scope_of[function_.blocks[block].end.taken]] = 1;
        has_scopes = true;
      }
    });
    if (!has_scopes) return;
    for (BlockId block = 0, count = static_cast<BlockId>(scopes_.scope_of.size()); block < count; ++block) {
      if (leaves[scopes_.scope_of[block]] && scopes_.after[block] == block) f(block);
    }
  }

  bool comes_to(BlockId block, BlockId meet) const {
    for (std::size_t steps = 0; block != ir::kNone && block != meet && steps < graph_.next.size(); ++steps) {
      block = meeting_.point[block];
    }
    return block == meet && meet != ir::kNone;
  }

  /// True if lanes that part within would meet sooner, and long enough before the end.
  bool gains(const Part& part) const {
    const PartGraph inside = graph_of(part);
    const auto header = part.header == ir::kNone ? inside.node.end() : inside.node.find(part.header);
    // without structure, the part around the ways into a loop may end in front of it
    if (part.header != ir::kNone && header == inside.node.end()) return false;
    const Meeting within = find_meeting_points(make_flow_graph(inside.next),
                                               part.header == ir::kNone ? ir::kNone : header->second, inside.sizes);
    const auto only_leaves = [&](BlockId target) {
      const auto node = inside.node.find(target);
      return node == inside.node.end() || within.only_leaves[node->second] != 0;
    };
    for (BlockId node = 0; node < inside.node.size(); ++node) {
      const BlockId block = inside.block[node];
      if (!is_real(block)) continue;
      const Terminator& end = function_.blocks[block].end;
      if (end.kind != TerminatorKind::kBranch || !end.divergent) continue;
      if (only_leaves(end.taken) || only_leaves(end.other) || within.point[node] == ir::kNone) continue;
      const BlockId sooner = inside.block[within.point[node]];
      if (sooner == meeting_.point[block]) continue;
      if (part.header != ir::kNone || is_worth_meeting(sooner, part.meet)) return true;
    }
    return false;
  }

  /// A part as a graph of its own: its entry, the blocks inside, and a node for each way out.
  struct PartGraph {
    std::vector<std::vector<BlockId>> next;
    std::vector<std::size_t> sizes;
    std::vector<BlockId> block;                 // by node; of a way to the meeting point a number that no block has
    std::unordered_map<BlockId, BlockId> node;  // by block
  };

  PartGraph graph_of(const Part& part) const {
    PartGraph result;
    const auto add = [&](BlockId block) {
      result.node.emplace(block, static_cast<BlockId>(result.block.size()));
      result.block.push_back(block);
      result.sizes.push_back(function_.blocks[block].insts.size() + 1);
    };
    add(part.entry);
    part.inside.for_each([&](std::size_t block) {
      if (block != part.entry) add(static_cast<BlockId>(block));
    });
    const std::size_t blocks = result.block.size();
    const auto new_node = static_cast<BlockId>(graph_.next.size());
    result.next.resize(blocks);
    for (std::size_t node = 0; node < blocks; ++node) {
      for (const BlockId target : graph_.next[result.block[node]]) {
        const auto known = target == part.meet ? result.node.end() : result.node.find(target);
        result.next[node].push_back(known != result.node.end() ? known->second
                                                               : static_cast<BlockId>(result.block.size()));
        if (known == result.node.end()) result.block.push_back(target == part.meet ? new_node : target);
      }
    }
    result.next.resize(result.block.size());
    return result;
  }

  bool is_worth_meeting(BlockId at, BlockId end) const {
    if (!is_real(at)) return false;
    std::size_t size = function_.blocks[at].insts.size();
    bool has_loop = false;
    region_between(graph_, at, end).for_each([&](std::size_t block) {
      if (!is_real(static_cast<BlockId>(block))) return;
      size += function_.blocks[block].insts.size() + 1;
      has_loop |= scopes_.after[block] != block || block == at;
    });
    return has_loop || size > kWorthMeeting;
  }

  BlockId new_block(BlockId to, const ir::Location& loc) {
    scopes_.add_block(scope_);
    return function_.new_jump(to, loc);
  }

  MachineInst set_choice(Reg choice, bool beyond, const ir::Location& loc) const {
    MachineInst set = make_copy(choice, {}, loc);
    if (beyond) {
      set.insn.form = isa::Form::kImmediate;
      set.insn.src[0] = {};
      set.insn.src[1].kind = isa::OperandKind::kImm;
      set.insn.immediate = 1;
    } else {
      set.insn.src[0].index = kZeroRegister;
    }
    return set;
  }

  /// A break leaves this part only: lanes that go further say so in a register, and leave the scope around behind it.
  void leave_twice(const Part& part, BlockId front, BlockId root, BlockId target, std::uint32_t inner) {
    const ir::Location loc = function_.blocks[target].end.loc;
    const Reg choice = function_.new_register();
    function_.blocks[front].insts.push_back(set_choice(choice, false, loc));
    std::vector<BlockId> leaving{root};
    for_each_that_may_leave(part, [&](BlockId block) { leaving.push_back(block); });
    std::sort(leaving.begin(), leaving.end());
    for (const BlockId block : leaving) {
      const std::vector<BlockId> next = successors(function_.blocks[block].end);
      if (std::find(next.begin(), next.end(), part.beyond) == next.end()) continue;
      const BlockId way = new_block(target, loc);
      function_.blocks[way].insts.push_back(set_choice(choice, true, loc));
      scopes_.scope_of[way] = scopes_.scope_of[block] == scope_ ? inner : scopes_.scope_of[block];
      function_.blocks[block].end.redirect(part.beyond, way);
    }
    MachineInst test;
    test.insn.op = isa::Op::kAnd;
    test.insn.dst_type = test.insn.src_type = test.insn.src2_type = isa::NumType::kB32;
    test.insn.dst.kind = isa::OperandKind::kDiscard;
    test.insn.dst.type = isa::MemType::kB32;
    test.insn.src[0].kind = test.insn.src[1].kind = isa::OperandKind::kReg;
    test.src[0] = test.src[1] = choice;
    test.insn.writes_flags = true;
    test.flags_out = function_.new_register(RegClass::kFlags);
    test.loc = loc;
    MachineBlock& behind = function_.blocks[target];
    behind.insts.push_back(test);
    behind.end.kind = TerminatorKind::kBranch;
    behind.end.flags = test.flags_out;
    behind.end.cond = kIfSet;
    behind.end.taken = part.beyond;
    behind.end.other = part.meet;
    behind.end.divergent = true;
  }

  void take_out(const Part& part) {
    const ir::Location loc = function_.blocks[part.entry].end.loc;
    const bool at_header = part.entry == part.header;
    const BlockId front = at_header ? new_block(part.header, loc) : part.entry;
    BlockId root = part.header;
    if (at_header) {
      for (BlockId block = 0; block < front; ++block) {
        if (!part.inside.test(block)) function_.blocks[block].end.redirect(part.header, front);
      }
    } else {  // its branch belongs to the loop's scope
      root = new_block(ir::kNone, loc);
      function_.blocks[root].end = function_.blocks[front].end;
      function_.blocks[front].end = {};
      function_.blocks[front].end.kind = TerminatorKind::kJump;
      function_.blocks[front].end.taken = root;
      function_.blocks[front].end.loc = loc;
    }
    const auto inner = static_cast<std::uint32_t>(scopes_.list.size());
    scopes_.after[front] = ir::kNone;
    if (part.meet != ir::kNone) {
      const BlockId target = new_block(part.meet, loc);
      function_.blocks[target].is_break_target = true;
      part.inside.for_each([&](std::size_t block) { function_.blocks[block].end.redirect(part.meet, target); });
      function_.blocks[root].end.redirect(part.meet, target);
      if (part.beyond != ir::kNone) leave_twice(part, front, root, target, inner);
      MachineInst breakaddr;
      breakaddr.insn.op = isa::Op::kBreakaddr;
      breakaddr.insn.form = isa::Form::kControl;
      breakaddr.target = target;
      breakaddr.loc = loc;
      function_.blocks[front].insts.push_back(breakaddr);
      scopes_.after[front] = target;
    }
    scopes_.list.push_back({root, part.header});
    scopes_.scope_of[root] = inner;
    part.inside.for_each([&](std::size_t block) { scopes_.scope_of[block] = inner; });
  }

  MachineFunction& function_;
  Scopes scopes_;
  std::uint32_t scope_ = 0;
  FlowGraph graph_;
  Regions regions_;
  Loops loops_;
  Meeting meeting_;
};

}  // namespace

FlowGraph Scopes::graph(const MachineFunction& function, std::uint32_t scope) const {
  std::vector<std::vector<BlockId>> next(function.blocks.size());
  for (BlockId block = 0; block < next.size(); ++block) {
    if (scope_of[block] != scope) continue;
    if (after[block] == block) {
      next[block] = successors(function.blocks[block].end);
    } else if (after[block] != ir::kNone) {
      next[block] = {after[block]};
    }
  }
  split_ways_out(next, [&](BlockId target) { return scope_of[target] != scope; });
  return make_flow_graph(std::move(next), list[scope].root);
}

Meeting Scopes::meeting_points(const MachineFunction& function, const FlowGraph& graph, std::uint32_t scope) const {
  return find_meeting_points(graph, list[scope].header, code_sizes(function));
}

void Scopes::add_block(std::uint32_t scope) {
  after.push_back(static_cast<BlockId>(scope_of.size()));
  scope_of.push_back(scope);
}

Scopes make_scopes(MachineFunction& function) { return ScopeMaker(function).run(); }

}  // namespace g80::codegen
