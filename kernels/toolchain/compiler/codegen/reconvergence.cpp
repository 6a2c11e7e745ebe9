#include "kernels/toolchain/compiler/codegen/reconvergence.h"

#include <algorithm>

#include "kernels/toolchain/compiler/codegen/flow_graph.h"

namespace g80::codegen {
namespace {

using ir::BlockId;

struct Region {
  BlockId entry = 0;     // the branch itself, or the header of a loop
  bool is_loop = false;  // joinat goes in front of `entry` instead of to its end
  BlockId meet = 0;
  std::vector<std::uint8_t> inside;  // without a branch `entry`, with a loop header
  std::size_t size = 0;
};

class Inserter {
 public:
  explicit Inserter(MachineFunction& function) : function_(function), graph_(make_flow_graph(function)) {}

  void run() {
    meeting_ = find_meeting_points(graph_);
    loops_ = find_loops(graph_);
    for (const BlockId block : graph_.order) consider(block);
    // inner regions first; of a loop and the test that guards it, the loop
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
    const auto& early = meeting_.leads_only_to_early_exit;
    if (early[block] || early[end.taken] || early[end.other]) return;
    Region region;
    region.meet = meeting_.point[block];
    if (region.meet == ir::kNone || ends_at_once(region.meet)) return;
    // the smallest region around the branch that has one way in, and whose threads all come to the meeting point
    for (BlockId entry = block;; entry = graph_.idom[region.entry]) {
      if (entry == ir::kNone || !comes_to(entry, region.meet) || !enclose(region, entry)) return;
      if (has_one_way_in(region)) break;
    }
    for (const Region& other : regions_) {
      if (other.entry == region.entry && other.is_loop == region.is_loop && other.meet == region.meet) return;
    }
    region.size = static_cast<std::size_t>(std::count(region.inside.begin(), region.inside.end(), 1));
    regions_.push_back(std::move(region));
  }

  bool comes_to(BlockId block, BlockId meet) const {
    while (block != ir::kNone && block != meet) block = meeting_.point[block];
    return block == meet;
  }

  /// The region from `entry` to the meeting point; if it contains its entry, that of the whole loop. False: there is
  /// none.
  bool enclose(Region& region, BlockId entry) const {
    region.is_loop = false;
    region.entry = entry;
    region.inside = region_between(graph_, entry, region.meet);
    if (!region.inside[entry]) return true;
    region.is_loop = true;
    region.entry = outermost_header(entry, region.meet);
    if (region.entry == ir::kNone) return false;
    region.inside = region_between(graph_, region.entry, region.meet);
    return true;
  }

  /// Nothing is gained by meeting where the threads end.
  bool ends_at_once(BlockId block) const {
    return function_.blocks[block].end.kind == TerminatorKind::kExit && function_.blocks[block].insts.empty();
  }

  BlockId outermost_header(BlockId block, BlockId meet) const {
    BlockId best = ir::kNone;
    for (BlockId header = 0; header < loops_.body.size(); ++header) {
      const auto& body = loops_.body[header];
      if (body.empty() || !body[block] || body[meet]) continue;
      if (best == ir::kNone || loops_.body[best].empty() || body[best]) best = header;
    }
    if (best == ir::kNone || best == 0) return ir::kNone;
    // the outermost one contains all others around the block
    for (BlockId header = 0; header < loops_.body.size(); ++header) {
      const auto& body = loops_.body[header];
      if (!body.empty() && body[block] && !body[meet] && body[best]) best = header;
    }
    return best;
  }

  bool has_one_way_in(const Region& region) const {
    for (BlockId block = 0; block < region.inside.size(); ++block) {
      if (!region.inside[block] || (region.is_loop && block == region.entry)) continue;
      for (const BlockId pred : graph_.prev[block]) {
        if (!region.inside[pred] && (region.is_loop || pred != region.entry)) return false;
      }
    }
    return true;
  }

  /// Drops regions that overlap a smaller one without containing it, and those that nothing leaves at their meeting
  /// point: in graphs without structure both exist, and their joins would not match their joinats.
  void keep_nested() {
    std::vector<Region> kept;
    for (Region& region : regions_) {
      bool fits = is_left_at_meet(region);
      for (const Region& smaller : kept) fits = fits && (contains(region, smaller) || is_apart(region, smaller));
      if (fits) kept.push_back(std::move(region));
    }
    // One that ends where a region around it ends is not needed: its join would be followed by the other's at once.
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
                       [&](BlockId pred) { return region.inside[pred] || pred == region.entry; });
  }

  static bool is_apart(const Region& a, const Region& b) {
    for (std::size_t block = 0; block < a.inside.size(); ++block) {
      if (a.inside[block] && b.inside[block]) return false;
    }
    // the joinat of one must not be executed inside the other
    return !a.inside[b.entry] && !b.inside[a.entry];
  }

  static bool contains(const Region& outer, const Region& inner) {
    for (std::size_t block = 0; block < inner.inside.size(); ++block) {
      if (inner.inside[block] && !outer.inside[block]) return false;
    }
    const bool entered_inside = outer.inside[inner.entry] || outer.entry == inner.entry;
    return entered_inside && (outer.inside[inner.meet] || outer.meet == inner.meet);
  }

  BlockId new_block(TerminatorKind kind, BlockId target, const ir::Location& loc) {
    MachineBlock block;
    block.end.kind = kind;
    block.end.taken = target;
    block.end.loc = loc;
    function_.blocks.push_back(std::move(block));
    for (Region& region : regions_) region.inside.push_back(0);
    return static_cast<BlockId>(function_.blocks.size() - 1);
  }

  void redirect(BlockId block, BlockId from, BlockId to) {
    Terminator& end = function_.blocks[block].end;
    if (end.taken == from) end.taken = to;
    if (end.other == from) end.other = to;
  }

  void insert(std::size_t index) {
    const ir::Location loc = function_.blocks[regions_[index].entry].end.loc;
    const BlockId join = new_block(TerminatorKind::kJump, regions_[index].meet, loc);
    function_.blocks[join].starts_with_join = true;
    const Region region = regions_[index];
    for (BlockId block = 0; block < join; ++block) {
      if (region.inside[block] || block == region.entry) redirect(block, region.meet, join);
    }
    MachineInst joinat;
    joinat.insn.op = isa::Op::kJoinat;
    joinat.insn.form = isa::Form::kControl;
    joinat.target = join;
    joinat.loc = loc;
    BlockId front = ir::kNone;
    if (region.is_loop) {
      front = new_block(TerminatorKind::kJump, region.entry, loc);
      for (BlockId block = 0; block < front; ++block) {
        if (!region.inside[block] && block != join) redirect(block, region.entry, front);
      }
      function_.blocks[front].insts.push_back(joinat);
    } else {
      function_.blocks[region.entry].insts.push_back(joinat);
    }
    // the new blocks belong to every region around this one
    for (std::size_t i = index + 1; i < regions_.size(); ++i) {
      Region& outer = regions_[i];
      if (!contains(outer, region)) continue;
      outer.inside[join] = 1;
      if (front == ir::kNone) continue;
      outer.inside[front] = 1;
      if (outer.is_loop && outer.entry == region.entry) outer.entry = front;
    }
  }

  MachineFunction& function_;
  FlowGraph graph_;
  Meeting meeting_;
  Loops loops_;
  std::vector<Region> regions_;
};

}  // namespace

void insert_reconvergence(MachineFunction& function) { Inserter(function).run(); }

}  // namespace g80::codegen
