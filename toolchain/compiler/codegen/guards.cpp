// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/guards.h"

#include <algorithm>

namespace g80::codegen {

using isa::Form;
using isa::OperandKind;

namespace {

constexpr std::uint32_t kLiteralReach = 0x180, kHalfLiteralReach = 0x100;
constexpr std::size_t kWindow = 32;  // instructions between a value and its choice

bool reads_shared(const MachineInst& inst) {
  return std::any_of(std::begin(inst.insn.src), std::end(inst.insn.src),
                     [](const isa::Operand& op) { return op.kind == OperandKind::kShared; });
}
bool may_write_shared(const MachineInst& inst) {
  const isa::Op op = inst.insn.op;
  return op == isa::Op::kStShared || op == isa::Op::kStSharedUnlock || op == isa::Op::kBar || inst.callee != ir::kNone;
}

/// True if the instruction computes one word and has no other effect.
bool only_computes(const MachineInst& inst) {
  const isa::Instruction& insn = inst.insn;
  const bool is_in_range = insn.op >= isa::Op::kAdd && insn.op <= isa::Op::kLg2 && insn.op != isa::Op::kQuadop;
  return is_in_range && !inst.is_volatile && !inst.flags_out && !inst.merges && insn.dst.kind == OperandKind::kReg &&
         inst.dst && inst.label == 0 && inst.label_target == 0;
}

class Chooser {
 public:
  explicit Chooser(MachineFunction& function)
      : function_(function), definitions_(function.regs.size(), 0), uses_(function.regs.size(), 0) {
    for (const MachineBlock& block : function_.blocks) {
      for (const MachineInst& inst : block.insts) {
        for_each_def(inst, [&](const Reg& reg, unsigned) { ++definitions_[reg.id]; });
        for_each_use(inst, [&](const Reg& reg, unsigned) { ++uses_[reg.id]; });
      }
    }
    for (const PassedRegister& result : function_.results) {
      if (result.reg) ++uses_[result.reg.id];
    }
  }

  void run() {
    for (MachineBlock& block : function_.blocks) {
      std::vector<MachineInst> insts;
      insts.reserve(block.insts.size());
      for (MachineInst& inst : block.insts) {
        insts.push_back(std::move(inst));
        if (is_choice(insts.back())) choose(insts);
      }
      block.insts = std::move(insts);
    }
  }

 private:
  bool is_choice(const MachineInst& inst) const {
    const isa::Instruction& insn = inst.insn;
    return insn.op == isa::Op::kMov && inst.is_guarded && inst.merges && inst.dst && !inst.addr &&
           insn.dst.kind == OperandKind::kReg && insn.src[0].kind == OperandKind::kReg && inst.src[0] &&
           inst.src[0].id < uses_.size() && uses_[inst.src[0].id] == 1 && definitions_[inst.src[0].id] == 1 &&
           function_.regs[inst.src[0].id].words == 1;
  }

  /// The last instruction is the choice.
  void choose(std::vector<MachineInst>& insts) {
    const MachineInst choice = insts.back();
    std::size_t from = insts.size() - 1;
    const std::size_t first = from - std::min(from, kWindow);
    while (from != first && insts[from - 1].dst != choice.src[0]) --from;
    if (from == first) return;
    MachineInst made = insts[--from];
    if (has_same_guard(made, choice)) return rename(insts, from);
    if (!only_computes(made) || !can_guard(made)) return;
    bool changes = false;
    for (std::size_t i = from + 1; i + 1 < insts.size(); ++i) {
      changes |= insts[i].label != 0 || insts[i].label_target != 0;
      changes |= reads_shared(made) && may_write_shared(insts[i]);
      for_each_def(insts[i], [&](const Reg& written, unsigned) {
        for_each_use(made, [&](const Reg& read, unsigned) { changes |= read.id == written.id; });
      });
    }
    if (changes) return;
    made.dst = choice.dst;
    made.is_guarded = made.merges = true;
    made.insn.cond = choice.insn.cond;
    made.flags_in = choice.flags_in;
    insts.pop_back();
    insts.erase(insts.begin() + static_cast<std::ptrdiff_t>(from));
    use_literal(function_, made, insts);
    insts.push_back(std::move(made));
  }

  static bool has_same_guard(const MachineInst& made, const MachineInst& choice) {
    return made.is_guarded && !made.merges && made.flags_in == choice.flags_in && made.insn.cond == choice.insn.cond &&
           made.insn.dst.kind == OperandKind::kReg && !made.flags_out && made.callee == ir::kNone;
  }

  /// What has the guard already, a load for example, can stay where it is, if nobody in between wants the choice.
  static void rename(std::vector<MachineInst>& insts, std::size_t from) {
    const MachineInst& choice = insts.back();
    bool is_wanted = false;
    for (std::size_t i = from; i + 1 < insts.size(); ++i) {
      const auto see = [&](const Reg& reg, unsigned) { is_wanted |= reg.id == choice.dst.id; };
      for_each_use(insts[i], see);
      for_each_def(insts[i], see);
      is_wanted |= insts[i].flags_out == choice.flags_in || insts[i].label != 0 || insts[i].label_target != 0;
    }
    if (is_wanted) return;
    insts[from].dst = choice.dst;
    insts[from].merges = true;
    insts.pop_back();
  }

  MachineFunction& function_;
  std::vector<unsigned> definitions_, uses_;  // by register
};

}  // namespace

bool can_guard(const MachineInst& inst) {
  if (inst.is_guarded || inst.flags_in || inst.insn.form == Form::kControl) return false;
  if (inst.insn.op == isa::Op::kVote || inst.insn.op == isa::Op::kLdSharedLock) return false;
  return inst.insn.form == Form::kLong || inst.insn.form == Form::kImmediate;
}

void use_literal(MachineFunction& function, MachineInst& inst, std::vector<MachineInst>& before) {
  if (inst.insn.form != Form::kImmediate) return;
  unsigned slot = 0;
  while (slot < 2 && inst.insn.src[slot].kind != OperandKind::kImm) ++slot;
  const bool is_half = inst.insn.op == isa::Op::kMul16 || inst.insn.dst.kind == OperandKind::kHalf;
  const std::uint32_t word = inst.insn.immediate;
  inst.insn.form = Form::kLong;
  inst.insn.immediate = 0;
  isa::Operand& op = inst.insn.src[slot];
  const bool neg = op.neg;
  op = {};
  op.neg = neg;
  if (inst.insn.op == isa::Op::kMov) {
    op = {};
    slot = 0;
    if (word == 0 && !is_half) {
      inst.insn.src[0].kind = OperandKind::kReg;
      inst.insn.src[0].index = kZeroRegister;
      return;
    }
    inst.insn.op = isa::Op::kLdConst;
    if (is_half) {
      inst.insn.mem_type = isa::MemType::kU16;
      inst.insn.src_type = isa::NumType::kB32;
    }
  } else if (word == 0 && !is_half) {
    op.kind = OperandKind::kReg;
    op.index = kZeroRegister;
    return;
  }
  const std::uint32_t offset = function.literal(word);
  if (inst.insn.op != isa::Op::kLdConst && offset >= (is_half ? kHalfLiteralReach : kLiteralReach)) {
    // the pool is full: loads the number into a register, in front of the guarded instructions
    MachineInst load;
    load.insn.op = isa::Op::kMov;
    load.insn.form = Form::kImmediate;
    load.insn.dst_type = load.insn.src_type = isa::NumType::kB32;
    load.insn.dst.kind = OperandKind::kReg;
    load.insn.src[1].kind = OperandKind::kImm;
    load.insn.immediate = word;
    load.dst = function.new_register();
    load.loc = inst.loc;
    op.kind = is_half ? OperandKind::kHalf : OperandKind::kReg;
    if (is_half) function.regs[load.dst.id].end = 64;
    inst.src[slot] = load.dst;
    before.push_back(std::move(load));
    return;
  }
  isa::Operand& constant = inst.insn.src[slot];
  constant.kind = OperandKind::kConst;
  constant.bank = kLiteralBank;
  constant.type = is_half ? isa::MemType::kU16 : isa::MemType::kB32;
  constant.offset = static_cast<std::uint16_t>(offset);
}

void guard_choices(MachineFunction& function) { Chooser(function).run(); }

}  // namespace g80::codegen
