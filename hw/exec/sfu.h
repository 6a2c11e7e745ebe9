// SPDX-License-Identifier: Apache-2.0
// The special function units: reciprocal, reciprocal square root, logarithm, exponential, sine and cosine by quadratic
// interpolation. Two units take one lane each a shader cycle, so a warp occupies them for sixteen. With sm.sfu_mul,
// the four multipliers of each unit also execute fp32 multiplies when the SPs are busy: SfuMultipliers.
#pragma once
#include "hw/exec/exec_pipe.h"

namespace g80 {

class Sfu : public ExecPipe {
 public:
  Sfu(const sc_core::sc_module_name& name, const Config& config)
      : ExecPipe(name, kWarpSize / config.sm.num_sfus,
                 exec_stages("sm.sfu_latency", config.sm.sfu_latency, kWarpSize / config.sm.num_sfus)) {}

 protected:
  void compute(const Dispatch& dispatch, ExecSlot& slot) override {
    isa::execute(dispatch.fetched.decoded().insn, dispatch.operands->in, slot.out);
  }
};

/// The multipliers as a separate pipe with the SFUs' latency. The scheduler and the operand collector ensure that
/// they are idle while the lanes of a special function enter.
class SfuMultipliers : public ExecPipe {
 public:
  SfuMultipliers(const sc_core::sc_module_name& name, const Config& config)
      : ExecPipe(name, multiply_occupancy(config),
                 exec_stages("sm.sfu_latency", config.sm.sfu_latency, multiply_occupancy(config))) {}

 protected:
  void compute(const Dispatch& dispatch, ExecSlot& slot) override {
    isa::execute(dispatch.fetched.decoded().insn, dispatch.operands->in, slot.out);
  }
};

}  // namespace g80
