// SPDX-License-Identifier: Apache-2.0
// The state of one DRAM bank and of what its chips share: open row, and the first edge each command is legal again.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/dram_bundles.h"
#include "hw/common/fields.h"
#include "hw/common/types.h"

namespace g80 {

struct DramBank {
  bool open = false;
  std::uint32_t row = 0;     // the open row
  Cycle activate_from = 0;   // first edge at which ACT is legal again (tRC, tRP, tRFC)
  Cycle column_from = 0;     // RD and WR (tRCD)
  Cycle precharge_from = 0;  // PRE (tRAS, tRTP, tWR)
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("open", s.open);
    v("row", s.row, kDramRowBits);
    v("activate_from", s.activate_from);
    v("column_from", s.column_from);
    v("precharge_from", s.precharge_from);
  }
};

/// What all banks of a partition share: command and data bus.
struct DramRank {
  Cycle activate_from = 0;            // ACT of any bank (tRRD, tFAW)
  Cycle read_from = 0;                // RD of any bank (tCCD, tWTR)
  Cycle write_from = 0;               // WR of any bank (tCCD, the turn of the data bus)
  std::array<Cycle, 4> window_end{};  // of the last four ACTs, the oldest at `oldest`: when each leaves the window
  std::uint8_t oldest = 0;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("activate_from", s.activate_from);
    v("read_from", s.read_from);
    v("write_from", s.write_from);
    v("window_end", s.window_end);
    v("oldest", s.oldest, 2);
  }
};

}  // namespace g80
