// The fp64 unit of a compute capability 1.3 SM: one lane a shader cycle, a warp in 32.
#pragma once
#include "hw/exec/exec_pipe.h"

namespace g80 {

class Dp final : public ExecPipe {
 public:
  Dp(const sc_core::sc_module_name& name, const Config& config)
      : ExecPipe(name, kWarpSize, exec_stages("sm.dp_latency", config.sm.dp_latency, kWarpSize)) {}

 private:
  void compute(const Dispatch& dispatch, ExecSlot& slot) override {
    isa::execute(dispatch.ref.decoded->insn, dispatch.operands->in, slot.out);
  }
};

}  // namespace g80
