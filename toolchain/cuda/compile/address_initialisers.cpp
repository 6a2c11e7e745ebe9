// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/address_initialisers.h"

#include <algorithm>
#include <string_view>

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

}  // namespace

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
