// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/missing_returns.h"

#include "toolchain/cuda/compile/ir_text.h"

namespace g80::cuda {
namespace {

/// True for the word with which a type begins; others before it are attributes: "dso_local nonnull align 4 i32* @f(".
bool begins_type(std::string_view word) {
  return word.find_first_of("%{[<") == 0 || starts_with(word, "float") || starts_with(word, "double") ||
         starts_with(word, "void") || starts_with(word, "half") || starts_with(word, "x86_") ||
         (word.size() > 1 && word[0] == 'i' && word[1] >= '0' && word[1] <= '9');
}

/// What the function of a line "define .. TYPE @name(PARAMETERS)" returns at its end.
std::string return_of(std::string_view line) {
  std::size_t at = 0;
  while (at < line.size() && !begins_type(line.substr(at))) at = std::min(line.find(' ', at), line.size() - 1) + 1;
  const std::size_t name = line.find(" @", at);
  if (name == std::string_view::npos) return "unreachable";
  const std::string type(line.substr(at, name - at));
  if (type == "void") return "ret void";
  const std::string_view parameters = line.substr(std::min(line.find('(', name), line.size() - 1) + 1);
  const std::string_view first = parameters.substr(0, next_comma(parameters));
  const bool is_same = type.back() == '*' && starts_with(first, type + " ") &&
                       !starts_with(first, type + " (") &&               // a function's address
                       first.find(" byval(") == std::string_view::npos;  // a copy
  return "ret " + type + " " + (is_same ? std::string(first.substr(first.rfind(' ') + 1)) : "zeroinitializer");
}

}  // namespace

std::string return_where_missing(std::string_view ir) {
  constexpr std::string_view kUnreachable = "  unreachable";
  std::string out;
  out.reserve(ir.size());
  std::string end;                       // empty: the function has no result
  std::size_t trap = std::string::npos;  // without optimisation clang puts one in front
  for_each_line(ir, [&](std::string_view line) {
    if (starts_with(line, "define ")) {
      end = return_of(line);
      if (end == "ret void" && line.find(" sret(") == std::string_view::npos) end.clear();
    }
    if (!end.empty() && starts_with(line, kUnreachable)) {  // behind a call that does not return it changes nothing
      if (trap != std::string::npos) out.erase(trap);
      out += "  " + end;
      line.remove_prefix(kUnreachable.size());
    }
    trap = starts_with(line, "  call void @llvm.trap()") ? out.size() : std::string::npos;
    out += line;
  });
  return out;
}

}  // namespace g80::cuda
