// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "toolchain/compiler/codegen/colouring.h"

namespace g80::codegen {

unsigned assign_registers(MachineFunction& function, const Liveness& liveness, const Interference& graph,
                          const std::vector<int>& colours) {
  unsigned highest = 0;
  const auto place = [&](const Reg& reg) {  // in units
    const Interference::Node node = graph.find(reg.id);
    return static_cast<unsigned>(colours[node.leader]) + node.offset + liveness.unit(reg) - liveness.first_unit[reg.id];
  };
  const auto number = [&](const Reg& reg) { return place(reg) / liveness.scale[reg.id]; };
  const auto fill = [&](isa::Operand& op, const Reg& reg) {
    if (!reg || op.kind == isa::OperandKind::kNone) return;  // an operand that only keeps its register alive
    const unsigned n = number(reg);
    switch (op.kind) {
      case isa::OperandKind::kHalf:
        op.index =
            static_cast<std::uint8_t>(liveness.per_word == 2 ? place(with_part(reg, op)) : 2 * n + (op.index & 1));
        break;
      case isa::OperandKind::kAddr: op.index = static_cast<std::uint8_t>(n + 1); break;
      default: op.index = static_cast<std::uint8_t>(n); break;
    }
  };
  for (MachineBlock& block : function.blocks) {
    std::vector<MachineInst> kept;
    for (MachineInst& inst : block.insts) {
      const auto note = [&](const Reg& reg, unsigned count) {
        if (function.regs[reg.id].cls == RegClass::kGeneral) highest = std::max(highest, number(reg) + count);
      };
      for_each_use(inst, note);
      for_each_def(inst, note);
      fill(inst.insn.dst, inst.dst);
      for (int i = 0; i < 3; ++i) fill(inst.insn.src[i], inst.src[i]);
      const bool has_memory = inst.insn.form != isa::Form::kControl;
      if (inst.addr && has_memory) inst.insn.addr_reg = static_cast<std::uint8_t>(number(inst.addr) + 1);
      if (inst.flags_in) inst.insn.flag_src = static_cast<std::uint8_t>(number(inst.flags_in));
      if (inst.flags_out) inst.insn.flag_dst = static_cast<std::uint8_t>(number(inst.flags_out));
      const bool is_move =
          inst.insn.op == isa::Op::kMov && inst.src[0] &&
          (inst.insn.src[0].kind == isa::OperandKind::kReg || inst.insn.src[0].kind == isa::OperandKind::kHalf) &&
          inst.insn.src[0].kind == inst.insn.dst.kind;
      if (is_move && inst.insn.dst.index == inst.insn.src[0].index) continue;
      kept.push_back(inst);
    }
    block.insts = std::move(kept);
    if (block.end.kind == TerminatorKind::kBranch)
      block.end.flags = {block.end.flags.id, static_cast<std::uint8_t>(number(block.end.flags))};
  }
  for (std::vector<PassedRegister>* list : {&function.arguments, &function.results}) {
    for (PassedRegister& passed : *list) {
      if (!passed.reg || colours[graph.find(passed.reg.id).leader] == kNoColour) continue;
      passed.number = static_cast<int>(number(passed.reg));
      highest = std::max(highest, number(passed.reg) + 1);
    }
  }
  return highest;
}

}  // namespace g80::codegen
