// SPDX-License-Identifier: Apache-2.0
// Computes x * y + z of fp32 in 64-bit integers.
#include "toolchain/compiler/codegen/exact_float.h"
#include "toolchain/compiler/codegen/float_parts.h"

namespace g80::codegen {
namespace {

using ir::Compare;
using ir::Op;
using ir::Round;
using ir::Type;
using ir::ValueId;

constexpr std::uint32_t kPoint = 60;  // the bit of a term that has the term's exponent

/// Shifts `value` right; the last bit is sticky: it is set if any set bit was lost.
ValueId shifted_sticky(IrBuilder& b, FloatParts& e, ValueId value, ValueId count) {
  const ValueId limited = b.make(Op::kMinU, Type::kI32, {count, e.n(63)});
  const ValueId shifted = e.wide(Op::kShrU, value, limited);
  const ValueId lost = b.set(Compare::kNe, e.wide(Op::kShl, shifted, limited), value);
  return e.wide(Op::kOr, shifted, e.zero_extended(b.select(lost, e.n(1), e.n(0))));
}

}  // namespace

// Product and addend have their leading bit in bit 60 or 61 and zeros in the last 14 bits. The one with the smaller
// exponent is shifted right. Bits are lost only if the exponents differ by much; then the sum keeps its length, and the
// sticky bit is enough for rounding.
ValueId exact_multiply_add(IrBuilder& b, ValueId x, ValueId y, ValueId z, Round round) {
  FloatParts e(b);
  const ValueId x_bits = b.bits(x), y_bits = b.bits(y), z_bits = b.bits(z);
  const ValueId x_field = e.field(x_bits), y_field = e.field(y_bits), z_field = e.field(z_bits);
  const ValueId product =
      e.wide(Op::kShl, b.make(Op::kMulWideU, Type::kI64, {e.mantissa(x_bits), e.mantissa(y_bits)}), e.n(kPoint - 46));
  const ValueId z_is_zero = b.set(Compare::kEq, z_field, e.n(0));
  // the addend's digits are in bits 37 to 60, so the lower word is zero
  const ValueId z_digits = b.select(z_is_zero, e.n(0), e.mantissa(z_bits));
  const ValueId addend = b.make(Op::kPack, Type::kI64, {e.n(0), b.shl(z_digits, e.n(kPoint - 23 - 32))});
  const ValueId product_field = b.sub(b.add(x_field, y_field), e.n(127));
  const ValueId distance = b.sub(product_field, z_field);
  const ValueId product_first = b.set(Compare::kGe, distance, e.n(0));
  const ValueId larger = b.select(product_first, product, addend);
  const ValueId count = b.make(Op::kAbs, Type::kI32, {distance});
  const ValueId smaller = shifted_sticky(b, e, b.select(product_first, addend, product), count);
  const ValueId product_sign = e.sign(b.bit_xor(x_bits, y_bits)), z_sign = e.sign(z_bits);
  const ValueId subtract = b.set(Compare::kNe, product_sign, z_sign);
  const ValueId sum = b.select(subtract, e.wide(Op::kSub, larger, smaller), e.wide(Op::kAdd, larger, smaller));
  const ValueId is_negative = b.set(Compare::kLt, e.high(sum), e.n(0));
  const ValueId magnitude = b.make(Op::kAbs, Type::kI64, {sum});
  const ValueId sign =
      b.bit_xor(b.select(product_first, product_sign, z_sign), b.select(is_negative, e.n(0x80000000u), e.n(0)));
  const ValueId unit = b.sub(b.select(product_first, product_field, z_field), e.n(kPoint));
  const ValueId is_zero = b.set(Compare::kEq, b.bit_or(e.low(magnitude), e.high(magnitude)), e.n(0));
  const ValueId difference_zero = b.f.constant(Type::kF32, round == Round::kRm ? 0x80000000u : 0u);
  const ValueId regular = b.select(is_zero, difference_zero, e.packed(e.normalised(sign, unit, magnitude), round));
  // A special factor, or an addend that is infinite or NaN: the product is exact or has no influence.
  const ValueId factor_special = e.either(e.is_special(x_field), e.is_special(y_field));
  const ValueId special_product = b.select(factor_special, b.fmul(x, y), b.f32(0.0f));
  ValueId special = b.make(Op::kFadd, Type::kF32, {special_product, z});
  if (round == Round::kRm) {  // zeros of different signs
    const ValueId zeros = b.make(Op::kAnd, Type::kPred, {b.fset(Compare::kEq, special, b.f32(0.0f)), z_is_zero});
    special = b.select(b.make(Op::kAnd, Type::kPred, {zeros, subtract}), difference_zero, special);
  }
  const ValueId is_special = e.either(factor_special, b.set(Compare::kEq, z_field, e.n(255)));
  return b.select(is_special, special, regular);
}

ValueId exact_product(IrBuilder& b, ValueId x, ValueId y, Round round) {
  FloatParts e(b);
  const ValueId zero = b.from_bits(e.sign(b.bit_xor(b.bits(x), b.bits(y))));  // keeps the sign of a product that is 0
  return exact_multiply_add(b, x, y, zero, round);
}

}  // namespace g80::codegen
