// SPDX-License-Identifier: Apache-2.0
#include "toolchain/assembler/code_layout.h"

namespace g80 {
namespace {

bool only_short(const LayoutItem& item) { return item.has_short && !item.has_long; }

// True if the instruction after `i` can fill the second half of the 8 bytes. Instructions that must be short form
// pairs: if an even number of them follows `i`, none is left for `i`.
bool has_partner(const std::vector<LayoutItem>& items, std::size_t i) {
  if (i + 1 == items.size() || !items[i + 1].has_short || items[i + 1].has_label) return false;
  std::size_t run = 0;
  while (i + 1 + run < items.size() && only_short(items[i + 1 + run]) && !items[i + 1 + run].has_label) ++run;
  return run == 0 || run % 2 == 1;
}

}  // namespace

bool place_code(std::vector<LayoutItem>& items, LayoutProblem& problem) {
  std::uint32_t address = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    LayoutItem& item = items[i];
    const bool half_way = address % 8 == 4;
    const bool splits_label = item.has_label && item.has_long;
    if (half_way && (!item.has_short || splits_label)) {
      problem = {i - 1,
                 "this instruction has only a short form of 4 bytes: it needs a second short instruction "
                 "after it"};
      return false;
    }
    item.is_short = half_way || !item.has_long || (item.has_short && has_partner(items, i));
    item.address = address;
    address += item.is_short ? 4 : 8;
  }
  return true;
}

}  // namespace g80
