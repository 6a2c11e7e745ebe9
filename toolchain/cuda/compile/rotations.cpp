// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/rotations.h"

#include <fmt/format.h>

#include <optional>

#include "toolchain/cuda/compile/ir_text.h"

namespace g80::cuda {
namespace {

/// The first shift of a rotation, `shl.b32 %lhs, x, n;` in a block of its own.
struct FirstShift {
  unsigned bits = 0;
  std::string_view begin, count;  // up to the count; the count
};

std::optional<FirstShift> first_shift(std::string_view line) {
  for (const unsigned bits : {32u, 64u}) {
    for (const char* direction : {"shl", "shr"}) {
      const std::string begin = fmt::format("\t{}.b{} \t%lhs, ", direction, bits);
      const std::size_t count = line.find(", %", begin.size()), end = line.find(';');
      if (!starts_with(line, begin) || count == std::string_view::npos || end == std::string_view::npos) continue;
      return FirstShift{bits, line.substr(0, count + 2), line.substr(count + 2, end - count - 2)};
    }
  }
  return std::nullopt;
}

}  // namespace

std::string mend_rotations(std::string_view ptx) {
  constexpr std::string_view kMasked = "%amt1";
  std::string out, count;
  out.reserve(ptx.size());
  for_each_line(ptx, [&](std::string_view line) {
    if (const std::optional<FirstShift> shift = first_shift(line)) {
      count = shift->count;
      out += fmt::format("\t.reg .b32 {0};\n\tand.b32 \t{0}, {1}, {2};\n{3}{0};\n", kMasked, count, shift->bits - 1,
                         shift->begin);
      return;
    }
    // The line behind it: what is left of all bits.
    const std::size_t at = count.empty() ? std::string_view::npos : line.rfind(count + ";");
    count.clear();
    if (at == std::string_view::npos) {
      out += line;
    } else {
      out += fmt::format("{}{};\n", line.substr(0, at), kMasked);
    }
  });
  return out;
}

}  // namespace g80::cuda
