// SPDX-License-Identifier: Apache-2.0
// Replaces tests of a loop variable by tests of its next value.
//
// A loop that halves x while x > 1 equals one that halves x until the half is 0. LLVM prefers the first form, which
// keeps the old value live after the update and costs a copy per iteration and often a branch. If a test of the
// variable x (a phi) is equivalent to a test of its next value y, the pass replaces it:
//
//   y = x + d     x == n, x != n                   y == n + d, y != n + d
//   y = x >> k    x < n, x >= n, n = m * 2^k       y < m, y >= m       (unsigned for shr.u, signed for shr.s)
//
// It does so if x is then dead after the update, or if the new test compares y with 0, which costs no instruction
// (zero_tests.h).
//
// If the loop only uses y, and the test at its end would compare with 0 one update later, the update moves from the
// start of the loop to its end, with a second copy of the update in front of it. The variable then has the value that y
// had, and the test costs no instruction.
#include <algorithm>
#include <optional>

#include "toolchain/compiler/codegen/prepare.h"
#include "toolchain/compiler/optimize/uses.h"

namespace g80::codegen {
namespace {

using ir::Compare;
using ir::InstId;
using ir::Op;
using ir::ValueId;

struct Test {
  Compare compare;
  std::uint32_t number;
};

/// Rewrites x > n as x >= n + 1, and x <= n as x < n + 1.
std::optional<Test> as_strict(Test test) {
  switch (test.compare) {
    case Compare::kGtU:
    case Compare::kLeU:
      if (test.number == 0xffffffffu) return std::nullopt;
      return Test{test.compare == Compare::kGtU ? Compare::kGeU : Compare::kLtU, test.number + 1};
    case Compare::kGt:
    case Compare::kLe:
      if (test.number == 0x7fffffffu) return std::nullopt;
      return Test{test.compare == Compare::kGt ? Compare::kGe : Compare::kLt, test.number + 1};
    default: return test;
  }
}

/// The test of op(x, by) that is equivalent to `test` of x, if there is one.
std::optional<Test> test_of_next(Op op, std::uint32_t by, Test test) {
  if (op == Op::kAdd) {
    if (test.compare != Compare::kEq && test.compare != Compare::kNe) return std::nullopt;
    return Test{test.compare, test.number + by};
  }
  if ((op != Op::kShrU && op != Op::kShrS) || by == 0 || by > 31) return std::nullopt;
  const std::optional<Test> strict = as_strict(test);
  if (!strict || (strict->number & ((1u << by) - 1)) != 0) return std::nullopt;
  const bool is_signed = op == Op::kShrS;
  if (is_signed && (strict->compare == Compare::kLt || strict->compare == Compare::kGe)) {
    return Test{strict->compare, static_cast<std::uint32_t>(static_cast<std::int32_t>(strict->number) >> by)};
  }
  if (is_signed || (strict->compare != Compare::kLtU && strict->compare != Compare::kGeU)) return std::nullopt;
  const std::uint32_t number = strict->number >> by;
  if (number == 1) return Test{strict->compare == Compare::kLtU ? Compare::kEq : Compare::kNe, 0};
  return Test{strict->compare, number};
}

class Rewriter {
 public:
  explicit Rewriter(ir::Function& function)
      : f_(function), uses_(function), dominators_(ir::find_dominators(function)) {
    find_places();
  }

  void run() {
    for (ir::BlockId block = 0; block < f_.blocks.size(); ++block) {
      for (const InstId id : std::vector<InstId>(f_.blocks[block].insts)) {
        if (f_.insts[id].op == Op::kSet) rewrite(block, id);
      }
    }
  }

 private:
  void rewrite(ir::BlockId block, InstId test) {
    const ValueId x = f_.insts[test].operands[0], n = f_.insts[test].operands[1];
    const ir::Inst* const phi = f_.def(x);
    if (phi == nullptr || phi->op != Op::kPhi || f_.type_of(x) != ir::Type::kI32 || !f_.is_constant(n)) return;
    for (const ValueId y : phi->operands) {
      const InstId update = f_.values[y].def;
      if (update == ir::kNone || block_of_[update] == ir::kNone || !dominators_.dominates(block_of_[update], block))
        continue;
      const ir::Inst& next = f_.insts[update];
      if (next.operands.size() != 2 || next.operands[0] != x || !f_.is_constant(next.operands[1])) continue;
      const auto by = static_cast<std::uint32_t>(f_.values[next.operands[1]].bits);
      const Test old{f_.insts[test].compare, static_cast<std::uint32_t>(f_.values[n].bits)};
      const std::optional<Test> now = test_of_next(next.op, by, old);
      if (!now) continue;
      const std::vector<InstId>& users = uses_.of(x);
      const bool ends_x =
          std::all_of(users.begin(), users.end(), [&](InstId user) { return user == test || user == update; });
      if (!is_free(*now) && !ends_x) continue;
      if (!is_free(*now) && update_at_end(block, test, update, test_of_next(next.op, by, *now))) return;
      if (block_of_[update] == block) {  // the test behind the update
        std::vector<InstId>& insts = f_.blocks[block].insts;
        const auto at = std::find(insts.begin(), insts.end(), test);
        const auto from = std::find(insts.begin(), insts.end(), update);
        if (at < from) std::rotate(at, from, from + 1);
      }
      const ValueId number = f_.i32(now->number);
      f_.insts[test].operands = {y, number};
      f_.insts[test].compare = now->compare;
      return;
    }
  }

  /// Moves the update to the end of the loop. The loop must have one entry and its only back edge after the test, and
  /// only test and update may read the variable.
  bool update_at_end(ir::BlockId block, InstId test, InstId update, const std::optional<Test>& later) {
    const ValueId x = f_.insts[test].operands[0], y = f_.insts[update].results[0];
    const InstId phi = f_.values[x].def;
    if (!later || !is_free(*later) || f_.insts[phi].operands.size() != 2) return false;
    const unsigned back = f_.insts[phi].blocks[0] == block ? 0 : 1;
    if (f_.insts[phi].blocks[back] != block || f_.insts[phi].operands[back] != y) return false;
    const ir::BlockId entry = f_.insts[phi].blocks[1 - back];
    ir::Inst first = f_.insts[update];
    first.operands[0] = f_.insts[phi].operands[1 - back];
    if (entry == block || f_.values[first.operands[0]].def == ir::kNone) return false;
    const InstId in_front = f_.add_inst(std::move(first), {ir::Type::kI32});
    std::vector<InstId>& before = f_.blocks[entry].insts;
    before.insert(before.end() - 1, in_front);
    std::vector<InstId>& updated = f_.blocks[block_of_[update]].insts;
    updated.erase(std::find(updated.begin(), updated.end(), update));
    std::vector<InstId>& tested = f_.blocks[block].insts;
    tested.insert(std::find(tested.begin(), tested.end(), test), update);
    for (const InstId user : uses_.of(y)) {
      std::vector<ValueId>& operands = f_.insts[user].operands;
      if (user != phi) std::replace(operands.begin(), operands.end(), y, x);
    }
    f_.insts[phi].operands[1 - back] = f_.insts[in_front].results[0];
    f_.insts[test].operands = {y, f_.i32(0)};
    f_.insts[test].compare = later->compare;
    uses_ = ir::Uses(f_);
    find_places();
    return true;
  }

  void find_places() {
    block_of_.assign(f_.insts.size(), ir::kNone);
    for (ir::BlockId block = 0; block < f_.blocks.size(); ++block) {
      for (const InstId id : f_.blocks[block].insts) block_of_[id] = block;
    }
  }

  static bool is_free(Test test) {
    return test.number == 0 && (test.compare == Compare::kEq || test.compare == Compare::kNe);
  }

  ir::Function& f_;
  ir::Uses uses_;
  ir::Dominators dominators_;
  std::vector<ir::BlockId> block_of_;  // of instructions
};

}  // namespace

void test_updated_values(ir::Function& function) { Rewriter(function).run(); }

}  // namespace g80::codegen
