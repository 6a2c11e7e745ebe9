// What a number on the command line may look like.
#pragma once
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <string>

namespace g80 {

/// Digits of a number up to `max`. CLI11 alone takes -1 for the largest number and 1e30 for 1.
inline CLI::Validator whole_number(std::uint64_t max = UINT64_MAX) {
  const auto check = [max](std::string& text) -> std::string {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool good = error == std::errc{} && end == text.data() + text.size() && value <= max;
    return good ? "" : fmt::format("'{}' is not an integer from 0 to {}", text, max);
  };
  return CLI::Validator(check, "");
}

}  // namespace g80
