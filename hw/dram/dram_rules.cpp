// SPDX-License-Identifier: Apache-2.0
#include "hw/dram/dram_rules.h"

#include <algorithm>
#include <cstring>

#include "hw/common/check.h"

namespace g80 {
namespace {

// GDDR3: up to eight REF commands may be put off.
constexpr std::uint32_t kMostRefreshIntervals = 9;

DramRules::Age longest_rule(const decltype(Config::dram)& dram) {
  const unsigned longest =
      std::max({dram.t_rc, dram.t_rp, dram.t_rrd, dram.t_faw, dram.t_ras, dram.t_rcd, dram.t_ccd, dram.t_rtp,
                dram.t_rfc, dram.wl + dram.burst_cycles + std::max(dram.t_wr, dram.t_wtr),
                std::max(dram.wl, dram.cl) + dram.burst_cycles + dram.bus_turnaround});
  CHECK(longest < 1u << DramRules::kAgeBits, "a rule of the DRAM lasts {} clocks, and its counters have {} bits",
        longest, DramRules::kAgeBits);
  return static_cast<DramRules::Age>(longest);
}

}  // namespace

DramRules::DramRules(const Config& config) : dram_(config.dram), long_ago_(longest_rule(config.dram)) { clear(); }

void DramRules::clear() {
  banks_ = {};
  for (auto& row : ages_) row.fill(long_ago_);
  wrote_ = begun_ = false;
  unrefreshed_ = 0;
}

void DramRules::count_to(Cycle edge) {
  if (edge <= counted_) return;
  const Cycle clocks = edge - counted_;
  const auto most = static_cast<Age>(std::min<Cycle>(clocks, static_cast<Cycle>(long_ago_)));
  std::array<Age, sizeof ages_ / sizeof(Age)> ages;  // in one loop, which the host runs on many at once
  std::memcpy(ages.data(), &ages_, sizeof ages_);
  for (Age& age : ages) age = std::min<Age>(static_cast<Age>(age + most), long_ago_);
  std::memcpy(&ages_, ages.data(), sizeof ages_);
  if (begun_)
    unrefreshed_ = static_cast<std::uint32_t>(std::min<Cycle>(unrefreshed_ + clocks, (1u << kRefreshBits) - 1));
  counted_ = edge;
}

Cycle DramRules::refresh_by() const {
  const std::uint32_t most = kMostRefreshIntervals * dram_.t_refi;
  return begun_ ? counted_ + std::max(most, unrefreshed_) - unrefreshed_ : kNever;
}

const char* DramRules::broken_by(const DramCommand& command, Cycle edge) {
  if (command.kind == DramCommandKind::kNone) return nullptr;
  count_to(edge);
  begun_ = true;
  if (since(kLast, kRefresh) < dram_.t_rfc) return "tRFC";
  if (unrefreshed_ > kMostRefreshIntervals * dram_.t_refi) return "tREFI";
  if (command.bank >= dram_.num_banks) return "no such bank";
  switch (command.kind) {
    case DramCommandKind::kActivate: return activate(command.bank, command.address);
    case DramCommandKind::kPrecharge: return precharge(command.bank);
    case DramCommandKind::kRead:
    case DramCommandKind::kWrite: return move_data(command.bank, command.kind == DramCommandKind::kWrite);
    case DramCommandKind::kRefresh: return refresh();
    default: return "no such command";
  }
}

const char* DramRules::activate(unsigned number, std::uint32_t row) {
  if (banks_[number].open) return "ACT of an open bank";
  if (since(kActivate, number) < dram_.t_rc) return "tRC";
  if (since(kPrecharge, number) < dram_.t_rp) return "tRP";
  if (since(kLast, 0) < dram_.t_rrd) return "tRRD";
  if (since(kLast, 3) < dram_.t_faw) return "tFAW";
  auto& last = ages_[kLast];
  std::copy_backward(last.begin(), last.begin() + 3, last.begin() + 4);
  ages_[kLast][0] = ages_[kActivate][number] = 0;
  banks_[number] = {true, row};
  return nullptr;
}

const char* DramRules::precharge(unsigned number) {
  if (!banks_[number].open) return "PRE of a closed bank";
  if (since(kActivate, number) < dram_.t_ras) return "tRAS";
  if (since(kRead, number) < dram_.t_rtp) return "tRTP";
  if (since(kWrite, number) < dram_.wl + dram_.burst_cycles + dram_.t_wr) return "tWR";
  ages_[kPrecharge][number] = 0;
  banks_[number].open = false;
  return nullptr;
}

G80_INLINE const char* DramRules::move_data(unsigned number, bool write) {
  if (!banks_[number].open) return "column command to a closed bank";
  if (since(kActivate, number) < dram_.t_rcd) return "tRCD";
  if (since(kLast, kColumn) < dram_.t_ccd) return "tCCD";
  if (!write && since(kLast, kWriteData) < dram_.wl + dram_.burst_cycles + dram_.t_wtr) return "tWTR";
  const unsigned data = write ? dram_.wl : dram_.cl, data_before = wrote_ ? dram_.wl : dram_.cl;
  const unsigned turn = write && !wrote_ ? dram_.bus_turnaround : 0;
  if (since(kLast, kColumn) + data < data_before + dram_.burst_cycles + turn) return "data bus occupied";
  wrote_ = write;
  ages_[write ? kWrite : kRead][number] = ages_[kLast][kColumn] = 0;
  if (write) ages_[kLast][kWriteData] = 0;
  return nullptr;
}

const char* DramRules::refresh() {
  for (unsigned b = 0; b < kMaxDramBanks; ++b) {
    if (banks_[b].open) return "REF with an open row";
    if (since(kPrecharge, b) < dram_.t_rp) return "tRP before REF";
    if (since(kActivate, b) < dram_.t_rc) return "tRC before REF";
  }
  ages_[kLast][kRefresh] = 0;
  unrefreshed_ = 0;
  return nullptr;
}

}  // namespace g80
