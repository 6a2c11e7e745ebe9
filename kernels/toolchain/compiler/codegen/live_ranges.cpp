#include "kernels/toolchain/compiler/codegen/live_ranges.h"

namespace g80::codegen {

void Liveness::step_back(const MachineInst& inst, BitSet& live) const {
  for_each_def(inst, [&](const Reg& reg, unsigned count) {
    for_each_unit(reg, count, [&](std::uint32_t unit) { live.reset(unit); });
  });
  for_each_use(inst, [&](const Reg& reg, unsigned count) {
    for_each_unit(reg, count, [&](std::uint32_t unit) { live.set(unit); });
  });
}

Liveness find_liveness(const MachineFunction& function) {
  Liveness result;
  result.per_word = function.has_halves ? 2 : 1;
  for (std::uint32_t id = 0; id < function.regs.size(); ++id) {
    const VirtualRegister& reg = function.regs[id];
    const unsigned scale = reg.cls == RegClass::kGeneral ? result.per_word : 1;
    const unsigned units = reg.is_half ? 1 : reg.words * scale;
    result.first_unit.push_back(result.units);
    result.scale.push_back(static_cast<std::uint8_t>(scale));
    result.owner.insert(result.owner.end(), units, id);
    result.units += units;
  }
  result.first_unit.push_back(result.units);
  const std::size_t count = function.blocks.size();
  result.live_in.assign(count, BitSet(result.units));
  result.live_out.assign(count, BitSet(result.units));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = count; i-- > 0;) {
      const MachineBlock& block = function.blocks[i];
      if (block.end.kind == TerminatorKind::kNone) continue;
      for (const ir::BlockId next : successors(block.end)) result.live_out[i].merge(result.live_in[next]);
      if (block.end.kind == TerminatorKind::kExit) {
        for (const PassedRegister& passed : function.results) {
          result.for_each_unit(passed.reg, 1, [&](std::uint32_t unit) { result.live_out[i].set(unit); });
        }
      }
      BitSet live = result.live_out[i];
      if (block.end.kind == TerminatorKind::kBranch) live.set(result.unit(block.end.flags));
      for (auto inst = block.insts.rbegin(); inst != block.insts.rend(); ++inst) result.step_back(*inst, live);
      changed |= result.live_in[i].merge(live);
    }
  }
  return result;
}

}  // namespace g80::codegen
