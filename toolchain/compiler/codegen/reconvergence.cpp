// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/reconvergence.h"

#include <algorithm>
#include <set>
#include <tuple>

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
  Span inside;  // without a branch `entry`, with a loop header
  std::size_t size = 0;
};

class Inserter {
 public:
  Inserter(MachineFunction& function, Scopes& scopes, std::uint32_t scope)
      : function_(function),
        scopes_(scopes),
        scope_(scope),
        graph_(scopes.graph(function, scope)),
        spans_(graph_),
        prev_(function.predecessors()) {
    for (BlockId block = 0; block < function.blocks.size(); ++block) number_.push_back(spans_.number(block));
  }

  void run() {
    meeting_ = scopes_.meeting_points(function_, graph_, scope_);
    loops_ = find_loops(graph_);
    for (const BlockId block : spans_.blocks())
      blocks_before_.push_back(blocks_before_.back() + (is_here(block) ? 1 : 0));
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
      if (entry == ir::kNone || !comes_to(entry, region.meet)) return;
      region.entry = entry;
      if (spans_.has_one_way_in(graph_, entry, region.meet, false)) break;
      if (!region_between(graph_, entry, region.meet).test(entry)) continue;
      region.entry = outermost_header(entry, region.meet);
      if (region.entry == ir::kNone) return;
      region.is_loop = spans_.has_one_way_in(graph_, region.entry, region.meet, true);
      if (region.is_loop) break;
    }
    if (!known_.insert({region.entry, region.is_loop, region.meet}).second) return;
    region.inside = spans_.span(region.entry, region.meet, region.is_loop);
    region.size =
        blocks_in(region.inside.begin, region.inside.end) - blocks_in(region.inside.gap_begin, region.inside.gap_end);
    regions_.push_back(region);
  }

  std::size_t blocks_in(std::uint32_t begin, std::uint32_t end) const {
    return blocks_before_[end] - blocks_before_[begin];
  }

  bool is_in(const Region& region, BlockId block) const { return region.inside.has(number_[block]); }

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

  /// True if the lanes leave at the block, so that a join there gains nothing.
  bool leaves_at_once(BlockId block) const {
    if (!is_here(block)) return true;
    return function_.blocks[block].end.kind == TerminatorKind::kExit && function_.blocks[block].insts.empty();
  }

  BlockId outermost_header(BlockId block, BlockId meet) const {
    BlockId best = ir::kNone;
    for (BlockId header = loops_.header[block]; header != ir::kNone; header = loops_.outer[header]) {
      if (loops_.body[header].test(meet)) break;
      best = header;
    }
    if (best == root()) best = ir::kNone;
    return best;
  }

  /// Drops regions that overlap a smaller one without containing it, and those that no path leaves at their meeting
  /// point. Unstructured graphs have both, and their joins would not match their joinats.
  void keep_nested() {
    std::vector<Region> kept;
    for (const Region& region : regions_) {
      bool fits = is_left_at_meet(region);
      for (const Region& smaller : kept) fits = fits && (contains(region, smaller) || is_apart(region, smaller));
      if (fits) kept.push_back(region);
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
                       [&](BlockId pred) { return is_in(region, pred) || pred == region.entry; });
  }

  bool is_apart(const Region& a, const Region& b) const {
    // the joinat of one region must not be executed inside the other
    return !a.inside.intersects(b.inside) && !is_in(a, b.entry) && !is_in(b, a.entry);
  }

  bool contains(const Region& outer, const Region& inner) const {
    return (is_in(outer, inner.entry) || outer.entry == inner.entry) &&
           (is_in(outer, inner.meet) || outer.meet == inner.meet) && outer.inside.contains(inner.inside);
  }

  /// A block that belongs to every region around `region`: it has the number of one of its blocks.
  BlockId new_block(BlockId to, const Region& region, const ir::Location& loc) {
    const Span& inside = region.inside;
    const std::uint32_t first = inside.begin == inside.gap_begin ? inside.gap_end : inside.begin;
    number_.push_back(inside.has(first) ? first : number_[region.entry]);
    prev_.emplace_back();
    scopes_.add_block(scope_);
    return function_.new_jump(to, loc);
  }

  /// Leads the edges from some blocks to `target` through `way`, which leads there.
  template <typename Predicate>
  void redirect(BlockId target, BlockId way, Predicate&& is_wanted) {
    const std::vector<BlockId> from = std::move(prev_[target]);
    prev_[target] = {way};
    for (const BlockId block : from) {
      if (is_wanted(block)) function_.blocks[block].end.redirect(target, way);
      prev_[is_wanted(block) ? way : target].push_back(block);
    }
  }

  void insert(std::size_t index) {
    const Region& region = regions_[index];
    const ir::Location loc = function_.blocks[region.entry].end.loc;
    const BlockId join = new_block(region.meet, region, loc);
    function_.blocks[join].starts_with_join = true;
    redirect(region.meet, join, [&](BlockId block) { return is_in(region, block) || block == region.entry; });
    MachineInst joinat;
    joinat.insn.op = isa::Op::kJoinat;
    joinat.insn.form = isa::Form::kControl;
    joinat.target = join;
    joinat.loc = loc;
    if (region.is_loop) {
      const BlockId front = new_block(region.entry, region, loc);
      redirect(region.entry, front, [&](BlockId block) { return !is_in(region, block); });
      function_.blocks[front].insts.push_back(joinat);
      for (std::size_t i = index + 1; i < regions_.size(); ++i) {
        Region& outer = regions_[i];
        if (outer.meet == region.entry) outer.meet = front;
        if (outer.is_loop && outer.entry == region.entry && contains(outer, region)) outer.entry = front;
      }
      return;
    }
    // in front of those of regions and scopes within this one
    std::vector<MachineInst>& insts = function_.blocks[region.entry].insts;
    auto place = insts.end();
    const auto is_inner = [](const MachineInst& inst) {
      return inst.insn.op == isa::Op::kJoinat || inst.insn.op == isa::Op::kBreakaddr;
    };
    while (place != insts.begin() && is_inner(*std::prev(place))) --place;
    insts.insert(place, joinat);
  }

  MachineFunction& function_;
  Scopes& scopes_;
  std::uint32_t scope_;
  FlowGraph graph_;
  Regions spans_;
  std::vector<std::vector<BlockId>> prev_;  // by block of the function, as edges are redirected
  Meeting meeting_;
  Loops loops_;
  std::vector<std::uint32_t> number_;                   // by block, with those that are added
  std::vector<std::size_t> blocks_before_{0};           // by number: blocks of the scope in front of it
  std::set<std::tuple<BlockId, bool, BlockId>> known_;  // entry, is_loop and meet of the regions found
  std::vector<Region> regions_;
};

}  // namespace

void insert_reconvergence(MachineFunction& function) {
  Scopes scopes = make_scopes(function);
  for (std::uint32_t scope = 0; scope < scopes.list.size(); ++scope) Inserter(function, scopes, scope).run();
  function.stack_depth = check_stack(function);
}

}  // namespace g80::codegen
