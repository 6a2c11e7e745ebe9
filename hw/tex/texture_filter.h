// SPDX-License-Identifier: Apache-2.0
// The weighted sum of a lane's texels (docs/texture.md, section 5):
//   nearest: the texel's components, unchanged.
//   linear: taps of nonzero weight in the order x, y, z; the weight of a tap is W / 2^(8 * axes), W the exact product
//   of the axis weights, so an fp32 number without rounding; acc = w * t for the first tap, acc = acc + (w * t) for the
//   others, each operation the machine's fp32 multiply or add (round to nearest, denormals flushed).
#pragma once
#include <array>
#include <cstdint>

#include "hw/isa/semantics.h"
#include "hw/tex/texture_format.h"

namespace g80 {

/// fp32 bits of W / 2^(8 * axes), W at most 2^24.
inline std::uint32_t tap_weight(std::uint32_t product, unsigned axes) {
  return isa::bits_of(static_cast<float>(product) / static_cast<float>(std::uint32_t{1} << (8 * axes)));
}

/// Accumulates the taps of one lane.
class TexelSum {
 public:
  /// `linear` false: there is one tap and it is taken as it is.
  void add(const std::array<std::uint32_t, 4>& rgba, std::uint32_t weight_product, unsigned axes, unsigned components,
           bool linear) {
    if (!linear) {
      sum_ = rgba;
      return;
    }
    const std::uint32_t weight = tap_weight(weight_product, axes);
    for (unsigned c = 0; c < components; ++c) {
      const std::uint32_t product = isa::fmul32(weight, rgba[c]);
      sum_[c] = first_ ? product : isa::fadd32(sum_[c], product);
    }
    first_ = false;
  }
  const std::array<std::uint32_t, 4>& rgba() const { return sum_; }

 private:
  std::array<std::uint32_t, 4> sum_{};
  bool first_ = true;
};

}  // namespace g80
