// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/check_stack.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace g80::codegen {
namespace {

using ir::BlockId;

struct Entry {
  BlockId target = 0;  // of the joinat or breakaddr
  bool is_break = false;
  friend bool operator==(const Entry& a, const Entry& b) { return a.target == b.target && a.is_break == b.is_break; }
};
using Stack = std::vector<Entry>;

class Checker {
 public:
  explicit Checker(const MachineFunction& function) : function_(function), entry_(function.blocks.size()) {}

  unsigned run() {
    reach(0, {});
    while (!work_.empty()) {
      const BlockId block = work_.back();
      work_.pop_back();
      walk(block);
    }
    return static_cast<unsigned>(deepest_);
  }

 private:
  [[noreturn]] void fail(BlockId block, const char* what) const {
    throw std::logic_error(fmt::format("{}: block {}: {}\n{}", function_.name, block, what, print(function_)));
  }

  void reach(BlockId block, Stack stack) {
    if (entry_[block].has_value()) {
      if (*entry_[block] != stack) fail(block, "paths with different control stacks meet");
      return;
    }
    entry_[block] = std::move(stack);
    work_.push_back(block);
  }

  void walk(BlockId id) {
    const MachineBlock& block = function_.blocks[id];
    Stack stack = *entry_[id];
    if (block.starts_with_join) {
      if (stack.empty() || !(stack.back() == Entry{id, false})) fail(id, "its join is not the innermost");
      stack.pop_back();
    }
    for (const MachineInst& inst : block.insts) {
      const bool is_break = inst.insn.op == isa::Op::kBreakaddr;
      if (is_break || inst.insn.op == isa::Op::kJoinat) stack.push_back({inst.target, is_break});
      if (inst.callee != ir::kNone)
        deepest_ = std::max(deepest_, stack.size() + function_.functions->at(inst.callee).stack_depth);
      deepest_ = std::max(deepest_, stack.size());
      if (!inst.insn.join) continue;  // of a loop inside the block
      if (stack.empty() || inst.label == 0) fail(id, "a join inside it has no joinat");
      stack.pop_back();
    }
    deepest_ = std::max(deepest_, stack.size());
    for (const BlockId next : successors(block.end)) {
      reach(next, function_.blocks[next].is_break_target ? left(id, stack, next) : stack);
    }
  }

  /// The stack after a break.
  Stack left(BlockId from, Stack stack, BlockId target) const {
    while (!stack.empty() && !stack.back().is_break) stack.pop_back();
    if (stack.empty() || stack.back().target != target) fail(from, "its break leaves another loop");
    stack.pop_back();
    return stack;
  }

  const MachineFunction& function_;
  std::vector<std::optional<Stack>> entry_;
  std::vector<BlockId> work_;
  std::size_t deepest_ = 0;
};

}  // namespace

unsigned check_stack(const MachineFunction& function) { return Checker(function).run(); }

}  // namespace g80::codegen
