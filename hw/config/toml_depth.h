// SPDX-License-Identifier: Apache-2.0
// A guard in front of toml++, which builds and takes down one level of host stack per part of a dotted key.
#pragma once
#include <string_view>

namespace g80 {

/// Dots that one key may have: three are needed.
inline constexpr unsigned kMaxKeyDots = 64;

/// Number of the first line with a key of more dots (`a.b.c = 1`, `[a.b.c]`), or 0. Values nest no deeper than toml++
/// allows.
unsigned line_of_too_deep_key(std::string_view toml);

}  // namespace g80
