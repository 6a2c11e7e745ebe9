// SPDX-License-Identifier: Apache-2.0
// Moves instructions down, towards their readers. An instruction moves only past instructions that are independent of
// it, and only while all its operands are read further down anyway. Then the live range of its result gets shorter and
// no other gets longer, so no point of the block needs more registers than before.
#include "toolchain/compiler/codegen/shorten_ranges.h"

#include <algorithm>
#include <unordered_map>

#include "toolchain/compiler/codegen/dependences.h"
#include "toolchain/compiler/codegen/live_ranges.h"

namespace g80::codegen {
namespace {

bool takes_long(const MachineInst& inst) {
  const isa::Op op = inst.insn.op;
  return inst.insn.unit == isa::Unit::kTexture || (op >= isa::Op::kLdConst && op <= isa::Op::kAtom) ||
         (op >= isa::Op::kPresin && op <= isa::Op::kDset);
}

class RangeShortener {
 public:
  RangeShortener(const MachineFunction& function, ir::BlockId block, const Liveness& liveness,
                 const CopyPartners& partners)
      : insts_(function.blocks[block].insts),
        liveness_(liveness),
        dependences_(find_dependences(function, function.blocks[block], liveness, partners)),
        label_(insts_.size(), 0) {
    // the units that are live after each instruction, in source order
    BitSet live = liveness.live_out[block];
    const Terminator& end = function.blocks[block].end;
    if (end.kind == TerminatorKind::kBranch) live.set(liveness.unit(end.flags));
    leaves_ = live;
  }

  /// The new order, empty if nothing moves.
  std::vector<MachineInst> run() {
    for (auto inst = static_cast<std::uint32_t>(insts_.size()); inst-- > 0;) {
      std::size_t place = placed_.size();
      if (may_sink(inst)) place = std::max(behind_dependences(inst), first_place(inst));
      put(inst, place);
    }
    std::vector<MachineInst> result;
    if (std::is_sorted(placed_.rbegin(), placed_.rend())) return result;
    for (auto inst = placed_.rbegin(); inst != placed_.rend(); ++inst) result.push_back(insts_[*inst]);
    return result;
  }

 private:
  bool may_sink(std::uint32_t i) const {
    const MachineInst& inst = insts_[i];
    return inst.dst && !takes_long(inst) && !is_pinned(inst) && !is_fence(inst) && !is_any_copy(inst) &&
           !inst.flags_out;
  }

  /// The lowest place (counted from the end) above all instructions that depend on it.
  std::size_t behind_dependences(std::uint32_t inst) const {
    std::size_t first = 0;
    for (const Dependence& later : dependences_.next[inst]) first = std::max(first, place_of(later.inst) + 1);
    return first;
  }

  /// The lowest place (counted from the end) where every operand is still read further down.
  std::size_t first_place(std::uint32_t inst) const {
    std::size_t first = 0;
    for_each_use(insts_[inst], [&](const Reg& reg, unsigned count) {
      liveness_.for_each_unit(reg, count, [&](std::uint32_t unit) {
        if (leaves_.test(unit)) return;
        // it may move to just before the last reader; without a reader it stays
        const auto reader = last_reader_.find(unit);
        first = std::max(first, reader == last_reader_.end() ? placed_.size() : place_of(reader->second) + 1);
      });
    });
    return first;
  }

  std::size_t place_of(std::uint32_t inst) const {
    const auto is_lower = [&](std::uint32_t other, std::uint64_t label) { return label_[other] < label; };
    return static_cast<std::size_t>(std::lower_bound(placed_.begin(), placed_.end(), label_[inst], is_lower) -
                                    placed_.begin());
  }

  void put(std::uint32_t inst, std::size_t place) {
    constexpr std::uint64_t kGap = std::uint64_t{1} << 32;
    const auto label = [&](std::size_t at) { return label_[placed_[at]]; };
    if (place > 0 && place < placed_.size() && label(place) - label(place - 1) < 2) {
      for (std::size_t at = 0; at < placed_.size(); ++at) label_[placed_[at]] = kMiddle + at * kGap;
    }
    label_[inst] = placed_.empty()           ? kMiddle
                   : place == 0              ? label(0) - kGap
                   : place == placed_.size() ? label(place - 1) + kGap
                                             : label(place - 1) + (label(place) - label(place - 1)) / 2;
    placed_.insert(placed_.begin() + static_cast<std::ptrdiff_t>(place), inst);
    for_each_use(insts_[inst], [&](const Reg& reg, unsigned count) {
      liveness_.for_each_unit(reg, count, [&](std::uint32_t unit) {
        std::uint32_t& reader = last_reader_.emplace(unit, inst).first->second;
        if (label_[inst] < label_[reader]) reader = inst;
      });
    });
  }

  static constexpr std::uint64_t kMiddle = std::uint64_t{1} << 63;

  const std::vector<MachineInst>& insts_;
  const Liveness& liveness_;
  Dependences dependences_;
  BitSet leaves_;
  std::vector<std::uint32_t> placed_;                             // from the last one on
  std::vector<std::uint64_t> label_;                              // by instruction: ascending in `placed_`
  std::unordered_map<std::uint32_t, std::uint32_t> last_reader_;  // by unit
};

}  // namespace

bool shorten_ranges(MachineFunction& function) {
  const Liveness liveness = find_liveness(function);
  const CopyPartners partners(function, liveness);
  bool changed = false;
  for (ir::BlockId block = 0; block < function.blocks.size(); ++block) {
    if (function.blocks[block].insts.size() < 2) continue;
    std::vector<MachineInst> shorter = RangeShortener(function, block, liveness, partners).run();
    if (shorter.empty()) continue;
    function.blocks[block].insts = std::move(shorter);
    changed = true;
  }
  return changed;
}

}  // namespace g80::codegen
