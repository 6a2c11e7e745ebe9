// SPDX-License-Identifier: Apache-2.0
// Stands for CTA scheduler and SMs in tests of the host side: a grid takes some cycles, then completes or faults.
#pragma once
#include <vector>

#include "hw/bundles/grid_bundles.h"
#include "hw/common/clocked.h"
#include "hw/common/wire.h"

namespace g80::testing {

struct GridStubRegs {
  GridStatus status;
  Cycle end = 0, idle = 0;
  std::uint32_t running = 0;
  G80_FIELDS(status, end, idle, running);
};
class GridStub final : public Clocked<GridStubRegs> {
 public:
  explicit GridStub(const sc_core::sc_module_name& name) : Clocked(name) {}
  sc_core::sc_in<GridStart> grid_i{"grid_i"};
  sc_core::sc_out<GridStatus> status_o{"status_o"};
  Cycle length = 100;
  Cycle sms_idle_after = 0;  // cycles from a grid's end until the SMs are idle
  bool faults = false;
  Cycle fault_later = 0;  // edges from the end of a complete grid to a fault of one of its stores; 0: none
  std::vector<Cycle> starts;

 private:
  void next() override {
    const GridStart& grid = grid_i.read();
    if (edge() >= q_.idle) d_.status.sms_idle = true;
    if (q_.running == 0 && grid.valid && grid.kernel != q_.status.finished) {
      d_.running = grid.kernel;
      d_.end = edge() + length;
      starts.push_back(edge());
    } else if (q_.running != 0 && (edge() >= q_.end || grid.abort)) {
      d_.status.finished = q_.running;
      d_.status.complete = !faults && !grid.abort;
      d_.status.fault.valid = faults;
      d_.status.fault.kind = faults ? FaultKind::kPageNotPresent : FaultKind::kNone;
      d_.running = 0;
      d_.status.sms_idle = sms_idle_after == 0;
      d_.idle = edge() + sms_idle_after;
    } else if (fault_later != 0 && q_.status.complete && edge() >= q_.end + fault_later) {
      d_.status.fault.valid = true;
      d_.status.fault.kind = FaultKind::kPageNotPresent;
    }
  }
  void drive() override { status_o.write(q_.status); }
};

}  // namespace g80::testing
