// SPDX-License-Identifier: Apache-2.0
// texture_read: fetches by index, and bilinear samples as docs/texture.md defines them.
#include <algorithm>
#include <cmath>

#include "tb/scenario/chip_float.h"
#include "tb/scenario/golden_case.h"

namespace g80 {
namespace {

struct Axis {
  long lower;        // texel left of the sample
  int upper_weight;  // of the texel after it, in 256ths
};

/// u in texels becomes fixed point with 8 bits of fraction, half a texel back.
Axis split(double u) {
  const long f = static_cast<long>(std::floor(256.0 * u + 0.5)) - 128;
  const long lower = f >> 8;
  return {lower, static_cast<int>(f - lower * 256)};
}

}  // namespace

void golden_texture_read(GoldenCase& test) {
  Elements<float> texels = test.f32("texels"), pixels = test.f32("pixels");
  Elements<float> fetched = test.f32("fetched"), sampled = test.f32("sampled");
  for (std::size_t i = 0; i < fetched.size(); ++i) fetched.set(i, texels[fetched.size() - 1 - i]);

  const long size = static_cast<long>(test.size("size"));
  const std::size_t width = test.size("width");
  // The image's coordinates run from 0 to 1.
  const double texels_of_image = static_cast<double>(size);
  const auto normalised = [&](const char* arg) { return static_cast<float>(double{test.real(arg)} / texels_of_image); };
  const float step = normalised("step"), start = normalised("start");
  const auto coordinate = [&](std::size_t i) {
    return double{chip::add(chip::mul(step, static_cast<float>(i)), start)} * texels_of_image;
  };
  for (std::size_t i = 0; i < sampled.size(); ++i) {
    const std::size_t column = i % width, row = i / width;
    const Axis x = split(coordinate(column));
    const Axis y = split(coordinate(row));
    float sum = 0;
    bool first = true;
    for (int tap = 0; tap < 4; ++tap) {
      const bool right = (tap & 1) != 0, below = (tap & 2) != 0;
      const int weight =
          (right ? x.upper_weight : 256 - x.upper_weight) * (below ? y.upper_weight : 256 - y.upper_weight);
      if (weight == 0) continue;
      const long column = std::min(std::max(x.lower + right, 0L), size - 1);  // clamped to the edge
      const long row = ((y.lower + below) % size + size) % size;              // wrapped
      const float term =
          chip::mul(static_cast<float>(weight) / 65536.0f, pixels[static_cast<std::size_t>(row * size + column)]);
      sum = first ? term : chip::add(sum, term);
      first = false;
    }
    sampled.set(i, sum);
  }
}

}  // namespace g80
