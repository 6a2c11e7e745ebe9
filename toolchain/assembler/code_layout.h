// SPDX-License-Identifier: Apache-2.0
// Decides which instructions get the short form, and the address of each.
//
// Long instructions start at multiples of 8. Two adjacent instructions with a short form share 8 bytes, unless the
// second has a label; all others are long. ".short" and ".long" on a line override this.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace g80 {

struct LayoutItem {
  bool has_short = false, has_long = false;
  bool has_label = false;
  bool is_short = false;      // result
  std::uint32_t address = 0;  // result
};

struct LayoutProblem {
  std::size_t index = 0;
  std::string message;
};

/// Fills the results; returns false and the problem if an instruction cannot be placed.
bool place_code(std::vector<LayoutItem>& items, LayoutProblem& problem);

}  // namespace g80
