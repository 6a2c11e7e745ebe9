// SPDX-License-Identifier: Apache-2.0
// The format of numbers on the command line.
#pragma once
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "tb/waves/number.h"

namespace g80 {

/// For transform(): a number from `min` to `max`. CLI11 itself reads -1 as the largest number and 1e30 as 1.
inline CLI::Validator whole_number(std::uint64_t min = 0, std::uint64_t max = UINT64_MAX) {
  const auto check = [min, max](std::string& text) -> std::string {
    std::uint64_t value = 0;
    if (!parse_number(text, value) || value < min || value > max) {
      return fmt::format("'{}' is not an integer from {} to {}", text, min, max);
    }
    text = std::to_string(value);
    return "";
  };
  return CLI::Validator(check, "");
}

}  // namespace g80
