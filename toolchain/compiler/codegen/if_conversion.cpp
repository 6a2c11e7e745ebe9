// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/if_conversion.h"

#include <algorithm>

#include "toolchain/compiler/codegen/guards.h"
#include "toolchain/compiler/codegen/live_ranges.h"

namespace g80::codegen {
namespace {

using ir::BlockId;

constexpr std::size_t kDivergentLimit = 7, kUniformLimit = 4;
constexpr std::uint8_t kIfSet = 0x05, kIfClear = 0x02;

class Converter {
 public:
  explicit Converter(MachineFunction& function) : function_(function) {}

  /// Repeats sweeps over the blocks, so that inner branches are converted before outer ones.
  void run() {
    for (bool changed = true; changed;) {
      changed = false;
      preds_ = function_.predecessors();
      liveness_ = find_liveness(function_);
      for (BlockId block = 0; block < function_.blocks.size(); ++block) {
        while (convert(block)) changed = true;
      }
    }
  }

 private:
  /// True if the block is entered from `from` only, is short, and has only instructions that accept a guard.
  bool fits(BlockId block, BlockId from, std::size_t limit) const {
    const MachineBlock& b = function_.blocks[block];
    if (preds_[block].size() != 1 || preds_[block][0] != from || b.end.kind != TerminatorKind::kJump) return false;
    return b.insts.size() <= limit && std::all_of(b.insts.begin(), b.insts.end(), can_guard);
  }

  bool is_empty(BlockId block) const { return block == ir::kNone || function_.blocks[block].insts.empty(); }
  bool only_ends(BlockId block) const {
    return is_empty(block) && function_.blocks[block].end.kind == TerminatorKind::kExit;
  }

  bool convert(BlockId block) {
    const Terminator end = function_.blocks[block].end;
    if (end.kind != TerminatorKind::kBranch || end.taken == end.other) return false;
    const std::size_t limit = end.divergent ? kDivergentLimit : kUniformLimit;
    const bool taken_fits = fits(end.taken, block, limit), other_fits = fits(end.other, block, limit);
    BlockId yes = ir::kNone, no = ir::kNone, meet = ir::kNone;
    const auto after = [&](BlockId b) { return function_.blocks[b].end.taken; };
    if (taken_fits && other_fits && after(end.taken) == after(end.other)) {
      yes = end.taken;
      no = end.other;
      meet = after(yes);
    } else if (taken_fits && after(end.taken) == end.other) {
      yes = end.taken;
      meet = end.other;
    } else if (other_fits && after(end.other) == end.taken) {
      no = end.other;
      meet = end.taken;
    } else {
      return false;
    }
    if (meet == yes || meet == no || meet == block) return false;
    // a guarded ret in front of one side costs less than guards: it only occupies the branch unit, and needs no join
    if (only_ends(meet) && (is_empty(yes) || is_empty(no))) return false;
    if (yes != ir::kNone && no != ir::kNone && is_default(no, yes)) {
      append_plain(block, no);
      append_guarded(block, yes, end, false);
    } else if (yes != ir::kNone && no != ir::kNone && is_default(yes, no)) {
      append_plain(block, yes);
      append_guarded(block, no, end, true);
    } else {
      if (yes != ir::kNone) append_guarded(block, yes, end, false);
      if (no != ir::kNone) append_guarded(block, no, end, true);
    }
    Terminator& jump = function_.blocks[block].end;
    jump = {};
    jump.kind = TerminatorKind::kJump;
    jump.taken = meet;
    jump.loc = end.loc;
    for (const BlockId gone : {yes, no}) {
      if (gone != ir::kNone) function_.blocks[gone] = {};
    }
    liveness_.live_out[block] = liveness_.live_in[meet];
    std::vector<BlockId>& before = preds_[meet];
    before.erase(
        std::remove_if(before.begin(), before.end(), [&](BlockId b) { return b == yes || b == no || b == block; }),
        before.end());
    before.push_back(block);
    return true;
  }

  /// True if `plain` only moves values into registers that `guarded` overwrites and does not read: then all lanes may
  /// execute `plain`.
  bool is_default(BlockId plain, BlockId guarded) const {
    if (!is_known(plain) || !is_known(guarded)) return false;
    BitSet written;
    const auto& insts = function_.blocks[guarded].insts;
    for (const MachineInst& inst : insts) {
      for_each_def(inst, [&](const Reg& reg, unsigned count) {
        liveness_.for_each_unit(reg, count, [&](std::uint32_t unit) { written.set(unit); });
      });
    }
    for (const MachineInst& inst : function_.blocks[plain].insts) {
      if (inst.insn.op != isa::Op::kMov || !inst.dst || inst.addr) return false;
      // read in `guarded` before it is written there?
      BitSet live = liveness_.live_out[guarded];
      bool is_written = true, is_read = false;
      const Reg moved = with_part(inst.dst, inst.insn.dst);
      liveness_.for_each_unit(moved, 1, [&](std::uint32_t unit) {
        is_written &= written.test(unit);
        live.reset(unit);
      });
      for (auto other = insts.rbegin(); other != insts.rend(); ++other) liveness_.step_back(*other, live);
      liveness_.for_each_unit(moved, 1, [&](std::uint32_t unit) { is_read |= live.test(unit); });
      if (!is_written || is_read) return false;
    }
    return true;
  }

  /// False for a register that this sweep has made: it is not in liveness_, and is live in its block only.
  bool is_known(const Reg& reg) const { return liveness_.knows(reg); }
  bool is_known(BlockId block) const {
    bool known = true;
    for (const MachineInst& inst : function_.blocks[block].insts) {
      for_each_def(inst, [&](const Reg& reg, unsigned) { known &= is_known(reg); });
    }
    return known;
  }

  void append_plain(BlockId block, BlockId from) {
    for (const MachineInst& inst : function_.blocks[from].insts) function_.blocks[block].insts.push_back(inst);
  }

  void append_guarded(BlockId block, BlockId from, const Terminator& end, bool inverted) {
    const std::uint8_t cond = inverted ? (end.cond == kIfSet ? kIfClear : kIfSet) : end.cond;
    for (MachineInst inst : function_.blocks[from].insts) {
      use_literal(function_, inst, function_.blocks[block].insts);
      inst.is_guarded = true;
      inst.insn.cond = cond;
      inst.flags_in = end.flags;
      // values that are live behind the block must keep their old content in the other lanes
      for_each_def(inst, [&](const Reg& reg, unsigned count) {
        if (!is_known(reg)) return;
        liveness_.for_each_unit(reg, count,
                                [&](std::uint32_t unit) { inst.merges |= liveness_.live_out[from].test(unit); });
      });
      function_.blocks[block].insts.push_back(std::move(inst));
    }
  }

  MachineFunction& function_;
  std::vector<std::vector<BlockId>> preds_;
  Liveness liveness_;  // as of the beginning of a sweep; live_out follows the conversions
};

}  // namespace

void convert_ifs(MachineFunction& function) { Converter(function).run(); }

void merge_blocks(MachineFunction& function) {
  const auto preds = function.predecessors();
  for (BlockId block = 0; block < function.blocks.size(); ++block) {
    MachineBlock& b = function.blocks[block];
    while (b.end.kind == TerminatorKind::kJump) {
      const BlockId next = b.end.taken;
      MachineBlock& follower = function.blocks[next];
      if (next == block || next == 0 || preds[next].size() != 1 || follower.starts_with_join) break;
      b.insts.insert(b.insts.end(), follower.insts.begin(), follower.insts.end());
      b.end = follower.end;
      follower = {};
    }
  }
}

}  // namespace g80::codegen
