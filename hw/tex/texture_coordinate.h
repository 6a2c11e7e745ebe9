// SPDX-License-Identifier: Apache-2.0
// One axis of a texture coordinate, from register bits to texel numbers, in four stages and without a divider. The rule
// is docs/texture.md, sections 3 and 7; twin: rtl/tex/texture_coordinate.sv.
//   1. scale_coordinate: the product of the 24-bit significand and the size. Where coordinates wrap or mirror, the bits
//      that count whole periods are first cleared: frac(x) N is (x N) modulo N, and (x modulo 2) N is (x N) modulo 2 N.
//   2. fix_coordinate: floor(512 u): the product is shifted to its place; what is negative and not whole goes down.
//   3. place_coordinate: the number of the lower texel and the weight of the upper one; plus the instruction's offset;
//      plus one period if the coordinate is negative.
//   4. axis_taps: both texels, at most one period too high or too low, go inside the texture.
// The offset is reduced modulo the period once a request (a table where the period is below 8 texels), so that one sum
// or difference is enough in stage 4, however small the texture is.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "hw/bundles/texture_bundles.h"
#include "hw/common/field_list.h"
#include "hw/config/texture_depth.h"
#include "hw/tex/texture_header.h"

namespace g80 {

inline constexpr unsigned kWeightOne = 256;  // of one axis

/// What the lanes of a request have in common, for one axis.
struct AxisSetup {
  std::uint32_t size = 1;    // texels
  std::uint32_t scale = 1;   // of a coordinate: the size, or 1
  std::uint32_t period = 0;  // texels after which coordinates repeat; 0: they do not
  std::int32_t offset = 0;   // of the instruction, modulo the period
  AddressMode mode = AddressMode::kClampToEdge;
  bool linear = false;
  bool fetch = false;  // the coordinate is a texel's number
  G80_FIELDS((size, 28), (scale, 28), (period, 29), (offset, 29), (mode, 3), linear, fetch);
};

/// Coordinates that are not normalised do not repeat: the modes that would need it then have no period.
inline AxisSetup axis_setup(std::uint32_t size, bool normalised, AddressMode mode, bool linear, int offset) {
  AxisSetup axis;
  axis.size = size;
  axis.scale = normalised ? size : 1;
  axis.mode = mode;
  axis.linear = linear;
  axis.offset = offset;
  const bool mirror = mode == AddressMode::kMirror;
  if (normalised && (mirror || mode == AddressMode::kWrap)) {
    axis.period = mirror ? 2 * size : size;
    const auto period = static_cast<std::int32_t>(axis.period);
    while (axis.offset < 0) axis.offset += period;
    while (axis.offset >= period) axis.offset -= period;
  }
  return axis;
}
inline AxisSetup fetch_setup(std::uint32_t size, int offset) {
  AxisSetup axis = axis_setup(size, false, AddressMode::kBorder, false, offset);
  axis.fetch = true;
  return axis;
}

/// Behind stage 1: |u| is product * 2^(exponent - 150).
struct ScaledCoordinate {
  bool negative = false;
  std::uint8_t exponent = 0;
  std::uint64_t product = 0;
  G80_FIELDS(negative, exponent, (product, 52));
};
inline ScaledCoordinate scale_coordinate(const AxisSetup& axis, std::uint32_t bits) {
  constexpr std::uint32_t kFraction = 0x7fffff, kHidden = 0x800000;
  constexpr int kUnitExponent = 150;  // of a float whose significand's last bit counts 1
  if (axis.fetch) return {false, 0, bits};
  ScaledCoordinate scaled;
  scaled.exponent = static_cast<std::uint8_t>(bits >> 23);
  if (scaled.exponent == 0 || (scaled.exponent == 0xff && (bits & kFraction) != 0)) return {};
  scaled.negative = bits >> 31 != 0;
  std::uint32_t significand = (bits & kFraction) | kHidden;
  if (axis.period != 0) {
    const int kept = kUnitExponent - scaled.exponent + (axis.mode == AddressMode::kMirror ? 1 : 0);  // bits
    constexpr int kAll = 24;
    significand &= (1u << std::clamp(kept, 0, kAll)) - 1;
  }
  scaled.product = std::uint64_t{significand} * axis.scale;
  return scaled;
}

/// Behind stage 2: floor(512 u), limited to 2^30 texels. Of a fetch the texel's number.
inline std::int64_t fix_coordinate(const AxisSetup& axis, const ScaledCoordinate& scaled) {
  constexpr unsigned kLimitBits = 30 + 9;
  if (axis.fetch) return static_cast<std::int64_t>(scaled.product);
  const int shift = scaled.exponent - 150 + 9;
  constexpr std::int64_t kLimit = std::int64_t{1} << kLimitBits;
  std::int64_t magnitude = kLimit;
  bool rest = false;
  if (shift < 0) {
    const auto right = static_cast<unsigned>(std::min(-shift, 63));
    magnitude = std::min(kLimit, static_cast<std::int64_t>(scaled.product >> right));
    rest = (scaled.product & ((std::uint64_t{1} << right) - 1)) != 0;
  } else if (scaled.product >> std::max(static_cast<int>(kLimitBits) - shift, 0) == 0) {
    magnitude = static_cast<std::int64_t>(scaled.product << (shift & 63));
  }
  return scaled.negative ? -magnitude - (rest ? 1 : 0) : magnitude;
}

/// Behind stage 3: the lower texel, less than one period too high or one texel too low; and the upper one's weight.
struct PlacedCoordinate {
  std::int32_t index = 0;
  std::uint8_t fraction = 0;  // of kWeightOne
  G80_FIELDS((index, 32), fraction);
};
inline PlacedCoordinate place_coordinate(const AxisSetup& axis, std::int64_t fixed) {
  PlacedCoordinate placed;
  if (axis.fetch) {
    placed.index =
        static_cast<std::int32_t>(static_cast<std::uint32_t>(fixed) + static_cast<std::uint32_t>(axis.offset));
    return placed;
  }
  std::int64_t at = fixed;
  if (axis.linear) {
    const std::int64_t end = std::int64_t{2 * kWeightOne} * axis.size;
    if (axis.mode == AddressMode::kClamp) at = at < 0 ? 0 : at > end ? end : at;
    at = at + 1 - static_cast<std::int64_t>(kWeightOne);  // half a texel back; a tie goes up
    placed.fraction = static_cast<std::uint8_t>(at >> 1);
  }
  const auto addend = static_cast<std::int64_t>(axis.offset) + (fixed < 0 ? axis.period : 0);
  placed.index = static_cast<std::int32_t>((at >> 9) + addend);
  return placed;
}

/// Behind stage 4: the texels along one axis that a coordinate needs. The upper one counts if it has weight.
struct AxisTaps {
  std::array<std::uint32_t, 2> index{};  // 0 .. size - 1
  std::array<bool, 2> outside{};         // reads the border colour (or zero) instead
  std::uint8_t fraction = 0;
  unsigned count() const { return fraction != 0 ? 2 : 1; }
  unsigned weight(unsigned tap) const { return tap != 0 ? fraction : kWeightOne - fraction; }
  G80_FIELDS((index, 27), outside, fraction);
};
/// This is where wrapping and clamping are decided.
inline AxisTaps axis_taps(const AxisSetup& axis, const PlacedCoordinate& placed) {
  AxisTaps taps;
  taps.fraction = placed.fraction;
  const auto size = static_cast<std::int64_t>(axis.size), period = static_cast<std::int64_t>(axis.period);
  for (unsigned tap = 0; tap < 2; ++tap) {
    std::int64_t i = std::int64_t{placed.index} + tap;
    if (period != 0) {
      i = i < 0 ? i + period : i >= period ? i - period : i;
      if (i >= size) i = period - 1 - i;  // mirrored
    } else if (i < 0 || i >= size) {
      taps.outside[tap] = axis.mode == AddressMode::kBorder || (axis.mode == AddressMode::kClamp && axis.linear);
      i = taps.outside[tap] || i < 0 ? 0 : size - 1;
    }
    taps.index[tap] = static_cast<std::uint32_t>(i);
  }
  return taps;
}

/// All stages.
inline AxisTaps coordinate_taps(const AxisSetup& axis, std::uint32_t bits) {
  return axis_taps(axis, place_coordinate(axis, fix_coordinate(axis, scale_coordinate(axis, bits))));
}

}  // namespace g80
