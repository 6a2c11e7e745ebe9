// SPDX-License-Identifier: Apache-2.0
// The special function units: reciprocal, reciprocal square root, logarithm, exponential, sine and cosine by quadratic
// interpolation. Two units take one lane each a shader cycle, so a warp occupies them for sixteen. With sm.sfu_mul,
// the four multipliers of each unit also execute fp32 multiplies when the SPs are busy: sfu_multipliers.h.
#pragma once
#include "hw/exec/sfu_datapath.h"
#include "hw/exec/staged_pipe.h"

namespace g80 {

class Sfu : public StagedPipe<sfu::Datapath> {
 public:
  Sfu(const sc_core::sc_module_name& name, const Config& config)
      : StagedPipe(name, kWarpSize / config.sm.num_sfus, sfu_stages(config)) {}

  In<SfuLanes> operands_i{"operands_i"};

 protected:
  void load(const ExecSlot& slot, unsigned from) override {
    datapath_.operands.control = sfu::control_of(slot.fetched.decoded().insn);
    std::copy_n(&operands_i.read().a[from], group_lanes_, datapath_.operands.value);
  }
  void deliver(const sfu::Result& result, ExecSlot& slot, unsigned first) const override {
    std::copy_n(result.value, group_lanes_, &slot.out.lo[first]);
    std::copy_n(result.flags, group_lanes_, &slot.out.flags[first]);
  }
};

}  // namespace g80
