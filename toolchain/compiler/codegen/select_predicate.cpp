// SPDX-License-Identifier: Apache-2.0
// Selects predicates: comparisons, logic on masks, votes.
#include "toolchain/compiler/codegen/select.h"

namespace g80::codegen {

using ir::Op;
using ir::Type;
using ir::ValueId;
using isa::NumType;
using isa::OperandKind;

namespace {}  // namespace

bool Selector::select_predicate(const ir::Inst& inst) {
  if (inst.results.size() != 1 || f_.type_of(inst.results[0]) != Type::kPred) return false;
  const ValueId result = inst.results[0];
  const auto mask = [&](ValueId value, bool& inverted) {
    ValueId v = root(value);
    while (f_.def(v) != nullptr && f_.def(v)->op == Op::kNot) {
      inverted = !inverted;
      v = root(f_.def(v)->operands[0]);
    }
    Arg arg;
    arg.op.kind = OperandKind::kReg;
    if (f_.values[v].undefined || (f_.is_constant(v) && f_.values[v].bits == 0)) {
      arg.op.index = kZeroRegister;
    } else {
      arg.reg = need(v);
    }
    return arg;
  };
  const auto logic = [&](isa::Op op, ValueId x, ValueId y) {
    MachineInst combine = start(op);
    combine.insn.src_type = combine.insn.src2_type = NumType::kB32;
    bool invert[2] = {false, false};
    const Arg left = mask(x, invert[0]), right = mask(y, invert[1]);
    set_arg(combine, 0, left);
    set_arg(combine, 1, right);
    combine.insn.src[0].neg = invert[0];
    combine.insn.src[1].neg = invert[1];
    finish_set(combine, result);
    emit(std::move(combine));
  };
  switch (inst.op) {
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor: logic(logic_op(inst.op), inst.operands[0], inst.operands[1]); return true;
    case Op::kNot: {
      MachineInst complement = start(isa::Op::kMov2);
      complement.insn.src_type = complement.insn.src2_type = NumType::kB32;
      bool inverted = true;
      const Arg arg = mask(inst.operands[0], inverted);
      set_arg(complement, 0, arg);
      set_arg(complement, 1, arg);
      complement.insn.src[1].neg = inverted;
      finish_set(complement, result);
      emit(std::move(complement));
      return true;
    }
    case Op::kSet: {
      ValueId x = inst.operands[0], y = inst.operands[1];
      unsigned code = 0;  // 1 less, 2 equal, 4 greater
      bool is_signed = true;
      switch (inst.compare) {
        case ir::Compare::kEq: code = 2; break;
        case ir::Compare::kNe: code = 5; break;
        case ir::Compare::kLt: code = 1; break;
        case ir::Compare::kLe: code = 3; break;
        case ir::Compare::kGt: code = 4; break;
        case ir::Compare::kGe: code = 6; break;
        case ir::Compare::kLtU:
          code = 1;
          is_signed = false;
          break;
        case ir::Compare::kLeU:
          code = 3;
          is_signed = false;
          break;
        case ir::Compare::kGtU:
          code = 4;
          is_signed = false;
          break;
        default:
          code = 6;
          is_signed = false;
          break;
      }
      if (select_half_set(inst, code, is_signed)) return true;
      bool swapped = false;
      const TwoArgs args = two_args(x, y, false, &swapped);
      if (swapped) code = (code & 2) | (code & 1) << 2 | (code & 4) >> 2;
      MachineInst set = two(isa::Op::kSet, is_signed ? NumType::kS32 : NumType::kU32, Reg{}, args);
      set.insn.compare = static_cast<std::uint8_t>(code);
      finish_set(set, result);
      emit(std::move(set));
      return true;
    }
    case Op::kFset: return false;
    case Op::kSelect: {
      in_register_[result] = 1;
      select_select(inst);
      if (in_flags_[result]) {
        Arg arg;
        arg.op.kind = OperandKind::kReg;
        arg.reg = reg_of(result);
        MachineInst test = two(isa::Op::kAnd, NumType::kB32, Reg{}, {arg, arg});
        finish_set(test, ir::kNone);
        test.insn.writes_flags = true;
        test.flags_out = flags_[result];
        emit(std::move(test));
      }
      return true;
    }
    case Op::kVoteAny:
    case Op::kVoteAll: {
      if (options_.arch < isa::Arch::kSm12) fail(inst, "vote needs sm_12");
      bool inverted = false;
      const Reg input = need_flags(inst.operands[0], inverted);
      MachineInst vote = start(isa::Op::kVote);
      vote.insn.vote_all = inst.op == Op::kVoteAll;
      guard(vote, input, inverted);
      vote.is_guarded = false;  // the condition is an operand
      vote.insn.writes_flags = true;
      if (!flags_[result]) flags_[result] = m_.new_register(RegClass::kFlags);
      vote.flags_out = flags_[result];
      emit(std::move(vote));
      if (in_register_[result]) {
        Arg immediate;
        immediate.op.kind = OperandKind::kImm;
        const Reg ones = load_word(0xffffffffu);
        move(reg_of(result), immediate);
        MachineInst set = make_copy(reg_of(result), ones, inst.loc);
        guard(set, flags_[result], false);
        set.merges = true;
        emit(std::move(set));
      }
      return true;
    }
    default: return false;
  }
}

}  // namespace g80::codegen
