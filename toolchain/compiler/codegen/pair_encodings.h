// SPDX-License-Identifier: Apache-2.0
// Short instructions side by side: a short form is 4 bytes, and two of them share the place of a long one.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/isa/instruction.h"
#include "toolchain/compiler/ir/ir.h"

namespace g80::codegen {

/// An instruction on its way to code words.
struct CodeItem {
  isa::Instruction insn;
  ir::Location loc;
  ir::BlockId target = ir::kNone;  // of control instructions
  std::uint32_t label_target = 0;
  std::uint32_t callee = ir::kNone;  // of calls
  bool starts_block = false;
  std::optional<isa::Instruction> short_form;
};

/// Moves instructions that have a short form up behind others that have one and no partner, past at most a few that
/// neither depend on them nor the other way around. Nothing crosses a label or a control instruction.
void pair_short_forms(std::vector<CodeItem>& items);

/// False if the order of the two matters: registers, flags, address registers, memory.
bool are_independent(const isa::Instruction& a, const isa::Instruction& b);

}  // namespace g80::codegen
