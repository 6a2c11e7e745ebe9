// SPDX-License-Identifier: Apache-2.0
// The fp64 unit of a compute capability 1.3 SM: sm.num_dps lanes a shader cycle, on a GT200 one, a warp in 32. An SM
// with sm.num_dps = 0 has none, and decode treats fp64 instructions as illegal.
#pragma once
#include "hw/exec/dp_datapath.h"
#include "hw/exec/staged_pipe.h"

namespace g80 {

class Dp : public StagedPipe<dp::Datapath> {
 public:
  Dp(const sc_core::sc_module_name& name, const Config& config)
      : StagedPipe(name, dp_occupancy(config), dp_stages(config)) {}

  In<DpLanes> operands_i{"operands_i"};

 protected:
  void load(const ExecSlot& slot, unsigned from) override {
    const isa::Instruction& insn = slot.fetched.decoded().insn;
    const DpLanes& port = operands_i.read();
    dp::Operands& operands = datapath_.operands;
    operands.control = dp::control_of(insn);
    // An addition's second operand is the addend; the port has it where the encoding has it.
    const bool third = insn.src[1].kind == isa::OperandKind::kNone;
    const PortWords &second = third ? port.c : port.b, &second_high = third ? port.c_high : port.b_high;
    const bool adds = insn.op == isa::Op::kDadd;
    for (unsigned l = 0; l < group_lanes_; ++l) {
      operands.a[l] = word(port.a, port.a_high, from + l);
      operands.b[l] = word(second, second_high, from + l);
      operands.c[l] = adds ? operands.b[l] : word(port.c, port.c_high, from + l);
    }
  }
  void deliver(const dp::Result& result, ExecSlot& slot, unsigned first) const override {
    for (unsigned l = 0; l < group_lanes_; ++l) {
      slot.out.lo[first + l] = static_cast<std::uint32_t>(result.value[l]);
      slot.out.hi[first + l] = static_cast<std::uint32_t>(result.value[l] >> 32);
      slot.out.flags[first + l] = result.flags[l];
    }
  }

 private:
  static std::uint64_t word(const PortWords& low, const PortWords& high, unsigned lane) {
    return std::uint64_t{high[lane]} << 32 | low[lane];
  }
};

}  // namespace g80
