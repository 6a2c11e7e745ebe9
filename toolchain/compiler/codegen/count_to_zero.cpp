// SPDX-License-Identifier: Apache-2.0
// Lets loop variables that only count end at zero.
//
// A variable that nothing reads but its update, and whose next value is only compared with n for equality, may as well
// start n lower and be compared with 0: an update tests for zero itself (zero_tests.h), so the comparison is free and n
// needs no register in the loop.
#include <vector>

#include "toolchain/compiler/codegen/prepare.h"
#include "toolchain/compiler/optimize/uses.h"

namespace g80::codegen {
namespace {

using ir::Compare;
using ir::InstId;
using ir::Op;
using ir::ValueId;

class Counters {
 public:
  explicit Counters(ir::Function& function)
      : f_(function), uses_(function), dominators_(ir::find_dominators(function)), block_of_(function.insts.size()) {
    for (ir::BlockId block = 0; block < f_.blocks.size(); ++block) {
      for (const InstId id : f_.blocks[block].insts) block_of_[id] = block;
    }
  }

  void run() {
    for (ir::BlockId block = 0; block < f_.blocks.size(); ++block) {
      for (const InstId id : std::vector<InstId>(f_.blocks[block].insts)) {
        if (f_.insts[id].op == Op::kPhi) shift(block, id);
      }
    }
  }

 private:
  void shift(ir::BlockId header, InstId phi) {
    const ir::Inst variable = f_.insts[phi];
    const ValueId x = variable.results[0];
    if (variable.operands.size() != 2 || f_.type_of(x) != ir::Type::kI32 || uses_.of(x).size() != 1) return;
    const InstId update = uses_.of(x)[0];
    if (f_.insts[update].op != Op::kAdd) return;
    const ValueId y = f_.insts[update].results[0];
    const unsigned back = variable.operands[0] == y ? 0 : 1;
    const ir::BlockId entry = variable.blocks[1 - back];
    const ValueId start = variable.operands[1 - back];
    if (variable.operands[back] != y || uses_.of(y).size() != 2 || f_.terminator(entry).op != Op::kBranch) return;
    const InstId test = uses_.of(y)[uses_.of(y)[0] == phi ? 1 : 0];
    ir::Inst& compare = f_.insts[test];
    if (compare.op != Op::kSet || (compare.compare != Compare::kEq && compare.compare != Compare::kNe)) return;
    if (block_of_[test] != block_of_[update]) return;
    const unsigned side = compare.operands[0] == y ? 1 : 0;
    const ValueId n = compare.operands[side];
    const InstId def = f_.values[n].def;  // what dominates both the test and the header, and is not in the loop
    if (def != ir::kNone && (block_of_[def] == header || !dominators_.dominates(block_of_[def], header))) return;
    if (f_.is_constant(n) && f_.values[n].bits == 0) return;
    if (f_.values[n].undefined || f_.values[start].undefined) return;
    f_.insts[phi].operands[1 - back] = difference(start, n, entry, variable.loc);
    f_.insts[test].operands = {y, f_.i32(0)};
  }

  ValueId difference(ValueId a, ValueId b, ir::BlockId block, const ir::Location& loc) {
    if (f_.is_constant(a) && f_.is_constant(b)) {
      return f_.i32(static_cast<std::uint32_t>(f_.values[a].bits) - static_cast<std::uint32_t>(f_.values[b].bits));
    }
    ir::Inst sub;
    sub.op = Op::kSub;
    sub.operands = {a, b};
    sub.loc = loc;
    const InstId id = f_.add_inst(std::move(sub), {ir::Type::kI32});
    std::vector<InstId>& insts = f_.blocks[block].insts;
    insts.insert(insts.end() - 1, id);
    return f_.insts[id].results[0];
  }

  ir::Function& f_;
  ir::Uses uses_;
  ir::Dominators dominators_;
  std::vector<ir::BlockId> block_of_;  // of the instructions that were there before the pass
};

}  // namespace

void count_to_zero(ir::Function& function) { Counters(function).run(); }

}  // namespace g80::codegen
