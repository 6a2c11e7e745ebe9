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

 protected:
  void compute(const Dispatch& dispatch, ExecSlot& slot) override {
    isa::execute(dispatch.fetched.decoded().insn, dispatch.operands->in, slot.out);
  }
};

}  // namespace g80
