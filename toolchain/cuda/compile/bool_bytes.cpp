// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/bool_bytes.h"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "toolchain/cuda/compile/ir_text.h"

namespace g80::cuda {
namespace {

using Names = std::set<std::string_view>;

constexpr std::string_view kLoad = " = load ", kExtension = " = zext i1 ", kToByte = " to i8";

std::string_view result_of(std::string_view line) { return starts_with(line, "  %") ? name_at(line, 2) : ""; }

/// The local variables of a function that hold nothing but 0 and 1, as the source gives them.
class Truths {
 public:
  explicit Truths(const std::vector<std::string_view>& body) {
    Names extensions;
    for (const std::string_view line : body) {
      if (line.find(" = alloca i8,") != std::string_view::npos) {
        variables_.insert(result_of(line));
      } else if (line.find(kExtension) != std::string_view::npos && line.find(kToByte) != std::string_view::npos) {
        extensions.insert(result_of(line));
      } else if (!keeps(line, extensions)) {
        any_name(line, [&](std::string_view name) { return variables_.erase(name), false; });
      }
    }
  }
  /// True for the value of `%a = load i8, i8* %variable, ...`.
  bool are_loaded(std::string_view line) const {
    return any_name(line.substr(line.find(kLoad)), [&](auto name) { return variables_.count(name) != 0; });
  }

 private:
  static bool keeps(std::string_view line, const Names& extensions) {
    if (line.find(kLoad) != std::string_view::npos || line.find("@llvm.lifetime.") != std::string_view::npos ||
        line.find("@llvm.dbg.") != std::string_view::npos)
      return true;
    for (const std::string_view store : {"  store i8 ", "  store volatile i8 "}) {
      if (!starts_with(line, store)) continue;
      const std::string_view value = line.substr(store.size(), next_comma(line) - store.size());
      return value == "0" || value == "1" || extensions.count(value) != 0;
    }
    return false;
  }

  Names variables_;
};

/// `%b = trunc i8 %a to i1` asks for the lowest bit.
void compare_with_zero(std::string& line) {
  constexpr std::string_view kLowestBit = " = trunc i", kTo = " to i1";
  const std::size_t at = line.find(kLowestBit), to = line.find(kTo);
  if (at == std::string::npos || to == std::string::npos) return;
  const char behind = line[to + kTo.size()];
  if (behind != ',' && behind != '\n') return;  // i16
  line.replace(to, kTo.size(), ", 0");
  line.replace(at, kLowestBit.size(), " = icmp ne i");
}

/// `load i8, i8* %p, !range !3` promises 0 or 1.
void drop_range(std::string& line) {
  constexpr std::string_view kRange = ", !range !";
  const std::size_t at = line.find(kRange);
  if (at != std::string::npos) line.erase(at, line.find_first_not_of("0123456789", at + kRange.size()) - at);
}

/// Makes i8 of each i1 between the places.
void widen(std::string& line, std::size_t from, std::size_t to) {
  while ((from = line.find("i1", from)) < to) {
    if (const char behind = line[from + 2]; behind == ' ' || behind == ',' || behind == ')') line[from + 1] = '8';
    from += 2;
  }
}

/// In "void (i1, i32*)* @kernel", which may stand several times in the line of a variable or of metadata.
void widen_types(std::string& line, const Names& kernels) {
  for (std::size_t name = 0; (name = line.find(")* @", name)) != std::string::npos; ++name) {
    const std::size_t begin = line.rfind("void (", name);
    if (begin != std::string::npos && kernels.count(name_at(line, name + 3)) != 0) widen(line, begin, name + 1);
  }
}

/// clang stores a kernel's parameter first of all: `%b = zext i1 %a to i8`. It is a byte now.
void test_argument(std::string& line, const Names& parameters) {
  const std::size_t at = line.find(kExtension);
  if (at == std::string::npos || parameters.count(name_at(line, at + kExtension.size())) == 0) return;
  const std::string byte(name_at(line, at + kExtension.size())), truth = "%bool." + byte.substr(1);
  line.replace(at + kExtension.size(), byte.size(), truth);
  line.insert(0, fmt::format("  {} = icmp ne i8 {}, 0\n", truth, byte));
}

Names kernels_of(std::string_view ir) {
  Names kernels;
  for_each_line(ir, [&](std::string_view line) {
    const std::size_t name = line.find(" @");
    if (starts_with(line, "!") && name != std::string_view::npos &&
        line.find(", !\"kernel\",") != std::string_view::npos)
      kernels.insert(name_at(line, name + 1));
  });
  return kernels;
}

/// The lines of a function, from its "define" on.
std::string mended(const std::vector<std::string_view>& lines, const Names& kernels) {
  std::string out;
  Names parameters, kept;  // of a kernel; values that are 0 or 1
  const Truths truths(lines);
  for (const std::string_view text : lines) {
    std::string line(text);
    if (starts_with(line, "define ")) {
      if (kernels.count(name_at(line, line.find('@'))) != 0) {
        widen(line, line.find('('), line.rfind(')'));
        any_name(text, [&](std::string_view name) { return parameters.insert(name), false; });
      }
    } else if (line.find(kLoad) != std::string::npos) {
      truths.are_loaded(line) ? void(kept.insert(result_of(text))) : drop_range(line);
    } else if (!any_name(line, [&](std::string_view name) { return kept.count(name) != 0; })) {
      compare_with_zero(line);
      test_argument(line, parameters);
    }
    out += line;
  }
  return out;
}

}  // namespace

std::string test_whole_bytes(std::string_view ir) {
  const Names kernels = kernels_of(ir);
  std::string out;
  out.reserve(ir.size());
  std::vector<std::string_view> function;  // so far
  for_each_line(ir, [&](std::string_view text) {
    if (!function.empty() || starts_with(text, "define ")) {
      function.push_back(text);
      if (text != "}\n") return;
      out += mended(function, kernels);
      function.clear();
    } else {
      std::string line(text);
      widen_types(line, kernels);
      out += line;
    }
  });
  return out;
}

}  // namespace g80::cuda
