// SPDX-License-Identifier: Apache-2.0
// Lowers integer arithmetic. 16-bit values are in an i32 with undefined upper bits; operands are extended if an
// instruction reads these bits.

#include "toolchain/compiler/ptx/kernel_lowering.h"

namespace g80::ptx {

void KernelLowering::dispatch(const Instruction& inst) {
  const bool floating = !inst.types.empty() && is_float(inst.type());
  switch (inst.op()) {
    case Opcode::kAdd:
    case Opcode::kSub:
    case Opcode::kMad:
      if (inst.mods.carry) return lower_carry(inst);
      [[fallthrough]];
    case Opcode::kMul:
    case Opcode::kDiv:
    case Opcode::kAbs:
    case Opcode::kNeg:
    case Opcode::kMin:
    case Opcode::kMax: return floating ? lower_float(inst) : lower_integer(inst);
    case Opcode::kMul24:
    case Opcode::kMad24:
    case Opcode::kSad:
    case Opcode::kRem: return lower_integer(inst);
    case Opcode::kAddc:
    case Opcode::kSubc:
    case Opcode::kMadc: return lower_carry(inst);
    case Opcode::kPopc:
    case Opcode::kClz:
    case Opcode::kBfind:
    case Opcode::kBrev:
    case Opcode::kBfe:
    case Opcode::kBfi:
    case Opcode::kPrmt:
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
    case Opcode::kNot:
    case Opcode::kCnot:
    case Opcode::kShl:
    case Opcode::kShr: return lower_bits(inst);
    case Opcode::kTestp:
    case Opcode::kCopysign:
    case Opcode::kRcp:
    case Opcode::kSqrt:
    case Opcode::kRsqrt:
    case Opcode::kSin:
    case Opcode::kCos:
    case Opcode::kLg2:
    case Opcode::kEx2:
    case Opcode::kFma: return lower_float(inst);
    case Opcode::kSet:
    case Opcode::kSetp:
    case Opcode::kSelp:
    case Opcode::kSlct: return lower_compare(inst);
    case Opcode::kMov:
    case Opcode::kCvta: return lower_move(inst);
    case Opcode::kCvt: return lower_convert(inst);
    case Opcode::kLd:
    case Opcode::kSt: return lower_memory(inst);
    case Opcode::kAtom:
    case Opcode::kRed: return lower_atomic(inst);
    case Opcode::kTex: return lower_texture(inst);
    case Opcode::kCall: return call(inst);
    default: return lower_warp(inst);
  }
}

/// mul and the product in mad: .lo, .hi or .wide of two operands.
ValueId KernelLowering::product(const Instruction& inst) {
  const Scalar type = inst.type();
  const bool sign = is_signed(type);
  const ValueId a = extended(inst.operands[1], type), b = extended(inst.operands[2], type);
  const unsigned bits = scalar_bits(type);
  if (bits == 16) {
    const ValueId whole = emit_.op(Op::kMul, {a, b});
    if (inst.mods.half != Half::kHi) return whole;
    return emit_.op(sign ? Op::kShrS : Op::kShrU, {whole, emit_.i32(16)});
  }
  switch (inst.mods.half) {
    case Half::kHi: return emit_.op(sign ? Op::kMulHiS : Op::kMulHiU, {a, b});
    case Half::kWide: return emit_.op(sign ? Op::kMulWideS : Op::kMulWideU, ir::Type::kI64, {a, b});
    default: return emit_.op(Op::kMul, {a, b});
  }
}

void KernelLowering::lower_integer(const Instruction& inst) {
  const Scalar type = inst.type();
  const bool sign = is_signed(type);
  const auto operand = [&](std::size_t k) { return value(inst.operands[k], type); };
  const auto whole = [&](std::size_t k) { return extended(inst.operands[k], type); };
  const auto result = [&](ValueId v) { define(inst.operands[0], v); };
  switch (inst.op()) {
    case Opcode::kAdd: return result(emit_.op(inst.mods.sat ? Op::kAddSat : Op::kAdd, {operand(1), operand(2)}));
    case Opcode::kSub: return result(emit_.op(inst.mods.sat ? Op::kSubSat : Op::kSub, {operand(1), operand(2)}));
    case Opcode::kMul: return result(product(inst));
    case Opcode::kMad: {
      const ValueId p = product(inst);
      const Scalar sum = inst.mods.half == Half::kWide && scalar_bits(type) == 32 ? (sign ? Scalar::kS64 : Scalar::kU64)
                         : inst.mods.half == Half::kWide                          ? (sign ? Scalar::kS32 : Scalar::kU32)
                                                                                  : type;
      return result(emit_.op(inst.mods.sat ? Op::kAddSat : Op::kAdd, {p, value(inst.operands[3], sum)}));
    }
    case Opcode::kMul24:
    case Opcode::kMad24: {
      const bool high = inst.mods.half == Half::kHi;
      const Op op = high ? (sign ? Op::kMul24HiS : Op::kMul24HiU) : (sign ? Op::kMul24S : Op::kMul24U);
      const ValueId p = emit_.op(op, {operand(1), operand(2)});
      if (inst.op() == Opcode::kMul24) return result(p);
      return result(emit_.op(inst.mods.sat ? Op::kAddSat : Op::kAdd, {p, operand(3)}));
    }
    case Opcode::kSad: {
      const ValueId a = whole(1), b = whole(2), c = operand(3);
      if (scalar_bits(type) < 64) return result(emit_.op(sign ? Op::kSadS : Op::kSadU, {a, b, c}));
      const ValueId larger = emit_.op(sign ? Op::kMaxS : Op::kMaxU, {a, b});
      const ValueId smaller = emit_.op(sign ? Op::kMinS : Op::kMinU, {a, b});
      return result(emit_.op(Op::kAdd, {emit_.op(Op::kSub, {larger, smaller}), c}));
    }
    case Opcode::kDiv: return result(emit_.op(sign ? Op::kDivS : Op::kDivU, {whole(1), whole(2)}));
    case Opcode::kRem: return result(emit_.op(sign ? Op::kRemS : Op::kRemU, {whole(1), whole(2)}));
    case Opcode::kAbs: return result(emit_.op(Op::kAbs, {whole(1)}));
    case Opcode::kNeg: return result(emit_.op(Op::kNeg, {operand(1)}));
    case Opcode::kMin: return result(emit_.op(sign ? Op::kMinS : Op::kMinU, {whole(1), whole(2)}));
    case Opcode::kMax: return result(emit_.op(sign ? Op::kMaxS : Op::kMaxU, {whole(1), whole(2)}));
    default: fail("this integer instruction is not supported");
  }
}

/// CC.CF is an i32 of 0 or 1: the carry of an addition, the borrow of a subtraction. If the sum that set it is known,
/// the pair becomes kAddHigh or kSubHigh.
void KernelLowering::lower_carry(const Instruction& inst) {
  const bool reads = inst.op() == Opcode::kAddc || inst.op() == Opcode::kSubc || inst.op() == Opcode::kMadc;
  const bool subtracts = inst.op() == Opcode::kSub || inst.op() == Opcode::kSubc;
  const bool multiplies = inst.op() == Opcode::kMad || inst.op() == Opcode::kMadc;
  const Scalar type = inst.type();
  const ValueId a = multiplies ? product(inst) : value(inst.operands[1], type);
  const ValueId b = value(inst.operands[multiplies ? 3 : 2], type);
  const ir::Compare less = ir::Compare::kLtU;
  const auto as_number = [&](ValueId flag) { return emit_.select(flag, emit_.i32(1), emit_.i32(0)); };

  const ValueId first = emit_.op(subtracts ? Op::kSub : Op::kAdd, {a, b});
  ValueId carry = subtracts ? emit_.compare(less, a, b) : emit_.compare(less, first, a);
  ValueId sum = first;
  if (reads) {
    const ValueId in = emit_.ssa.read(carry_, emit_.block);
    const bool known = last_carry_.block == emit_.block && last_carry_.is_sub == subtracts;
    sum = emit_.op(subtracts ? Op::kSub : Op::kAdd, {first, in});
    const ValueId second = subtracts ? emit_.compare(less, first, in) : emit_.compare(less, sum, first);
    carry = emit_.op(Op::kOr, {carry, second});
    if (known) sum = emit_.op(subtracts ? Op::kSubHigh : Op::kAddHigh, {a, b, last_carry_.a, last_carry_.b});
  }
  if (inst.mods.carry) {
    emit_.ssa.write(carry_, emit_.block, as_number(carry));
    last_carry_.block = reads ? ir::kNone : emit_.block;
    last_carry_.a = a;
    last_carry_.b = b;
    last_carry_.is_sub = subtracts;
  }
  define(inst.operands[0], sum);
}

}  // namespace g80::ptx
