// SPDX-License-Identifier: Apache-2.0
// Drops the sign bit of loop variables that are never negative.
//
// `for (int stride = n; stride > 0; stride /= 2)`: a division of a signed number adds its sign bit before it shifts.
// Here the variable is never negative, which LLVM does not know since sums and shifts may wrap.
//
// The proof is an induction over the run of the program. Each phi is supposed to lie between 0 and the highest of its
// operands, as far as a comparison in front of the loop or at its end bounds them. If all operands then do so again,
// this holds; phis of which one operand may not are given up, until no more are.
#include <algorithm>
#include <map>
#include <vector>

#include "toolchain/compiler/optimize/passes.h"
#include "toolchain/compiler/optimize/ranges.h"

namespace g80::ir {
namespace {

constexpr unsigned kMostRounds = 8, kMostBlocksUp = 4;

class SignDropper {
 public:
  explicit SignDropper(Function& function) : f_(function), preds_(function.predecessors()) {}

  void run() {
    const std::vector<InstId> signs = find_signs();
    if (signs.empty()) return;
    find_phis();
    for (unsigned round = 0; round < kMostRounds; ++round) {
      Ranges ranges(f_);
      for (const auto& [phi, range] : supposed_) ranges.suppose(phi, range);
      if (give_up(ranges)) continue;
      std::vector<std::uint8_t> has_none(f_.values.size(), 0);
      for (const InstId id : signs) has_none[f_.insts[id].operands[0]] = ranges.of(f_.insts[id].operands[0]).low >= 0;
      for (const Block& block : f_.blocks) {
        for (const InstId id : block.insts) read_unsigned(f_.insts[id], has_none, ranges);
      }
      for (const InstId id : signs) {
        Inst& inst = f_.insts[id];
        if (!has_none[inst.operands[0]]) continue;
        inst.op = Op::kCopy;
        inst.operands = {f_.i32(0)};
      }
      return;
    }
  }

 private:
  std::vector<InstId> find_signs() const {
    std::vector<InstId> signs;
    for (const Block& block : f_.blocks) {
      for (const InstId id : block.insts) {
        const Inst& inst = f_.insts[id];
        if (inst.op != Op::kShrU && inst.op != Op::kShrS) continue;
        if (f_.type_of(inst.results[0]) != Type::kI32 || !f_.is_constant(inst.operands[1])) continue;
        if (f_.values[inst.operands[1]].bits == 31) signs.push_back(id);
      }
    }
    return signs;
  }

  /// Shifts and comparisons of values without sign: a shift of an unsigned number can also test it (zero_tests.h).
  void read_unsigned(Inst& inst, const std::vector<std::uint8_t>& has_none, Ranges& ranges) const {
    if (inst.op == Op::kShrS) {
      const Inst* const sum = f_.def(inst.operands[0]);
      if (sum != nullptr && sum->op == Op::kAdd && has_none[sum->operands[0]] && ranges.of(inst.operands[0]).low >= 0)
        inst.op = Op::kShrU;
    } else if (inst.op == Op::kSet && has_none[inst.operands[0]] && ranges.of(inst.operands[1]).low >= 0) {
      switch (inst.compare) {
        case Compare::kLt: inst.compare = Compare::kLtU; break;
        case Compare::kLe: inst.compare = Compare::kLeU; break;
        case Compare::kGt: inst.compare = Compare::kGtU; break;
        case Compare::kGe: inst.compare = Compare::kGeU; break;
        default: break;
      }
    }
  }

  void find_phis() {
    for (BlockId block = 0; block < f_.blocks.size(); ++block) {
      for (const InstId id : f_.blocks[block].insts) {
        const Inst& inst = f_.insts[id];
        if (inst.op != Op::kPhi || f_.type_of(inst.results[0]) != Type::kI32) continue;
        Range range{0, 0};
        for (std::size_t i = 0; i < inst.operands.size(); ++i)
          range.high = std::max(range.high, bound(inst.operands[i], inst.blocks[i], block).high);
        supposed_[inst.results[0]] = range;
      }
    }
  }

  /// Removes those of which an operand may lie elsewhere. True if there was one.
  bool give_up(Ranges& ranges) {
    const std::size_t before = supposed_.size();
    for (BlockId block = 0; block < f_.blocks.size(); ++block) {
      for (const InstId id : f_.blocks[block].insts) {
        const Inst& inst = f_.insts[id];
        const auto phi = inst.op == Op::kPhi ? supposed_.find(inst.results[0]) : supposed_.end();
        if (phi == supposed_.end()) continue;
        for (std::size_t i = 0; i < inst.operands.size(); ++i) {
          const Range computed = ranges.of(inst.operands[i]), tested = bound(inst.operands[i], inst.blocks[i], block);
          const Range range{std::max(computed.low, tested.low), std::min(computed.high, tested.high)};
          if (range.within(phi->second.low, phi->second.high)) continue;
          supposed_.erase(phi);
          break;
        }
      }
    }
    return supposed_.size() != before;
  }

  /// What is known of a value on the way from one block to another from the comparisons of it on this way.
  Range bound(ValueId value, BlockId from, BlockId to) const {
    const Value& v = f_.values[value];
    if (v.is_constant()) {
      const std::int64_t n = static_cast<std::int32_t>(static_cast<std::uint32_t>(v.bits));
      return {n, n};
    }
    Range range;
    for (unsigned up = 0; up < kMostBlocksUp; ++up) {
      apply(f_.terminator(from), value, to, range);
      if (preds_[from].size() != 1) break;
      to = from;
      from = preds_[from][0];
    }
    return range;
  }

  void apply(const Inst& branch, ValueId value, BlockId to, Range& range) const {
    if (branch.op != Op::kCondBranch || branch.blocks[0] == branch.blocks[1]) return;
    const Inst* const test = f_.def(branch.operands[0]);
    if (test == nullptr || test->op != Op::kSet || test->operands[0] != value) return;
    const Value& with = f_.values[test->operands[1]];
    if (!with.is_constant()) return;
    const std::int64_t n = static_cast<std::int32_t>(static_cast<std::uint32_t>(with.bits));
    const bool is_true = branch.blocks[0] == to;
    switch (test->compare) {
      case Compare::kLt: return is_true ? below(range, n - 1) : above(range, n);
      case Compare::kLe: return is_true ? below(range, n) : above(range, n + 1);
      case Compare::kGt: return is_true ? above(range, n + 1) : below(range, n);
      case Compare::kGe: return is_true ? above(range, n) : below(range, n - 1);
      default: return;
    }
  }
  static void below(Range& range, std::int64_t most) { range.high = std::min(range.high, most); }
  static void above(Range& range, std::int64_t least) { range.low = std::max(range.low, least); }

  Function& f_;
  std::vector<std::vector<BlockId>> preds_;
  std::map<ValueId, Range> supposed_;  // by phi
};

}  // namespace

void drop_signs(Function& function) { SignDropper(function).run(); }

}  // namespace g80::ir
