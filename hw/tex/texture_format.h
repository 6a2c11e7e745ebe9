// SPDX-License-Identifier: Apache-2.0
// Texel formats: from the bytes of a texel to four 32-bit components (docs/texture.md, section 4).
#pragma once
#include <array>
#include <cstdint>

#include "hw/common/field_list.h"

namespace g80 {

enum class TexelType : std::uint8_t { kSnorm = 1, kUnorm = 2, kSint = 3, kUint = 4, kFloat = 7 };

/// Sizes of a format: `components` of `bits` each, R at the lowest address.
struct TexelLayout {
  std::uint8_t components = 0;  // 0: the encoding is not a format of this unit
  std::uint8_t bits = 0;
  unsigned bytes() const { return components * bits / 8u; }
  G80_FIELDS((components, 3), (bits, 6));
};

constexpr TexelLayout texel_layout(unsigned format) {
  switch (format) {
    case 0x01: return {4, 32};
    case 0x03: return {4, 16};
    case 0x04: return {2, 32};
    case 0x08: return {4, 8};
    case 0x0c: return {2, 16};
    case 0x0f: return {1, 32};
    case 0x18: return {2, 8};
    case 0x1b: return {1, 16};
    case 0x1d: return {1, 8};
    default: return {};
  }
}

namespace texture_detail {

/// fp32 nearest to v / (2^n - 1), 0 <= v < 2^n, n <= 32: the binary fraction whose digits are those of v, again and
/// again. They never end, so no tie exists, and the first digit that is cut off decides the rounding. Where n does not
/// divide 64, the product lacks less than v, and its second copy of v alone is more: the leading digits are right.
inline std::uint32_t fraction_of_ones(std::uint32_t v, unsigned n) {
  if (v == 0) return 0;
  // 64 digits behind the point: a copy of v each n bits
  const std::uint64_t digits = v * (~std::uint64_t{0} / ((std::uint64_t{1} << n) - 1));
  const auto zeros = static_cast<unsigned>(__builtin_clzll(digits));
  const auto leading = static_cast<std::uint32_t>(digits << zeros >> 39);  // 24 bits and the one that decides
  // The leading one counts one in the exponent field, and so does a carry.
  return ((125u - zeros) << 23) + (leading >> 1) + (leading & 1u);
}

inline std::uint32_t half_to_float(std::uint32_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
  if (exponent == 0x1f) return sign | 0x7f800000u | fraction << 13;
  if (exponent != 0) return sign | (exponent + 112) << 23 | fraction << 13;
  if (fraction == 0) return sign;
  const auto zeros = static_cast<unsigned>(__builtin_clz(fraction)) - 8;  // up to bit 23; the fraction counts 2^-24
  return sign | (((125u - zeros) << 23) + (fraction << zeros));
}

}  // namespace texture_detail

/// Register bits of a component of `bits` bits with raw value `v`. This is where a texel's meaning is decided.
inline std::uint32_t component_value(std::uint32_t v, unsigned bits, TexelType type) {
  const std::int32_t as_signed = static_cast<std::int32_t>(v << (32 - bits)) >> (32 - bits);
  switch (type) {
    case TexelType::kSint: return static_cast<std::uint32_t>(as_signed);
    case TexelType::kUnorm: return texture_detail::fraction_of_ones(v, bits);
    case TexelType::kSnorm: {
      const std::uint32_t largest = (1u << (bits - 1)) - 1;
      const std::uint32_t magnitude =
          as_signed < 0 ? 0u - static_cast<std::uint32_t>(as_signed) : static_cast<std::uint32_t>(as_signed);
      const std::uint32_t value = texture_detail::fraction_of_ones(magnitude > largest ? largest : magnitude, bits - 1);
      return as_signed < 0 ? value | 0x80000000u : value;
    }
    case TexelType::kFloat:
      if (bits == 16) return texture_detail::half_to_float(v);
      return v;
    default: return v;
  }
}

/// The four components of a texel whose words these are, its first byte in bits 7:0.
inline std::array<std::uint32_t, 4> texel_components(const std::array<std::uint32_t, 4>& words, TexelLayout layout,
                                                     const std::array<TexelType, 4>& type) {
  std::array<std::uint32_t, 4> texel{};
  for (unsigned c = 0; c < layout.components; ++c) {
    const unsigned bit = c * layout.bits;
    const std::uint32_t word = words[bit / 32];
    const std::uint32_t v = layout.bits == 32 ? word : word >> bit % 32 & ((1u << layout.bits) - 1);
    texel[c] = component_value(v, layout.bits, type[c]);
  }
  return texel;
}

}  // namespace g80
