// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "toolchain/compiler/codegen/emit.h"
#include "toolchain/compiler/codegen/flow_graph.h"

namespace g80::codegen {

using ir::BlockId;

void thread_jumps(MachineFunction& function) {
  const auto destination = [&](BlockId block) {
    for (std::size_t steps = 0; steps < function.blocks.size(); ++steps) {
      const MachineBlock& b = function.blocks[block];
      if (!b.insts.empty() || b.starts_with_join || b.is_break_target || b.end.kind != TerminatorKind::kJump ||
          b.end.taken == block) {
        break;
      }
      block = b.end.taken;
    }
    return block;
  };
  // the target of a break may lead on to another block, but branches to it must stay breaks
  const auto destination_of_break = [&](BlockId block) {
    const MachineBlock& b = function.blocks[block];
    const bool leads_on = b.is_break_target && b.insts.empty() && b.end.kind == TerminatorKind::kJump;
    if (!leads_on || function.blocks[b.end.taken].is_break_target) return block;
    return destination(b.end.taken);
  };
  for (MachineBlock& block : function.blocks) {
    Terminator& end = block.end;
    if (end.kind == TerminatorKind::kJump || end.kind == TerminatorKind::kBranch) end.taken = destination(end.taken);
    if (end.kind != TerminatorKind::kBranch) continue;
    end.other = destination(end.other);
    if (end.taken != end.other) continue;
    end.kind = TerminatorKind::kJump;
    end.other = ir::kNone;
  }
  for (MachineBlock& block : function.blocks) {  // ends a block whose successor is empty and ends the thread
    if (block.end.kind != TerminatorKind::kJump) continue;
    const MachineBlock& to = function.blocks[block.end.taken];
    if (to.insts.empty() && !to.starts_with_join && !to.is_break_target && to.end.kind == TerminatorKind::kExit) {
      block.end = to.end;
    }
  }
  for (MachineBlock& block : function.blocks) {
    for (MachineInst& inst : block.insts) {
      if (inst.target != ir::kNone) inst.target = destination_of_break(inst.target);
    }
  }
}

std::vector<BlockId> order_blocks(const MachineFunction& function) {
  const FlowGraph graph = make_flow_graph(function);
  const Loops loops = find_loops(graph);
  std::vector<BlockId> result, pending{0};
  std::vector<std::uint8_t> placed(function.blocks.size(), 0);
  const auto is_ready = [&](BlockId block) {
    return std::all_of(graph.prev[block].begin(), graph.prev[block].end(),
                       [&](BlockId pred) { return placed[pred] || graph.position[pred] >= graph.position[block]; });
  };
  while (!pending.empty()) {
    // the youngest block whose predecessors are all placed; inner loops before what comes after them
    std::size_t best = pending.size();
    for (std::size_t i = pending.size(); i-- > 0;) {
      if (!is_ready(pending[i])) continue;
      if (best == pending.size() || loops.depth[pending[i]] > loops.depth[pending[best]]) best = i;
    }
    if (best == pending.size()) best = pending.size() - 1;
    const BlockId block = pending[best];
    pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(best));
    if (placed[block]) continue;
    placed[block] = 1;
    result.push_back(block);
    const std::vector<BlockId>& next = graph.next[block];
    for (const BlockId target : next) {
      if (placed[target]) continue;
      pending.erase(std::remove(pending.begin(), pending.end(), target), pending.end());
      pending.push_back(target);
    }
  }
  return result;
}

}  // namespace g80::codegen
