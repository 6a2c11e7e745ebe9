// SPDX-License-Identifier: Apache-2.0
#include "hw/dram/fr_fcfs.h"

#include <algorithm>

#include "hw/common/lane_function.h"
#include "hw/common/set_bits.h"

namespace g80 {
namespace {

/// The oldest of these slots. Each order is seen from one of them, with the number of its slot below; what
/// is no member is younger than all.
G80_LANE_FUNCTION unsigned oldest_slot(const WindowSide& side, std::uint64_t slots) {
  constexpr unsigned kNumberBits = 32 - kOrderBits, kHalf = kWindowSlots / 2;
  static_assert(kWindowSlots <= 1u << kNumberBits);
  const std::uint32_t from = side.order[static_cast<unsigned>(__builtin_ctzll(slots))] - (1u << (kOrderBits - 1));
  std::uint32_t oldest = ~0u;
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

DramCommandKind wanted(const BankChoice& burst, bool write, const DramBank& bank) {
  if (burst.row_hit) return write ? DramCommandKind::kWrite : DramCommandKind::kRead;
  return bank.open ? DramCommandKind::kPrecharge : DramCommandKind::kActivate;
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

DramPick pick_request(const std::array<BankChoice, kMaxDramBanks>& choices, bool write, unsigned busy,
                      const DramBanks& banks, const DramRank& rank, Cycle edge, GoesBefore goes_before, bool may_open,
                      unsigned wanting) {
  DramPick pick;
  pick.write = write;
  DramCandidate best;
  for (const unsigned b : set_bits(wanting & ~(1u << busy))) {
    const BankChoice& burst = choices[b];
    if (!burst.valid) continue;
    const DramCandidate candidate{wanted(burst, write, banks[b]), burst.order};
    if (candidate.command == DramCommandKind::kActivate && !may_open) continue;
    const Cycle legal_from = earliest(candidate.command, banks[b], rank);
    if (legal_from > edge) {
      pick.retry = std::min(pick.retry, legal_from);
      continue;
    }
    if (best.command != DramCommandKind::kNone && !goes_before(candidate, best)) continue;
    best = candidate;
    pick.bank = static_cast<std::uint8_t>(b);
    pick.slot = burst.slot;
  }
  pick.command = best.command;
  return pick;
}

}  // namespace g80
