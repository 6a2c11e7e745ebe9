// SPDX-License-Identifier: Apache-2.0
// The readers of each value, computed once per pass from the instructions in blocks.
#pragma once
#include <vector>

#include "toolchain/compiler/ir/ir.h"

namespace g80::ir {

class Uses {
 public:
  explicit Uses(const Function& function) : users_(function.values.size()) {
    for (const Block& block : function.blocks)
      for (const InstId id : block.insts)
        for (const ValueId operand : function.insts[id].operands) users_[operand].push_back(id);
  }
  /// An instruction is listed once per operand.
  const std::vector<InstId>& of(ValueId value) const { return users_[value]; }

 private:
  std::vector<std::vector<InstId>> users_;
};

}  // namespace g80::ir
