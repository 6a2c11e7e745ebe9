// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/float_parts.h"

namespace g80::codegen {

using ir::Compare;
using ir::Op;
using ir::Round;
using ir::Type;
using ir::ValueId;

FloatParts::Unrounded FloatParts::normalised(ValueId sign, ValueId unit, ValueId magnitude) {
  const ValueId upper = high(magnitude);
  const ValueId has_upper = b_.set(Compare::kNe, upper, n(0));
  const ValueId first = b_.select(has_upper, upper, low(magnitude));
  // a conversion that truncates finds the first digit
  const ValueId place = b_.shr_u(b_.bits(b_.convert(Op::kIntToFloatU, Type::kF32, first, Round::kRz)), n(23));
  const ValueId zeros = b_.sub(b_.select(has_upper, n(127 + 31), n(127 + 63)), place);
  const ValueId shifted = wide(Op::kShl, magnitude, zeros);
  const ValueId rest = b_.set(Compare::kNe, low(shifted), n(0));
  const ValueId digits = b_.bit_or(high(shifted), b_.select(rest, n(1), n(0)));
  return {sign, b_.sub(b_.add(unit, n(62)), zeros), digits};
}

ValueId FloatParts::rounded(const Unrounded& number, Round round) {
  const ValueId kept = b_.shr_u(number.digits, n(8)), tail = b_.bit_and(number.digits, n(0xff));
  const ValueId bits = b_.add(b_.shl(number.exponent, n(23)), kept);
  if (round == Round::kRz) return bits;
  const ValueId up = round == Round::kRn
                         ? b_.set(Compare::kGtU, b_.add(tail, b_.bit_and(kept, n(1))), n(0x80))
                         : b_.make(Op::kAnd, Type::kPred,
                                   {b_.set(Compare::kNe, tail, n(0)),
                                    b_.set(round == Round::kRp ? Compare::kEq : Compare::kNe, number.sign, n(0))});
  return b_.sub(bits, mask(up));
}

ValueId FloatParts::packed(const Unrounded& number, Round round) {
  ValueId bits = rounded(number, round);
  const ValueId infinity = n(0x7f800000u), largest = n(0x7f7fffffu);
  const ValueId is_positive = b_.set(Compare::kEq, number.sign, n(0));
  const ValueId beyond = round == Round::kRn   ? infinity
                         : round == Round::kRz ? largest
                         : round == Round::kRp ? b_.select(is_positive, infinity, largest)
                                               : b_.select(is_positive, largest, infinity);
  bits = b_.select(b_.set(Compare::kLt, number.exponent, n(0xffffffffu)), n(0), bits);
  bits = b_.select(b_.set(Compare::kGe, number.exponent, n(254)), beyond, bits);
  bits = b_.select(b_.set(Compare::kLt, bits, n(0x800000)), n(0), bits);
  return b_.from_bits(b_.bit_or(bits, number.sign));
}

}  // namespace g80::codegen
