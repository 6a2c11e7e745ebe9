// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/reconvergence.h"

#include <algorithm>

#include "toolchain/compiler/codegen/check_stack.h"
#include "toolchain/compiler/codegen/flow_graph.h"
#include "toolchain/compiler/codegen/live_ranges.h"
#include "toolchain/compiler/codegen/scopes.h"

namespace g80::codegen {
namespace {

using ir::BlockId;

struct Region {
  BlockId entry = 0;     // the branch itself, or the header of a loop
  bool is_loop = false;  // joinat goes in front of `entry` instead of to its end
  BlockId meet = 0;
  BitSet inside;  // without a branch `entry`, with a loop header
  std::size_t size = 0;
};

/// Adds the joins of one scope.
class Inserter {
 public:
  Inserter(MachineFunction& function, Scopes& scopes, std::uint32_t scope)
      : function_(function), scopes_(scopes), scope_(scope), graph_(scopes.graph(function, scope)) {}

  void run() {
    meeting_ = scopes_.meeting_points(function_, graph_, scope_);
    loops_ = find_loops(graph_);
    for (const BlockId block : graph_.order) {
      if (is_here(block)) consider(block);
    }
    // inner regions first; a loop before the test that guards it
    std::stable_sort(regions_.begin(), regions_.end(), [](const Region& a, const Region& b) {
      return a.size != b.size ? a.size < b.size : a.is_loop && !b.is_loop;
    });
    keep_nested();
    for (std::size_t i = 0; i < regions_.size(); ++i) insert(i);
  }

 private:
  void consider(BlockId block) {
    const Terminator& end = function_.blocks[block].end;
    if (end.kind != TerminatorKind::kBranch || !end.divergent) return;
    const auto& leaves = meeting_.only_leaves;
    if (leaves[end.taken] != leaves[block] || leaves[end.other] != leaves[block]) return;
    Region region;
    region.meet = meeting_.point[block];
    if (region.meet == ir::kNone || leaves_at_once(region.meet)) return;
    // the smallest region around the branch that has one entry, and whose threads all reach the meeting point
    for (BlockId entry = block;; entry = graph_.idom[region.entry]) {
      if (entry == ir::kNone || !comes_to(entry, region.meet) || !enclose(region, entry)) return;
      if (has_one_way_in(region)) break;
    }
    for (const Region& other : regions_) {
      if (other.entry == region.entry && other.is_loop == region.is_loop && other.meet == region.meet) return;
    }
    region.size = region.inside.count();
    regions_.push_back(std::move(region));
  }

  bool comes_to(BlockId block, BlockId meet) const {
    for (std::size_t steps = 0; block != ir::kNone && block != meet; ++steps) {
      if (steps > 0 && block == scopes_.list[scope_].header) return false;  // the next iteration
      block = meeting_.point[block];
    }
    return block == meet;
  }

  /// False for a node that stands for an exit of the scope.
  bool is_here(BlockId block) const { return block < scopes_.scope_of.size() && scopes_.scope_of[block] == scope_; }

  BlockId root() const { return scopes_.list[scope_].root; }

  /// Finds the region from `entry` to the meeting point. If it contains its entry, it is the region of the whole loop.
  /// False if there is none.
  bool enclose(Region& region, BlockId entry) const {
    region.is_loop = false;
    region.entry = entry;
    region.inside = blocks_between(entry, region.meet);
    if (!region.inside.test(entry)) return true;
    region.is_loop = true;
    region.entry = outermost_header(entry, region.meet);
    if (region.entry == ir::kNone) return false;
    region.inside = blocks_between(region.entry, region.meet);
    return true;
  }

  /// The blocks between, without the exit of the scope, which all its regions share.
  BitSet blocks_between(BlockId entry, BlockId meet) const {
    BitSet inside;
    const std::vector<std::uint8_t> between = region_between(graph_, entry, meet);
    for (BlockId block = 0; block < between.size(); ++block) {
      if (between[block] && is_here(block)) inside.set(block);
    }
    return inside;
  }

  /// True if the lanes leave at the block, so that a join there gains nothing.
  bool leaves_at_once(BlockId block) const {
    if (!is_here(block)) return true;
    return function_.blocks[block].end.kind == TerminatorKind::kExit && function_.blocks[block].insts.empty();
  }

  BlockId outermost_header(BlockId block, BlockId meet) const {
    BlockId best = ir::kNone;
    for (BlockId header = 0; header < loops_.body.size(); ++header) {
      const auto& body = loops_.body[header];
      if (body.empty() || !body[block] || body[meet]) continue;
      if (best == ir::kNone || loops_.body[best].empty() || body[best]) best = header;
    }
    if (best == ir::kNone || best == root()) return ir::kNone;
    // the outermost one contains all others around the block
    for (BlockId header = 0; header < loops_.body.size(); ++header) {
      const auto& body = loops_.body[header];
      if (!body.empty() && body[block] && !body[meet] && body[best]) best = header;
    }
    return best;
  }

  bool has_one_way_in(const Region& region) const {
    bool result = true;
    region.inside.for_each([&](std::size_t block) {
      if (region.is_loop && block == region.entry) return;
      if (block == root()) result = false;
      for (const BlockId pred : graph_.prev[block]) {
        if (!region.inside.test(pred) && (region.is_loop || pred != region.entry)) result = false;
      }
    });
    return result;
  }

  /// Drops regions that overlap a smaller one without containing it, and those that no path leaves at their meeting
  /// point. Unstructured graphs have both, and their joins would not match their joinats.
  void keep_nested() {
    std::vector<Region> kept;
    for (Region& region : regions_) {
      bool fits = is_left_at_meet(region);
      for (const Region& smaller : kept) fits = fits && (contains(region, smaller) || is_apart(region, smaller));
      if (fits) kept.push_back(std::move(region));
    }
    // A region that ends where an enclosing region ends is not needed: both joins would follow each other directly.
    regions_.clear();
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const bool repeated =
          std::any_of(kept.begin() + static_cast<std::ptrdiff_t>(i) + 1, kept.end(),
                      [&](const Region& outer) { return outer.meet == kept[i].meet && contains(outer, kept[i]); });
      if (!repeated) regions_.push_back(kept[i]);
    }
  }

  bool is_left_at_meet(const Region& region) const {
    return std::any_of(graph_.prev[region.meet].begin(), graph_.prev[region.meet].end(),
                       [&](BlockId pred) { return region.inside.test(pred) || pred == region.entry; });
  }

  static bool is_apart(const Region& a, const Region& b) {
    // the joinat of one region must not be executed inside the other
    return !a.inside.intersects(b.inside) && !a.inside.test(b.entry) && !b.inside.test(a.entry);
  }

  static bool contains(const Region& outer, const Region& inner) {
    return (outer.inside.test(inner.entry) || outer.entry == inner.entry) &&
           (outer.inside.test(inner.meet) || outer.meet == inner.meet) && outer.inside.contains(inner.inside);
  }

  BlockId new_block(BlockId to, const ir::Location& loc) {
    scopes_.add_block(scope_);
    return function_.new_jump(to, loc);
  }

  void insert(std::size_t index) {
    const ir::Location loc = function_.blocks[regions_[index].entry].end.loc;
    const BlockId join = new_block(regions_[index].meet, loc);
    function_.blocks[join].starts_with_join = true;
    const Region region = regions_[index];
    for (BlockId block = 0; block < join; ++block) {
      if (region.inside.test(block) || block == region.entry) function_.blocks[block].end.redirect(region.meet, join);
    }
    MachineInst joinat;
    joinat.insn.op = isa::Op::kJoinat;
    joinat.insn.form = isa::Form::kControl;
    joinat.target = join;
    joinat.loc = loc;
    BlockId front = ir::kNone;
    if (region.is_loop) {
      front = new_block(region.entry, loc);
      for (BlockId block = 0; block < front; ++block) {
        if (!region.inside.test(block) && block != join) function_.blocks[block].end.redirect(region.entry, front);
      }
      function_.blocks[front].insts.push_back(joinat);
    } else {
      // in front of those of regions and scopes within this one
      std::vector<MachineInst>& insts = function_.blocks[region.entry].insts;
      auto place = insts.end();
      const auto is_inner = [](const MachineInst& inst) {
        return inst.insn.op == isa::Op::kJoinat || inst.insn.op == isa::Op::kBreakaddr;
      };
      while (place != insts.begin() && is_inner(*std::prev(place))) --place;
      insts.insert(place, joinat);
    }
    // the new blocks belong to every region around this one
    for (std::size_t i = index + 1; i < regions_.size(); ++i) {
      Region& outer = regions_[i];
      if (front != ir::kNone && outer.meet == region.entry) outer.meet = front;
      if (!contains(outer, region)) continue;
      outer.inside.set(join);
      if (front == ir::kNone) continue;
      outer.inside.set(front);
      if (outer.is_loop && outer.entry == region.entry) outer.entry = front;
    }
  }

  MachineFunction& function_;
  Scopes& scopes_;
  std::uint32_t scope_;
  FlowGraph graph_;
  Meeting meeting_;
  Loops loops_;
  std::vector<Region> regions_;
};

}  // namespace

void insert_reconvergence(MachineFunction& function) {
  Scopes scopes = make_scopes(function);
  for (std::uint32_t scope = 0; scope < scopes.list.size(); ++scope) Inserter(function, scopes, scope).run();
  function.stack_depth = check_stack(function);
}

}  // namespace g80::codegen
