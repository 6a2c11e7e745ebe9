// SPDX-License-Identifier: Apache-2.0
// Inserts a block on each critical edge, as a place for the copies of phis. Phis of one value become copies.
#include <fmt/format.h>

#include "toolchain/compiler/codegen/prepare.h"

namespace g80::codegen {

void refuse(const std::string& filename, const ir::Location& loc, const std::string& message) {
  throw SourceError(fmt::format("{}:{}: {}", filename, loc.ptx_line, message));
}

void split_critical_edges(ir::Function& function) {
  for (const ir::Block& block : function.blocks) {
    for (const ir::InstId id : block.insts) {
      ir::Inst& inst = function.insts[id];
      if (inst.op != ir::Op::kPhi || inst.operands.size() != 1) continue;
      inst.op = ir::Op::kCopy;
      inst.blocks.clear();
    }
  }
  const auto preds = function.predecessors();
  const std::size_t count = function.blocks.size();
  for (ir::BlockId block = 0; block < count; ++block) {
    if (function.blocks[block].insts.empty()) continue;
    const ir::InstId branch = function.blocks[block].insts.back();
    if (function.insts[branch].op != ir::Op::kCondBranch) continue;
    if (function.insts[branch].blocks[0] == function.insts[branch].blocks[1]) {
      function.insts[branch].op = ir::Op::kBranch;
      function.insts[branch].operands.clear();
      function.insts[branch].blocks.pop_back();
      continue;
    }
    for (std::size_t side = 0; side < 2; ++side) {
      const ir::BlockId target = function.insts[branch].blocks[side];
      if (preds[target].size() < 2) continue;
      const ir::BlockId middle = function.add_block();
      ir::Inst jump;
      jump.op = ir::Op::kBranch;
      jump.blocks = {target};
      jump.loc = function.insts[branch].loc;
      function.append(middle, std::move(jump), {});
      function.insts[branch].blocks[side] = middle;
      for (const ir::InstId id : function.blocks[target].insts) {
        if (function.insts[id].op != ir::Op::kPhi) break;
        for (ir::BlockId& pred : function.insts[id].blocks) {
          if (pred == block) pred = middle;
        }
      }
    }
  }
}

}  // namespace g80::codegen
