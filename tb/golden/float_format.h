// SPDX-License-Identifier: Apache-2.0
// Packing and unpacking of IEEE formats (f16, f32, f64) with denormals, in integers: shared by conversions and fp64.
#pragma once
#include <cstdint>

#include "hw/isa/instruction.h"

namespace g80::golden::ieee {

struct Format {
  int fraction_bits;
  int exponent_bits;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr int min_exponent() const { return 1 - bias(); }
  constexpr std::uint64_t exponent_mask() const { return (std::uint64_t{1} << exponent_bits) - 1; }
  constexpr std::uint64_t fraction_mask() const { return (std::uint64_t{1} << fraction_bits) - 1; }
  constexpr std::uint64_t infinity() const { return exponent_mask() << fraction_bits; }
  constexpr std::uint64_t quiet_bit() const { return std::uint64_t{1} << (fraction_bits - 1); }
  constexpr std::uint64_t sign_bit() const { return std::uint64_t{1} << (fraction_bits + exponent_bits); }
};
inline constexpr Format kF16{10, 5}, kF32{23, 8}, kF64{52, 11};

enum class Class : std::uint8_t { kZero, kFinite, kInfinite, kNan };

/// A float taken apart. A finite nonzero value is mantissa * 2^(exponent-63), bit 63 of the mantissa set.
struct Unpacked {
  Class kind;
  bool negative;
  int exponent;
  std::uint64_t mantissa;  // for NaN: the fraction field
};

inline Unpacked unpack(const Format& f, std::uint64_t bits) {
  const bool negative = (bits & f.sign_bit()) != 0;
  const std::uint64_t field = bits >> f.fraction_bits & f.exponent_mask(), fraction = bits & f.fraction_mask();
  if (field == f.exponent_mask()) {
    return fraction ? Unpacked{Class::kNan, negative, 0, fraction} : Unpacked{Class::kInfinite, negative, 0, 0};
  }
  if (field == 0 && fraction == 0) return {Class::kZero, negative, 0, 0};
  std::uint64_t mantissa = field == 0 ? fraction : fraction | (std::uint64_t{1} << f.fraction_bits);
  int exponent = (field == 0 ? 1 : static_cast<int>(field)) - f.bias() - f.fraction_bits + 63;
  while (!(mantissa >> 63)) {
    mantissa <<= 1;
    --exponent;
  }
  return {Class::kFinite, negative, exponent, mantissa};
}

/// Whether `round` moves a magnitude away from zero. `odd`: lowest kept bit; `half_cmp`: discarded part against one
/// half.
inline bool rounds_up(isa::Round round, bool negative, bool odd, bool inexact, int half_cmp) {
  switch (round) {
    case isa::Round::kRn: return half_cmp > 0 || (half_cmp == 0 && odd);
    case isa::Round::kRm: return inexact && negative;
    case isa::Round::kRp: return inexact && !negative;
    default: return false;
  }
}

/// mantissa >> shift (1..) rounded; `sticky` tells of ones below the mantissa.
inline std::uint64_t round_shift(std::uint64_t mantissa, int shift, bool sticky, isa::Round round, bool negative) {
  if (shift <= 0) return mantissa;
  const std::uint64_t kept = shift > 63 ? 0 : mantissa >> shift;
  const std::uint64_t half = shift > 64 ? 0 : std::uint64_t{1} << (shift - 1);
  const std::uint64_t rest = shift > 63 ? mantissa : mantissa & ((std::uint64_t{1} << shift) - 1);
  int half_cmp = -1;
  if (shift <= 64) half_cmp = rest > half ? 1 : rest == half ? (sticky ? 1 : 0) : -1;
  return kept + rounds_up(round, negative, kept & 1u, rest != 0 || sticky, half_cmp);
}

/// The value mantissa * 2^(exponent-63) (bit 63 set) in format `f`, rounded once, denormals and overflow as IEEE says.
inline std::uint64_t pack(const Format& f, bool negative, int exponent, std::uint64_t mantissa, bool sticky,
                          isa::Round round) {
  const std::uint64_t sign = negative ? f.sign_bit() : 0;
  const int below = exponent < f.min_exponent() ? f.min_exponent() - exponent : 0;
  const std::uint64_t kept = round_shift(mantissa, 63 - f.fraction_bits + below, sticky, round, negative);
  // The implicit one of a normal significand adds 1 to the exponent field, a carry out of the rounding another.
  const std::uint64_t field = below ? 0 : static_cast<std::uint64_t>(exponent - f.min_exponent());
  if (field > f.exponent_mask()) exponent = f.bias() + 1;
  const std::uint64_t bits = (field << f.fraction_bits) + kept;
  if (exponent > f.bias() || bits >= f.infinity()) {
    const bool to_infinity =
        round == isa::Round::kRn || (round == isa::Round::kRm && negative) || (round == isa::Round::kRp && !negative);
    return sign | (to_infinity ? f.infinity() : f.infinity() - 1);
  }
  return sign | bits;
}

}  // namespace g80::golden::ieee
