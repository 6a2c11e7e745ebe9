// SPDX-License-Identifier: Apache-2.0
// The rules of GDDR3 as the chips know them: from the history of commands alone. The controller decides from the first
// edge at which each command is legal (dram_timing.h), so the two find each other's mistakes.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/dram_pins.h"
#include "hw/common/fields.h"
#include "hw/common/limits.h"
#include "hw/common/types.h"
#include "hw/config/config.h"

namespace g80 {

class DramRules {
 public:
  struct Bank {
    bool open = false;
    std::uint32_t row = 0;                                   // the open row
    Cycle activate = 0, precharge = 0, read = 0, write = 0;  // edge of the last one; 0: none yet
    G80_FIELDS(open, (row, kDramRowBits), activate, precharge, read, write);
  };

  explicit DramRules(const Config& config) : dram_(config.dram) {}

  /// The command at this edge, from 1 on. Returns the rule that it breaks, or null.
  const char* broken_by(const DramCommand& command, Cycle edge);
  const Bank& bank(unsigned number) const { return banks_[number]; }
  void clear();

  G80_FIELDS((banks, banks_, 0), (activates, activates_, 0), (column, column_, 0), (write, write_, 0),
             (refresh, refresh_, 0), (data_until, data_until_, 0), (wrote, wrote_, 0));

 private:
  const char* activate(Bank& bank, std::uint32_t row, Cycle edge);
  const char* precharge(Bank& bank, Cycle edge);
  const char* move_data(Bank& bank, bool write, Cycle edge);
  const char* refresh(Cycle edge);

  const decltype(Config::dram) dram_;
  std::array<Bank, kMaxDramBanks> banks_{};
  std::array<Cycle, 4> activates_{};  // of any bank, the last one first
  Cycle column_ = 0, write_ = 0;      // the last RD or WR and the last WR of any bank
  Cycle refresh_ = 0;                 // the last REF; 0: none yet
  Cycle data_until_ = 0;              // the first edge behind the last data; 0: none yet
  bool wrote_ = false;
};

}  // namespace g80
