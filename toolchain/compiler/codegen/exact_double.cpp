// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/exact_double.h"

#include <cmath>

#include "hw/isa/float_bits.h"

namespace g80::codegen {
namespace {

using ir::Compare;
using ir::Op;
using ir::Type;
using ir::ValueId;

/// Division and roots: Newton steps with fused multiply-adds on operands scaled to [1, 2), where no step over- or
/// underflows. Then the exact remainder a - q b corrects the last bit of the quotient.
class Double {
 public:
  explicit Double(IrBuilder& builder) : b_(builder), f_(builder.f) {}

  ValueId divide(ValueId a, ValueId b) {
    // subnormal operands become normal first
    const auto normal = [&](ValueId v, ValueId& shift) {
      const ValueId small = b_.set(Compare::kEq, field(word(v, true)), f_.i32(0));
      shift = b_.select(small, f_.i32(54), f_.i32(0));
      return b_.select(small, b_.fmul(v, real(0x1p54)), v);
    };
    ValueId a_shift, b_shift;
    const ValueId an = normal(a, a_shift), bn = normal(b, b_shift);
    const ValueId a_high = word(an, true), b_high = word(bn, true);
    const auto mantissa = [&](ValueId v, ValueId high) {
      return from_words(word(v, false), b_.bit_or(b_.bit_and(high, f_.i32(0xfffff)), f_.i32(0x3ff00000)));
    };
    const ValueId am = mantissa(an, a_high), bm = mantissa(bn, b_high);
    const ValueId single = b_.convert(Op::kF64ToF32, Type::kF32, bm, ir::Round::kRn);
    ValueId y = b_.convert(Op::kF32ToF64, Type::kF64, rcp(single), ir::Round::kRn);
    for (int i = 0; i < 2; ++i) y = fma(y, fma(negate(bm), y, real(1.0)), y);
    ValueId q = b_.fmul(am, y);
    q = fma(fma(negate(bm), q, am), y, q);
    // q is the nearest number or its neighbour; the smaller remainder decides. No quotient is half-way between two.
    ValueId rest = fma(negate(bm), q, am);
    const auto next_to = [&](ValueId v, ValueId direction) {
      const ValueId bits = b_.make(Op::kF64ToBits, Type::kI64, {v});
      const ValueId moved = b_.make(Op::kAdd, Type::kI64, {bits, b_.make(Op::kSext32, Type::kI64, {direction})});
      return b_.make(Op::kBitsToF64, Type::kF64, {moved});
    };
    const auto sign_of = [&](ValueId v) {  // 1, or -1 for negative numbers
      return b_.bit_or(b_.shr_s(word(v, true), f_.i32(31)), f_.i32(1));
    };
    const auto magnitude = [&](ValueId v) { return b_.make(Op::kFabs, Type::kF64, {v}); };
    const ValueId neighbour = next_to(q, sign_of(rest));
    const ValueId other_rest = fma(negate(bm), neighbour, am);
    const ValueId is_nearer = b_.fset(Compare::kLt, magnitude(other_rest), magnitude(rest));
    q = b_.select(is_nearer, neighbour, q);
    rest = b_.select(is_nearer, other_rest, rest);
    // scaled back in two steps, both exact unless the result is subnormal
    const ValueId exponent = b_.add(b_.sub(b_.sub(field(a_high), a_shift), field(b_high)), b_shift);
    const auto clamped = [&](ValueId v, std::uint32_t low, std::uint32_t high) {
      return b_.make(Op::kMinS, Type::kI32, {b_.make(Op::kMaxS, Type::kI32, {v, f_.i32(low)}), f_.i32(high)});
    };
    const ValueId all = clamped(exponent, 0u - 2044u, 2044);
    const ValueId half = b_.shr_s(all, f_.i32(1));
    const ValueId size = b_.fmul(b_.fmul(q, power_of_two(half)), power_of_two(b_.sub(all, half)));
    const ValueId sign = b_.bit_and(b_.bit_xor(a_high, b_high), f_.i32(0x80000000u));
    const ValueId scaled = from_words(word(size, false), b_.bit_or(word(size, true), sign));
    const ValueId finite = subnormal_or(q, rest, exponent, sign, scaled, sign_of);
    // zero, infinity and NaN: the plain operations on the unscaled operands give the result
    const ValueId zero_or_inf_b =
        b_.make(Op::kOr, Type::kPred,
                {b_.fset(Compare::kEqUn, b, real(0.0)), b_.set(Compare::kEq, field(word(b, true)), f_.i32(0x7ff))});
    const ValueId zero_or_inf_a =
        b_.make(Op::kOr, Type::kPred,
                {b_.fset(Compare::kEqUn, a, real(0.0)), b_.set(Compare::kEq, field(word(a, true)), f_.i32(0x7ff))});
    const ValueId b_sign = b_.bit_and(word(b, true), f_.i32(0x80000000u));
    const ValueId b_is_zero = b_.fset(Compare::kEq, b, real(0.0));
    const ValueId b_is_nan = b_.fset(Compare::kUnordered, b, b);
    // 1/b of a special b: infinity for zero, zero for infinity, NaN for NaN
    const ValueId inverse = b_.select(
        b_is_nan, b, from_words(f_.i32(0), b_.bit_or(b_sign, b_.select(b_is_zero, f_.i32(0x7ff00000), f_.i32(0)))));
    const ValueId b_or_one =
        b_.select(zero_or_inf_b, inverse, from_words(f_.i32(0), b_.bit_or(b_sign, f_.i32(0x3ff00000))));
    const ValueId special = b_.make(Op::kOr, Type::kPred, {zero_or_inf_a, zero_or_inf_b});
    return b_.select(special, b_.fmul(a, b_or_one), finite);
  }

  ValueId sqrt(ValueId a) {
    const Reduced r = reduced(a);
    const ValueId m = r.mantissa, y = inverse_root(m);
    ValueId root = b_.fmul(m, y);
    const ValueId half_y = b_.fmul(y, real(0.5));
    for (int i = 0; i < 2; ++i) root = fma(fma(negate(root), root, m), half_y, root);
    // corrects by one unit if the true root is more than half a unit away: compares m - root^2 with root units
    const ValueId unit = real(0x1p-52);
    const ValueId rest = fma(negate(root), root, m), bound = b_.fmul(root, unit);
    const ValueId more = b_.select(b_.fset(Compare::kGt, rest, bound), unit, real(0.0));
    const ValueId less = b_.select(b_.fset(Compare::kLe, rest, negate(bound)), unit, real(0.0));
    const auto sum = [&](ValueId x, ValueId z) { return b_.make(Op::kFadd, Type::kF64, {x, z}); };
    root = sum(root, sum(more, negate(less)));
    const ValueId scaled = b_.fmul(root, power_of_two(r.half));
    // zero and infinity stay, negative numbers and NaN give NaN
    const ValueId unchanged =
        b_.make(Op::kOr, Type::kPred,
                {b_.fset(Compare::kEq, a, real(0.0)), b_.set(Compare::kEq, word(a, true), f_.i32(0x7ff00000))});
    const ValueId infinite = b_.make(Op::kAnd, Type::kPred, {unchanged, b_.fset(Compare::kOrdered, a, a)});
    return b_.select(is_no_root(a), nan(), b_.select(infinite, a, scaled));
  }

  ValueId rsqrt(ValueId a) {
    const Reduced r = reduced(a);
    const ValueId scaled = b_.fmul(inverse_root(r.mantissa), power_of_two(b_.sub(f_.i32(0), r.half)));
    const ValueId is_zero = b_.fset(Compare::kEq, a, real(0.0));
    const ValueId is_infinite = b_.fset(Compare::kEq, a, real(HUGE_VAL));
    const ValueId a_sign = b_.bit_and(word(a, true), f_.i32(0x80000000u));
    const ValueId infinity = from_words(f_.i32(0), b_.bit_or(a_sign, f_.i32(0x7ff00000)));
    const ValueId finite = b_.select(is_no_root(a), nan(), scaled);
    return b_.select(is_zero, infinity, b_.select(is_infinite, real(0.0), finite));
  }

 private:
  /// a = mantissa * 4^half with the mantissa in [1, 4).
  struct Reduced {
    ValueId mantissa, half;
  };
  Reduced reduced(ValueId a) {
    const ValueId small = b_.set(Compare::kEq, field(word(a, true)), f_.i32(0));
    const ValueId an = b_.select(small, b_.fmul(a, real(0x1p54)), a);
    const ValueId high = word(an, true);
    const ValueId exponent = b_.sub(field(high), f_.i32(1023));
    const ValueId odd = b_.bit_and(exponent, f_.i32(1));
    const ValueId one_to_two = b_.bit_or(b_.bit_and(high, f_.i32(0xfffff)), f_.i32(0x3ff00000));
    const ValueId mantissa = from_words(word(an, false), b_.add(one_to_two, b_.shl(odd, f_.i32(20))));
    const ValueId even = b_.sub(b_.sub(exponent, odd), b_.select(small, f_.i32(54), f_.i32(0)));
    return {mantissa, b_.shr_s(even, f_.i32(1))};
  }
  /// 1 / sqrt(m) for 1 <= m < 4, with an error of about one unit.
  ValueId inverse_root(ValueId m) {
    const ValueId single = b_.convert(Op::kF64ToF32, Type::kF32, m, ir::Round::kRn);
    ValueId y = b_.convert(Op::kF32ToF64, Type::kF64, b_.make(Op::kFrsqrt, Type::kF32, {single}), ir::Round::kRn);
    for (int i = 0; i < 2; ++i) {  // y + y/2 (1 - m y^2)
      const ValueId error = fma(negate(b_.fmul(m, y)), y, real(1.0));
      y = fma(b_.fmul(y, real(0.5)), error, y);
    }
    return y;
  }
  ValueId nan() { return f_.constant(Type::kF64, 0xfff8000000000000u); }
  ValueId is_no_root(ValueId a) { return b_.make(Op::kNot, Type::kPred, {b_.fset(Compare::kGe, a, real(0.0))}); }

  ValueId real(double value) { return f_.constant(Type::kF64, isa::bits_of(value)); }
  ValueId fma(ValueId a, ValueId b, ValueId c) { return b_.make(Op::kFma, Type::kF64, {a, b, c}); }
  ValueId negate(ValueId a) { return b_.make(Op::kFneg, Type::kF64, {a}); }
  ValueId word(ValueId a, bool high) {
    const ValueId bits = b_.make(Op::kF64ToBits, Type::kI64, {a});
    return b_.make(high ? Op::kHigh : Op::kTrunc, Type::kI32, {bits});
  }
  ValueId from_words(ValueId low, ValueId high) {
    return b_.make(Op::kBitsToF64, Type::kF64, {b_.make(Op::kPack, Type::kI64, {low, high})});
  }
  ValueId field(ValueId high) { return b_.bit_and(b_.shr_u(high, f_.i32(20)), f_.i32(0x7ff)); }
  ValueId power_of_two(ValueId exponent) {  // of an exponent in -1022 .. 1023
    return from_words(f_.i32(0), b_.shl(b_.add(exponent, f_.i32(1023)), f_.i32(20)));
  }
  /// `scaled`, or q 2^exponent if that is subnormal. It is rounded once, using the side of q on which the true quotient
  /// lies.
  template <typename SignOf>
  ValueId subnormal_or(ValueId q, ValueId rest, ValueId exponent, ValueId sign, ValueId scaled, SignOf sign_of) {
    const auto wide = [&](Op op, ValueId a, ValueId b) { return b_.make(op, Type::kI64, {a, b}); };
    const auto number = [&](std::uint64_t value) { return f_.constant(Type::kI64, value); };
    const ValueId q_exponent = b_.sub(field(word(q, true)), f_.i32(1023));
    const ValueId missing = b_.sub(f_.i32(0u - 1022u), b_.add(exponent, q_exponent));  // places to shift
    const ValueId beyond = b_.select(b_.fset(Compare::kEq, rest, real(0.0)), f_.i32(0), sign_of(rest));
    const ValueId mantissa =
        wide(Op::kOr, wide(Op::kAnd, b_.make(Op::kF64ToBits, Type::kI64, {q}), number(0xfffffffffffffu)),
             number(0x10000000000000u));
    const ValueId digits =
        wide(Op::kAdd, wide(Op::kShl, mantissa, f_.i32(2)), b_.make(Op::kSext32, Type::kI64, {beyond}));
    const ValueId count = b_.make(Op::kMinS, Type::kI32, {b_.add(missing, f_.i32(2)), f_.i32(60)});
    const ValueId result = wide(Op::kShrU, digits, count);
    const ValueId tail = wide(Op::kShl, digits, b_.sub(f_.i32(64), count));  // top bit: one half
    const ValueId lowest = wide(Op::kAnd, result, number(1));
    // up if the tail is above one half, or equal and the result odd: tail + odd > 2^63
    const ValueId up = b_.set(Compare::kGtU, wide(Op::kOr, tail, lowest), number(0x8000000000000000u));
    const ValueId rounded =
        wide(Op::kAdd, result, b_.make(Op::kZext32, Type::kI64, {b_.select(up, f_.i32(1), f_.i32(0))}));
    const ValueId signed_bits = wide(Op::kOr, rounded, b_.make(Op::kPack, Type::kI64, {f_.i32(0), sign}));
    const ValueId is_subnormal = b_.set(Compare::kGt, missing, f_.i32(0));
    return b_.select(is_subnormal, b_.make(Op::kBitsToF64, Type::kF64, {signed_bits}), scaled);
  }

  ValueId rcp(ValueId a) { return b_.make(Op::kFrcp, Type::kF32, {a}); }

  IrBuilder& b_;
  ir::Function& f_;
};

}  // namespace

ValueId double_divide(IrBuilder& b, ValueId dividend, ValueId divisor) { return Double(b).divide(dividend, divisor); }
ValueId double_sqrt(IrBuilder& b, ValueId value) { return Double(b).sqrt(value); }
ValueId double_rsqrt(IrBuilder& b, ValueId value) { return Double(b).rsqrt(value); }

}  // namespace g80::codegen
