// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/saturations.h"

#include <fmt/format.h>

#include "toolchain/cuda/compile/ir_text.h"

namespace g80::cuda {

std::string mend_saturations(std::string_view ptx) {
  constexpr std::string_view kSaturation = "\tcvt.sat.f32.f32 \t";
  std::string out;
  out.reserve(ptx.size());
  for_each_line(ptx, [&](std::string_view line) {
    const std::size_t comma = line.find(", "), end = line.find(';');
    if (!starts_with(line, kSaturation) || comma == std::string_view::npos || end == std::string_view::npos) {
      out += line;
      return;
    }
    const std::string_view to = line.substr(kSaturation.size(), comma - kSaturation.size());
    out += fmt::format("\tmax.f32 \t{0}, {1}, 0f00000000;\n\tmin.f32 \t{0}, {0}, 0f3F800000;\n", to,
                       line.substr(comma + 2, end - comma - 2));
  });
  return out;
}

}  // namespace g80::cuda
