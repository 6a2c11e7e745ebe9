// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/live_ranges.h"

namespace g80::codegen {

void Liveness::step_back(const MachineInst& inst, BitSet& live) const {
  for_each_def(inst, [&](const Reg& reg, unsigned count) {
    for_each_unit(reg, count, [&](std::uint32_t unit) { live.reset(unit); });
  });
  for_each_use(inst, [&](const Reg& reg, unsigned count) {
    for_each_unit(reg, count, [&](std::uint32_t unit) { live.set(unit); });
  });
}

std::vector<BitSet> spread_liveness(const MachineFunction& function, const std::vector<BitSet>& reads,
                                    const std::vector<BitSet>& writes, std::vector<BitSet>& live_out) {
  const std::size_t count = function.blocks.size();
  std::vector<BitSet> live_in(count);
  std::vector<std::vector<ir::BlockId>> before(count);
  std::vector<ir::BlockId> todo;  // from the last one on
  for (ir::BlockId i = 0; i < count; ++i) {
    todo.push_back(i);
    for (const ir::BlockId next : successors(function.blocks[i].end)) before[next].push_back(i);
  }
  std::vector<std::uint8_t> waits(count, 1);
  while (!todo.empty()) {
    const ir::BlockId i = todo.back();
    todo.pop_back();
    waits[i] = 0;
    for (const ir::BlockId next : successors(function.blocks[i].end)) live_out[i].merge(live_in[next]);
    BitSet live = live_out[i];
    live.remove(writes[i]);
    live.merge(reads[i]);
    if (!live_in[i].merge(live)) continue;
    for (const ir::BlockId pred : before[i]) {
      if (!waits[pred]) todo.push_back(pred);
      waits[pred] = 1;
    }
  }
  return live_in;
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
  result.live_out.resize(count);
  // the units that a block reads before it writes them, and the units that it writes
  std::vector<BitSet> reads(count), writes(count);
  for (ir::BlockId i = 0; i < count; ++i) {
    const MachineBlock& block = function.blocks[i];
    if (block.end.kind == TerminatorKind::kNone) continue;
    if (block.end.kind == TerminatorKind::kExit) {
      for (const PassedRegister& passed : function.results) {
        result.for_each_unit(passed.reg, 1, [&](std::uint32_t unit) { result.live_out[i].set(unit); });
      }
    }
    if (block.end.kind == TerminatorKind::kBranch) reads[i].set(result.unit(block.end.flags));
    for (auto inst = block.insts.rbegin(); inst != block.insts.rend(); ++inst) {
      result.step_back(*inst, reads[i]);
      for_each_def(*inst, [&](const Reg& reg, unsigned words) {
        result.for_each_unit(reg, words, [&](std::uint32_t unit) { writes[i].set(unit); });
      });
    }
  }
  result.live_in = spread_liveness(function, reads, writes, result.live_out);
  return result;
}

}  // namespace g80::codegen
