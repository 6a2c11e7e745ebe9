// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/signed_truths.h"

#include <fmt/format.h>

#include "toolchain/cuda/compile/ir_text.h"

namespace g80::cuda {

std::string choose_signed_truths(std::string_view ir) {
  constexpr std::string_view kConversion = " = sitofp i1 ", kTo = " to ";
  std::string out;
  out.reserve(ir.size());
  for_each_line(ir, [&](std::string_view line) {
    const std::size_t at = line.find(kConversion), to = line.find(kTo);
    if (at == std::string_view::npos || to == std::string_view::npos || !starts_with(line, "  %")) {
      out += line;
      return;
    }
    const std::string_view value = line.substr(at + kConversion.size(), to - at - kConversion.size());
    const std::string_view type = line.substr(to + kTo.size());
    const std::size_t end = type.find_first_of(",\n");
    out += fmt::format("{0} = select i1 {1}, {2} -1.0, {2} 0.0{3}", line.substr(0, at), value, type.substr(0, end),
                       type.substr(end));
  });
  return out;
}

}  // namespace g80::cuda
