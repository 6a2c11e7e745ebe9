// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/rotate_loops.h"

#include <algorithm>

#include "toolchain/compiler/codegen/flow_graph.h"

namespace g80::codegen {
namespace {

constexpr std::size_t kLimit = 4;  // instructions that may be repeated to save a branch

bool can_repeat(const MachineBlock& block) {
  return block.end.kind == TerminatorKind::kBranch && block.insts.size() <= kLimit &&
         std::all_of(block.insts.begin(), block.insts.end(), [](const MachineInst& inst) {
           return inst.insn.form != isa::Form::kControl && inst.label == 0 && inst.insn.op != isa::Op::kVote;
         });
}

bool names(const MachineInst& inst, const Reg& reg, bool defines) {
  bool found = false;
  const auto look = [&](const Reg& other, unsigned count) {
    found |= other.id == reg.id && reg.word >= other.word && reg.word < other.word + count;
  };
  defines ? for_each_def(inst, look) : for_each_use(inst, look);
  return found;
}

/// True if the latch only copies next values to loop variables that the header does not read after it has computed the
/// next values. Then both share a register, the latch becomes empty, and the branch goes back to the header.
bool will_be_empty(const MachineBlock& latch, const MachineBlock& header) {
  return std::all_of(latch.insts.begin(), latch.insts.end(), [&](const MachineInst& copy) {
    if (!is_copy(copy)) return false;
    auto made = header.insts.rbegin();
    while (made != header.insts.rend() && !names(*made, copy.src[0], true)) {
      if (names(*made, copy.dst, false)) return false;
      ++made;
    }
    return made != header.insts.rend();
  });
}

}  // namespace

void rotate_loops(MachineFunction& function) {
  const FlowGraph graph = make_flow_graph(function);
  const Loops loops = find_loops(graph);
  for (const ir::BlockId latch : graph.order) {
    if (function.blocks[latch].end.kind != TerminatorKind::kJump) continue;
    const ir::BlockId header = function.blocks[latch].end.taken;
    if (header == latch || !graph.dominates(header, latch) || !can_repeat(function.blocks[header])) continue;
    if (will_be_empty(function.blocks[latch], function.blocks[header])) continue;
    // one branch target is in the loop, the other outside
    const Terminator test = function.blocks[header].end;
    const auto& body = loops.body[header];
    if (body.test(test.taken) == body.test(test.other)) continue;
    MachineBlock& block = function.blocks[latch];
    const std::vector<MachineInst> repeated = function.blocks[header].insts;
    block.insts.insert(block.insts.end(), repeated.begin(), repeated.end());
    block.end = test;
  }
}

}  // namespace g80::codegen
