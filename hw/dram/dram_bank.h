// SPDX-License-Identifier: Apache-2.0
// The state of one DRAM bank and of what its chips share: open row, and when each command is legal again.
//
// A timer is a counter that is loaded by commands, counts down at each edge and stops at zero. The model does not count:
// it keeps the edge at which the counter is zero. Who looks sees the counter.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/dram_pins.h"
#include "hw/common/fields.h"
#include "hw/common/limits.h"
#include "hw/common/types.h"

namespace g80 {

inline constexpr unsigned kDramTimerBits = 10;  // what a command forbids, it forbids for no longer

struct DramBank {
  bool open = false;
  std::uint32_t row = 0;     // the open row
  Cycle activate_from = 0;   // timer: ACT is legal again (tRC, tRP, tRFC)
  Cycle column_from = 0;     // RD and WR (tRCD)
  Cycle precharge_from = 0;  // PRE (tRAS, tRTP, tWR)
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("open", s.open);
    v("row", s.row, kDramRowBits);
    v.countdown("activate_wait", s.activate_from, kDramTimerBits);
    v.countdown("column_wait", s.column_from, kDramTimerBits);
    v.countdown("precharge_wait", s.precharge_from, kDramTimerBits);
  }
};

using DramBanks = std::array<DramBank, kMaxDramBanks>;

/// What all banks of a partition share: command and data bus.
struct DramRank {
  Cycle activate_from = 0;            // timer: ACT of any bank (tRRD, tFAW)
  Cycle read_from = 0;                // RD of any bank (tCCD, tWTR)
  Cycle write_from = 0;               // WR of any bank (tCCD, the turn of the data bus)
  std::array<Cycle, 4> window_end{};  // of the last four ACTs, the oldest at `oldest`: each leaves the window
  std::uint8_t oldest = 0;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v.countdown("activate_wait", s.activate_from, kDramTimerBits);
    v.countdown("read_wait", s.read_from, kDramTimerBits);
    v.countdown("write_wait", s.write_from, kDramTimerBits);
    v.countdown("window_wait", s.window_end, kDramTimerBits);
    v("oldest", s.oldest, 2);
  }
};

}  // namespace g80
