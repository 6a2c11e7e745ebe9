// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace g80 {

/// The value of a hexadecimal digit, or -1.
constexpr int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

}  // namespace g80
