// SPDX-License-Identifier: Apache-2.0
// Selects 16-bit arithmetic on half registers, for the values that half_values.h assigns to them.
#include <algorithm>

#include "toolchain/compiler/codegen/select.h"

namespace g80::codegen {

using ir::Op;
using ir::ValueId;
using isa::MemType;
using isa::NumType;
using isa::OperandKind;

namespace {

constexpr std::uint32_t kHalfLiteralReach = 0x100;  // bytes of c[] that a 16-bit operand reaches

Arg immediate(std::uint32_t word) {
  Arg arg;
  arg.op.kind = OperandKind::kImm;
  arg.immediate = word & 0xffff;
  return arg;
}

}  // namespace

Reg Selector::need_half(ValueId value) {
  const ValueId v = root(value);
  if (halves_[v]) {
    in_register_[v] = 1;
    return reg_of(v);
  }
  const Reg word = need(v);
  limit_register(word, 64);
  return word;
}

Arg Selector::half_register_arg(ValueId value) {
  Arg arg;
  arg.op.kind = OperandKind::kHalf;
  arg.op.index = 0;
  arg.reg = need_half(value);
  return arg;
}

Arg Selector::half_literal(std::uint32_t word) {
  Arg arg;
  const std::uint32_t offset = m_.literal(word & 0xffff);
  if (offset >= kHalfLiteralReach) {
    arg.op.kind = OperandKind::kHalf;
    arg.reg = m_.new_half();
    move_half(arg.reg, immediate(word));
    return arg;
  }
  arg.op.kind = OperandKind::kConst;
  arg.op.bank = kLiteralBank;
  arg.op.type = MemType::kU16;
  arg.op.offset = static_cast<std::uint16_t>(offset);
  return arg;
}

Arg Selector::first_half(ValueId value, HalfKind kind) { return half_source(value, true, kind); }
Arg Selector::second_half(ValueId value, HalfKind kind) { return half_source(value, false, kind); }

Arg Selector::half_source(ValueId value, bool is_first, HalfKind kind) {
  const ValueId v = root(value);
  Arg arg;
  if (is_constant(v) && !is_first) return half_literal(word_of(v));
  if (is_constant(v)) {
    arg.op.kind = OperandKind::kHalf;
    arg.reg = m_.new_half();
    move_half(arg.reg, immediate(word_of(v)));
    return arg;
  }
  if (is_first && can_be_shared(v)) {
    const ir::Inst& inst = *def(v);
    const bool is_byte = inst.op != Op::kSpecial && inst.access == ir::Access::kU8;
    const bool is_word = inst.op != Op::kSpecial && inst.access == ir::Access::kB32;
    if (!is_word && !(is_byte && kind == HalfKind::kSigned)) {
      shared_arg(v, arg);
      if (!is_byte) arg.op.type = kind == HalfKind::kSigned ? MemType::kS16 : MemType::kU16;
      return arg;
    }
  }
  const ir::Inst* inst = def(v);
  if (inst != nullptr && !in_register_[v]) {
    if (inst->op == Op::kZext16 || inst->op == Op::kSext16) return half_source(inst->operands[0], is_first, kind);
    const bool is_upper = (inst->op == Op::kShrU || inst->op == Op::kShrS) && is_word(inst->operands[1], 16);
    if (is_upper && !is_half(v)) {
      arg = half_register_arg(inst->operands[0]);
      arg.op.index = 1;
      return arg;
    }
    if (inst->op == Op::kSpecial && inst->special == ir::Special::kTidX) {
      arg.op.kind = OperandKind::kHalf;
      arg.reg = thread_id_;
      return arg;
    }
  }
  return half_register_arg(v);
}

Selector::TwoArgs Selector::half_args(ValueId a, ValueId b, bool may_be_immediate, bool* swapped, HalfKind kind) {
  if (swapped != nullptr) {
    *swapped = is_constant(a) || (can_be_shared(b) && !can_be_shared(a) && !is_constant(b));
    if (*swapped) std::swap(a, b);
  }
  TwoArgs args;
  args.a = first_half(a, kind);
  const bool near =
      args.a.op.kind != OperandKind::kShared || args.a.op.offset / (args.a.op.type == MemType::kU8 ? 1 : 2) < 16;
  args.b = is_constant(b) && may_be_immediate && near ? immediate(word_of(b)) : second_half(b, kind);
  return args;
}

void Selector::move_half(Reg dst, const Arg& arg, std::uint8_t half) {
  const bool is_constant = arg.op.kind == OperandKind::kConst;
  MachineInst inst = start(is_constant ? isa::Op::kLdConst : isa::Op::kMov);
  inst.insn.dst_type = NumType::kB16;
  if (is_constant) {
    inst.insn.mem_type = arg.op.type;
  } else {
    inst.insn.src_type = NumType::kB16;
  }
  set_dst(inst, dst, OperandKind::kHalf);
  inst.insn.dst.index = half;
  set_arg(inst, arg.op.kind == OperandKind::kImm ? 1 : 0, arg);
  emit(std::move(inst));
}

/// A word upper << 16 | lower: moves each half to its place, or computes it there. Only if other values are halves,
/// because allocation by halves costs time.
bool Selector::select_word_of_halves(const ir::Inst& inst) {
  if (!halves_.any()) return false;
  for (unsigned side = 0; side < 2; ++side) {
    const ir::Inst* upper = sole(inst.operands[side], Op::kShl);
    const ValueId lower = inst.operands[1 - side];
    if (upper == nullptr || !is_word(upper->operands[1], 16) || !can_be_half(lower, false)) continue;
    const auto source = [&](ValueId v) { return is_constant(v) ? immediate(word_of(v)) : first_half(v); };
    const Reg dst = reg_of(inst.results[0]);
    limit_register(dst, 64);
    m_.has_halves = true;
    const Arg low = source(lower), high = source(upper->operands[0]);
    move_half(dst, low, 0);
    move_half(dst, high, 1);
    return true;
  }
  return false;
}

/// True if one of the values is in a half register, or a 32-bit instruction would have to widen it first.
bool Selector::saves_by_halves(ValueId x, ValueId y) const {
  const auto saves = [&](ValueId v) {
    const ir::Inst* extension = def(v);
    return is_half(v) || (extension != nullptr && (extension->op == Op::kZext16 || extension->op == Op::kSext16) &&
                          !in_register_[root(v)] && uses_[root(v)] == 1);
  };
  return saves(x) || saves(y);
}

/// |a - b| + c with 16-bit a and b; the distance is unsigned, c and the sum have 32 bits.
bool Selector::select_half_sad(const ir::Inst& inst) {
  const ValueId x = inst.operands[0], y = inst.operands[1];
  const HalfKind as = halves_.kind(x, y);
  if (as == HalfKind::kNone || (as == HalfKind::kSigned && inst.op == Op::kSadU) || !saves_by_halves(x, y))
    return false;
  bool swapped = false;
  MachineInst sad = two(isa::Op::kSad, as == HalfKind::kSigned ? NumType::kS16 : NumType::kU16, reg_of(inst.results[0]),
                        half_args(x, y, false, &swapped, as));
  sad.insn.dst_type = NumType::kB32;
  set_arg(sad, 2, register_arg(inst.operands[2]));
  emit(std::move(sad));
  return true;
}

/// Selects a 16-bit comparison.
bool Selector::select_half_set(const ir::Inst& inst, unsigned code, bool is_signed) {
  const ValueId x = inst.operands[0], y = inst.operands[1];
  if (!saves_by_halves(x, y) || halves_.kind(x, y) == HalfKind::kNone) return false;
  const HalfKind as = halves_.order(x, y, is_signed);
  bool swapped = false;
  const TwoArgs args = half_args(x, y, false, &swapped, as);
  if (swapped) code = (code & 2) | (code & 1) << 2 | (code & 4) >> 2;
  const ValueId result = inst.results[0];
  MachineInst set = two(isa::Op::kSet, as == HalfKind::kSigned ? NumType::kS16 : NumType::kU16, Reg{}, args);
  set.insn.compare = static_cast<std::uint8_t>(code);
  set.insn.dst_type = NumType::kB16;
  if (in_flags_[result]) {
    set.insn.writes_flags = true;
    set.flags_out = flags_[result];
  }
  if (!in_register_[result]) {
    set.insn.dst.kind = OperandKind::kDiscard;
    set.insn.dst.type = MemType::kU16;
    emit(std::move(set));
    return true;
  }
  const Reg mask = m_.new_half();
  set_dst(set, mask, OperandKind::kHalf);
  emit(std::move(set));
  MachineInst widen = start(isa::Op::kCvtI2I);
  widen.insn.dst_type = NumType::kS32;
  widen.insn.src_type = NumType::kS16;
  set_dst(widen, reg_of(result));
  Arg arg;
  arg.op.kind = OperandKind::kHalf;
  arg.reg = mask;
  set_arg(widen, 0, arg);
  emit(std::move(widen));
  return true;
}

void Selector::select_half(const ir::Inst& inst) {
  const ValueId result = inst.results[0];
  const Reg dst = reg_of(result);
  const auto a = [&](unsigned i) { return inst.operands[i]; };
  const auto arithmetic = [&](isa::Op op, NumType type, const TwoArgs& args) {
    MachineInst made = two(op, type, Reg{}, args);
    set_dst(made, dst, OperandKind::kHalf);
    return made;
  };
  const auto convert = [&](NumType to, NumType from) {
    MachineInst made = start(isa::Op::kCvtI2I);
    made.insn.dst_type = to;
    made.insn.src_type = from;
    set_dst(made, dst, OperandKind::kHalf);
    set_arg(made, 0, half_register_arg(a(0)));
    emit(std::move(made));
  };
  switch (inst.op) {
    case Op::kAdd: {
      bool swapped = false;
      emit(arithmetic(isa::Op::kAdd, NumType::kB16, half_args(a(0), a(1), true, &swapped)));
      return;
    }
    case Op::kSub:
      if (is_constant(a(1))) {
        TwoArgs args;
        args.a = half_register_arg(a(0));
        args.b = immediate(0u - word_of(a(1)));
        emit(arithmetic(isa::Op::kAdd, NumType::kB16, args));
      } else if (is_constant(a(0)) || (!can_be_shared(a(0)) && can_be_shared(a(1)))) {
        emit(arithmetic(isa::Op::kSubr, NumType::kB16, half_args(a(1), a(0), true)));
      } else {
        emit(arithmetic(isa::Op::kSub, NumType::kB16, half_args(a(0), a(1), true)));
      }
      return;
    case Op::kNeg: {
      TwoArgs args;
      args.a = half_register_arg(a(0));
      args.b = immediate(0);
      emit(arithmetic(isa::Op::kSubr, NumType::kB16, args));
      return;
    }
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor: {
      if (inst.op == Op::kAnd && is_constant(a(1)) && (word_of(a(1)) & 0xffff) == 0xff) {
        convert(NumType::kU16, NumType::kU8);
        return;
      }
      const ir::Inst* complement = sole(a(1), Op::kNot);
      bool swapped = false;
      bool* may_swap = complement == nullptr ? &swapped : nullptr;
      const ValueId b = complement != nullptr ? complement->operands[0] : a(1);
      const isa::Op op = inst.op == Op::kAnd ? isa::Op::kAnd : inst.op == Op::kOr ? isa::Op::kOr : isa::Op::kXor;
      MachineInst logic = arithmetic(op, NumType::kB16, half_args(a(0), b, false, may_swap));
      logic.insn.src[1].neg = complement != nullptr;
      emit(std::move(logic));
      return;
    }
    case Op::kNot: {
      TwoArgs args;
      args.a = args.b = half_register_arg(a(0));
      MachineInst complement = arithmetic(isa::Op::kMov2, NumType::kB16, args);
      complement.insn.src[1].neg = true;
      emit(std::move(complement));
      return;
    }
    case Op::kShl:
    case Op::kShrU:
    case Op::kShrS: {
      const HalfKind kind = inst.op == Op::kShrS ? halves_.kind(a(0)) : HalfKind::kUnsigned;
      const bool is_signed = kind == HalfKind::kSigned;
      TwoArgs args;
      if (is_constant(a(1))) {
        std::uint32_t count = word_of(a(1));  // the field has four bits
        if (count > 15 && !is_signed) return move_half(dst, immediate(0));
        args.a = first_half(a(0), kind);
        args.b.op.kind = OperandKind::kImm;
        args.b.immediate = std::min(count, 15u);
      } else {
        args = half_args(a(0), a(1), false, nullptr, kind);
      }
      const NumType type = inst.op == Op::kShl ? NumType::kB16 : is_signed ? NumType::kS16 : NumType::kU16;
      MachineInst shift = arithmetic(inst.op == Op::kShl ? isa::Op::kShl : isa::Op::kShr, type, args);
      shift.insn.src2_type = NumType::kU16;
      shift.insn.form = isa::Form::kLong;
      emit(std::move(shift));
      return;
    }
    case Op::kMinU:
    case Op::kMinS:
    case Op::kMaxU:
    case Op::kMaxS: {
      const bool is_min = inst.op == Op::kMinU || inst.op == Op::kMinS;
      const bool is_signed = inst.op == Op::kMinS || inst.op == Op::kMaxS;
      const HalfKind kind = halves_.order(a(0), a(1), is_signed);
      bool swapped = false;
      emit(arithmetic(is_min ? isa::Op::kMin : isa::Op::kMax, kind == HalfKind::kSigned ? NumType::kS16 : NumType::kU16,
                      half_args(a(0), a(1), false, &swapped, kind)));
      return;
    }
    case Op::kSelect: {
      bool inverted = false;
      const Reg flags = need_flags(inst.operands[0], inverted);
      const Arg yes = half_register_arg(a(1)), no = half_register_arg(a(2));
      move_half(dst, no);
      move_half(dst, yes);
      guard(sequence_.back(), flags, inverted);
      sequence_.back().merges = true;
      return;
    }
    case Op::kZext8: return convert(NumType::kU16, NumType::kU8);
    case Op::kSext8: return convert(NumType::kS16, NumType::kS8);
    case Op::kZext16:
    case Op::kSext16: return move_half(dst, half_register_arg(a(0)));
    case Op::kF32ToF16: {
      MachineInst made = start(isa::Op::kCvtF2F);
      made.insn.dst_type = NumType::kF16;
      made.insn.src_type = NumType::kF32;
      made.insn.round = inst.round;
      made.insn.saturate = inst.saturate;
      set_dst(made, dst, OperandKind::kHalf);
      set_arg(made, 0, register_arg(a(0)));
      emit(std::move(made));
      return;
    }
    case Op::kLoad: return load_element(inst, inst.access, 0, dst);
    default: fail(inst, "an operation that makes no half of a register");
  }
}

}  // namespace g80::codegen
