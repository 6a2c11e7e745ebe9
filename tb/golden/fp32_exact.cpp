// SPDX-License-Identifier: Apache-2.0
// Scalar fp32 arithmetic in integers; the contract is in the header.
#include "tb/golden/fp32_exact.h"

namespace g80::golden::fp32 {

using namespace isa;
namespace {

constexpr int kBias = 127;
constexpr int kMinExponent = -126;

int exponent_of(std::uint32_t x) { return static_cast<int>(x >> 23 & 0xffu) - kBias; }
std::uint32_t significand_of(std::uint32_t x) { return (x & 0x7fffffu) | 0x800000u; }
bool is_zero(std::uint32_t x) { return (x & ~kSign) == 0; }
bool is_infinite(std::uint32_t x) { return (x & ~kSign) == kInfinity; }

/// A nonzero value significand * 2^(exponent-23) with bit 23 of the significand set.
struct Number {
  bool negative;
  int exponent;
  std::uint32_t significand;
};
Number number_of(std::uint32_t x) { return {(x & kSign) != 0, exponent_of(x), significand_of(x)}; }

/// Right shift; bit 0 of the result is sticky: it is set if any bit was shifted out.
std::uint64_t shift_right_jam(std::uint64_t x, int n) {
  if (n <= 0) return x;
  if (n > 63) return x != 0;
  return x >> n | ((x & ((std::uint64_t{1} << n) - 1)) != 0);
}

/// Exact sum of two numbers, as a normalised 64-bit mantissa whose bit 0 is sticky. Zero if they cancel.
struct Sum {
  bool negative;
  int exponent;
  std::uint64_t mantissa;
};
Sum exact_sum(Number x, Number y) {
  if (x.exponent < y.exponent || (x.exponent == y.exponent && x.significand < y.significand)) {
    const Number swap = x;
    x = y;
    y = swap;
  }
  // 38 bits below the significand are enough: a shift of at most 1 loses nothing, and after a larger shift at most one
  // leading bit cancels.
  std::uint64_t mx = std::uint64_t{x.significand} << 38;
  const std::uint64_t my = shift_right_jam(std::uint64_t{y.significand} << 38, x.exponent - y.exponent);
  mx = x.negative == y.negative ? mx + my : mx - my;
  if (mx == 0) return {false, 0, 0};
  int exponent = x.exponent + 2;  // the larger significand starts at bit 61
  while (!(mx >> 63)) {
    mx <<= 1;
    --exponent;
  }
  return {x.negative, exponent, mx};
}

}  // namespace

std::uint32_t round_pack(bool negative, int exponent, std::uint64_t mantissa, bool sticky, Round round) {
  const std::uint32_t sign = negative ? kSign : 0;
  std::uint64_t kept = mantissa >> 40;
  const std::uint64_t rest = mantissa & ((std::uint64_t{1} << 40) - 1);
  const std::uint64_t half = std::uint64_t{1} << 39;
  const bool inexact = rest != 0 || sticky;
  bool up = false;
  switch (round) {
    case Round::kRn: up = rest > half || (rest == half && (sticky || (kept & 1u))); break;
    case Round::kRm: up = inexact && negative; break;
    case Round::kRp: up = inexact && !negative; break;
    case Round::kRz: break;
  }
  kept += up;
  if (kept >> 24) {
    kept >>= 1;
    ++exponent;
  }
  if (exponent < kMinExponent) return sign;
  if (exponent > kBias) {
    const bool to_infinity =
        round == Round::kRn || (round == Round::kRm && negative) || (round == Round::kRp && !negative);
    return sign | (to_infinity ? kInfinity : kLargest);
  }
  return sign | static_cast<std::uint32_t>(exponent + kBias) << 23 | (static_cast<std::uint32_t>(kept) & 0x7fffffu);
}

std::uint32_t add(std::uint32_t a, std::uint32_t b, Round round) {
  a = flush(a);
  b = flush(b);
  if (is_nan(a) || is_nan(b)) return kNan;
  if (is_infinite(a)) return is_infinite(b) && a != b ? kNan : a;
  if (is_infinite(b)) return b;
  if (is_zero(a) && is_zero(b)) return a & b;
  if (is_zero(a)) return b;
  if (is_zero(b)) return a;
  const Sum sum = exact_sum(number_of(a), number_of(b));
  if (sum.mantissa == 0) return 0;
  return round_pack(sum.negative, sum.exponent, sum.mantissa, false, round);
}

std::uint32_t mul(std::uint32_t a, std::uint32_t b, Round round) {
  a = flush(a);
  b = flush(b);
  const std::uint32_t sign = (a ^ b) & kSign;
  if (is_nan(a) || is_nan(b)) return kNan;
  if (is_infinite(a) || is_infinite(b)) return is_zero(a) || is_zero(b) ? kNan : sign | kInfinity;
  if (is_zero(a) || is_zero(b)) return sign;
  std::uint64_t product = std::uint64_t{significand_of(a)} * significand_of(b) << 16;
  int exponent = exponent_of(a) + exponent_of(b) + 1;
  if (!(product >> 63)) {
    product <<= 1;
    --exponent;
  }
  return round_pack(sign != 0, exponent, product, false, round);
}

std::uint32_t mad(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  a = flush(a);
  b = flush(b);
  c = flush(c);
  if (is_nan(a) || is_nan(b) || is_nan(c)) return kNan;
  if (is_zero(a) || is_zero(b) || is_zero(c)) return add(mul(a, b, Round::kRn), c, Round::kRn);
  const std::uint32_t sign = (a ^ b) & kSign;
  if (is_infinite(a) || is_infinite(b)) return is_infinite(c) && (c & kSign) != sign ? kNan : sign | kInfinity;
  if (is_infinite(c)) return c;
  const std::uint64_t product = std::uint64_t{significand_of(a)} * significand_of(b);
  const bool carried = product >> 47;
  const Number truncated{sign != 0, exponent_of(a) + exponent_of(b) + (carried ? 1 : 0),
                         static_cast<std::uint32_t>(product >> (carried ? 24 : 23))};
  Sum sum = exact_sum(truncated, number_of(c));
  if (sum.mantissa == 0) return 0;
  if (sum.exponent >= kMinExponent) return round_pack(sum.negative, sum.exponent, sum.mantissa, false, Round::kRn);
  // For a sum below the smallest normal, the chip truncates at the denormal position and rounds there. The flush then
  // makes it zero, except if it was rounded up to the smallest normal.
  const int below = kMinExponent - sum.exponent;
  const std::uint64_t aligned = below > 63 ? 0 : sum.mantissa >> below;
  const std::uint64_t just_below_normal = (std::uint64_t{1} << 63) - (std::uint64_t{1} << 39);
  return (sum.negative ? kSign : 0) | (aligned >= just_below_normal ? kSmallestNormal : 0);
}

}  // namespace g80::golden::fp32
