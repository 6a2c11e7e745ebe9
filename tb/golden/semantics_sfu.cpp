// SPDX-License-Identifier: Apache-2.0
// Special functions: range reduction, and quadratic interpolation with the chip's coefficient tables.
//
// Every step truncates or rounds exactly where the chip's datapath does. The constants added to a sum are its rounding
// biases.
#include "hw/isa/sfu_rom.h"
#include "tb/golden/fp32_exact.h"
#include "tb/golden/semantics_parts.h"

namespace g80::golden::detail {

using namespace isa;
namespace {

using fp32::kInfinity;
using fp32::kNan;
using fp32::kSign;

constexpr int kBias = 127;
constexpr std::uint32_t kFractionMask = 0x7fffff;
// Encodings of NaN and infinity in the range-reduced format (sign, 8 integer bits, 23 fraction bits).
constexpr std::uint32_t kReducedNan = 0x40000000, kReducedInfinity = 0x40800000;

/// Square of a 17-bit number. The chip truncates the partial products before it sums them.
std::uint32_t truncated_square(std::uint32_t x) {
  std::uint32_t sum = 0;
  for (int i = 0; i <= 16; ++i) sum += x >> i & 1u ? x >> (18 - i) : 0;
  return sum >> 1;
}

std::int64_t interpolate(const SfuCoefficients& k, std::uint32_t x, int a_shift, std::int64_t square) {
  return (static_cast<std::int64_t>(k.a) << a_shift) + static_cast<std::int64_t>(k.b) * x +
         static_cast<std::int64_t>(k.c) * square;
}

/// Float of a 24-bit significand (up to 2^24) and a biased exponent. Values below the smallest normal become zero.
std::uint32_t assemble(std::uint32_t sign, std::uint32_t significand, int biased) {
  if (significand >> 24) {
    significand >>= 1;
    ++biased;
  }
  if (biased <= 0) return sign;
  if (biased >= 255) return sign | kInfinity;
  return sign | static_cast<std::uint32_t>(biased) << 23 | (significand & kFractionMask);
}

std::uint32_t rcp(std::uint32_t v) {
  v = fp32::flush(v);
  const std::uint32_t sign = v & kSign, magnitude = v & ~kSign;
  if (magnitude > kInfinity) return kNan;
  if (magnitude == kInfinity) return sign;
  if (magnitude == 0) return sign | kInfinity;
  const std::uint32_t mantissa = v & kFractionMask, x = mantissa & 0xffffu;
  const std::int64_t sum = interpolate(kRcpRom[mantissa >> 16], x, 13, truncated_square(x << 1)) + 0x47e7;
  return assemble(sign, static_cast<std::uint32_t>(sum >> 15), 2 * kBias - static_cast<int>(magnitude >> 23) - 1);
}

std::uint32_t rsqrt(std::uint32_t v) {
  v = fp32::flush(v);
  const std::uint32_t sign = v & kSign, magnitude = v & ~kSign;
  if (magnitude > kInfinity) return kNan;
  if (magnitude == 0) return sign | kInfinity;
  if (sign) return kNan;
  if (magnitude == kInfinity) return 0;
  const int exponent = static_cast<int>(magnitude >> 23) - kBias;
  const std::uint32_t m = (v & kFractionMask) | static_cast<std::uint32_t>(exponent & 1) << 23;
  const int biased = kBias - (exponent >> 1) - 1;
  if (m == 0) return assemble(0, 0x800000, biased + 1);
  const std::uint32_t x = m & 0x1ffffu;
  const std::int64_t sum = interpolate(kRsqrtRom[m >> 17], x, 14, std::int64_t{truncated_square(x)} << 2) + 0x7fff;
  return assemble(0, static_cast<std::uint32_t>(sum >> 16), biased);
}

std::uint32_t lg2(std::uint32_t v) {
  v = fp32::flush(v);
  const std::uint32_t magnitude = v & ~kSign;
  if (magnitude > kInfinity) return kNan;
  if (magnitude == 0) return kSign | kInfinity;
  if (v & kSign) return kNan;
  if (magnitude == kInfinity) return kInfinity;
  if (v == fp32::kOne) return 0;
  const std::uint32_t mantissa = v & kFractionMask, x = mantissa & 0x1ffffu;
  const std::int64_t fraction =
      (interpolate(kLg2Rom[mantissa >> 17], x, 12, std::int64_t{truncated_square(x)} << 1) + 0x3345) >> 2;
  const std::int64_t integer = static_cast<std::int64_t>(magnitude >> 23) - kBias;
  std::int64_t value = integer * (std::int64_t{1} << 36) + fraction;
  const std::uint32_t sign = value < 0 ? kSign : 0;
  if (value < 0) value = ~value;
  if (value == 0) return sign;
  int top = 63;
  while (!(value >> top & 1)) --top;
  const std::uint32_t significand = static_cast<std::uint32_t>(top >= 23 ? value >> (top - 23) : value << (23 - top));
  return assemble(sign, significand, kBias + top - 36);
}

/// Input from preex2.
std::uint32_t ex2(std::uint32_t v) {
  const std::uint32_t sign = v & kSign, magnitude = v & ~kSign;
  if (magnitude & kReducedNan) {
    if ((magnitude & 0x7f800000u) != kReducedInfinity) return kNan;
    return sign ? 0 : kInfinity;
  }
  int n = static_cast<int>(magnitude >> 23 & 0xffu);
  std::uint32_t fraction = magnitude & kFractionMask;
  if (sign) {
    n = fraction ? -n - 1 : -n;
    if (fraction) fraction ^= kFractionMask;
  }
  const std::uint32_t x = fraction & 0x1ffffu;
  const std::int64_t sum = interpolate(kEx2Rom[fraction >> 17], x, 13, truncated_square(x)) + 0x77e2;
  return assemble(0, static_cast<std::uint32_t>(sum >> 15), kBias + n);
}

/// Input from presin; `quadrants` is 0 for sine, 1 for cosine.
std::uint32_t sine(std::uint32_t v, unsigned quadrants) {
  if (v & kReducedNan) return kNan;
  const unsigned quadrant = (v >> 23 & 0xffu) + quadrants;
  std::uint32_t sign = quadrants ? 0 : v & kSign;
  if (quadrant & 2u) sign ^= kSign;
  std::uint32_t fraction = v & kFractionMask;
  if (quadrant & 1u) fraction ^= kFractionMask;
  const std::uint32_t x = fraction & 0x1ffffu;
  const std::int64_t value = interpolate(kSinRom[fraction >> 17], x, 11, truncated_square(x));
  if (value <= 0) return sign;
  int top = 63;
  while (!(value >> top & 1)) --top;
  const std::uint32_t significand = static_cast<std::uint32_t>(top >= 23 ? value >> (top - 23) : value << (23 - top));
  return assemble(sign, significand, kBias + top - 37);
}

/// Float to sign and 7.23 fixed point, truncated.
std::uint32_t preex2(std::uint32_t v) {
  v = fp32::flush(v);
  const std::uint32_t sign = v & kSign, magnitude = v & ~kSign;
  if (magnitude > kInfinity) return sign | kReducedNan;
  const int exponent = static_cast<int>(magnitude >> 23) - kBias;
  if (exponent >= 7) return sign | kReducedInfinity;
  if (magnitude == 0 || exponent < -23) return sign;
  const std::uint32_t significand = (v & kFractionMask) | 0x800000u;
  return sign | (exponent >= 0 ? significand << exponent : significand >> -exponent);
}

/// Float times 2/pi to sign, quadrant and 23-bit fraction of a quadrant.
std::uint32_t presin(std::uint32_t v) {
  constexpr std::uint64_t kTwoOverPi = 0xa2f983;
  v = fp32::flush(v);
  const std::uint32_t sign = v & kSign, magnitude = v & ~kSign;
  if (magnitude > kInfinity) return sign | kReducedNan;
  if (magnitude == kInfinity) return sign | kReducedInfinity;
  if (magnitude == 0) return sign;
  const std::uint64_t significand = (v & kFractionMask) | 0x800000u;
  const std::uint32_t scaled = static_cast<std::uint32_t>(significand * kTwoOverPi >> 16);
  const int exponent = static_cast<int>(magnitude >> 23) - kBias - 8;
  std::uint32_t fixed = 0;
  if (exponent >= 0) {
    fixed = exponent >= 32 ? 0 : scaled << exponent;
  } else if (exponent > -32) {
    fixed = scaled >> -exponent;
  }
  return sign | (fixed & 0x1ffffffu);
}

template <typename Function>
void each_lane(const Instruction& insn, const AluInput& in, AluOutput& out, Function&& function) {
  const std::uint32_t keep = insn.src[0].abs ? ~kSign : ~0u, flip = insn.src[0].neg ? kSign : 0;
  for (unsigned l = 0; l < kWarpSize; ++l) out.lo[l] = function((in.s[0][l] & keep) ^ flip);
}

}  // namespace

void execute_sfu(const Instruction& insn, const AluInput& in, AluOutput& out) {
  switch (insn.op) {
    case Op::kRcp: each_lane(insn, in, out, rcp); break;
    case Op::kRsqrt: each_lane(insn, in, out, rsqrt); break;
    case Op::kLg2: each_lane(insn, in, out, lg2); break;
    case Op::kEx2: each_lane(insn, in, out, ex2); break;
    case Op::kSin: each_lane(insn, in, out, [](std::uint32_t v) { return sine(v, 0); }); break;
    case Op::kCos: each_lane(insn, in, out, [](std::uint32_t v) { return sine(v, 1); }); break;
    case Op::kPresin: each_lane(insn, in, out, presin); break;
    default: each_lane(insn, in, out, preex2); break;
  }
  if (insn.saturate) {
    for (unsigned l = 0; l < kWarpSize; ++l) out.lo[l] = fp32::saturate(out.lo[l]);
  }
  if (insn.writes_flags) float_flags(out.lo, out.flags);
}

}  // namespace g80::golden::detail
