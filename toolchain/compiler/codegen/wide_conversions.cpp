// SPDX-License-Identifier: Apache-2.0
// Expands conversions between fp32 and 64-bit integers, for chips that convert only 32 bits.
#include "toolchain/compiler/codegen/exact_float.h"
#include "toolchain/compiler/codegen/float_parts.h"

namespace g80::codegen {

using ir::Compare;
using ir::Op;
using ir::Round;
using ir::Type;
using ir::ValueId;

ValueId wide_to_float(IrBuilder& b, ValueId value, bool is_signed, Round round) {
  FloatParts e(b);
  const ValueId magnitude = is_signed ? b.make(Op::kAbs, Type::kI64, {value}) : value;
  const ValueId sign = is_signed ? e.sign(e.high(value)) : e.n(0);
  const ValueId bits = b.bit_or(e.rounded(e.normalised(sign, e.n(127), magnitude), round), sign);
  const ValueId is_zero = b.set(Compare::kEq, b.bit_or(e.low(value), e.high(value)), e.n(0));
  return b.select(is_zero, b.f32(0.0f), b.from_bits(bits));
}

ValueId float_to_wide(IrBuilder& b, ValueId value, bool is_signed, Round round) {
  FloatParts e(b);
  const ValueId bits = b.bits(b.convert(Op::kFround, Type::kF32, value, round));
  const ValueId field = e.field(bits);
  const ValueId mantissa = e.zero_extended(e.mantissa(bits));
  // One of the two counts exceeds the width, which gives 0, or both counts are 0.
  const ValueId place = b.sub(field, e.n(127 + 23));
  const ValueId size = e.wide(Op::kOr, e.wide(Op::kShl, mantissa, place),
                              e.wide(Op::kShrU, mantissa, b.make(Op::kNeg, Type::kI32, {place})));
  const ValueId is_negative = b.set(Compare::kLt, bits, e.n(0));
  const auto number = [&](std::uint64_t n) { return b.f.constant(Type::kI64, n); };
  const ValueId is_large = b.set(Compare::kGe, field, e.n(is_signed ? 127 + 63 : 127 + 64));
  ValueId result;
  if (is_signed) {
    const ValueId most = b.select(is_negative, number(std::uint64_t{1} << 63), number(INT64_MAX));
    const ValueId with_sign = b.select(is_negative, b.make(Op::kNeg, Type::kI64, {size}), size);
    result = b.select(is_large, most, with_sign);
  } else {
    result = b.select(is_negative, number(0), b.select(is_large, number(UINT64_MAX), size));
  }
  return b.select(b.fset(Compare::kUnordered, value, value), number(std::uint64_t{1} << 63), result);
}

}  // namespace g80::codegen
