// SPDX-License-Identifier: Apache-2.0
// A word of a source, in C++ or SystemVerilog.
#pragma once
#include <cstddef>
#include <string_view>

namespace g80::mutation {

enum class Kind : unsigned char { kWord, kNumber, kText, kSign };

struct Token {
  Kind kind = Kind::kSign;
  std::string_view text;
  std::size_t offset = 0;
  unsigned line = 0;                               // from 1
  bool space_before = false, space_after = false;  // read in C++ only
  std::size_t end() const { return offset + text.size(); }
};

}  // namespace g80::mutation
