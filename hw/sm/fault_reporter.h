// SPDX-License-Identifier: Apache-2.0
// Sends the SM's first fault to the command processor, completed with the block and warp it belongs to.
//
// From:  reconvergence_stack, address_unit, load_table, operand_collector      To:  command processor
#pragma once
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/wire.h"
#include "hw/sm/cta_launcher.h"

namespace g80 {

struct FaultReporterRegs {
  bool reported = false;
  KernelFault fault;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("reported", s.reported);
    v("fault", s.fault);
  }
};

class FaultReporter : public Clocked<FaultReporterRegs> {
 public:
  FaultReporter(const sc_core::sc_module_name& name, unsigned sm_id, const CtaLauncher& launcher)
      : Clocked(name), sm_id_(sm_id), launcher_(launcher) {}

  sc_core::sc_in<KernelFault> stack_i{"stack_i"};
  sc_core::sc_in<KernelFault> address_i{"address_i"};
  sc_core::sc_in<KernelFault> load_i{"load_i"};
  sc_core::sc_in<KernelFault> collector_i{"collector_i"};
  sc_core::sc_port<CrossingWriteIf<KernelFault>> fault_o{"fault_o"};

 protected:
  void next() override {
    if (!q_.reported) {
      for (const auto* source : {&stack_i, &address_i, &load_i, &collector_i}) {
        const KernelFault& fault = source->read();
        if (!fault.valid || !fault_o->can_push()) continue;
        d_.fault = fault;
        d_.fault.origin.sm = static_cast<std::uint8_t>(sm_id_);
        if (const CtaSlot* slot = launcher_.slot_of(fault.origin.warp)) {
          d_.fault.cta_x = slot->x;
          d_.fault.cta_y = slot->y;
          d_.fault.warp_in_cta = static_cast<std::uint8_t>(fault.origin.warp - slot->first_warp);
        }
        fault_o->push(d_.fault);
        d_.reported = true;
        break;
      }
    }
    sleep();
  }
  void drive() override {}

  const unsigned sm_id_;
  const CtaLauncher& launcher_;
};

}  // namespace g80
