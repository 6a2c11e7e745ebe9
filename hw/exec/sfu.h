// The special function units: reciprocal, reciprocal square root, logarithm, exponential, sine and cosine by quadratic
// interpolation. Two units take one lane each a shader cycle, so a warp occupies them for sixteen.
#pragma once
#include "hw/exec/exec_pipe.h"

namespace g80 {

class Sfu final : public ExecPipe {
 public:
  Sfu(const sc_core::sc_module_name& name, const Config& config)
      : ExecPipe(name, kWarpSize / config.sm.num_sfus,
                 exec_stages("sm.sfu_latency", config.sm.sfu_latency, kWarpSize / config.sm.num_sfus)) {}

 private:
  void compute(const Dispatch& dispatch, ExecSlot& slot) override {
    isa::execute(dispatch.ref.decoded->insn, dispatch.operands->in, slot.out);
  }
};

}  // namespace g80
