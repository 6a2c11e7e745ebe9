// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/dependences.h"

#include <algorithm>
#include <unordered_map>

#include "hw/isa/field_codec.h"

namespace g80::codegen {
namespace {

using isa::OperandKind;

enum Space : std::uint8_t { kShared, kLocal, kGlobal, kSpaces };

/// The memory accesses of an instruction, by space.
struct Effect {
  bool reads[kSpaces] = {}, writes[kSpaces] = {};
  bool is_ordered = false;            // volatile, atomic, or a fence
  bool has_local_address = false;     // the l[] address is fixed:
  std::uint32_t first = 0, last = 0;  // bytes of it
};

Effect effect_of(const MachineFunction& function, const MachineInst& inst) {
  Effect effect;
  const isa::Op op = inst.insn.op;
  const bool stores = op == isa::Op::kStShared || op == isa::Op::kStLocal || op == isa::Op::kStGlobal;
  if (stores || op == isa::Op::kRed || op == isa::Op::kAtom) {
    effect.writes[op == isa::Op::kStShared ? kShared : op == isa::Op::kStLocal ? kLocal : kGlobal] = true;
  }
  if (op == isa::Op::kLdGlobal || op == isa::Op::kAtom || op == isa::Op::kRed) effect.reads[kGlobal] = true;
  // a texture read of words that this kernel stores is undefined; it keeps the order of the source anyway
  if (inst.insn.unit == isa::Unit::kTexture) effect.reads[kGlobal] = true;
  if (op == isa::Op::kLdLocal) effect.reads[kLocal] = true;
  for (int i = 0; i < 3 && !stores; ++i) {
    const isa::Operand& source = inst.insn.src[i];
    if (source.kind != OperandKind::kShared) continue;
    effect.reads[kShared] |= inst.addr || source.offset >= function.parameter_end || inst.is_volatile;
  }
  if ((op == isa::Op::kLdLocal || op == isa::Op::kStLocal) && !inst.addr && !inst.is_volatile) {
    effect.has_local_address = true;
    effect.first = inst.insn.src[0].offset;
    effect.last = effect.first + isa::element_bytes(inst.insn.mem_type) - 1;
  }
  effect.is_ordered = is_fence(inst) || op == isa::Op::kAtom || op == isa::Op::kRed;
  return effect;
}

bool touches_memory(const Effect& effect) {
  return effect.is_ordered || std::any_of(effect.reads, effect.reads + kSpaces, [](bool b) { return b; }) ||
         std::any_of(effect.writes, effect.writes + kSpaces, [](bool b) { return b; });
}

class Finder {
 public:
  Finder(const MachineFunction& function, const MachineBlock& block, const Liveness& liveness,
         const CopyPartners& partners)
      : function_(function), block_(block), liveness_(liveness), partners_(partners) {
    result_.next.resize(block.insts.size());
    result_.count.assign(block.insts.size(), 0);
  }

  Dependences run() {
    std::uint32_t loop_end = 0;  // a loop within the block stays as it is
    for (std::uint32_t i = 0; i < block_.insts.size(); ++i) {
      const MachineInst& inst = block_.insts[i];
      if (inst.label != 0) loop_end = std::max(loop_end, end_of_loop(inst.label));
      if (pinned_ != ir::kNone) add(pinned_, i, false);
      add_registers(inst, i);
      add_memory(inst, i);
      if (i < loop_end || is_pinned(inst)) {
        for (std::uint32_t earlier = pinned_ == ir::kNone ? 0 : pinned_ + 1; earlier < i; ++earlier) {
          add(earlier, i, false);
        }
        pinned_ = i;
        accesses_.clear();
      }
    }
    return std::move(result_);
  }

 private:
  struct UnitState {
    std::uint32_t writer = ir::kNone;
    std::vector<std::uint32_t> readers;  // since then
  };
  struct Access {
    std::uint32_t inst;
    Effect effect;
  };

  /// Index of the last branch to a label; 0: none.
  std::uint32_t end_of_loop(std::uint32_t label) const {
    for (auto i = static_cast<std::uint32_t>(block_.insts.size()); i-- > 0;) {
      if (block_.insts[i].label_target == label) return i;
    }
    return 0;
  }

  void add(std::uint32_t before, std::uint32_t after, bool waits) {
    if (before == after) return;
    std::vector<Dependence>& next = result_.next[before];
    if (!next.empty() && next.back().inst == after) {
      next.back().waits |= waits;
      return;
    }
    next.push_back({after, waits});
    ++result_.count[after];
  }

  void add_registers(const MachineInst& inst, std::uint32_t i) {
    for_each_use(inst, [&](const Reg& reg, unsigned count) {
      liveness_.for_each_unit(reg, count, [&](std::uint32_t unit) {
        UnitState& state = units_[unit];
        if (state.writer != ir::kNone) add(state.writer, i, true);
      });
    });
    for_each_def(inst, [&](const Reg& reg, unsigned count) {
      liveness_.for_each_unit(reg, count, [&](std::uint32_t unit) {
        const UnitState& state = units_[unit];
        if (state.writer != ir::kNone) add(state.writer, i, true);
        for (const std::uint32_t reader : state.readers) add(reader, i, false);
        // a variable's next value stays behind the readers of the current one, so that both can share a register
        for (const std::uint32_t copy : partners_.of(unit)) {
          const std::vector<std::uint32_t>& readers = units_[copy].readers;
          for (std::size_t k = readers.size(); k-- > 0;) {
            if (state.writer != ir::kNone && readers[k] < state.writer) break;  // it is behind those
            add(readers[k], i, false);
          }
        }
      });
    });
    for_each_use(inst, [&](const Reg& reg, unsigned count) {
      liveness_.for_each_unit(reg, count, [&](std::uint32_t unit) { units_[unit].readers.push_back(i); });
    });
    for_each_def(inst, [&](const Reg& reg, unsigned count) {
      liveness_.for_each_unit(reg, count, [&](std::uint32_t unit) { units_[unit] = {i, {}}; });
    });
  }

  void add_memory(const MachineInst& inst, std::uint32_t i) {
    Effect effect = effect_of(function_, inst);
    if (partners_.stores_parameters()) {
      for (const isa::Operand& source : inst.insn.src) effect.reads[kShared] |= source.kind == OperandKind::kShared;
    }
    if (!touches_memory(effect)) return;
    // drops earlier accesses that this one covers: a later access that conflicts with them also waits for this one
    const auto is_covered = [&](const Access& earlier) {
      if (!conflict(earlier, effect, inst.is_volatile)) return false;
      add(earlier.inst, i, false);
      return covers(effect, inst.is_volatile, earlier);
    };
    accesses_.erase(std::remove_if(accesses_.begin(), accesses_.end(), is_covered), accesses_.end());
    accesses_.push_back({i, effect});
  }

  /// True if every access that conflicts with `earlier` also conflicts with this one.
  bool covers(const Effect& effect, bool is_volatile, const Access& earlier) const {
    const Effect& other = earlier.effect;
    if (effect.is_ordered) return true;
    if (other.is_ordered || (block_.insts[earlier.inst].is_volatile && !is_volatile)) return false;
    for (unsigned space = 0; space < kSpaces; ++space) {
      if (other.writes[space] && !effect.writes[space]) return false;
      if (other.reads[space] && !effect.reads[space] && !effect.writes[space]) return false;
    }
    if (!effect.has_local_address) return true;
    return other.has_local_address && effect.first <= other.first && other.last <= effect.last;
  }

  bool conflict(const Access& earlier, const Effect& effect, bool is_volatile) const {
    if (earlier.effect.is_ordered || effect.is_ordered) return true;
    const bool both_volatile = is_volatile && block_.insts[earlier.inst].is_volatile;
    if (both_volatile) return true;
    const bool any_volatile = is_volatile || block_.insts[earlier.inst].is_volatile;
    for (unsigned space = 0; space < kSpaces; ++space) {
      const bool first = earlier.effect.reads[space] || earlier.effect.writes[space];
      const bool second = effect.reads[space] || effect.writes[space];
      if (!first || !second) continue;
      if (!any_volatile && !earlier.effect.writes[space] && !effect.writes[space]) continue;
      const bool apart = space == kLocal && earlier.effect.has_local_address && effect.has_local_address &&
                         (earlier.effect.last < effect.first || effect.last < earlier.effect.first);
      if (!apart) return true;
    }
    return false;
  }

  const MachineFunction& function_;
  const MachineBlock& block_;
  const Liveness& liveness_;
  const CopyPartners& partners_;
  Dependences result_;
  std::unordered_map<std::uint32_t, UnitState> units_;
  std::vector<Access> accesses_;  // since the last pinned instruction, without those that a later one covers
  std::uint32_t pinned_ = ir::kNone;
};

}  // namespace

CopyPartners::CopyPartners(const MachineFunction& function, const Liveness& liveness) : partners_(liveness.units) {
  for (const MachineBlock& block : function.blocks) {
    for (const MachineInst& inst : block.insts) {
      stores_parameters_ |=
          inst.insn.op == isa::Op::kStShared && !inst.addr && inst.insn.src[0].offset < function.parameter_end;
      const bool is_move = inst.insn.op == isa::Op::kMov && inst.dst && inst.src[0] &&
                           inst.insn.src[0].kind == inst.insn.dst.kind &&
                           (inst.insn.dst.kind == OperandKind::kReg || inst.insn.dst.kind == OperandKind::kHalf);
      if (!is_move) continue;
      std::uint32_t copy = liveness.unit(with_part(inst.dst, inst.insn.dst));
      liveness.for_each_unit(with_part(inst.src[0], inst.insn.src[0]), 1, [&](std::uint32_t unit) {
        std::vector<std::uint32_t>& list = partners_[unit];
        if (std::find(list.begin(), list.end(), copy) == list.end()) list.push_back(copy);
        ++copy;
      });
    }
  }
}

bool is_pinned(const MachineInst& inst) {
  const isa::Instruction& insn = inst.insn;
  if (is_fence(inst) || insn.unit == isa::Unit::kTexture) return false;
  return insn.form == isa::Form::kControl || insn.op >= isa::Op::kVote || insn.op == isa::Op::kMovFromSpecial ||
         insn.op == isa::Op::kLdSharedLock || insn.op == isa::Op::kStSharedUnlock || insn.op == isa::Op::kQuadop ||
         inst.label != 0 || inst.label_target != 0;
}

Dependences find_dependences(const MachineFunction& function, const MachineBlock& block, const Liveness& liveness,
                             const CopyPartners& partners) {
  return Finder(function, block, liveness, partners).run();
}

}  // namespace g80::codegen
