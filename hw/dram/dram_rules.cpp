// SPDX-License-Identifier: Apache-2.0
#include "hw/dram/dram_rules.h"

#include <algorithm>

namespace g80 {
namespace {

// GDDR3: up to eight REF commands may be put off.
constexpr Cycle kMostRefreshIntervals = 9;

bool too_early(Cycle before, Cycle edge, Cycle clocks) { return before != 0 && edge < before + clocks; }

}  // namespace

const char* DramRules::broken_by(const DramCommand& command, Cycle edge) {
  if (command.kind == DramCommandKind::kNone) return nullptr;
  if (too_early(refresh_, edge, dram_.t_rfc)) return "tRFC";
  if (refresh_ != 0 && edge > refresh_ + kMostRefreshIntervals * dram_.t_refi) return "tREFI";
  if (command.bank >= dram_.num_banks) return "no such bank";
  Bank& bank = banks_[command.bank];
  switch (command.kind) {
    case DramCommandKind::kActivate: return activate(bank, command.address, edge);
    case DramCommandKind::kPrecharge: return precharge(bank, edge);
    case DramCommandKind::kRead: return move_data(bank, false, edge);
    case DramCommandKind::kWrite: return move_data(bank, true, edge);
    case DramCommandKind::kRefresh: return refresh(edge);
    default: return "no such command";
  }
}

const char* DramRules::activate(Bank& bank, std::uint32_t row, Cycle edge) {
  if (bank.open) return "ACT of an open bank";
  if (too_early(bank.activate, edge, dram_.t_rc)) return "tRC";
  if (too_early(bank.precharge, edge, dram_.t_rp)) return "tRP";
  if (too_early(activates_[0], edge, dram_.t_rrd)) return "tRRD";
  if (too_early(activates_[3], edge, dram_.t_faw)) return "tFAW";
  std::rotate(activates_.begin(), activates_.end() - 1, activates_.end());
  activates_[0] = bank.activate = edge;
  bank.open = true;
  bank.row = row;
  return nullptr;
}

const char* DramRules::precharge(Bank& bank, Cycle edge) {
  if (!bank.open) return "PRE of a closed bank";
  if (too_early(bank.activate, edge, dram_.t_ras)) return "tRAS";
  if (too_early(bank.read, edge, dram_.t_rtp)) return "tRTP";
  if (too_early(bank.write, edge, dram_.wl + dram_.burst_cycles + dram_.t_wr)) return "tWR";
  bank.precharge = edge;
  bank.open = false;
  return nullptr;
}

const char* DramRules::move_data(Bank& bank, bool write, Cycle edge) {
  if (!bank.open) return "column command to a closed bank";
  if (too_early(bank.activate, edge, dram_.t_rcd)) return "tRCD";
  if (too_early(column_, edge, dram_.t_ccd)) return "tCCD";
  if (!write && too_early(write_, edge, dram_.wl + dram_.burst_cycles + dram_.t_wtr)) return "tWTR";
  const Cycle data = edge + (write ? dram_.wl : dram_.cl);
  const Cycle turn = write && !wrote_ ? dram_.bus_turnaround : 0;
  if (data_until_ != 0 && data < data_until_ + turn) return "data bus occupied";
  data_until_ = data + dram_.burst_cycles;
  wrote_ = write;
  (write ? bank.write : bank.read) = column_ = edge;
  if (write) write_ = edge;
  return nullptr;
}

const char* DramRules::refresh(Cycle edge) {
  for (const Bank& any : banks_) {
    if (any.open) return "REF with an open row";
    if (too_early(any.precharge, edge, dram_.t_rp)) return "tRP before REF";
    if (too_early(any.activate, edge, dram_.t_rc)) return "tRC before REF";
  }
  refresh_ = edge;
  return nullptr;
}

void DramRules::clear() {
  banks_ = {};
  activates_ = {};
  column_ = write_ = refresh_ = data_until_ = 0;
  wrote_ = false;
}

}  // namespace g80
