// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/static_variables.h"

#include <fmt/format.h>

#include <string_view>

#include "toolchain/cubin/kernel_name.h"
#include "toolchain/cubin/module.h"
#include "toolchain/cuda/compile/ir_text.h"

namespace g80::cuda {
namespace {

/// What stands behind `key` in the line, up to one of the characters that end it; empty if the key is not there.
std::string_view behind(std::string_view line, std::string_view key, std::string_view ends) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + key.size());
  return line.substr(0, line.find_first_of(ends));
}

/// The definition of a metadata node ("!5").
std::string_view node(std::string_view ir, std::string_view name) {
  if (name.empty()) return {};
  const std::size_t at = ir.find(fmt::format("\n{} = ", name));
  if (at == std::string_view::npos) return {};
  ir.remove_prefix(at + 1);
  return ir.substr(0, ir.find('\n'));
}

/// "file:line: " of an instruction; empty if it has none.
std::string place_of(std::string_view ir, std::string_view instruction) {
  const std::string_view location = node(ir, behind(instruction, "!dbg ", ",\n"));
  const std::string_view scope = node(ir, behind(location, "scope: ", ",)"));
  const std::string_view file = behind(node(ir, behind(scope, "file: ", ",)")), "filename: \"", "\"");
  return file.empty() ? "" : fmt::format("{}:{}: ", file, behind(location, "line: ", ",)"));
}

}  // namespace

void check_static_variables(const std::string& ir) {
  constexpr std::string_view kGuard = "@_ZGV";  // in front of the mangled name of the variable
  for_each_line(ir, [&](std::string_view line) {
    const std::size_t guard = line.find(kGuard);
    if (guard == std::string_view::npos || line.find(" load atomic ") == std::string_view::npos) return;
    const std::string_view name = line.substr(guard + kGuard.size(), name_end(line, guard) - guard - kGuard.size());
    throw SourceError(fmt::format(
        "{}the static variable '{}' of device code needs an initialiser that is a constant, not one that is "
        "computed when the kernel runs",
        place_of(ir, line), demangled_name(fmt::format("_Z{}", name))));
  });
}

std::string show_variables(const std::string& ir) {
  constexpr std::string_view kInFunction = "@_ZZ";
  std::string out;
  out.reserve(ir.size());
  for_each_line(ir, [&](std::string_view line) {
    if (starts_with(line, "@") && !starts_with(line, kInFunction)) {
      for (const char* space : {"addrspace(1) ", "addrspace(4) "}) {
        const std::string hidden = fmt::format(" = internal {}global ", space);
        const std::size_t at = line.find(hidden);
        if (at == std::string_view::npos) continue;
        out += line.substr(0, at);
        out += fmt::format(" = dso_local {}externally_initialized global ", space);
        line.remove_prefix(at + hidden.size());
      }
    }
    out += line;
  });
  return out;
}

}  // namespace g80::cuda
