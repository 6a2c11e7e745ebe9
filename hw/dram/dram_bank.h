// SPDX-License-Identifier: Apache-2.0
// The state of one DRAM bank and of what its chips share: open row, and the first edge each command is legal again.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/dram_pins.h"
#include "hw/common/fields.h"
#include "hw/common/limits.h"
#include "hw/common/types.h"

namespace g80 {

struct DramBank {
  bool open = false;
  std::uint32_t row = 0;     // the open row
  Cycle activate_from = 0;   // first edge at which ACT is legal again (tRC, tRP, tRFC)
  Cycle column_from = 0;     // RD and WR (tRCD)
  Cycle precharge_from = 0;  // PRE (tRAS, tRTP, tWR)
  G80_FIELDS(open, (row, kDramRowBits), activate_from, column_from, precharge_from);
};

using DramBanks = std::array<DramBank, kMaxDramBanks>;

/// What all banks of a partition share: command and data bus.
struct DramRank {
  Cycle activate_from = 0;            // ACT of any bank (tRRD, tFAW)
  Cycle read_from = 0;                // RD of any bank (tCCD, tWTR)
  Cycle write_from = 0;               // WR of any bank (tCCD, the turn of the data bus)
  std::array<Cycle, 4> window_end{};  // of the last four ACTs, the oldest at `oldest`: when each leaves the window
  std::uint8_t oldest = 0;
  G80_FIELDS(activate_from, read_from, write_from, window_end, (oldest, 2));
};

}  // namespace g80
