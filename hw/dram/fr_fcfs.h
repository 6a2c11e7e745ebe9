// SPDX-License-Identifier: Apache-2.0
// Which DRAM command goes out next: first ready, first come first served, or in another order of dram_policies.h.
//
// Among the commands that are legal now, a column command (RD or WR to an open row) goes before a row command (ACT,
// PRE), and the oldest burst goes first inside each kind. Only bursts of `scope`, positions in the window, that need
// not wait for an older burst of their sector are considered; a row is closed only when none of them needs it. No row
// is opened unless `may_open`.
#pragma once
#include <array>

#include "hw/dram/burst_window.h"
#include "hw/dram/dram_timing.h"

namespace g80 {

using DramBanks = std::array<DramBank, kMaxDramBanks>;

struct DramPick {
  DramCommandKind command = DramCommandKind::kNone;
  unsigned burst = 0;    // position in the window of the burst it is for
  Cycle retry = kNever;  // nothing legal now: the first edge at which something may be, if nothing arrives
};

/// A command that is legal now, and the position in the window of the burst it is for: 0 is the oldest.
struct DramCandidate {
  DramCommandKind command = DramCommandKind::kNone;
  unsigned burst = 0;
};
/// An order of candidates: the first is issued.
using GoesBefore = bool (*)(const DramCandidate&, const DramCandidate&);

inline bool is_column(DramCommandKind command) {
  return command == DramCommandKind::kRead || command == DramCommandKind::kWrite;
}
inline bool fr_fcfs_order(const DramCandidate& a, const DramCandidate& b) {
  if (is_column(a.command) != is_column(b.command)) return is_column(a.command);
  return a.burst < b.burst;
}

/// This is where a DRAM request is chosen.
DramPick pick_request(const BurstWindow& window, const DramBanks& banks, const DramRank& rank, Cycle edge,
                      BurstMask scope, GoesBefore goes_before = fr_fcfs_order, bool may_open = true);

}  // namespace g80
