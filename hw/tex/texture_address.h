// SPDX-License-Identifier: Apache-2.0
// From the coordinates of a lane to the addresses of its texels.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/texture_bundles.h"
#include "hw/common/types.h"
#include "hw/tex/texture_coordinate.h"
#include "hw/tex/texture_header.h"

namespace g80 {

inline constexpr unsigned kMaxTaps = 8;  // t: bit 0 is the upper texel of x, bit 1 that of y, bit 2 that of z

/// The texels that a lane reads.
struct LaneTexels {
  std::uint8_t lane = 0;                          // of the half-warp
  std::uint8_t present = 0;                       // bit t: tap t has weight
  std::uint8_t outside = 0;                       // bit t: it reads no memory
  std::array<std::uint8_t, 3> fraction{};         // weights of the upper texels
  std::array<std::uint32_t, kMaxTaps> address{};  // virtual; of taps that are present and not outside
  G80_FIELDS((lane, 4), present, outside, fraction, address);
};

/// Whether a request is filtered between texels.
inline bool is_linear(const TextureHeader& header, const TextureSampler& sampler, TexOp op) {
  return op == TexOp::kSample && sampler.linear && header.filterable();
}

/// What stage 1 needs of a request, computed once.
inline std::array<AxisSetup, 3> request_setup(const TextureHeader& header, const TextureSampler& sampler, TexOp op,
                                              const std::array<std::int8_t, 3>& offset) {
  std::array<AxisSetup, 3> axes;
  for (unsigned a = 0; a < header.dimensions; ++a) {
    const AddressMode mode = header.buffer ? AddressMode::kBorder : sampler.mode[a];
    axes[a] = op == TexOp::kFetch
                  ? fetch_setup(header.size[a], offset[a])
                  : axis_setup(header.size[a], header.normalised, mode, is_linear(header, sampler, op), offset[a]);
  }
  return axes;
}

/// The rows of the taps, by bits 2:1 of their number.
using TapRows = std::array<std::uint32_t, kMaxTaps / 2>;
inline void find_rows(const TextureHeader& header, const AxisTaps* axis, TapRows& row) {
  const unsigned axes = header.dimensions;
  for (unsigned t = 0; t < 1u << (axes - 1); ++t) {
    row[t] = texel_row(header, axes > 1 ? axis[1].index[t & 1] : 0, axes > 2 ? axis[2].index[t >> 1] : 0);
  }
}

/// The addresses behind the taps of `header.dimensions` axes.
inline void address_texels(const TextureHeader& header, const AxisTaps* axis, const TapRows& row, LaneTexels& texels) {
  const unsigned axes = header.dimensions;
  texels.present = 1;
  texels.outside = 0;
  unsigned taps = 1;
  for (unsigned a = 0; a < axes; ++a) {
    texels.fraction[a] = axis[a].fraction;
    if (axis[a].fraction != 0) texels.present = static_cast<std::uint8_t>(texels.present | texels.present << taps);
    taps *= 2;
  }
  for (unsigned rest = texels.present; rest != 0; rest &= rest - 1) {
    const auto t = static_cast<unsigned>(__builtin_ctz(rest));
    std::array<std::uint32_t, 3> index{};
    bool outside = false;
    for (unsigned a = 0; a < axes; ++a) {
      index[a] = axis[a].index[t >> a & 1];
      outside |= axis[a].outside[t >> a & 1];
    }
    texels.address[t] = texel_address(header, row[t / 2], index[0], index[1], index[2]);
    texels.outside = static_cast<std::uint8_t>(texels.outside | outside << t);
  }
}

/// Of 256^axes: the product of the weights that a tap has on each axis.
inline std::uint32_t tap_weight(const std::array<std::uint8_t, 3>& fraction, unsigned axes, unsigned tap) {
  std::uint32_t weight = 1;
  for (unsigned a = 0; a < axes; ++a) weight *= (tap >> a & 1) != 0 ? fraction[a] : kWeightOne - fraction[a];
  return weight;
}

/// All stages of one lane.
inline LaneTexels lane_texels(const TextureHeader& header, const TextureSampler& sampler, TexOp op,
                              const std::array<std::uint32_t, 4>& coord, const std::array<std::int8_t, 3>& offset) {
  const std::array<AxisSetup, 3> setup = request_setup(header, sampler, op, offset);
  std::array<AxisTaps, 3> axis;
  for (unsigned a = 0; a < header.dimensions; ++a) axis[a] = coordinate_taps(setup[a], coord[a]);
  TapRows row{};
  find_rows(header, axis.data(), row);
  LaneTexels texels;
  address_texels(header, axis.data(), row, texels);
  return texels;
}

}  // namespace g80
