// SPDX-License-Identifier: Apache-2.0
// What a filter lane does with its texels (docs/texture.md, sections 4 and 5), a function for each stage:
//   convert: the bytes of each texel become four components; a tap outside takes the border colour or zero
//   find_weights, multiply, weigh: each component times W / 2^(8 * axes), W the exact product of the tap's weights
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

struct FilterLane {
  using Components = std::array<std::uint32_t, 4>;
  std::uint8_t lane = 0;                   // of the half-warp
  std::uint8_t present = 0;                // bit t: tap t has weight
  std::uint8_t outside = 0;                // bit t: it reads no memory
  std::uint8_t components = 0;             // that are not zero in all taps
  std::array<std::uint8_t, 3> fraction{};  // weights of the upper texels
  std::array<std::uint32_t, kMaxTaps> weight{};
  std::array<std::array<std::uint64_t, 4>, kMaxTaps> product{};
  std::array<texture_float::Aligned, 4> aligned{};  // a component of the sum and of the tap that is added next
  Components sum{};
  std::array<Components, kMaxTaps> texel{};  // bytes, then components, then these weighted
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("lane", s.lane, 4);
    v("present", s.present);
    v("outside", s.outside);
    v("components", s.components, 3);
    v("fraction", s.fraction);
    v("sum", s.sum);
    v.stored("weight", s.weight);
    v.stored("product", s.product);
    v.stored("aligned", s.aligned);
    v.stored("texel", s.texel);
  }

  /// A texel's words, its first byte in bits 7:0.
  void read(unsigned tap, const std::uint32_t* line, unsigned offset, unsigned bytes) {
    const std::uint32_t* const words = line + offset / 4;
    texel[tap][0] = words[0] >> (offset % 4 * 8);
    for (unsigned w = 1; w < bytes / 4; ++w) texel[tap][w] = words[w];
  }
  void convert(const TextureHeader& header, const Components& border) {
    components = outside != 0 ? 4 : header.layout.components;
    for (const unsigned t : set_bits(present)) {
      if ((outside >> t & 1) != 0) {
        texel[t] = border;
      } else {
        convert_components(texel[t], header.layout, header.type);
      }
    }
    sum = texel[0];
  }
  void find_weights(unsigned axes) {
    for (const unsigned t : set_bits(present)) weight[t] = tap_weight(fraction, axes, t);
  }
  void multiply() {
    for (const unsigned t : set_bits(present)) {
      for (unsigned c = 0; c < num_components(); ++c) product[t][c] = texture_float::product_of(weight[t], texel[t][c]);
    }
  }
  void weigh(unsigned axes) {
    for (const unsigned t : set_bits(present)) {
      for (unsigned c = 0; c < num_components(); ++c) {
        texel[t][c] = texture_float::weighted(product[t][c], 8 * axes, texel[t][c]);
      }
    }
    sum = texel[0];
  }
  void align(unsigned tap) {
    if ((present >> tap & 1) == 0) return;
    for (unsigned c = 0; c < num_components(); ++c) aligned[c] = texture_float::align(sum[c], texel[tap][c]);
  }
  void add(unsigned tap) {
    if ((present >> tap & 1) == 0) return;
    for (unsigned c = 0; c < num_components(); ++c) sum[c] = texture_float::add(aligned[c]);
  }
  unsigned num_components() const { return std::min<unsigned>(components, 4); }
};

}  // namespace g80
