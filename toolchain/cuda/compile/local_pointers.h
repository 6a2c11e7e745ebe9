// SPDX-License-Identifier: Apache-2.0
// The names in a function, in LLVM's assembly language, that point into its own local variables.
#pragma once
#include <set>
#include <string_view>

#include "toolchain/cuda/compile/ir_text.h"

namespace g80::cuda {

/// Finds them as far as one pass over the function's instructions can.
class LocalPointers {
 public:
  void learn(std::string_view line) {
    if (starts_with(line, "define ")) begin(line);
    if (!starts_with(line, "  %")) return;
    const std::size_t equals = line.find(" = ");
    if (equals == std::string_view::npos) return;
    const std::string_view name = line.substr(2, equals - 2), value = line.substr(equals + 3);
    const bool is_pointer = starts_with(value, "bitcast ") || starts_with(value, "getelementptr ");
    if (starts_with(value, "alloca ") || (is_pointer && has(operand_of(value)))) names_.insert(name);
  }
  bool has(std::string_view name) const { return names_.count(name) != 0; }

 private:
  /// Starts a function. A structure that is passed by value counts as a local variable.
  void begin(std::string_view line) {
    names_.clear();
    for (std::size_t at = line.find("byval("); at != std::string_view::npos; at = line.find("byval(", at + 1)) {
      const std::size_t percent = line.find('%', line.find(')', at));  // `byval(%struct.S) align 8 %1`
      if (percent != std::string_view::npos) names_.insert(name_at(line, percent));
    }
  }
  /// The pointer of `bitcast T* %p to ..` or `getelementptr inbounds T, T* %p, ..`: the last word of that operand.
  static std::string_view operand_of(std::string_view value) {
    const bool is_cast = starts_with(value, "bitcast ");
    const std::size_t first = is_cast ? 0 : std::min(value.size(), next_comma(value) + 2);
    const std::size_t end = is_cast ? value.find(" to ") : next_comma(value, first);
    const std::string_view part = value.substr(first, end - first);
    return part.substr(part.rfind(' ') + 1);
  }

  std::set<std::string_view> names_;
};

}  // namespace g80::cuda
