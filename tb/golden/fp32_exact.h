// SPDX-License-Identifier: Apache-2.0
// Scalar fp32 arithmetic of the machine in integers only: the definition that the fast warp loops must agree with.
//
// Denormal inputs and results are signed zeros, every NaN result is 0x7fffffff, and multiply-add truncates its product
// to 24 bits before a nearest-even addition.
#pragma once
#include <cstdint>

#include "hw/isa/instruction.h"

namespace g80::golden::fp32 {

inline constexpr std::uint32_t kSign = 0x80000000u;
inline constexpr std::uint32_t kInfinity = 0x7f800000u;
inline constexpr std::uint32_t kNan = 0x7fffffffu;
inline constexpr std::uint32_t kOne = 0x3f800000u;
inline constexpr std::uint32_t kSmallestNormal = 0x00800000u;
inline constexpr std::uint32_t kLargest = 0x7f7fffffu;

inline bool is_nan(std::uint32_t x) { return (x & ~kSign) > kInfinity; }
/// Denormals become zero with their sign.
inline std::uint32_t flush(std::uint32_t x) { return (x & kInfinity) != 0 ? x : x & kSign; }
/// Clamps to [0, 1]; NaN stays.
inline std::uint32_t saturate(std::uint32_t x) {
  if (is_nan(x)) return kNan;
  if (x & kSign) return 0;
  return x > kOne ? kOne : x;
}

/// `round` is kRn or kRz.
std::uint32_t add(std::uint32_t a, std::uint32_t b, isa::Round round);
std::uint32_t mul(std::uint32_t a, std::uint32_t b, isa::Round round);
std::uint32_t mad(std::uint32_t a, std::uint32_t b, std::uint32_t c);

/// The nearest machine number to mantissa * 2^(exponent-63) under `round`, mantissa with bit 63 set, `sticky` for bits
/// below. The exponent is unbounded until after rounding; then too small flushes and too large overflows as `round`
/// says.
std::uint32_t round_pack(bool negative, int exponent, std::uint64_t mantissa, bool sticky, isa::Round round);

}  // namespace g80::golden::fp32
