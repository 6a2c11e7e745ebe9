// SPDX-License-Identifier: Apache-2.0
// The GDDR3 timing rules: when a command is legal, and what it makes illegal for how long. Pure functions.
//
// A burst occupies the data bus for burst_cycles, starting cl clocks after RD or wl clocks after WR. Rules between
// commands (t = edge of the first command):
//   ACT -> RD/WR same bank  tRCD          RD -> RD any bank       max(tCCD, burst)
//   ACT -> PRE same bank    tRAS          WR -> WR any bank       max(tCCD, burst)
//   ACT -> ACT same bank    tRC           RD -> WR any bank       cl + burst + turnaround - wl, at least tCCD
//   ACT -> ACT other bank   tRRD          WR -> RD any bank       wl + burst + tWTR, at least tCCD
//   PRE -> ACT same bank    tRP           RD -> PRE same bank     tRTP
//   PRE -> REF              tRP           WR -> PRE same bank     wl + burst + tWR
//   REF -> ACT, REF         tRFC          REF needs all banks closed
//   ACT -> fifth ACT        tFAW
#pragma once
#include <algorithm>

#include "hw/bundles/dram_pins.h"
#include "hw/config/config.h"
#include "hw/dram/dram_bank.h"

namespace g80 {

/// The timing parameters in DRAM clocks, named as in data sheets.
struct DramTiming {
  explicit DramTiming(const Config& config);
  unsigned t_rrd, t_faw, t_rcd, t_ras, t_rp, t_rc, t_ccd, cl, wl, t_wtr, t_wr, t_rtp, t_refi, t_rfc;
  unsigned burst_cycles, bus_turnaround;
};

/// First edge at which `command` is legal for `bank`, as far as timing goes. RD/WR want the row open, ACT wants it
/// closed; REF is legal when it is so for every bank. This is where a DRAM command becomes legal.
inline Cycle earliest(DramCommandKind command, const DramBank& bank, const DramRank& rank) {
  switch (command) {
    case DramCommandKind::kActivate: return std::max(bank.activate_from, rank.activate_from);
    case DramCommandKind::kPrecharge: return bank.precharge_from;
    case DramCommandKind::kRead: return std::max(bank.column_from, rank.read_from);
    case DramCommandKind::kWrite: return std::max(bank.column_from, rank.write_from);
    default: return bank.activate_from;
  }
}

/// Carries the command out at `edge`: opens or closes the row and pushes back what it makes illegal.
/// REF is applied to every bank.
void apply(const DramTiming& timing, DramCommandKind command, Cycle edge, std::uint32_t row, DramBank& bank,
           DramRank& rank);

}  // namespace g80
