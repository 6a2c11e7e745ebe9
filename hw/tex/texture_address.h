// SPDX-License-Identifier: Apache-2.0
// From texture coordinates to texel numbers and weights. The rule is docs/texture.md, sections 3 and 7; it is exact:
//   u = x * N (normalised) or x, no rounding; NaN, zeros and denormals count as 0; |u| is limited to 2^30.
//   nearest: i = floor(u).   linear: F = floor(256 u + 1/2) - 128, i = floor(F / 256), weights 256 - F mod 256, F mod
//   256. Then the instruction's offset is added and the address mode applied to each integer i.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "hw/bundles/texture_bundles.h"
#include "hw/common/types.h"
#include "hw/tex/texture_header.h"

namespace g80 {

inline constexpr unsigned kMaxTaps = 8;
inline constexpr unsigned kWeightOne = 256;  // of one axis

/// The texels along one axis that a coordinate needs.
struct AxisTaps {
  unsigned count = 0;                     // 1 or 2; taps of weight 0 are left out
  std::array<std::uint32_t, 2> index{};   // 0 .. N-1
  std::array<bool, 2> outside{};          // reads the border colour (or zero) instead
  std::array<std::uint32_t, 2> weight{};  // of kWeightOne
};

/// Where texel number i of an axis of `size` texels lies. This is where wrapping and clamping are decided.
struct AxisTexel {
  std::uint32_t index;
  bool outside;
};
inline AxisTexel address_texel(std::int64_t i, std::uint32_t size, AddressMode mode, bool linear) {
  const auto n = static_cast<std::int64_t>(size);
  const auto modulo = [](std::int64_t a, std::int64_t m) { return (a % m + m) % m; };
  switch (mode) {
    case AddressMode::kWrap: return {static_cast<std::uint32_t>(modulo(i, n)), false};
    case AddressMode::kMirror: {
      const std::int64_t m = modulo(i, 2 * n);
      return {static_cast<std::uint32_t>(m < n ? m : 2 * n - 1 - m), false};
    }
    case AddressMode::kClamp:
      if (!linear) break;
      [[fallthrough]];
    case AddressMode::kBorder:
      if (i < 0 || i >= n) return {0, true};
      return {static_cast<std::uint32_t>(i), false};
    default: break;
  }
  return {static_cast<std::uint32_t>(i < 0 ? 0 : i >= n ? n - 1 : i), false};
}

/// floor(512 u) for a coordinate of u texels: the product of significand and size is exact, and only bits that neither
/// a texel's number nor its weight needs are cut off.
inline std::int64_t texel_coordinate(std::uint32_t bits, std::uint32_t size, bool normalised) {
  constexpr unsigned kLimitBits = 30 + 9;  // |u| is at most 2^30
  constexpr std::int64_t kLimit = std::int64_t{1} << kLimitBits;
  const std::uint32_t exponent = bits >> 23 & 0xff, fraction = bits & 0x7fffff;
  if (exponent == 0 || (exponent == 0xff && fraction != 0)) return 0;
  const bool negative = bits >> 31 != 0;
  const std::uint64_t product = std::uint64_t{fraction | 0x800000u} * (normalised ? size : 1);  // at most 51 bits
  const int shift = static_cast<int>(exponent) - (127 + 23) + 9;
  std::int64_t magnitude = kLimit;
  bool rest = false;
  if (shift < 0) {
    const auto right = static_cast<unsigned>(std::min(-shift, 63));
    magnitude = std::min(kLimit, static_cast<std::int64_t>(product >> right));
    rest = magnitude != kLimit && (product & ((std::uint64_t{1} << right) - 1)) != 0;
  } else if (shift < static_cast<int>(kLimitBits) && product >> (kLimitBits - static_cast<unsigned>(shift)) == 0) {
    magnitude = static_cast<std::int64_t>(product << shift);
  }
  return negative ? -magnitude - (rest ? 1 : 0) : magnitude;
}

inline AxisTaps sample_axis(std::uint32_t coordinate, std::uint32_t size, bool normalised, bool linear,
                            AddressMode mode, int offset) {
  AxisTaps taps;
  const std::int64_t u = texel_coordinate(coordinate, size, normalised);  // times 512
  if (!linear) {
    const AxisTexel texel = address_texel((u >> 9) + offset, size, mode, false);
    taps.count = 1;
    taps.index[0] = texel.index;
    taps.outside[0] = texel.outside;
    taps.weight[0] = kWeightOne;
    return taps;
  }
  std::int64_t fixed = (u + 1) >> 1;  // floor(256 u + 1/2)
  if (mode == AddressMode::kClamp) {
    const std::int64_t end = std::int64_t{kWeightOne} * size;
    fixed = fixed < 0 ? 0 : fixed > end ? end : fixed;
  }
  fixed -= kWeightOne / 2;
  const std::int64_t i = fixed >> 8;
  const auto fraction = static_cast<std::uint32_t>(fixed & 0xff);
  const std::uint32_t weight[2] = {kWeightOne - fraction, fraction};
  for (unsigned t = 0; t < 2; ++t) {
    if (weight[t] == 0) continue;
    const AxisTexel texel = address_texel(i + t + offset, size, mode, true);
    taps.index[taps.count] = texel.index;
    taps.outside[taps.count] = texel.outside;
    taps.weight[taps.count] = weight[t];
    ++taps.count;
  }
  return taps;
}

/// Integer coordinates: inside, or zero.
inline AxisTaps fetch_axis(std::uint32_t coordinate, std::uint32_t size, int offset) {
  AxisTaps taps;
  const std::uint32_t i = coordinate + static_cast<std::uint32_t>(offset);
  taps.count = 1;
  taps.index[0] = i < size ? i : 0;
  taps.outside[0] = i >= size;  // negative numbers are large as unsigned ones
  taps.weight[0] = kWeightOne;
  return taps;
}

enum class TapKind : std::uint8_t { kTexel, kBorder, kZero };
struct TexelTap {
  TapKind kind = TapKind::kTexel;
  std::uint32_t address = 0;  // virtual, of the texel
  std::uint32_t weight = 0;   // product of the axis weights
  bool second_slice = false;
};
struct LaneTaps {
  unsigned count = 0;
  std::array<TexelTap, kMaxTaps> tap{};
};

/// Whether a request is filtered between texels.
inline bool is_linear(const TextureHeader& header, const TextureSampler& sampler, TexOp op) {
  return op == TexOp::kSample && sampler.linear && header.filterable();
}

/// The texels that a lane reads, x fastest, then y, then z.
inline LaneTaps lane_taps(const TextureHeader& header, const TextureSampler& sampler, TexOp op,
                          const std::array<std::uint32_t, 4>& coord, const std::array<std::int8_t, 3>& offset) {
  const bool linear = is_linear(header, sampler, op);
  const bool sampled = op == TexOp::kSample && !header.buffer;
  AxisTaps axis[3];
  for (unsigned a = 0; a < 3; ++a) {
    if (a >= header.dimensions) {
      axis[a].count = 1;
      axis[a].weight[0] = 1;
    } else if (op == TexOp::kFetch) {
      axis[a] = fetch_axis(coord[a], header.size[a], offset[a]);
    } else {
      const AddressMode mode = header.buffer ? AddressMode::kBorder : sampler.mode[a];
      axis[a] = sample_axis(coord[a], header.size[a], header.normalised, linear, mode, offset[a]);
    }
  }
  LaneTaps taps;
  for (unsigned k = 0; k < axis[2].count; ++k) {
    for (unsigned j = 0; j < axis[1].count; ++j) {
      for (unsigned i = 0; i < axis[0].count; ++i) {
        TexelTap& tap = taps.tap[taps.count++];
        const bool outside = axis[0].outside[i] || axis[1].outside[j] || axis[2].outside[k];
        tap.kind = !outside ? TapKind::kTexel : sampled ? TapKind::kBorder : TapKind::kZero;
        tap.address = outside ? 0 : texel_address(header, axis[0].index[i], axis[1].index[j], axis[2].index[k]);
        tap.weight = axis[0].weight[i] * axis[1].weight[j] * axis[2].weight[k];
        tap.second_slice = k != 0;
      }
    }
  }
  return taps;
}

}  // namespace g80
