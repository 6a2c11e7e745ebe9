#include "kernels/toolchain/compiler/codegen/rotate_loops.h"

#include <algorithm>

#include "kernels/toolchain/compiler/codegen/flow_graph.h"

namespace g80::codegen {
namespace {

constexpr std::size_t kLimit = 4;  // instructions worth repeating for a branch

bool can_repeat(const MachineBlock& block) {
  return block.end.kind == TerminatorKind::kBranch && block.insts.size() <= kLimit &&
         std::all_of(block.insts.begin(), block.insts.end(), [](const MachineInst& inst) {
           return inst.insn.form != isa::Form::kControl && inst.label == 0 && inst.insn.op != isa::Op::kVote;
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
    // one way stays in the loop, the other leaves it
    const Terminator test = function.blocks[header].end;
    const auto& body = loops.body[header];
    if ((body[test.taken] != 0) == (body[test.other] != 0)) continue;
    MachineBlock& block = function.blocks[latch];
    const std::vector<MachineInst> repeated = function.blocks[header].insts;
    block.insts.insert(block.insts.end(), repeated.begin(), repeated.end());
    block.end = test;
  }
}

}  // namespace g80::codegen
