// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "toolchain/compiler/optimize/passes.h"

namespace g80::ir {

/// Marks the needed instructions, backwards from those with effects. So phis that only feed each other are removed,
/// too.
void remove_dead_code(Function& function) {
  std::vector<std::uint8_t> needed(function.insts.size(), 0);
  std::vector<InstId> todo;
  const auto mark = [&](InstId id) {
    if (needed[id]) return;
    needed[id] = 1;
    todo.push_back(id);
  };
  for (const Block& block : function.blocks)
    for (const InstId id : block.insts)
      if (!is_removable(function.insts[id])) mark(id);
  while (!todo.empty()) {
    const InstId id = todo.back();
    todo.pop_back();
    for (const ValueId operand : function.insts[id].operands)
      if (function.values[operand].def != kNone) mark(function.values[operand].def);
  }
  for (Block& block : function.blocks) {
    std::vector<InstId> kept;
    for (const InstId id : block.insts)
      if (needed[id]) kept.push_back(id);
    block.insts = std::move(kept);
  }
}

}  // namespace g80::ir
