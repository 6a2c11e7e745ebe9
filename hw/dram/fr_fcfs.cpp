// SPDX-License-Identifier: Apache-2.0
#include "hw/dram/fr_fcfs.h"

#include <algorithm>
#include <limits>

#include "hw/common/lane_function.h"

namespace g80 {
namespace {

/// The oldest of these slots. Each order is seen from one of them, with the number of its slot below; what
/// is no member is younger than all.
G80_LANE_FUNCTION unsigned oldest_slot(const WindowSide& side, std::uint64_t slots) {
  constexpr unsigned kNumberBits = 32 - kOrderBits, kHalf = kWindowSlots / 2;
  static_assert(kWindowSlots <= 1u << kNumberBits);
  const std::uint32_t from = side.order[static_cast<unsigned>(__builtin_ctzll(slots))] - (1u << (kOrderBits - 1));
  std::uint32_t oldest = std::numeric_limits<std::uint32_t>::max();
  for (unsigned first = 0; first < kWindowSlots; first += kHalf) {
    const auto members = static_cast<std::uint32_t>(slots >> first);
    if (members == 0) continue;  // the lowest free slot is filled
    for (unsigned i = 0; i < kHalf; ++i) {
      const std::uint32_t others = (members >> i & 1) - 1;
      oldest = std::min(oldest, (side.order[first + i] - from) << kNumberBits | (first + i) | others);
    }
  }
  return oldest % kWindowSlots;
}

BankChoice oldest_of(const WindowSide& side, std::uint64_t slots) {
  BankChoice oldest;
  if (slots == 0) return oldest;
  const bool alone = (slots & (slots - 1)) == 0;
  const unsigned slot = alone ? static_cast<unsigned>(__builtin_ctzll(slots)) : oldest_slot(side, slots);
  oldest.valid = true;
  oldest.row_hit = (side.row_hit >> slot & 1) != 0;
  oldest.slot = static_cast<std::uint8_t>(slot);
  oldest.order = side.order[slot];
  return oldest;
}

}  // namespace

void choose_of_bank(const WindowSide& side, unsigned bank, BankChoices& choices) {
  const std::uint64_t all = side.of_bank[bank], ordered = all & side.ordered, hits = ordered & side.row_hit;
  const std::uint64_t candidates = hits != 0 ? hits : ordered;
  const BankChoice oldest = oldest_of(side, all);
  choices.oldest[bank] = oldest;
  const bool is_first = (candidates >> oldest.slot & 1) != 0;
  choices.first[bank] = is_first ? oldest : oldest_of(side, candidates);
}

OldestBurst oldest_burst(const BankChoices& reads, const BankChoices& writes) {
  OldestBurst oldest;
  const BankChoice* first = nullptr;
  for (const bool write : {false, true}) {
    const BankChoices& choices = write ? writes : reads;
    for (unsigned bank = 0; bank < kMaxDramBanks; ++bank) {
      const BankChoice& burst = choices.oldest[bank];
      if (!burst.valid || (first != nullptr && !is_older(burst.order, first->order))) continue;
      first = &burst;
      oldest = {true, write, static_cast<std::uint8_t>(bank), burst.slot};
    }
  }
  return oldest;
}

}  // namespace g80
