// SPDX-License-Identifier: Apache-2.0
#include "hw/exec/sfu_datapath.h"

#include <array>

#include "hw/common/check.h"
#include "hw/exec/arithmetic.h"
#include "hw/exec/carry_save.h"
#include "hw/isa/sfu_rom.h"

namespace g80::sfu {

using arithmetic::kF32Fraction;
using arithmetic::kF32HiddenBit;
using arithmetic::kF32Infinity;
using arithmetic::kF32Nan;
using arithmetic::kF32One;
using arithmetic::kF32Sign;
using isa::Op;

namespace {

constexpr int kExponentBias = 127;
// NaN and infinity between range reduction and function.
constexpr std::uint32_t kReducedNan = 0x40000000u, kReducedInfinity = 0x40800000u;
constexpr std::uint64_t kTwoOverPi = 0xa2f983;  // times 2^24
constexpr std::uint64_t kSumMask = (std::uint64_t{1} << kSumBits) - 1;
// Digits of the multipliers in radix 4: the argument (17 bits), 2/pi, and C, whose sign is above them.
constexpr unsigned kArgumentDigits = 9, kConstantDigits = 13, kQuadraticDigits = 7;

/// Every C has a sign and fewer bits than its digits.
template <std::size_t kEntries>
constexpr bool fits_digits(const isa::SfuCoefficients (&rom)[kEntries]) {
  constexpr std::int32_t kLimit = 1 << (2 * kQuadraticDigits - 1);
  for (const isa::SfuCoefficients& entry : rom) {
    if (entry.c < -kLimit || entry.c >= kLimit) return false;
  }
  return true;
}
static_assert(fits_digits(isa::kRcpRom) && fits_digits(isa::kRsqrtRom) && fits_digits(isa::kLg2Rom) &&
              fits_digits(isa::kEx2Rom) && fits_digits(isa::kSinRom));

/// How the three terms of a function line up, the rounding constant of its sum, and the weight of the sum's bits.
struct Alignment {
  std::uint8_t a_shift, c_shift;
  std::uint16_t rounding;
  std::uint8_t one;  // the bit of the sum that is worth 2^exponent
};
constexpr Alignment kAlignment[] = {
    {13, 0, 0x47e7, 38},  // rcp
    {14, 2, 0x7fff, 39},  // rsqrt
    {12, 1, 0x3345, 38},  // lg2
    {13, 0, 0x77e2, 38},  // ex2
    {11, 0, 0, 37},       // sin
    {11, 0, 0, 37},       // cos
};
const Alignment& alignment_of(Function function) { return kAlignment[static_cast<unsigned>(function)]; }

bool reduces_range(Function function) { return function == Function::kPresin || function == Function::kPreex2; }

/// One lane between unpack's argument and its register.
struct Argument {
  bool special = false;
  std::uint32_t special_value = 0;
  bool sign = false;
  int exponent = 0;
  std::uint8_t index = 0;
  std::uint32_t x = 0;

  static Argument of_special(std::uint32_t value) { return {true, value, false, 0, 0, 0}; }
};

/// The fields of an fp32 argument; a denormal counts as zero.
struct Fields {
  bool sign, zero, infinite, nan;
  int exponent;
  std::uint32_t fraction;
};
Fields fields_of(std::uint32_t value) {
  const std::uint32_t biased = value >> 23 & 0xffu, fraction = value & kF32Fraction;
  return {(value & kF32Sign) != 0,
          biased == 0,
          biased == 255u && fraction == 0,
          biased == 255u && fraction != 0,
          static_cast<int>(biased) - kExponentBias,
          fraction};
}

/// The exponent of a result whose leading one comes to bit 63 of the normalised word.
int exponent_at_top(Function function, int exponent) { return exponent + 63 - alignment_of(function).one; }

Argument reciprocal(std::uint32_t value) {
  const Fields f = fields_of(value);
  const std::uint32_t sign = f.sign ? kF32Sign : 0;
  if (f.nan) return Argument::of_special(kF32Nan);
  if (f.infinite) return Argument::of_special(sign);
  if (f.zero) return Argument::of_special(sign | kF32Infinity);
  const int biased = kExponentBias - 1 - f.exponent;
  return {false,
          0,
          f.sign,
          exponent_at_top(Function::kRcp, biased),
          static_cast<std::uint8_t>(f.fraction >> 16),
          f.fraction & 0xffffu};
}

Argument reciprocal_root(std::uint32_t value) {
  const Fields f = fields_of(value);
  if (f.nan) return Argument::of_special(kF32Nan);
  if (f.zero) return Argument::of_special((f.sign ? kF32Sign : 0) | kF32Infinity);
  if (f.sign) return Argument::of_special(kF32Nan);
  if (f.infinite) return Argument::of_special(0);
  const bool odd = (f.exponent & 1) != 0;
  const int half = f.exponent >> 1, biased = kExponentBias - 1 - half;
  if (!odd && f.fraction == 0)
    return Argument::of_special(static_cast<std::uint32_t>(biased + 1) << 23);  // a power of four
  const std::uint32_t mantissa = f.fraction | (odd ? kF32HiddenBit : 0);
  return {false,
          0,
          false,
          exponent_at_top(Function::kRsqrt, biased),
          static_cast<std::uint8_t>(mantissa >> 17),
          mantissa & 0x1ffffu};
}

Argument logarithm(std::uint32_t value) {
  const Fields f = fields_of(value);
  if (f.nan) return Argument::of_special(kF32Nan);
  if (f.zero) return Argument::of_special(kF32Sign | kF32Infinity);
  if (f.sign) return Argument::of_special(kF32Nan);
  if (f.infinite) return Argument::of_special(kF32Infinity);
  if (value == kF32One) return Argument::of_special(0);
  return {false, 0, f.exponent < 0, f.exponent, static_cast<std::uint8_t>(f.fraction >> 17), f.fraction & 0x1ffffu};
}

/// From preex2: sign, 8 integer bits, 23 fraction bits. A negative number becomes the next lower integer and a positive
/// fraction; the complement makes it one unit of the fraction too small.
Argument exponential(std::uint32_t value) {
  const bool sign = (value & kF32Sign) != 0;
  const std::uint32_t magnitude = value & ~kF32Sign;
  if ((magnitude & kReducedNan) != 0) {
    if ((magnitude & kF32Infinity) != kReducedInfinity) return Argument::of_special(kF32Nan);
    return Argument::of_special(sign ? 0 : kF32Infinity);
  }
  std::uint32_t fraction = magnitude & kF32Fraction;
  int integer = static_cast<int>(magnitude >> 23);
  if (sign) {
    integer = fraction != 0 ? ~integer : -integer;
    if (fraction != 0) fraction ^= kF32Fraction;
  }
  return {false,
          0,
          false,
          exponent_at_top(Function::kEx2, kExponentBias + integer),
          static_cast<std::uint8_t>(fraction >> 17),
          fraction & 0x1ffffu};
}

/// From presin: sign, quadrant, 23 bits of the fraction of a quadrant. Odd quadrants run backwards; cosine is one
/// quadrant ahead and does not see the sign.
Argument sine(std::uint32_t value, bool cosine) {
  if ((value & kReducedNan) != 0) return Argument::of_special(kF32Nan);
  const unsigned quadrant = (value >> 23 & 3u) + (cosine ? 1u : 0u);
  const bool odd = (quadrant & 1u) != 0, lower = (quadrant & 2u) != 0;
  const std::uint32_t fraction = (value & kF32Fraction) ^ (odd ? kF32Fraction : 0);
  const bool sign = (!cosine && (value & kF32Sign) != 0) != lower;
  return {false,
          0,
          sign,
          exponent_at_top(Function::kSin, kExponentBias),
          static_cast<std::uint8_t>(fraction >> 17),
          fraction & 0x1ffffu};
}

/// The shift brings the binary point of the fixed-point result to bit 55 of the word, so that its 32 bits are the upper
/// half. presin's product has 24 bits more behind the point than its significand; the top 32 of 48 bits are kept.
Argument reduced(std::uint32_t value, Function function) {
  const Fields f = fields_of(value);
  const std::uint32_t sign = f.sign ? kF32Sign : 0;
  const bool sin = function == Function::kPresin;
  if (f.nan) return Argument::of_special(sign | kReducedNan);
  if (f.zero) return Argument::of_special(sign);
  const bool above = sin ? f.infinite : f.exponent >= 7;  // presin wraps around, preex2 ends at 2^7
  if (above) return Argument::of_special(sign | kReducedInfinity);
  const int shift = f.exponent + (sin ? 24 : 32);
  if (shift <= 0 || shift > 63) return Argument::of_special(sign);  // nothing remains
  return {false, 0, f.sign, shift, 0, f.fraction | kF32HiddenBit};
}

Argument argument_of(Function function, std::uint32_t value) {
  switch (function) {
    case Function::kRcp: return reciprocal(value);
    case Function::kRsqrt: return reciprocal_root(value);
    case Function::kLg2: return logarithm(value);
    case Function::kEx2: return exponential(value);
    case Function::kSin: return sine(value, false);
    case Function::kCos: return sine(value, true);
    default: return reduced(value, function);
  }
}

const isa::SfuCoefficients& coefficients(Function function, unsigned index) {
  switch (function) {
    case Function::kRcp: return isa::kRcpRom[index & 127u];
    case Function::kRsqrt: return isa::kRsqrtRom[index & 127u];
    case Function::kLg2: return isa::kLg2Rom[index & 63u];
    case Function::kEx2: return isa::kEx2Rom[index & 63u];
    default: return isa::kSinRom[index & 63u];
  }
}

}  // namespace

Control control_of(const isa::Instruction& insn) {
  Control control;
  switch (insn.op) {
    case Op::kRcp: control.function = Function::kRcp; break;
    case Op::kRsqrt: control.function = Function::kRsqrt; break;
    case Op::kLg2: control.function = Function::kLg2; break;
    case Op::kEx2: control.function = Function::kEx2; break;
    case Op::kSin: control.function = Function::kSin; break;
    case Op::kCos: control.function = Function::kCos; break;
    case Op::kPresin: control.function = Function::kPresin; break;
    case Op::kPreex2: control.function = Function::kPreex2; break;
    default: CHECK(false, "operation {} is no special function", static_cast<unsigned>(insn.op));
  }
  control.absolute = insn.src[0].abs;
  control.negate = insn.src[0].neg;
  control.saturate = insn.saturate;
  return control;
}

void look_up(const Operands& in, LookedUp& out, unsigned lanes) {
  const Function function = in.control.function;
  out.header.control = in.control;
  const std::uint32_t keep = in.control.absolute ? ~kF32Sign : ~0u, flip = in.control.negate ? kF32Sign : 0;
  for (unsigned l = 0; l < lanes; ++l) {
    const Argument argument = argument_of(function, (in.value[l] & keep) ^ flip);
    out.header.special[l] = argument.special;
    out.header.special_value[l] = argument.special_value;
    out.header.sign[l] = argument.sign;
    out.header.exponent[l] = static_cast<std::int16_t>(argument.exponent);
    out.x[l] = argument.x;
    const isa::SfuCoefficients& entry = coefficients(function, argument.index);
    out.a[l] = entry.a;
    out.b[l] = entry.b;
    out.c[l] = static_cast<std::int16_t>(entry.c);
    // Row i of the square is x times its bit i, cut off so that all rows end at the same bit. A shorter x moves up.
    const std::uint32_t x = (function == Function::kRcp ? argument.x << 1 : argument.x) & 0x1ffffu;
    std::array<std::uint32_t, 15> row;
    for (unsigned i = 2; i <= 16; ++i) row[i - 2] = (x >> (18 - i)) & (0 - (x >> i & 1u));
    const auto square = arithmetic::carry_save_tree(row);
    out.square_sum[l] = static_cast<std::uint16_t>(square.sum);
    out.square_carry[l] = static_cast<std::uint16_t>(square.carry);
  }
}

void square(const LookedUp& in, Squared& out, unsigned lanes) {
  const Function function = in.header.control.function;
  out.header = in.header;
  for (unsigned l = 0; l < lanes; ++l) {
    out.a[l] = in.a[l];
    out.c[l] = in.c[l];
    out.x[l] = in.x[l];
    out.square[l] = static_cast<std::uint16_t>((in.square_sum[l] + in.square_carry[l]) & 0xffffu) >> 1;
    arithmetic::CarrySave<std::uint64_t> product;
    if (function == Function::kPreex2) {
      product.sum = in.x[l];
    } else if (function == Function::kPresin) {
      add_booth_rows(product, std::uint64_t{in.x[l]}, kTwoOverPi, 0, kConstantDigits / 2);
    } else {
      add_booth_rows(product, static_cast<std::uint64_t>(std::int64_t{in.b[l]}), in.x[l], 0, kArgumentDigits);
    }
    out.sum[l] = product.sum & kSumMask;
    out.carry[l] = product.carry & kSumMask;
  }
}

void multiply(const Squared& in, Products& out, unsigned lanes) {
  const Function function = in.header.control.function;
  out.header = in.header;
  for (unsigned l = 0; l < lanes; ++l) {
    arithmetic::CarrySave<std::uint64_t> sum{in.sum[l], in.carry[l]};
    if (function == Function::kPresin) {
      add_booth_rows(sum, std::uint64_t{in.x[l]}, kTwoOverPi, kConstantDigits / 2, kConstantDigits);
    } else if (!reduces_range(function)) {
      const Alignment& at = alignment_of(function);
      const auto c = static_cast<std::uint64_t>(std::int64_t{in.c[l]});
      add_booth_rows(sum, std::uint64_t{in.square[l]} << at.c_shift, c, 0, kQuadraticDigits);
      sum.add(std::uint64_t{in.a[l]} << at.a_shift);
      sum.add(at.rounding);
    }
    out.sum[l] = sum.sum & kSumMask;
    out.carry[l] = sum.carry & kSumMask;
  }
}

void add(const Products& in, Sum& out, unsigned lanes) {
  out.header = in.header;
  for (unsigned l = 0; l < lanes; ++l) out.value[l] = (in.sum[l] + in.carry[l]) & kSumMask;
}

void count(const Sum& in, Counted& out, unsigned lanes) {
  constexpr unsigned kLg2Point = 36;  // fraction bits of a logarithm
  const Function function = in.header.control.function;
  out.header = in.header;
  for (unsigned l = 0; l < lanes; ++l) {
    std::uint64_t magnitude = in.value[l];
    if (function == Function::kPresin) magnitude >>= 16;
    if (function == Function::kLg2) {
      // The integer part stands in front of a fraction below one. The magnitude of a negative number is its complement.
      const auto integer = static_cast<std::uint64_t>(std::int64_t{in.header.exponent[l]});
      const std::uint64_t value = integer << kLg2Point | magnitude >> 2;
      magnitude = (in.header.sign[l] ? ~value : value) & kSumMask;
      out.header.exponent[l] = kExponentBias + 63 - kLg2Point;
    }
    out.magnitude[l] = magnitude;
    const unsigned zeros = magnitude == 0 ? 0 : arithmetic::leading_zeros(magnitude);
    out.shift[l] = static_cast<std::uint8_t>(reduces_range(function) ? in.header.exponent[l] & 63u : zeros);
  }
}

void pack(const Counted& in, Result& out, unsigned lanes) {
  const Control& control = in.header.control;
  for (unsigned l = 0; l < lanes; ++l) {
    const std::uint32_t sign = in.header.sign[l] ? kF32Sign : 0;
    const auto word = static_cast<std::uint32_t>(in.magnitude[l] << in.shift[l] >> 32);
    const int biased = in.header.exponent[l] - (reduces_range(control.function) ? 0 : in.shift[l]);
    std::uint32_t value;
    if (in.header.special[l]) {
      value = in.header.special_value[l];
    } else if (control.function == Function::kPresin) {
      value = sign | (word & 0x1ffffffu);  // modulo four quadrants
    } else if (control.function == Function::kPreex2) {
      value = sign | word;
    } else if (word == 0 || biased <= 0) {
      value = sign;
    } else {  // never too large: 2^x of the largest x is the largest number
      value = sign | static_cast<std::uint32_t>(biased) << 23 | (word >> 8 & kF32Fraction);
    }
    if (control.saturate) value = arithmetic::f32_saturated(value);
    out.value[l] = value;
    out.flags[l] = arithmetic::f32_flags(value);
  }
}

void Datapath::compute(unsigned stage, unsigned lanes) {
  switch (stage) {
    case 0: return look_up(operands, looked_up, lanes);
    case 1: return square(looked_up, squared, lanes);
    case 2: return multiply(squared, products, lanes);
    case 3: return add(products, sum, lanes);
    case 4: return count(sum, counted, lanes);
    default: return pack(counted, result, lanes);
  }
}

}  // namespace g80::sfu
