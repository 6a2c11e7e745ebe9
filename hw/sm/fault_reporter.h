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
  G80_FIELDS(reported, fault);
};

class FaultReporter : public Clocked<FaultReporterRegs> {
 public:
  FaultReporter(const sc_core::sc_module_name& name, unsigned sm_id) : Clocked(name), sm_id_(sm_id) {}

  In<WarpStart> start_i{"start_i"};
  In<KernelFault> stack_i{"stack_i"};
  In<KernelFault> address_i{"address_i"};
  In<KernelFault> load_i{"load_i"};
  In<KernelFault> collector_i{"collector_i"};
  CrossingOut<KernelFault> fault_o{"fault_o"};

 protected:
  /// Where in its grid the warp of a slot is.
  struct Tenant {
    std::uint16_t cta_x = 0, cta_y = 0;
    std::uint8_t warp_in_cta = 0;
    G80_FIELDS(cta_x, cta_y, (warp_in_cta, 5));
  };

  void next() override {
    if (const WarpStart& start = start_i.read(); start.valid) {
      tenants_[start.warp] = {start.cta_x, start.cta_y, start.warp_in_cta};
    }
    if (!q_.reported) {
      for (const auto* source : {&stack_i, &address_i, &load_i, &collector_i}) {
        const KernelFault& fault = source->read();
        if (!fault.valid || !fault_o->can_push()) continue;
        CHECK(fault.origin.warp < kMaxWarps, "{}: warp slot {} reports a fault, but there are {}", name(),
              fault.origin.warp, kMaxWarps);
        const Tenant& tenant = tenants_[fault.origin.warp];
        d_.fault = fault;
        d_.fault.origin.sm = static_cast<std::uint8_t>(sm_id_);
        d_.fault.cta_x = tenant.cta_x;
        d_.fault.cta_y = tenant.cta_y;
        d_.fault.warp_in_cta = tenant.warp_in_cta;
        fault_o->push(d_.fault);
        d_.reported = true;
        break;
      }
    }
    sleep();
  }
  void drive() override {}
  void visit_members(FieldVisitor& visitor) const override { visitor.stored("tenant", tenants_); }
  void visit_members(FieldEditor& editor) override { editor.stored("tenant", tenants_); }

  const unsigned sm_id_;
  std::array<Tenant, kMaxWarps> tenants_{};
  Unwritten unwritten_{*this, [this](FieldEditor& filler) { filler.fill(tenants_); }};
};

}  // namespace g80
