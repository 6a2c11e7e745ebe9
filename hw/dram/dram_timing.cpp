// SPDX-License-Identifier: Apache-2.0
#include "hw/dram/dram_timing.h"

#include <algorithm>

#include "hw/common/check.h"

namespace g80 {
namespace {

void not_before(Cycle& timer, Cycle until) { timer = std::max(timer, until); }

}  // namespace

DramTiming::DramTiming(const Config& config)
    : t_rrd(config.dram.t_rrd),
      t_faw(config.dram.t_faw),
      t_rcd(config.dram.t_rcd),
      t_ras(config.dram.t_ras),
      t_rp(config.dram.t_rp),
      t_rc(config.dram.t_rc),
      t_ccd(config.dram.t_ccd),
      cl(config.dram.cl),
      wl(config.dram.wl),
      t_wtr(config.dram.t_wtr),
      t_wr(config.dram.t_wr),
      t_rtp(config.dram.t_rtp),
      t_refi(config.dram.t_refi),
      t_rfc(config.dram.t_rfc),
      burst_cycles(config.dram.burst_cycles),
      bus_turnaround(config.dram.bus_turnaround) {}

void apply(const DramTiming& timing, DramCommandKind command, Cycle edge, std::uint32_t row, DramBank& bank,
           DramRank& rank) {
  const unsigned column_gap = std::max(timing.t_ccd, timing.burst_cycles);
  switch (command) {
    case DramCommandKind::kActivate:
      bank.open = true;
      bank.row = row;
      not_before(bank.column_from, edge + timing.t_rcd);
      not_before(bank.precharge_from, edge + timing.t_ras);
      not_before(bank.activate_from, edge + timing.t_rc);
      not_before(rank.activate_from, edge + timing.t_rrd);
      rank.window_end[rank.oldest] = edge + timing.t_faw;
      rank.oldest = static_cast<std::uint8_t>((rank.oldest + 1) % rank.window_end.size());
      not_before(rank.activate_from, rank.window_end[rank.oldest]);
      break;
    case DramCommandKind::kPrecharge:
      bank.open = false;
      not_before(bank.activate_from, edge + timing.t_rp);
      break;
    case DramCommandKind::kRead: {
      // The write's first data word follows the read's last by the turnaround. With a short CL the read's data may end
      // before WL; the gap must not become negative.
      const unsigned data_end = timing.cl + timing.burst_cycles + timing.bus_turnaround;
      not_before(rank.read_from, edge + column_gap);
      not_before(rank.write_from, edge + std::max(column_gap + timing.wl, data_end) - timing.wl);
      not_before(bank.precharge_from, edge + timing.t_rtp);
      break;
    }
    case DramCommandKind::kWrite: {
      const unsigned data_end = timing.wl + timing.burst_cycles;
      not_before(rank.write_from, edge + column_gap);
      not_before(rank.read_from, edge + std::max(column_gap, data_end + timing.t_wtr));
      not_before(bank.precharge_from, edge + data_end + timing.t_wr);
      break;
    }
    case DramCommandKind::kRefresh:
      CHECK(!bank.open, "REF at edge {} while a row is open", edge);
      not_before(bank.activate_from, edge + timing.t_rfc);
      break;
    case DramCommandKind::kNone: break;
  }
}

}  // namespace g80
