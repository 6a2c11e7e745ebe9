// SPDX-License-Identifier: Apache-2.0
// Integer expressions of assembly source: + - * / % << >> & | ~ ( ), decimal, hex and 1.5f literals, names.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace g80::isa {

/// Value of a name, or nullopt if it is not known.
using SymbolLookup = std::function<std::optional<std::int64_t>(std::string_view)>;

/// Position (0-based) and sentence of what is wrong with a text.
struct TextProblem {
  std::size_t position = 0;
  std::string message;
};

/// Evaluates the expression at text[position], leaving `position` behind it. Outside brackets an expression ends at a
/// space. Sets `problem` and returns nullopt if there is no valid expression.
std::optional<std::int64_t> evaluate(std::string_view text, std::size_t& position, const SymbolLookup& symbols,
                                     TextProblem& problem);

/// Characters of names: letters, digits, '_', '.' and '$', starting with a letter or '_'.
bool is_name_start(char c);
bool is_name_char(char c);

}  // namespace g80::isa
