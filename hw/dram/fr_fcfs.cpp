// SPDX-License-Identifier: Apache-2.0
#include "hw/dram/fr_fcfs.h"

#include <algorithm>

#include "hw/common/set_bits.h"

namespace g80 {

DramPick pick_request(const BurstWindow& window, const DramBanks& banks, const DramRank& rank, Cycle edge,
                      BurstMask scope, GoesBefore goes_before, bool may_open) {
  DramPick best;
  const auto consider = [&](DramCommandKind command, const DramBank& bank, BurstMask bursts) {
    if (bursts == 0) return;
    const Cycle legal_from = earliest(command, bank, rank);
    if (legal_from > edge) {
      best.retry = std::min(best.retry, legal_from);
      return;
    }
    const unsigned burst = oldest(bursts);
    if (best.command != DramCommandKind::kNone && !goes_before({command, burst}, {best.command, best.burst})) return;
    best.command = command;
    best.burst = burst;
  };
  scope &= window.ordered();
  for (const unsigned b : set_bits(window.wanted_banks())) {
    const DramBank& bank = banks[b];
    const BurstMask here = window.of_bank(b) & scope;
    if (here == 0) continue;
    if (!bank.open) {
      if (may_open) consider(DramCommandKind::kActivate, bank, here);
      continue;
    }
    const BurstMask hits = here & window.row_hits();
    if (hits == 0) {
      consider(DramCommandKind::kPrecharge, bank, here);
      continue;
    }
    consider(DramCommandKind::kRead, bank, hits & ~window.writes());
    consider(DramCommandKind::kWrite, bank, hits & window.writes());
  }
  return best;
}

}  // namespace g80
