// SPDX-License-Identifier: Apache-2.0
// sfu_functions: the exact functions in double precision, rounded once; the scenario states the tolerances.
#include <cmath>

#include "tb/scenario/golden_case.h"

namespace g80 {

void golden_sfu_functions(GoldenCase& test) {
  Elements<float> x = test.f32("x");
  const auto fill = [&](const char* buffer, double (*function)(double)) {
    Elements<float> out = test.f32(buffer);
    for (std::size_t i = 0; i < out.size(); ++i) out.set(i, static_cast<float>(function(x[i])));
  };
  fill("reciprocal", [](double v) { return 1 / v; });
  fill("rsqrt_out", [](double v) { return 1 / std::sqrt(v); });
  fill("log2_out", [](double v) { return std::log2(v); });
  fill("exp2_out", [](double v) { return std::exp2(v); });
  fill("sine", [](double v) { return std::sin(v); });
  fill("cosine", [](double v) { return std::cos(v); });
}

}  // namespace g80
