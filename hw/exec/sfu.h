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

  sc_core::sc_in<SfuLanes> operands_i{"operands_i"};

 protected:
  void enter(ExecSlot& slot, unsigned first, unsigned from) override {
    isa::AluInput in;
    take(in.s[0], operands_i.read().a, first, from);
    compute(slot, in, first);
  }
};

/// The multipliers as a separate pipe with the SFUs' latency. The scheduler and the operand collector ensure that
/// they are idle while the lanes of a special function enter.
class SfuMultipliers : public ExecPipe {
 public:
  SfuMultipliers(const sc_core::sc_module_name& name, const Config& config)
      : ExecPipe(name, multiply_occupancy(config),
                 exec_stages("sm.sfu_latency", config.sm.sfu_latency, multiply_occupancy(config))) {}

  sc_core::sc_in<SpLanes> operands_i{"operands_i"};

 protected:
  void enter(ExecSlot& slot, unsigned first, unsigned from) override {
    isa::AluInput in;
    take(in.s[0], operands_i.read().a, first, from);
    take(in.s[1], operands_i.read().b, first, from);
    compute(slot, in, first);
  }
};

}  // namespace g80
