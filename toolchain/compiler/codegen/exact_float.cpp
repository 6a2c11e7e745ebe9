// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/exact_float.h"

#include "toolchain/compiler/codegen/float_parts.h"

namespace g80::codegen {
namespace {

using ir::Compare;
using ir::Op;
using ir::Round;
using ir::Type;
using ir::ValueId;

class Exact : public FloatParts {
 public:
  explicit Exact(IrBuilder& builder) : FloatParts(builder), b_(builder) {}

  ValueId sfu(Op op, ValueId value) { return b_.make(op, Type::kF32, {value}); }
  ValueId to_float(ValueId value) { return b_.convert(Op::kIntToFloatS, Type::kF32, value, Round::kRz); }
  ValueId to_int(ValueId value) { return b_.convert(Op::kFloatToIntS, Type::kI32, value, Round::kRm); }

 private:
  IrBuilder& b_;
};

}  // namespace

// With mantissas x, y in [2^23, 2^24) the quotient q = floor(x 2^k / y), k = 25 or 26, has 26 bits: 24 of the result
// and two for rounding; the remainder tells whether it is exact. The first estimate has an error of at most 2^5, so the
// remainder fits into 32 bits, although the product does not. The second estimate, from that remainder, has an error of
// at most one.
ValueId exact_divide(IrBuilder& b, ValueId dividend, ValueId divisor, Round round) {
  Exact e(b);
  const ValueId a_bits = b.bits(dividend), d_bits = b.bits(divisor);
  const ValueId a_exponent = e.field(a_bits), d_exponent = e.field(d_bits);
  const ValueId x = e.mantissa(a_bits), y = e.mantissa(d_bits);
  const ValueId is_below = b.set(Compare::kLtU, x, y);
  const ValueId below = e.mask(is_below);
  const ValueId r = e.sfu(Op::kFrcp, e.scaled(d_bits));
  const ValueId power = b.select(is_below, e.f32(0x1p26f), e.f32(0x1p25f));
  ValueId q = e.to_int(b.fmul(b.fmul(e.scaled(a_bits), power), r));
  ValueId rest = b.sub(b.shl(x, b.select(is_below, e.n(26), e.n(25))), b.mul(q, y));
  const ValueId step = e.to_int(b.fmul(b.fmul(e.to_float(rest), e.f32(0x1p-23f)), r));
  q = b.add(q, step);
  rest = b.sub(rest, b.mul(step, y));
  const ValueId under = b.shr_s(rest, e.n(31));
  q = b.add(q, under);
  rest = b.add(rest, b.bit_and(under, y));
  const ValueId over = b.set(Compare::kGeU, rest, y);
  q = b.sub(q, e.mask(over));
  rest = b.select(over, b.sub(rest, y), rest);
  const ValueId inexact = b.set(Compare::kNe, rest, e.n(0));
  const ValueId digits = b.bit_or(b.shl(q, e.n(6)), b.select(inexact, e.n(1), e.n(0)));
  const ValueId exponent = b.add(b.add(b.sub(a_exponent, d_exponent), e.n(126)), below);
  const ValueId sign = e.sign(b.bit_xor(a_bits, d_bits));
  const ValueId regular = e.packed({sign, exponent, digits}, round);
  // a special operand determines the result alone: a normal divisor is replaced by 1 with its sign
  const ValueId d_special = e.is_special(d_exponent);
  const ValueId one = b.from_bits(b.bit_or(b.bit_and(d_bits, e.n(0x80000000u)), e.n(0x3f800000)));
  const ValueId inverse = e.sfu(Op::kFrcp, b.select(d_special, divisor, one));
  const ValueId special = e.either(e.is_special(a_exponent), d_special);
  return b.select(special, b.fmul(dividend, inverse), regular);
}

// With m = mantissa, doubled if the exponent is odd, the root q = floor(sqrt(m 2^25)) has 25 bits: 24 of the result and
// one for rounding. A root is never half-way between two numbers, so that bit decides which number is nearer.
ValueId exact_sqrt(IrBuilder& b, ValueId value, Round round) {
  Exact e(b);
  const ValueId bits = b.bits(value);
  const ValueId exponent = e.field(bits);
  const ValueId odd = b.bit_and(b.sub(exponent, e.n(127)), e.n(1));
  const ValueId m = b.shl(e.mantissa(bits), odd);
  const ValueId root = e.sfu(Op::kFrsqrt, b.from_bits(b.add(b.bits(e.scaled(bits)), b.shl(odd, e.n(23)))));
  const ValueId m_float = b.fmul(e.to_float(m), root);  // m up to 2^25: even beyond 2^24, so exact
  ValueId q = e.to_int(b.fmul(m_float, e.f32(2.0f)));
  ValueId rest = b.sub(b.shl(m, e.n(25)), b.mul(q, q));
  const ValueId step = e.to_int(b.fmul(b.fmul(e.to_float(rest), root), e.f32(0x1p-25f)));
  rest = b.sub(rest, b.mul(step, b.add(b.shl(q, e.n(1)), step)));
  q = b.add(q, step);
  for (int i = 0; i < 2; ++i) {  // too large: one less
    const ValueId under = b.shr_s(rest, e.n(31));
    rest = b.add(rest, b.bit_and(under, b.sub(b.shl(q, e.n(1)), e.n(1))));
    q = b.add(q, under);
  }
  const ValueId next = b.add(b.shl(q, e.n(1)), e.n(1));
  const ValueId over = b.set(Compare::kGe, rest, next);
  q = b.sub(q, e.mask(over));
  ValueId up = round == Round::kRn ? e.n(1) : e.n(0);  // added to the last bit of q
  if (round == Round::kRp) {
    const ValueId inexact = b.set(Compare::kNe, b.select(over, b.sub(rest, next), rest), e.n(0));
    up = b.select(e.either(inexact, b.set(Compare::kNe, b.bit_and(q, e.n(1)), e.n(0))), e.n(2), e.n(0));
  }
  const ValueId half = b.shr_s(b.sub(exponent, e.n(127)), e.n(1));
  const ValueId result = b.add(b.shl(b.add(half, e.n(126)), e.n(23)), b.shr_u(b.add(q, up), e.n(1)));
  const ValueId special = e.either(e.is_special(exponent), b.set(Compare::kLt, bits, e.n(0)));
  return b.select(special, e.sfu(Op::kFrcp, e.sfu(Op::kFrsqrt, value)), b.from_bits(result));
}

}  // namespace g80::codegen
