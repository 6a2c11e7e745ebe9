// SPDX-License-Identifier: Apache-2.0
// Lets simulated time pass. A check that fails inside a process comes out as the ModelError it is, not as SystemC's
// report.
#pragma once
#include <algorithm>
#include <systemc>

#include "hw/common/calendar.h"
#include "hw/common/check.h"
#include "hw/common/types.h"

namespace g80 {

/// Stops the simulation at chosen times, or with sc_pause() inside it. Afterwards the simulation continues to the same
/// times, so halts do not affect the machine.
class Halts {
 public:
  static constexpr Picoseconds kNever = ~Picoseconds{0};
  virtual ~Halts() = default;
  virtual Picoseconds next_halt() const = 0;
  /// A halt was requested for now.
  virtual bool halt_wanted() const = 0;
  /// The machine has halted at a requested time. May throw to end the run.
  virtual void halted() = 0;
};

inline void advance_time(const sc_core::sc_time& time, Halts* halts = nullptr) {
  const Picoseconds end = sc_core::sc_time_stamp().value() + time.value();
  try {
    for (Picoseconds now = sc_core::sc_time_stamp().value(); now < end; now = sc_core::sc_time_stamp().value()) {
      const Picoseconds next = halts != nullptr ? std::max(halts->next_halt(), now) : Halts::kNever;
      const sc_core::sc_time step = sc_core::sc_time::from_value(std::min(next, end) - now);
      if (halts == nullptr) {
        Calendar::start(step);
      } else if (next > now) {
        sc_core::sc_start(step);
      }
      if (halts != nullptr && (halts->halt_wanted() || sc_core::sc_time_stamp().value() >= halts->next_halt()))
        halts->halted();
    }
  } catch (const sc_core::sc_report& report) {
    throw ModelError(report.get_msg());
  }
}

}  // namespace g80
