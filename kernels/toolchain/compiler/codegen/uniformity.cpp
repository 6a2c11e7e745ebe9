// Which branches can go different ways in the lanes of a warp.
//
// A value is uniform if all lanes that execute its definition together get the same one. Thread numbers and what is
// loaded are not; what is computed from uniform values is; a phi is not where lanes that were separated meet.
#include "kernels/toolchain/compiler/codegen/flow_graph.h"
#include "kernels/toolchain/compiler/codegen/reconvergence.h"

namespace g80::codegen {
namespace {

using ir::Op;

bool differs_by_itself(const ir::Inst& inst) {
  switch (inst.op) {
    case Op::kSpecial:
      switch (inst.special) {
        case ir::Special::kTidX:
        case ir::Special::kTidY:
        case ir::Special::kTidZ:
        case ir::Special::kLaneid:
        case ir::Special::kPhysid:
          return true;
        default:
          return false;
      }
    case Op::kLoad:
      return inst.space != ir::Space::kParam && inst.space != ir::Space::kConst;
    case Op::kAtomic:
    case Op::kTexture:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::vector<std::uint8_t> find_divergent_branches(const ir::Function& function) {
  const FlowGraph graph = make_flow_graph(function);
  const Meeting meeting = find_meeting_points(graph);
  std::vector<std::uint8_t> divergent(function.values.size(), 0), branches(function.blocks.size(), 0);
  std::vector<std::uint8_t> mixes(function.blocks.size(), 0);  // phis of the block join separated lanes
  for (bool changed = true; changed;) {
    changed = false;
    for (const ir::BlockId block : graph.order) {
      for (const ir::InstId id : function.blocks[block].insts) {
        const ir::Inst& inst = function.insts[id];
        bool differs = differs_by_itself(inst) || (inst.op == Op::kPhi && mixes[block]);
        for (const ir::ValueId operand : inst.operands) differs |= divergent[operand] != 0;
        if (inst.op == Op::kVoteAny || inst.op == Op::kVoteAll) differs = false;
        if (!differs) continue;
        for (const ir::ValueId result : inst.results) {
          changed |= !divergent[result];
          divergent[result] = 1;
        }
        if (inst.op != Op::kCondBranch || branches[block]) continue;
        branches[block] = 1;
        changed = true;
        const ir::BlockId meet = meeting.point[block];
        const std::vector<std::uint8_t> region = region_between(graph, block, meet);
        for (ir::BlockId other = 0; other < region.size(); ++other) mixes[other] |= region[other];
        if (meet != ir::kNone) mixes[meet] = 1;
      }
    }
  }
  return branches;
}

}  // namespace g80::codegen
