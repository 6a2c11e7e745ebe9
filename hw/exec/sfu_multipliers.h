// SPDX-License-Identifier: Apache-2.0
// The multipliers of the special function units, four in each, execute fp32 multiplies when the SPs are busy
// (sm.sfu_mul): a pipe beside that of the SFUs, with their latency. The scheduler and the operand collector ensure that
// it is idle while the lanes of a special function enter.
#pragma once
#include "hw/exec/multiplier_datapath.h"
#include "hw/exec/staged_pipe.h"

namespace g80 {

class SfuMultipliers : public StagedPipe<multiplier::Datapath> {
 public:
  SfuMultipliers(const sc_core::sc_module_name& name, const Config& config)
      : StagedPipe(name, multiply_occupancy(config), multiply_stages(config)) {}

  In<SpLanes> operands_i{"operands_i"};

 protected:
  void load(const ExecSlot& slot, unsigned from) override {
    datapath_.operands.control = multiplier::control_of(slot.fetched.decoded().insn);
    std::copy_n(&operands_i.read().a[from], group_lanes_, datapath_.operands.a);
    std::copy_n(&operands_i.read().b[from], group_lanes_, datapath_.operands.b);
  }
  void deliver(const multiplier::Result& result, ExecSlot& slot, unsigned first) const override {
    std::copy_n(result.value, group_lanes_, &slot.out.lo[first]);
    std::copy_n(result.flags, group_lanes_, &slot.out.flags[first]);
  }
};

}  // namespace g80
