// SPDX-License-Identifier: Apache-2.0
// What a filter lane does with its texels (docs/texture.md, sections 4 and 5), a function for each stage.
//
// A filter lane takes a share at an edge: up to 16 bytes of one lane's texels, which are four taps of 4 bytes or less,
// two of 8 or one of 16.
//   convert: the bytes of each texel become four components; a tap outside takes the border colour or zero
//   find_weights, multiply, weigh: each component times W / 2^(8 * axes), W the exact product of the tap's weights
// Behind these the taps of a lane come together at its last share:
//   align, add: sum = sum + tap, in the order x, y, z of the taps; each operation rounded to fp32 as the machine's
//            multiply and add do (round to nearest, denormals flushed)
// Without filtering there is one tap, and it is taken as it is.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "hw/common/set_bits.h"
#include "hw/tex/texture_address.h"
#include "hw/tex/texture_float.h"
#include "hw/tex/texture_format.h"

namespace g80 {

/// A component each, or the bytes of a texel.
using TexelWords = std::array<std::uint32_t, 4>;

/// A lane whose texels are read.
struct ReadLane {
  std::uint8_t lane = 0;                   // of the half-warp
  std::uint8_t present = 0;                // bit t: tap t has weight
  std::uint8_t outside = 0;                // bit t: it reads no memory
  std::array<std::uint8_t, 3> fraction{};  // weights of the upper texels
  std::array<TexelWords, kMaxTaps> texel{};
  G80_FIELDS((lane, 4), present, outside, fraction, texel);

  /// A texel's words, its first byte in bits 7:0.
  void read(unsigned tap, const std::uint32_t* line, unsigned offset, unsigned bytes) {
    const std::uint32_t* const words = line + offset / 4;
    texel[tap][0] = words[0] >> (offset % 4 * 8);
    for (unsigned w = 1; w < bytes / 4; ++w) texel[tap][w] = words[w];
  }
};

/// log2 of the shares of a lane with so many bytes of texels. One that filters between two slices has two at least.
constexpr unsigned share_bits_of(unsigned bytes, bool slices) {
  return bytes > 64 ? 3 : bytes > 32 ? 2 : bytes > 16 || slices ? 1 : 0;
}
/// Bit t: tap t of a lane with so many axes is in that share.
constexpr unsigned share_taps(unsigned axes, unsigned share_bits, unsigned share) {
  const unsigned taps = (1u << axes) >> share_bits;
  return ((1u << taps) - 1) << taps * share;
}

struct FilterShare {
  static constexpr unsigned kTaps = 4;  // of a share; a lane's tap t is its tap t % 4
  std::uint8_t lane = 0;                // of the half-warp
  std::uint8_t taps = 0;                // bit t: tap t has weight and is in the share
  std::uint8_t present = 0;             // bit t: tap t of the lane has weight
  std::uint8_t components = 0;          // that are not zero in all taps
  std::array<std::uint32_t, kTaps> weight{};
  std::array<std::array<std::uint64_t, 4>, kTaps> product{};
  std::array<texture_float::Aligned, 4> aligned{};  // a component of the sum and of the tap that is added next
  TexelWords sum{};
  std::array<TexelWords, kMaxTaps> texel{};  // components of the taps, then these weighted; in the end of all taps
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("lane", s.lane, 4);
    v("taps", s.taps);
    v("present", s.present);
    v("components", s.components, 3);
    v("sum", s.sum);
    v.stored("weight", s.weight);
    v.stored("product", s.product);
    v.stored("aligned", s.aligned);
    v.stored("texel", s.texel);
  }

  void convert(const ReadLane& from, unsigned of_share, const TextureHeader& header, const TexelWords& border) {
    lane = from.lane;
    present = from.present;
    taps = static_cast<std::uint8_t>(from.present & of_share);
    components = from.outside != 0 ? 4 : header.layout.components;
    for (const unsigned t : set_bits(taps)) {
      texel[t] = (from.outside >> t & 1) != 0 ? border : texel_components(from.texel[t], header.layout, header.type);
    }
    sum = texel[0];
  }
  void find_weights(const std::array<std::uint8_t, 3>& fraction, unsigned axes) {
    for (const unsigned t : set_bits(taps)) weight[t % kTaps] = tap_weight(fraction, axes, t);
  }
  void multiply() {
    const unsigned n = num_components();
    for (const unsigned t : set_bits(taps)) {
      const std::uint32_t of_tap = weight[t % kTaps];
      for (unsigned c = 0; c < n; ++c) product[t % kTaps][c] = texture_float::product_of(of_tap, texel[t][c]);
    }
  }
  void weigh(unsigned axes) {
    const unsigned n = num_components();
    for (const unsigned t : set_bits(taps)) {
      for (unsigned c = 0; c < n; ++c) {
        texel[t][c] = texture_float::weighted(product[t % kTaps][c], 8 * axes, texel[t][c]);
      }
    }
  }
  void align(unsigned tap) {
    if ((present >> tap & 1) == 0) return;
    const unsigned n = num_components();
    for (unsigned c = 0; c < n; ++c) aligned[c] = texture_float::align(sum[c], texel[tap][c]);
  }
  void add(unsigned tap) {
    if ((present >> tap & 1) == 0) return;
    const unsigned n = num_components();
    for (unsigned c = 0; c < n; ++c) sum[c] = texture_float::add(aligned[c]);
  }
  unsigned num_components() const { return std::min<unsigned>(components, 4); }
};

}  // namespace g80
