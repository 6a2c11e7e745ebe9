// SPDX-License-Identifier: Apache-2.0
// Moves a value that is only compared with zero next to the comparison.
//
// LLVM moves invariant computations out of loops. With `(thread & bit) == 0`, the result of the `and` is then in a
// register during the loop and compared in each iteration. Next to its comparison, the `and` writes the flags itself
// (zero_tests.h): the same number of instructions, but no register. The pass does this only if the operands are live
// after the comparison anyway.
#include <algorithm>

#include "toolchain/compiler/codegen/prepare.h"
#include "toolchain/compiler/optimize/uses.h"

namespace g80::codegen {
namespace {

using ir::BlockId;
using ir::InstId;
using ir::Op;
using ir::ValueId;

bool writes_flags(Op op) {
  return op == Op::kAnd || op == Op::kOr || op == Op::kXor || op == Op::kAdd || op == Op::kSub || op == Op::kShl ||
         op == Op::kShrU || op == Op::kShrS;
}

class TestSinker {
 public:
  explicit TestSinker(ir::Function& function)
      : f_(function), uses_(function), block_of_(function.insts.size(), ir::kNone) {
    for (BlockId block = 0; block < f_.blocks.size(); ++block) {
      for (const InstId id : f_.blocks[block].insts) block_of_[id] = block;
    }
  }

  void run() {
    for (BlockId block = 0; block < f_.blocks.size(); ++block) {
      for (const InstId id : std::vector<InstId>(f_.blocks[block].insts)) {
        if (f_.insts[id].op == Op::kSet) sink(block, id);
      }
    }
  }

 private:
  void sink(BlockId block, InstId test) {
    const ir::Inst& set = f_.insts[test];
    if (set.compare != ir::Compare::kEq && set.compare != ir::Compare::kNe) return;
    if (!f_.is_constant(set.operands[1]) || f_.values[set.operands[1]].bits != 0) return;
    const ValueId value = set.operands[0];
    const InstId id = f_.values[value].def;
    if (id == ir::kNone || block_of_[id] == block || block_of_[id] == ir::kNone) return;
    const ir::Inst& inst = f_.insts[id];
    if (!writes_flags(inst.op) || f_.type_of(value) != ir::Type::kI32 || uses_.of(value).size() != 1) return;
    const bool stays_alive = std::all_of(inst.operands.begin(), inst.operands.end(), [&](ValueId operand) {
      return f_.values[operand].def == ir::kNone || is_live_behind(operand, block);
    });
    if (!stays_alive) return;
    std::vector<InstId>& from = f_.blocks[block_of_[id]].insts;
    from.erase(std::find(from.begin(), from.end(), id));
    std::vector<InstId>& to = f_.blocks[block].insts;
    to.insert(std::find(to.begin(), to.end(), test), id);
    block_of_[id] = block;
  }

  /// True if `value` is read on some path from the end of `block`, before it is computed again.
  bool is_live_behind(ValueId value, BlockId block) const {
    std::vector<std::uint8_t> seen(f_.blocks.size(), 0);
    std::vector<BlockId> open = {block};
    const BlockId home = block_of_[f_.values[value].def];
    while (!open.empty()) {
      const BlockId from = open.back();
      open.pop_back();
      for (const BlockId next : f_.successors(from)) {
        for (const InstId user : uses_.of(value)) {
          const ir::Inst& inst = f_.insts[user];
          if (block_of_[user] != next) continue;
          if (inst.op != Op::kPhi) {
            if (next != home) return true;
            continue;
          }
          for (std::size_t i = 0; i < inst.operands.size(); ++i) {
            if (inst.operands[i] == value && inst.blocks[i] == from) return true;
          }
        }
        if (next == home || seen[next]) continue;
        seen[next] = 1;
        open.push_back(next);
      }
    }
    return false;
  }

  ir::Function& f_;
  ir::Uses uses_;
  std::vector<BlockId> block_of_;  // of instructions
};

}  // namespace

void sink_zero_tests(ir::Function& function) { TestSinker(function).run(); }

}  // namespace g80::codegen
