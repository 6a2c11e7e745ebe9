// Lets simulated time pass. A check that fails inside a process comes out as the ModelError it is, not as SystemC's
// report.
#pragma once
#include <systemc>

#include "hw/common/check.h"

namespace g80 {

inline void advance_time(const sc_core::sc_time& time) {
  try {
    sc_core::sc_start(time);
  } catch (const sc_core::sc_report& report) {
    throw ModelError(report.get_msg());
  }
}

}  // namespace g80
