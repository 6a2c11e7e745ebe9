// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/missing_returns.h"

#include "toolchain/cuda/compile/ir_text.h"

namespace g80::cuda {

std::string return_where_missing(std::string_view ir) {
  constexpr std::string_view kUnreachable = "  unreachable";
  std::string out;
  out.reserve(ir.size());
  bool returns_object = false;
  std::size_t trap = std::string::npos;  // without optimisation clang puts one in front
  for_each_line(ir, [&](std::string_view line) {
    if (starts_with(line, "define ")) returns_object = line.find(" sret(") != std::string_view::npos;
    if (returns_object && starts_with(line, kUnreachable)) {  // behind a call that does not return it changes nothing
      if (trap != std::string::npos) out.erase(trap);
      out += "  ret void";
      line.remove_prefix(kUnreachable.size());
    }
    trap = starts_with(line, "  call void @llvm.trap()") ? out.size() : std::string::npos;
    out += line;
  });
  return out;
}

}  // namespace g80::cuda
