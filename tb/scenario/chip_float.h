// SPDX-License-Identifier: Apache-2.0
// The chip's fp32 operations, written with the host's IEEE arithmetic, for golden functions. They deliberately do not
// use hw/isa: two independent implementations of the rules check each other.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

namespace g80::chip {

/// Denormals count as zero of their sign, and the chip's arithmetic has one NaN: 0x7fffffff. The host's has a sign
/// that depends on the host.
inline float flush(float x) {
  if (std::isnan(x)) {
    constexpr std::uint32_t kNan = 0x7fffffff;
    std::memcpy(&x, &kNan, sizeof x);
    return x;
  }
  return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x;
}

inline float add(float a, float b) { return flush(flush(a) + flush(b)); }
inline float mul(float a, float b) { return flush(flush(a) * flush(b)); }

/// Clears the bits of a double below 24 significant ones: rounds toward zero to a single's significand, any exponent.
inline double truncate_to_24_bits(double x) {
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits &= ~((std::uint64_t{1} << 29) - 1);
  std::memcpy(&x, &bits, sizeof bits);
  return x;
}

/// The mad of compute capability 1.x for finite operands: a * b truncated to 24 bits, then added to c and rounded to
/// nearest. With a zero among the operands it is add(mul(a, b), c).
inline float mad_truncating(float a, float b, float c) {
  a = flush(a), b = flush(b), c = flush(c);
  if (a == 0 || b == 0 || c == 0) return add(mul(a, b), c);
  const double product = truncate_to_24_bits(static_cast<double>(a) * static_cast<double>(b));  // 48 bits: exact before
  // product + c may need more than a double's 53 bits. Rounding it to odd keeps the second rounding, to float, correct.
  const double addend = c;
  double sum = product + addend;
  const double other = sum - product;
  const double error = (product - (sum - other)) + (addend - other);
  std::uint64_t bits;
  std::memcpy(&bits, &sum, sizeof bits);
  if (error != 0 && (bits & 1) == 0) sum = std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
  return flush(static_cast<float>(sum));
}

}  // namespace g80::chip
