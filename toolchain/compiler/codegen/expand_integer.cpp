// SPDX-License-Identifier: Apache-2.0
// Expands integer operations that the chip does not have.
//
// The multiplier accepts 16 or 24 bits, so every product becomes kMul24. A product of wider operands is built from
// products of halves; instruction selection recognises `mul24(zext16 a, shr.u b 16)` as a multiplication of half
// registers.
#include "toolchain/compiler/codegen/ir_builder.h"
#include "toolchain/compiler/codegen/prepare.h"
#include "toolchain/compiler/codegen/ranges.h"

namespace g80::codegen {
namespace {

using ir::Compare;
using ir::Op;
using ir::Type;
using ir::ValueId;

class IntegerExpander {
 public:
  explicit IntegerExpander(ir::Function& function) : f_(function), b_(function), ranges_(function) {}

  void run() {
    expand_instructions(b_, [this](ir::InstId id) { return expand(id); });
  }

 private:
  ValueId expand(ir::InstId id) {
    const ir::Inst inst = f_.insts[id];
    const auto a = [&](unsigned i) { return inst.operands[i]; };
    switch (inst.op) {
      case Op::kMul: return multiply(a(0), a(1));
      case Op::kMulHiU: return multiply_high(a(0), a(1));
      case Op::kMulHiS: return multiply_high_signed(a(0), a(1));
      case Op::kDivU: return divide(a(0), a(1), false);
      case Op::kRemU: return divide(a(0), a(1), true);
      case Op::kDivS: return divide_signed(a(0), a(1), false);
      case Op::kRemS: return divide_signed(a(0), a(1), true);
      default: return ir::kNone;
    }
  }

  bool fits(ValueId value, unsigned bits) const {
    return ranges_.unsigned_bits(value) <= bits || ranges_.signed_bits(value) <= bits;
  }
  /// log2 of a constant power of two, or -1.
  int power_of_two(ValueId value) const {
    if (!f_.is_constant(value)) return -1;
    const std::uint32_t word = static_cast<std::uint32_t>(f_.values[value].bits);
    if (word == 0 || (word & (word - 1)) != 0) return -1;
    int n = 0;
    while (word >> n != 1) ++n;
    return n;
  }

  // Low word of a product.
  ValueId multiply(ValueId a, ValueId b) {
    if (f_.is_constant(a)) std::swap(a, b);
    if (const int n = power_of_two(b); n >= 0) return n == 0 ? a : b_.shl(a, f_.i32(static_cast<std::uint32_t>(n)));
    if (ranges_.unsigned_bits(a) <= 24 && ranges_.unsigned_bits(b) <= 24) return narrow(a, b);
    if (ranges_.signed_bits(a) <= 24 && ranges_.signed_bits(b) <= 24) return b_.make(Op::kMul24S, Type::kI32, {a, b});
    if (f_.is_constant(b)) {
      const std::uint32_t word = static_cast<std::uint32_t>(f_.values[b].bits);
      if (const int n = power_of_two(f_.i32(word - 1)); n > 0) {
        return b_.add(b_.shl(a, f_.i32(static_cast<std::uint32_t>(n))), a);
      }
      if (const int n = power_of_two(f_.i32(word + 1)); n > 0) {
        return b_.sub(b_.shl(a, f_.i32(static_cast<std::uint32_t>(n))), a);
      }
      if (const int n = power_of_two(f_.i32(0u - word)); n >= 0) {
        return b_.sub(f_.i32(0), b_.shl(a, f_.i32(static_cast<std::uint32_t>(n))));
      }
    }
    const ValueId al = low(a), ah = high(a), bl = low(b), bh = high(b);
    const ValueId cross = plus_product(narrow(ah, bl), al, bh);
    return plus_product(b_.shl(cross, f_.i32(16)), al, bl);
  }

  // Halves as 16-bit numbers. The upper half is the constant 0 if the range is small enough.
  ValueId low(ValueId a) { return ranges_.unsigned_bits(a) <= 16 ? a : b_.zext16(a); }
  ValueId high(ValueId a) { return ranges_.unsigned_bits(a) <= 16 ? f_.i32(0) : b_.high16(a); }
  ValueId plus_product(ValueId sum, ValueId x, ValueId y) { return b_.add(narrow(x, y), sum); }
  /// The product of two numbers of at most 24 bits. It is marked as such, because after other expansions the ranges may
  /// no longer show it.
  ValueId narrow(ValueId x, ValueId y) {
    if (f_.is_constant(x) && f_.is_constant(y)) return b_.mul(x, y);
    for (const ValueId operand : {x, y}) {
      if (f_.is_constant(operand) && f_.values[operand].bits == 0) return operand;
      if (f_.is_constant(operand) && f_.values[operand].bits == 1) return operand == x ? y : x;
    }
    return b_.make(Op::kMul24U, Type::kI32, {x, y});
  }

  ValueId multiply_high(ValueId a, ValueId b) {
    const int n = power_of_two(b);
    if (n == 0) return f_.i32(0);
    if (n > 0) return b_.shr_u(a, f_.i32(32 - static_cast<std::uint32_t>(n)));
    if (ranges_.unsigned_bits(a) + ranges_.unsigned_bits(b) <= 32) return f_.i32(0);
    if (ranges_.unsigned_bits(a) <= 24 && ranges_.unsigned_bits(b) <= 24) {
      return b_.shr_u(b_.make(Op::kMul24HiU, Type::kI32, {a, b}), f_.i32(16));
    }
    const ValueId al = low(a), ah = high(a), bl = low(b), bh = high(b);
    // No sum overflows: (2^16 - 1)^2 + 2^16 - 1 < 2^32.
    const ValueId t = plus_product(b_.high16(narrow(al, bl)), al, bh);
    const ValueId u = plus_product(b_.zext16(t), ah, bl);
    return b_.add(plus_product(b_.high16(t), ah, bh), b_.high16(u));
  }

  ValueId multiply_high_signed(ValueId a, ValueId b) {
    ValueId high = multiply_high(a, b);
    const auto correct = [&](ValueId sign_of, ValueId other) {
      if (ranges_.unsigned_bits(sign_of) < 32) return;
      high = b_.sub(high, b_.bit_and(b_.shr_s(sign_of, f_.i32(31)), other));
    };
    correct(a, b);
    correct(b, a);
    return high;
  }

  // Quotient or remainder by the reciprocal of a float that is not below the divisor. r is at most 1/b, with a relative
  // error below 2^-20: the error of rcp is below one unit in the last place, and two units are subtracted. So neither
  // estimate of the quotient is too large. After the second the remainder is below 2b, so one correction is exact.
  // NVIDIA's compiler had the same two functions for all numbers; its remainder multiplies once more, and so does ours,
  // so that programs whose times were published take as long.
  ValueId divide(ValueId a, ValueId b, bool remainder) {
    if (const int n = power_of_two(b); n >= 0) {
      const std::uint32_t count = static_cast<std::uint32_t>(n);
      return remainder ? b_.bit_and(a, f_.i32((1u << count) - 1)) : b_.shr_u(a, f_.i32(count));
    }
    ir::Inst rcp;
    rcp.op = Op::kFrcp;
    rcp.operands = {b_.convert(Op::kIntToFloatU, Type::kF32, b, ir::Round::kRp)};
    const ValueId r = b_.from_bits(b_.add(b_.bits(b_.make(std::move(rcp), Type::kF32)), f_.i32(0xfffffffeu)));
    const auto estimate = [&](ValueId dividend) {
      const ValueId x = b_.convert(Op::kIntToFloatU, Type::kF32, dividend, ir::Round::kRz);
      return b_.convert(Op::kFloatToIntU, Type::kI32, b_.fmul(x, r, ir::Round::kRz), ir::Round::kRz);
    };
    const auto rest = [&](ValueId quotient) { return b_.sub(a, multiply(quotient, b)); };
    ValueId q = estimate(a);
    q = b_.add(q, estimate(rest(q)));
    q = b_.sub(q, b_.select(b_.set(Compare::kGeU, rest(q), b), f_.i32(0xffffffffu), f_.i32(0)));
    return remainder ? rest(q) : q;
  }

  ValueId divide_signed(ValueId a, ValueId b, bool remainder) {
    if (ranges_.unsigned_bits(a) < 32 && ranges_.unsigned_bits(b) < 32) return divide(a, b, remainder);
    if (const int n = power_of_two(b); n >= 0 && n < 31) {
      const std::uint32_t count = static_cast<std::uint32_t>(n);
      if (n == 0) return remainder ? f_.i32(0) : a;
      // round to zero: negative dividends get 2^n - 1 first
      const ValueId bias = b_.shr_u(b_.shr_s(a, f_.i32(31)), f_.i32(32 - count));
      const ValueId biased = b_.add(a, bias);
      if (!remainder) return b_.shr_s(biased, f_.i32(count));
      return b_.sub(a, b_.bit_and(biased, f_.i32(~((1u << count) - 1))));
    }
    const auto magnitude = [&](ValueId value) { return b_.make(Op::kAbs, Type::kI32, {value}); };
    const ValueId result = divide(magnitude(a), magnitude(b), remainder);
    const ValueId sign = b_.shr_s(remainder ? a : b_.bit_xor(a, b), f_.i32(31));
    return b_.sub(b_.bit_xor(result, sign), sign);
  }

  ir::Function& f_;
  IrBuilder b_;
  Ranges ranges_;
};

}  // namespace

void expand_integer(ir::Function& function) { IntegerExpander(function).run(); }

}  // namespace g80::codegen
