// SPDX-License-Identifier: Apache-2.0
// What the whole-SM tests share: programs in which each lane stores words of its own to kDataBase.
#pragma once
#include "tests/sm/sm_bench.h"

namespace g80::testing {

/// Addresses of a program: labels are written as @name, and a line "name:" defines one. All instructions are long.
inline std::vector<std::string> resolve_labels(const std::vector<std::string>& lines) {
  std::vector<std::pair<std::string, std::uint32_t>> labels;
  std::uint32_t at = 0;
  for (const std::string& line : lines) {
    if (line.back() == ':') {
      labels.emplace_back("@" + line.substr(0, line.size() - 1), at);
    } else {
      at += 8;
    }
  }
  std::vector<std::string> out;
  for (std::string line : lines) {
    if (line.back() == ':') continue;
    for (const auto& [name, address] : labels) {
      const std::size_t found = line.find(name);
      if (found != std::string::npos && found + name.size() == line.size())
        line.replace(found, name.size(), fmt::format("0x{:x}", address));
    }
    out.push_back(line);
  }
  return out;
}

/// $r1 = thread number in the block, $r2 = address of the thread's first word; the blocks lie one behind the other.
/// `words` = words of each thread. Uses $r15.
inline std::vector<std::string> prologue(unsigned words) {
  return {"cvt u32 $r1 u16 $r0l",   "mov b32 $r2 u16 s[0xc]", "mov b32 $r15 u16 s[0x2]",
          "mul $r2 u24 $r2 $r15",   "add b32 $r2 $r2 $r1",    fmt::format("mul $r2 u24 $r2 0x{:x}", 4 * words),
          "add b32 $r2 $r2 0x40000"};
}

inline std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace g80::testing
