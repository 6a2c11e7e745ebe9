// SPDX-License-Identifier: Apache-2.0
// The state of one DRAM bank and of what its chips share: open row, and when each command is legal again.
//
// A timer is the count of the DRAM's clock at which it is over, in the bits that the counter has. So nothing counts
// while the controller sleeps, and nothing is compared but with the counter.
// The rule: what is compared lies within half a turn of the counter. A timer ends at most tRFC, or a row's use, ahead.
// One that is over is set to the present by each REF, and REF comes at least every tREFI: at most 10^6 clocks and the
// use of the open rows.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/dram_pins.h"
#include "hw/common/fields.h"
#include "hw/common/limits.h"
#include "hw/common/types.h"

namespace g80 {

inline constexpr unsigned kDramTimeBits = 22;
/// The edge at which a timer is over, seen from `now`.
inline Cycle edge_of(std::uint32_t timer, Cycle now) {
  constexpr unsigned kUnused = 32 - kDramTimeBits;
  const auto ahead = static_cast<std::int32_t>((timer - static_cast<std::uint32_t>(now)) << kUnused) >> kUnused;
  return now + static_cast<Cycle>(std::int64_t{ahead});
}
/// The timer that is over at `edge`.
inline std::uint32_t timer_until(Cycle edge) { return static_cast<std::uint32_t>(edge) & ((1u << kDramTimeBits) - 1); }

struct DramBank {
  bool open = false;
  std::uint32_t row = 0;             // the open row
  std::uint32_t activate_from = 0;   // timer: ACT is legal again (tRC, tRP, tRFC)
  std::uint32_t column_from = 0;     // RD and WR (tRCD)
  std::uint32_t precharge_from = 0;  // PRE (tRAS, tRTP, tWR)
  G80_FIELDS(open, (row, kDramRowBits), (activate_from, kDramTimeBits), (column_from, kDramTimeBits),
             (precharge_from, kDramTimeBits));
};

using DramBanks = std::array<DramBank, kMaxDramBanks>;

/// What all banks of a partition share: command and data bus.
struct DramRank {
  std::uint32_t activate_from = 0;            // timer: ACT of any bank (tRRD, tFAW)
  std::uint32_t read_from = 0;                // RD of any bank (tCCD, tWTR)
  std::uint32_t write_from = 0;               // WR of any bank (tCCD, the turn of the data bus)
  std::array<std::uint32_t, 4> window_end{};  // of the last four ACTs, the oldest at `oldest`: each leaves the window
  std::uint8_t oldest = 0;
  G80_FIELDS((activate_from, kDramTimeBits), (read_from, kDramTimeBits), (write_from, kDramTimeBits),
             (window_end, kDramTimeBits), (oldest, 2));
};

}  // namespace g80
