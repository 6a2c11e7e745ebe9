// SPDX-License-Identifier: Apache-2.0
// Which DRAM command goes out next: first ready, first come first served, or in another order of dram_policies.h.
//
// Two stages. The first one finds, for each bank and direction, the burst that goes first there: the oldest one whose
// row is open, or else the oldest one; it must not wait for an older burst of its sector. The second one compares what
// the banks want among the commands that are legal now: a column command (RD or WR to an open row) goes before a row
// command (ACT, PRE), and the oldest burst goes first inside each kind. So a row is closed only if no burst of the
// direction needs it. No row is opened unless `may_open`. Beside them the oldest burst of all is followed until it
// goes, and who goes before it is counted.
#pragma once
#include <algorithm>
#include <array>

#include "hw/common/set_bits.h"
#include "hw/dram/burst_window.h"
#include "hw/dram/dram_timing.h"

namespace g80 {

/// A burst that goes first in its bank.
struct BankChoice {
  bool valid = false;
  bool row_hit = false;
  std::uint8_t slot = 0;
  std::uint32_t order = 0;
  G80_FIELDS(valid, row_hit, (slot, 6), (order, kOrderBits));
};

/// Between the two stages, for one direction.
struct BankChoices {
  std::array<BankChoice, kMaxDramBanks> first{};   // of the bursts that may be served
  std::array<BankChoice, kMaxDramBanks> oldest{};  // of all
  G80_FIELDS(first, oldest);
};

/// The burst of the column command that went out at the last edge. It is still in its slot, but leaves it before the
/// next choice.
struct IssuedColumn {
  bool valid = false;
  bool write = false;
  std::uint8_t slot = 0;
  std::uint8_t next = 0;  // of its sector: as BurstWindow::next_of_sector() gives it
  G80_FIELDS(valid, write, (slot, 6), next);
};

/// The oldest burst of all.
struct OldestBurst {
  bool valid = false;
  bool write = false;
  std::uint8_t bank = 0, slot = 0;
  G80_FIELDS(valid, write, (bank, 3), (slot, 6));
};

struct DramPick {
  DramCommandKind command = DramCommandKind::kNone;
  bool write = false;                          // the direction of the burst that it is for
  std::uint8_t bank = 0, slot = kWindowSlots;  // kWindowSlots: for no burst
  Cycle retry = kNever;  // nothing legal now: the first edge at which something may be, if nothing else changes
};

/// A command that is legal now, and the order of the burst it is for.
struct DramCandidate {
  DramCommandKind command = DramCommandKind::kNone;
  std::uint32_t order = 0;
};
/// An order of candidates: the first is issued.
using GoesBefore = bool (*)(const DramCandidate&, const DramCandidate&);

inline bool is_column(DramCommandKind command) {
  return command == DramCommandKind::kRead || command == DramCommandKind::kWrite;
}
inline bool fr_fcfs_order(const DramCandidate& a, const DramCandidate& b) {
  if (is_column(a.command) != is_column(b.command)) return is_column(a.command);
  return is_older(a.order, b.order);
}

/// First stage. This is where the burst that goes first in a bank is chosen.
void choose_of_bank(const WindowSide& side, unsigned bank, BankChoices& choices);

/// One of those that the banks' choices have as their oldest.
OldestBurst oldest_burst(const BankChoices& reads, const BankChoices& writes);

/// An edge of the stage beside: what went out at the last edge was the oldest burst, or has `bypassed` it, the last one
/// that may at number `limit`. When it has gone and the choices no longer have it, the next one is found.
inline void follow_oldest(const IssuedColumn& issued, const BankChoices& reads, const BankChoices& writes,
                          unsigned limit, OldestBurst& oldest, bool& alone, std::uint16_t& bypassed) {
  if (!issued.valid) {
    if (!oldest.valid) oldest = oldest_burst(reads, writes);
  } else if (oldest.valid && oldest.write == issued.write && oldest.slot == issued.slot) {
    oldest.valid = alone = false;
    bypassed = 0;
  } else {
    alone |= ++bypassed == limit;
  }
}

inline DramCommandKind wanted(const BankChoice& burst, bool write, const DramBank& bank) {
  if (burst.row_hit) return write ? DramCommandKind::kWrite : DramCommandKind::kRead;
  return bank.open ? DramCommandKind::kPrecharge : DramCommandKind::kActivate;
}

/// Second stage, of the direction `write`, without the bank `busy`. This is where a DRAM request is chosen. Of banks
/// that are not in `wanting` (bit b: bank b) no choice is valid.
inline DramPick pick_request(const std::array<BankChoice, kMaxDramBanks>& choices, bool write, unsigned busy,
                             const DramBanks& banks, const DramRank& rank, Cycle edge,
                             GoesBefore goes_before = fr_fcfs_order, bool may_open = true,
                             unsigned wanting = (1u << kMaxDramBanks) - 1) {
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
