// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/address_initialisers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "toolchain/cuda/compile/ir_text.h"

namespace g80::cuda {
namespace {

constexpr std::string_view kCast = "addrspacecast (";

/// The end of the parenthesis that is open at `at`. `to` becomes the position of the last " to " inside it, on the same
/// level.
std::size_t closing(const std::string& line, std::size_t at, std::size_t& to) {
  to = std::string::npos;
  for (int depth = 0; at < line.size(); ++at) {
    if (line[at] == '(') ++depth;
    if (line[at] == ')' && depth-- == 0) return at;
    if (depth == 0 && line.compare(at, 4, " to ") == 0) to = at;
  }
  return std::string::npos;
}

/// addrspacecast (VALUE to TYPE) becomes inttoptr (i64 ptrtoint (VALUE to i64) to TYPE).
std::string without_casts(const std::string& line) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t cast; (cast = line.find(kCast, at)) != std::string::npos;) {
    const std::size_t value = cast + kCast.size();
    std::size_t to = 0;
    const std::size_t end = closing(line, value, to);
    if (end == std::string::npos || to == std::string::npos) break;
    out += line.substr(at, cast - at) + "inttoptr (i64 ptrtoint (" + line.substr(value, to - value) + " to i64)" +
           line.substr(to, end + 1 - to);
    at = end + 1;
  }
  return out + line.substr(at);
}

/// The type and value of a constant.
struct Constant {
  std::string_view type, value;
};

/// The constants that hold an address in shared memory, by name.
std::map<std::string_view, Constant> constants_with_shared_addresses(std::string_view ir) {
  constexpr std::string_view kKey = " constant ";
  std::map<std::string_view, Constant> found;
  for_each_line(ir, [&](std::string_view line) {
    const std::size_t key = line.find(kKey);
    if (!starts_with(line, "@") || key == std::string_view::npos) return;
    const std::string_view name = line.substr(0, line.find(" = "));
    line.remove_prefix(key + kKey.size());
    line = line.substr(0, line.rfind(", align "));
    // A type is in brackets or has a name.
    std::size_t blank = 0;
    for (int depth = 0; blank < line.size() && (line[blank] != ' ' || depth != 0); ++blank)
      depth += (line[blank] == '[' || line[blank] == '{') - (line[blank] == ']' || line[blank] == '}');
    if (line.find("addrspace(3)", blank) != std::string_view::npos)
      found[name] = {line.substr(0, blank), line.substr(std::min(blank + 1, line.size()))};
  });
  return found;
}

}  // namespace

std::string store_shared_addresses(const std::string& ir) {
  const std::map<std::string_view, Constant> constants = constants_with_shared_addresses(ir);
  if (constants.empty()) return ir;
  std::string out;
  out.reserve(ir.size());
  unsigned number = 0;
  for_each_line(ir, [&](std::string_view line) {
    // call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %6, i8* align 8 bitcast ([2 x float*]* @.p to i8*), i64 16, ..
    const std::size_t call = line.find("call void @llvm.memcpy."), open = line.find('(', call);
    const std::size_t name = line.find('@', std::min(open, line.size()));
    const auto constant = call == std::string_view::npos || name == std::string_view::npos
                              ? constants.end()
                              : constants.find(name_at(line, name));
    if (constant == constants.end()) {
      out += line;
      return;
    }
    const auto& [type, value] = constant->second;
    const std::string_view to = line.substr(open + 1, next_comma(line, open + 1) - open - 1);
    const std::string_view variable = to.substr(to.rfind(' ') + 1), pointer = to.substr(0, to.find(' '));
    const std::size_t location = line.find(", !dbg ");
    const std::string_view rest =
        location == std::string_view::npos ? "\n" : line.substr(location, line.find(',', location + 1) - location);
    const std::string end = fmt::format("{}{}", rest, rest.back() == '\n' ? "" : "\n");
    if (pointer == "ptr") {
      out += fmt::format("  store {} {}, ptr {}{}", type, value, variable, end);
    } else {
      const std::string typed = fmt::format("%g80.shared.{}", number++);
      out += fmt::format("  {} = bitcast {} {} to {}*{}", typed, pointer, variable, type, end);
      out += fmt::format("  store {} {}, {}* {}{}", type, value, type, typed, end);
    }
  });
  return out;
}

std::string plain_address_initialisers(const std::string& ir) {
  std::string out;
  out.reserve(ir.size());
  for (std::size_t at = 0; at < ir.size();) {
    const std::size_t end = std::min(ir.find('\n', at), ir.size() - 1) + 1;
    const std::string line = ir.substr(at, end - at);
    const bool adds =
        line[0] == '@' && line.compare(0, 6, "@llvm.") != 0 && line.find("getelementptr") != std::string::npos;
    out += adds ? without_casts(line) : line;
    at = end;
  }
  return out;
}

}  // namespace g80::cuda
