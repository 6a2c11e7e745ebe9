#include "kernels/toolchain/compiler/codegen/scopes.h"

#include <algorithm>

namespace g80::codegen {
namespace {

using ir::BlockId;

bool ends_at_once(const MachineBlock& block) { return block.end.kind == TerminatorKind::kExit && block.insts.empty(); }

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

struct Loop {
  BlockId header = 0;
  BlockId entry = 0;                 // breakaddr goes in front of the header, or to the end of an earlier block
  BlockId meet = ir::kNone;          // where its lanes go on; kNone: they end
  std::vector<std::uint8_t> inside;  // what lies between, without an earlier entry
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
      while (take_out_a_loop()) continue;
    }
    return std::move(scopes_);
  }

 private:
  /// Outer loops first: breaks of an inner one would stand between it and its own.
  bool take_out_a_loop() {
    graph_ = scopes_.graph(function_, scope_);
    const Loops loops = find_loops(graph_);
    std::vector<BlockId> headers;
    for (const BlockId block : graph_.order) {
      if (!loops.body[block].empty() && block != scopes_.list[scope_].header) headers.push_back(block);
    }
    if (headers.empty()) return false;
    std::stable_sort(headers.begin(), headers.end(),
                     [&](BlockId a, BlockId b) { return loops.depth[a] < loops.depth[b]; });
    meeting_ = scopes_.meeting_points(graph_, scope_);
    for (const BlockId header : headers) {
      Loop loop;
      loop.header = header;
      if (!enclose(loop, loops.body[header]) || !gains(loop)) continue;
      take_out(loop);
      return true;
    }
    return false;
  }

  bool enclose(Loop& loop, const std::vector<std::uint8_t>& body) const {
    loop.meet = meeting_.point[loop.header];
    for (std::size_t steps = 0; loop.meet != ir::kNone && body[loop.meet]; ++steps) {
      if (steps == body.size()) return false;
      loop.meet = meeting_.point[loop.meet];
    }
    // the smallest part around the loop that has one way in
    for (loop.entry = loop.header; loop.entry != ir::kNone; loop.entry = graph_.idom[loop.entry]) {
      if (loop.entry != loop.header && !comes_to(loop.entry, loop.meet)) return false;
      if (scopes_.after[loop.entry] != loop.entry) continue;
      loop.inside = region_between(graph_, loop.entry, loop.meet);
      if (!stays_in_scope(loop)) return false;
      if (has_one_way_in(loop)) break;
    }
    if (loop.entry == ir::kNone) return false;
    if (loop.meet != ir::kNone && ends_at_once(function_.blocks[loop.meet])) {
      loop.inside[loop.meet] = 1;
      loop.meet = ir::kNone;
    }
    return true;
  }

  bool comes_to(BlockId block, BlockId meet) const {
    for (std::size_t steps = 0; block != ir::kNone && block != meet && steps < graph_.next.size(); ++steps) {
      block = meeting_.point[block];
    }
    return block == meet && meet != ir::kNone;
  }

  /// Leaves out what lies in the scope around; breaks to there need a loop without breakaddr.
  bool stays_in_scope(Loop& loop) const {
    for (BlockId block = 0; block < loop.inside.size(); ++block) {
      if (!loop.inside[block] || scopes_.scope_of[block] == scope_) continue;
      if (loop.meet != ir::kNone) return false;
      loop.inside[block] = 0;
    }
    return !loop.inside[scopes_.list[scope_].root] && (loop.entry == loop.header || !loop.inside[loop.entry]);
  }

  bool has_one_way_in(const Loop& loop) const {
    for (BlockId block = 0; block < loop.inside.size(); ++block) {
      if (!loop.inside[block] || block == (loop.entry == loop.header ? loop.header : ir::kNone)) continue;
      const auto& prev = graph_.prev[block];
      const auto is_outside = [&](BlockId pred) {
        return !loop.inside[pred] && (pred != loop.entry || loop.entry == loop.header);
      };
      if (std::any_of(prev.begin(), prev.end(), is_outside)) return false;
    }
    return true;
  }

  /// True if lanes that part within the loop would meet sooner.
  bool gains(const Loop& loop) const {
    std::vector<std::vector<BlockId>> next(graph_.next.size());
    for (const BlockId block : graph_.order) {
      if (loop.inside[block]) next[block] = graph_.next[block];
    }
    next[loop.entry] = graph_.next[loop.entry];
    const Meeting within = find_meeting_points(make_flow_graph(std::move(next), loop.entry), loop.header);
    for (const BlockId block : graph_.order) {
      const Terminator& end = function_.blocks[block].end;
      if (!loop.inside[block] || end.kind != TerminatorKind::kBranch || !end.divergent) continue;
      const bool both_stay = !within.only_leaves[end.taken] && !within.only_leaves[end.other];
      const BlockId sooner = within.point[block];
      if (both_stay && sooner != ir::kNone && sooner != meeting_.point[block]) return true;
    }
    return false;
  }

  BlockId new_block(BlockId to, const ir::Location& loc) {
    MachineBlock block;
    block.end.kind = TerminatorKind::kJump;
    block.end.taken = to;
    block.end.loc = loc;
    function_.blocks.push_back(std::move(block));
    scopes_.add_block(scope_);
    return static_cast<BlockId>(function_.blocks.size() - 1);
  }

  void redirect(BlockId block, BlockId from, BlockId to) {
    Terminator& end = function_.blocks[block].end;
    if (end.taken == from) end.taken = to;
    if (end.other == from) end.other = to;
  }

  void take_out(const Loop& loop) {
    const ir::Location loc = function_.blocks[loop.header].end.loc;
    const bool at_header = loop.entry == loop.header;
    const BlockId front = at_header ? new_block(loop.header, loc) : loop.entry;
    BlockId root = loop.header;
    if (at_header) {
      for (BlockId block = 0; block < loop.inside.size(); ++block) {
        if (!loop.inside[block]) redirect(block, loop.header, front);
      }
    } else {  // its branch belongs to the loop's scope
      root = new_block(ir::kNone, loc);
      function_.blocks[root].end = function_.blocks[front].end;
      function_.blocks[front].end = {};
      function_.blocks[front].end.kind = TerminatorKind::kJump;
      function_.blocks[front].end.taken = root;
      function_.blocks[front].end.loc = loc;
    }
    scopes_.after[front] = ir::kNone;
    if (loop.meet != ir::kNone) {
      const BlockId target = new_block(loop.meet, loc);
      function_.blocks[target].is_break_target = true;
      for (BlockId block = 0; block < loop.inside.size(); ++block) {
        if (loop.inside[block]) redirect(block, loop.meet, target);
      }
      redirect(root, loop.meet, target);
      MachineInst breakaddr;
      breakaddr.insn.op = isa::Op::kBreakaddr;
      breakaddr.insn.form = isa::Form::kControl;
      breakaddr.target = target;
      breakaddr.loc = loc;
      function_.blocks[front].insts.push_back(breakaddr);
      scopes_.after[front] = target;
    }
    const auto inner = static_cast<std::uint32_t>(scopes_.list.size());
    scopes_.list.push_back({root, loop.header});
    scopes_.scope_of[root] = inner;
    for (BlockId block = 0; block < loop.inside.size(); ++block) {
      if (loop.inside[block]) scopes_.scope_of[block] = inner;
    }
  }

  MachineFunction& function_;
  Scopes scopes_;
  std::uint32_t scope_ = 0;
  FlowGraph graph_;
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
  return make_flow_graph(std::move(next), list[scope].root);
}

Meeting Scopes::meeting_points(const FlowGraph& graph, std::uint32_t scope) const {
  return find_meeting_points(graph, list[scope].header);
}

void Scopes::add_block(std::uint32_t scope) {
  after.push_back(static_cast<BlockId>(scope_of.size()));
  scope_of.push_back(scope);
}

Scopes make_scopes(MachineFunction& function) { return ScopeMaker(function).run(); }

}  // namespace g80::codegen
