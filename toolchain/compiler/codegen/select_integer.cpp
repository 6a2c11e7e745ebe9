// SPDX-License-Identifier: Apache-2.0
// Selects integer arithmetic on words: additions with carries, logic, shifts, minimum, widening.
#include <algorithm>

#include "toolchain/compiler/codegen/select.h"

namespace g80::codegen {

using ir::Op;
using ir::Type;
using ir::ValueId;
using isa::NumType;
using isa::OperandKind;

namespace {}  // namespace

bool Selector::select_integer(const ir::Inst& inst) {
  if (inst.results.size() != 1 || f_.type_of(inst.results[0]) != Type::kI32) return false;
  const auto a = [&](unsigned i) { return inst.operands[i]; };
  const ValueId result = inst.results[0];
  switch (inst.op) {
    case Op::kAdd: select_add(inst); return true;
    case Op::kSub: {
      const ir::Inst* left = sole_product(a(0));
      const ir::Inst* right = sole_product(a(1));
      if (can_mad(left)) {
        select_mad(*left, a(1), isa::Op::kSub, reg_of(result));
      } else if (can_mad(right)) {
        select_mad(*right, a(0), isa::Op::kSubr, reg_of(result));
      } else if (is_constant(a(1))) {
        emit(two(isa::Op::kAdd, NumType::kB32, reg_of(result), word_args(a(0), 0u - word_of(a(1)), true)));
      } else if (is_constant(a(0)) || (!can_be_shared(a(0)) && can_be_shared(a(1)))) {
        emit(two(isa::Op::kSubr, NumType::kB32, reg_of(result), two_args(a(1), a(0), !is_word(a(0), 0))));
      } else {
        emit(two(isa::Op::kSub, NumType::kB32, reg_of(result), two_args(a(0), a(1), true)));
      }
      return true;
    }
    case Op::kNeg: {
      Arg zero;
      zero.op.kind = OperandKind::kReg;
      zero.op.index = kZeroRegister;
      TwoArgs args;
      if (!shared_arg(a(0), args.a)) args.a = register_arg(a(0));
      args.b = zero;
      emit(two(isa::Op::kSubr, NumType::kB32, reg_of(result), args));
      return true;
    }
    case Op::kAddSat:
    case Op::kSubSat: {
      bool swapped = false;
      const bool is_add = inst.op == Op::kAddSat;
      MachineInst add = two(is_add ? isa::Op::kAdd : isa::Op::kSub, NumType::kB32, reg_of(result),
                            two_args(a(0), a(1), true, is_add ? &swapped : nullptr));
      add.insn.saturate = true;
      emit(std::move(add));
      return true;
    }
    case Op::kMul24U:
    case Op::kMul24S:
    case Op::kMul24HiU:
    case Op::kMul24HiS: select_multiply(inst); return true;
    case Op::kAddHigh:
    case Op::kSubHigh: select_carry(inst); return true;
    case Op::kSadU:
    case Op::kSadS: {
      if (select_half_sad(inst)) return true;
      const NumType type = inst.op == Op::kSadU ? NumType::kU32 : NumType::kS32;
      bool swapped = false;
      MachineInst sad = two(isa::Op::kSad, type, reg_of(result), two_args(a(0), a(1), false, &swapped));
      sad.insn.dst_type = NumType::kB32;
      set_arg(sad, 2, register_arg(a(2)));
      emit(std::move(sad));
      return true;
    }
    case Op::kMinU:
    case Op::kMinS:
    case Op::kMaxU:
    case Op::kMaxS: {
      const bool is_min = inst.op == Op::kMinU || inst.op == Op::kMinS;
      const NumType type = inst.op == Op::kMinU || inst.op == Op::kMaxU ? NumType::kU32 : NumType::kS32;
      bool swapped = false;
      emit(two(is_min ? isa::Op::kMin : isa::Op::kMax, type, reg_of(result), two_args(a(0), a(1), false, &swapped)));
      return true;
    }
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor: {
      if (inst.op != Op::kAnd && select_word_of_halves(inst)) return true;
      bool swapped = false;
      // a complement costs nothing as a source of a long form
      const ir::Inst* complement = sole(a(1), Op::kNot);
      const ValueId b = complement != nullptr ? complement->operands[0] : a(1);
      MachineInst logic = two(logic_op(inst.op), NumType::kB32, reg_of(result),
                              two_args(a(0), b, complement == nullptr, complement == nullptr ? &swapped : nullptr));
      logic.insn.src[1].neg = complement != nullptr;
      emit(std::move(logic));
      return true;
    }
    case Op::kNot: {
      TwoArgs args;
      args.a.op.kind = OperandKind::kReg;
      args.a.op.index = kZeroRegister;
      if (!constant_arg(a(0), args.b)) args.b = register_arg(a(0));
      if (args.b.reg) args.a = args.b;
      MachineInst complement = two(isa::Op::kMov2, NumType::kB32, reg_of(result), args);
      complement.insn.src[1].neg = true;
      emit(std::move(complement));
      return true;
    }
    case Op::kShl:
    case Op::kShrU:
    case Op::kShrS: {
      const NumType type = inst.op == Op::kShl ? NumType::kB32 : inst.op == Op::kShrU ? NumType::kU32 : NumType::kS32;
      TwoArgs args;
      if (is_constant(a(1))) {
        if (!shared_arg(a(0), args.a)) args.a = register_arg(a(0));
        args.b.op.kind = OperandKind::kImm;
        args.b.immediate = std::min(word_of(a(1)), 32u);
      } else {
        args = two_args(a(0), a(1), false);
      }
      MachineInst shift = two(inst.op == Op::kShl ? isa::Op::kShl : isa::Op::kShr, type, reg_of(result), args);
      shift.insn.src2_type = NumType::kU32;
      shift.insn.form = isa::Form::kLong;
      emit(std::move(shift));
      return true;
    }
    case Op::kZext8:
    case Op::kZext16: {
      if (is_half(a(0))) {
        MachineInst convert = start(isa::Op::kCvtI2I);
        convert.insn.dst_type = NumType::kU32;
        convert.insn.src_type = inst.op == Op::kZext8 ? NumType::kU8 : NumType::kU16;
        set_dst(convert, reg_of(result));
        set_arg(convert, 0, half_register_arg(a(0)));
        emit(std::move(convert));
        return true;
      }
      const std::uint32_t mask = inst.op == Op::kZext8 ? 0xff : 0xffff;
      emit(two(isa::Op::kAnd, NumType::kB32, reg_of(result), word_args(a(0), mask, true)));
      return true;
    }
    case Op::kAbs: {
      MachineInst convert = start(isa::Op::kCvtI2I);
      convert.insn.dst_type = NumType::kU32;
      convert.insn.src_type = NumType::kS32;
      convert.insn.src[0].abs = true;
      set_dst(convert, reg_of(result));
      set_arg(convert, 0, register_arg(a(0)));
      emit(std::move(convert));
      return true;
    }
    case Op::kSext8:
    case Op::kSext16: {
      MachineInst convert = start(isa::Op::kCvtI2I);
      convert.insn.dst_type = NumType::kS32;
      convert.insn.src_type = inst.op == Op::kSext8 ? NumType::kS8 : NumType::kS16;
      set_dst(convert, reg_of(result));
      const bool in_half = inst.op == Op::kSext16 || is_half(a(0));
      set_arg(convert, 0, in_half ? half_register_arg(a(0)) : register_arg(a(0)));
      emit(std::move(convert));
      return true;
    }
    default: return false;
  }
}

void Selector::select_add(const ir::Inst& inst) {
  const ValueId result = inst.results[0];
  const Reg carry = carry_of_[f_.values[result].def];
  if (!carry) {
    for (unsigned i = 0; i < 2; ++i) {
      const ir::Inst* product = sole_product(inst.operands[i]);
      if (!can_mad(product)) continue;
      select_mad(*product, inst.operands[1 - i], isa::Op::kAdd, reg_of(result));
      return;
    }
  }
  if (!carry && (select_word_of_halves(inst) || select_counted(inst))) return;
  bool swapped = false;
  MachineInst add =
      two(isa::Op::kAdd, NumType::kB32, Reg{}, two_args(inst.operands[0], inst.operands[1], !carry, &swapped));
  if (!carry || in_register_[result]) {
    set_dst(add, reg_of(result));
  } else {
    add.insn.dst.kind = OperandKind::kDiscard;
  }
  if (carry) {
    add.insn.writes_flags = true;
    add.flags_out = carry;
  }
  emit(std::move(add));
}

/// x + (a < b ? 1 : 0): subtracts the mask of the comparison, which is -1 if it is true.
bool Selector::select_counted(const ir::Inst& inst) {
  for (unsigned i = 0; i < 2; ++i) {
    const ir::Inst* one = sole(inst.operands[i], Op::kSelect);
    if (one == nullptr || !is_word(one->operands[1], 1) || !is_word(one->operands[2], 0)) continue;
    if (is_constant(inst.operands[1 - i]) || sole(one->operands[0], Op::kSet) == nullptr) continue;
    const TwoArgs args{register_arg(inst.operands[1 - i]), register_arg(one->operands[0])};
    emit(two(isa::Op::kSub, NumType::kB32, reg_of(inst.results[0]), args));
    return true;
  }
  return false;
}

/// High word of a sum or a difference. If the low word is computed just before, that instruction sets the carry.
void Selector::select_carry(const ir::Inst& inst) {
  const auto a = [&](unsigned i) { return inst.operands[i]; };
  const Reg carry = m_.new_register(RegClass::kFlags);
  const bool is_add = inst.op == Op::kAddHigh;
  const std::vector<ir::InstId>& insts = f_.blocks[block_].insts;
  bool is_shared = false;
  for (std::uint32_t back = 1; is_add && back <= 4 && back <= index_ && !is_shared; ++back) {
    const ir::InstId id = insts[index_ - back];
    const ir::Inst& low = f_.insts[id];
    if (low.op != Op::kAdd || carry_of_[id] || is_half(low.results[0])) continue;
    if (root(low.operands[0]) != root(a(2)) || root(low.operands[1]) != root(a(3))) continue;
    carry_of_[id] = carry;
    is_shared = true;
  }
  if (!is_shared) {
    MachineInst low = two(is_add ? isa::Op::kAdd : isa::Op::kSub, NumType::kB32, Reg{}, two_args(a(2), a(3), false));
    low.insn.dst.kind = OperandKind::kDiscard;
    low.insn.writes_flags = true;
    low.flags_out = carry;
    emit(std::move(low));
  }
  MachineInst high;
  if (is_add) {
    bool swapped = false;
    high = two(isa::Op::kAddc, NumType::kB32, reg_of(inst.results[0]), two_args(a(0), a(1), false, &swapped));
  } else {
    // a - b - borrow = a + ~b + carry
    TwoArgs args;
    if (!shared_arg(a(0), args.a)) args.a = register_arg(a(0));
    if (is_constant(a(1))) {
      args.b = literal_arg(~word_of(a(1)));
    } else {
      TwoArgs same;
      same.a = same.b = register_arg(a(1));
      const Reg complement = m_.new_register();
      MachineInst invert = two(isa::Op::kMov2, NumType::kB32, complement, same);
      invert.insn.src[1].neg = true;
      emit(std::move(invert));
      args.b.op.kind = OperandKind::kReg;
      args.b.reg = complement;
    }
    high = two(isa::Op::kAddc, NumType::kB32, reg_of(inst.results[0]), args);
  }
  high.flags_in = carry;
  emit(std::move(high));
}

}  // namespace g80::codegen
