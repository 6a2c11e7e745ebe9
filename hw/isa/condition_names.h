// SPDX-License-Identifier: Apache-2.0
// Names of the 32 condition codes in assembly text.
#pragma once
#include <array>
#include <string_view>

namespace g80::isa {

/// By code; "always" is never printed. Codes 14..1b hex have no meaning on the chip (they are false).
inline constexpr std::array<std::string_view, 32> kConditionNames = {
    "never", "l",    "e",    "le",   "g",      "lg",   "ge", "lge", "u",  "lu",   "eu",
    "leu",   "gu",   "lgu",  "geu",  "always", "o",    "c",  "a",   "s",  "cc14", "cc15",
    "cc16",  "cc17", "cc18", "cc19", "cc1a",   "cc1b", "ns", "na",  "nc", "no"};

}  // namespace g80::isa
