// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/sink_updates.h"

#include <algorithm>

namespace g80::codegen {
namespace {

using ir::BlockId;

class UpdateSinker {
 public:
  explicit UpdateSinker(MachineFunction& function) : function_(function) {}

  void run() {
    for (BlockId block = 0; block < function_.blocks.size(); ++block) {
      for (const MachineInst& inst : function_.blocks[block].insts) {
        for_each_def(inst, [&](const Reg& reg, unsigned) {
          definitions_.resize(function_.regs.size()), ++definitions_[reg.id];
        });
      }
    }
    const auto preds = function_.predecessors();
    for (BlockId block = 0; block < function_.blocks.size(); ++block) {
      // the copies are at the end of the block itself, or in a separate block on an outgoing edge
      sink_for(block, block);
      for (const BlockId next : successors(function_.blocks[block].end)) {
        if (next != block && preds[next].size() == 1) sink_for(block, next);
      }
    }
  }

 private:
  static bool reads(const MachineInst& inst, const Reg& reg) {
    bool found = false;
    for_each_use(inst, [&](const Reg& used, unsigned count) {
      found |= used.id == reg.id && reg.word >= used.word && reg.word < used.word + count;
    });
    return found;
  }
  static bool writes(const MachineInst& inst, const Reg& reg) {
    bool found = false;
    for_each_def(inst, [&](const Reg& defined, unsigned count) {
      found |= defined.id == reg.id && reg.word >= defined.word && reg.word < defined.word + count;
    });
    return found;
  }
  static bool can_move(const MachineInst& inst) {
    return inst.insn.form != isa::Form::kControl && !inst.is_guarded && !inst.flags_in && !inst.flags_out &&
           !inst.addr && inst.insn.op < isa::Op::kVote &&
           !(inst.insn.op >= isa::Op::kLdConst && inst.insn.op <= isa::Op::kAtom) &&
           inst.insn.src[0].kind != isa::OperandKind::kShared && inst.insn.src[0].kind != isa::OperandKind::kSpecial;
  }

  void sink_for(BlockId block, BlockId copies) {
    for (const MachineInst& copy : std::vector<MachineInst>(function_.blocks[copies].insts)) {
      if (is_copy(copy)) sink(block, copy.dst, copy.src[0]);
    }
  }

  void sink(BlockId block, const Reg& variable, const Reg& value) {
    if (value.id < definitions_.size() && definitions_[value.id] != 1) return;
    std::vector<MachineInst>& insts = function_.blocks[block].insts;
    const auto def = std::find_if(insts.begin(), insts.end(), [&](const MachineInst& i) { return writes(i, value); });
    if (def == insts.end() || !can_move(*def) || function_.regs[value.id].words != 1) return;
    auto last = def;  // last use of the variable behind the definition, before it gets a new value
    for (auto inst = def + 1; inst != insts.end(); ++inst) {
      if (reads(*inst, value) || writes(*inst, variable) || inst->label != 0 || inst->label_target != 0) break;
      bool blocked = false;
      for_each_use(*def, [&](const Reg& used, unsigned) { blocked |= writes(*inst, used); });
      if (blocked) break;
      if (reads(*inst, variable)) last = inst;
    }
    if (last != def) std::rotate(def, def + 1, last + 1);
  }

  MachineFunction& function_;
  std::vector<unsigned> definitions_;
};

}  // namespace

void sink_updates(MachineFunction& function) { UpdateSinker(function).run(); }

}  // namespace g80::codegen
