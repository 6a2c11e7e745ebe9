// SPDX-License-Identifier: Apache-2.0
// Numbers as users write them.
#pragma once
#include <cstdint>
#include <string>

namespace g80 {

/// The largest shader cycle that a user may name. Times in picoseconds wrap far beyond it.
inline constexpr std::uint64_t kLastCycle = 1'000'000'000'000;

/// Parses a whole number: 1000, 0x3e8, 1e3, 2.5e6. False if it is not one.
bool parse_number(const std::string& text, std::uint64_t& value);

}  // namespace g80
