// SPDX-License-Identifier: Apache-2.0
// The weighted sum of a lane's texels (docs/texture.md, section 5):
//   nearest: the texel's components, unchanged.
//   linear: taps of nonzero weight in the order x, y, z; the weight of a tap is W / 2^(8 * axes), W the exact product
//   of the axis weights; acc = w * t for the first tap, acc = acc + (w * t) for the others, each operation rounded to
//   fp32 as the machine's multiply and add do (round to nearest, denormals flushed).
#pragma once
#include <array>
#include <cstdint>

#include "hw/tex/texture_float.h"
#include "hw/tex/texture_format.h"

namespace g80 {

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
    for (unsigned c = 0; c < components; ++c) {
      const std::uint32_t product = texture_float::weighted(weight_product, 8 * axes, rgba[c]);
      sum_[c] = first_ ? product : texture_float::sum(sum_[c], product);
    }
    first_ = false;
  }
  const std::array<std::uint32_t, 4>& rgba() const { return sum_; }

 private:
  std::array<std::uint32_t, 4> sum_{};
  bool first_ = true;
};

}  // namespace g80
