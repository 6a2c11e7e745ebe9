#include "kernels/toolchain/compiler/codegen/live_ranges.h"

namespace g80::codegen {

void Liveness::step_back(const MachineInst& inst, BitSet& live) const {
  for_each_def(inst, [&](const Reg& reg, unsigned count) {
    for (unsigned i = 0; i < count; ++i) live.reset(word(reg, i));
  });
  for_each_use(inst, [&](const Reg& reg, unsigned count) {
    for (unsigned i = 0; i < count; ++i) live.set(word(reg, i));
  });
}

Liveness find_liveness(const MachineFunction& function) {
  Liveness result;
  for (std::uint32_t id = 0; id < function.regs.size(); ++id) {
    result.first_word.push_back(result.words);
    for (unsigned i = 0; i < function.regs[id].words; ++i) result.owner.push_back(id);
    result.words += function.regs[id].words;
  }
  const std::size_t count = function.blocks.size();
  result.live_in.assign(count, BitSet(result.words));
  result.live_out.assign(count, BitSet(result.words));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = count; i-- > 0;) {
      const MachineBlock& block = function.blocks[i];
      if (block.end.kind == TerminatorKind::kNone) continue;
      for (const ir::BlockId next : successors(block.end)) result.live_out[i].merge(result.live_in[next]);
      BitSet live = result.live_out[i];
      if (block.end.kind == TerminatorKind::kBranch) live.set(result.word(block.end.flags));
      for (auto inst = block.insts.rbegin(); inst != block.insts.rend(); ++inst) result.step_back(*inst, live);
      changed |= result.live_in[i].merge(live);
    }
  }
  return result;
}

}  // namespace g80::codegen
