// SPDX-License-Identifier: Apache-2.0
// The fp64 unit of a compute capability 1.3 SM: sm.num_dps lanes a shader cycle, on a GT200 one, a warp in 32. An SM
// with sm.num_dps = 0 has none, and decode treats fp64 instructions as illegal.
#pragma once
#include "hw/exec/exec_pipe.h"

namespace g80 {

class Dp : public ExecPipe {
 public:
  Dp(const sc_core::sc_module_name& name, const Config& config)
      : ExecPipe(name, dp_occupancy(config), exec_stages("sm.dp_latency", config.sm.dp_latency, dp_occupancy(config))) {
  }

  sc_core::sc_in<DpLanes> operands_i{"operands_i"};

 protected:
  void enter(ExecSlot& slot, unsigned first, unsigned from) override {
    const DpLanes& operands = operands_i.read();
    isa::AluInput in;
    take(in.s[0], operands.a, first, from), take(in.hi[0], operands.a_high, first, from);
    take(in.s[1], operands.b, first, from), take(in.hi[1], operands.b_high, first, from);
    take(in.s[2], operands.c, first, from), take(in.hi[2], operands.c_high, first, from);
    compute(slot, in, first);
  }
};

}  // namespace g80
