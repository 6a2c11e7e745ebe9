// SPDX-License-Identifier: Apache-2.0
// Lets a loop end by a variable that it has anyway.
//
// `i` that starts at 0, grows by 2 and ends the loop at 16, and nothing else, costs a sum in every iteration and a
// register. A pointer that grows by 8 in the same loop has grown by 64 then, and takes over the test.
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "toolchain/compiler/optimize/passes.h"
#include "toolchain/compiler/optimize/uses.h"

namespace g80::ir {
namespace {

constexpr std::int64_t kWords = std::int64_t{1} << 32;

/// A loop variable with a constant step.
struct Counter {
  InstId phi, update;
  ValueId value, start;
  std::int64_t step;
};

class TestMover {
 public:
  explicit TestMover(Function& function)
      : f_(function),
        uses_(function),
        dominators_(find_dominators(function)),
        preds_(function.predecessors()),
        inside_(function.blocks.size(), 0) {}

  void run() {
    for (const BlockId header : std::vector<BlockId>(dominators_.order)) {
      std::vector<BlockId> latches, entries;
      for (const BlockId pred : preds_[header])
        (dominators_.dominates(header, pred) ? latches : entries).push_back(pred);
      if (latches.size() != 1 || entries.size() != 1 || f_.terminator(entries[0]).op != Op::kBranch) continue;
      std::vector<Counter> counters;
      for (const InstId id : f_.blocks[header].insts) {
        if (const auto counter = find_counter(id, latches[0])) counters.push_back(*counter);
      }
      if (counters.size() < 2) continue;
      find_body(header, latches[0]);
      for (Counter& counter : counters) move_test(counter, counters, entries[0], latches[0]);
    }
  }

 private:
  void find_body(BlockId header, BlockId latch) {
    for (const BlockId block : body_) inside_[block] = 0;
    body_ = {header};
    inside_[header] = 1;
    for (std::vector<BlockId> work{latch}; !work.empty();) {
      const BlockId block = work.back();
      work.pop_back();
      if (inside_[block] != 0) continue;
      inside_[block] = 1;
      body_.push_back(block);
      work.insert(work.end(), preds_[block].begin(), preds_[block].end());
    }
  }

  std::optional<Counter> find_counter(InstId id, BlockId latch) const {
    const Inst& phi = f_.insts[id];
    if (phi.op != Op::kPhi || phi.operands.size() != 2 || f_.type_of(phi.results[0]) != Type::kI32) return std::nullopt;
    const unsigned back = phi.blocks[0] == latch ? 0 : 1;
    const InstId update = f_.values[phi.operands[back]].def;
    if (update == kNone || f_.insts[update].op != Op::kAdd) return std::nullopt;
    const std::vector<ValueId>& terms = f_.insts[update].operands;
    if (terms[0] != phi.results[0] || !f_.is_constant(terms[1])) return std::nullopt;
    return Counter{id, update, phi.results[0], phi.operands[1 - back],
                   static_cast<std::int32_t>(static_cast<std::uint32_t>(f_.values[terms[1]].bits))};
  }

  /// The iteration, from 0, in which a counter is `last` for the first time, if it steps there without wrapping.
  std::optional<std::int64_t> iterations(const Counter& counter, ValueId last) const {
    if (!f_.is_constant(counter.start) || !f_.is_constant(last) || counter.step == 0) return std::nullopt;
    const auto distance = static_cast<std::uint32_t>((f_.values[last].bits - f_.values[counter.start].bits) *
                                                     (counter.step < 0 ? ~std::uint64_t{0} : 1));
    const std::int64_t step = std::abs(counter.step);
    return distance % step == 0 ? std::optional(distance / step) : std::nullopt;
  }

  void move_test(Counter& counter, const std::vector<Counter>& counters, BlockId entry, BlockId latch) {
    const std::vector<InstId>& users = uses_.of(counter.value);
    if (uses_.of(f_.insts[counter.update].results[0]).size() != 1 || users.size() != 2) return;
    const InstId test = users[0] == counter.update ? users[1] : users[0];
    if (f_.insts[test].op != Op::kSet || f_.insts[test].operands[0] != counter.value) return;
    if (!ends_loop(test, latch)) return;
    const std::optional<std::int64_t> count = iterations(counter, f_.insts[test].operands[1]);
    if (!count) return;
    const Counter* best = nullptr;
    for (const Counter& other : counters) {
      if (other.phi == counter.phi || other.step == 0 || *count * std::abs(other.step) >= kWords) continue;
      if (uses_.of(other.value).size() < 2 || f_.values[other.start].undefined) continue;
      if (best == nullptr || (!is_known(best->start) && is_known(other.start))) best = &other;
    }
    if (best == nullptr) return;
    Inst sum;
    sum.op = Op::kAdd;
    sum.operands = {best->start, f_.i32(static_cast<std::uint32_t>(*count * best->step))};
    sum.loc = f_.insts[test].loc;
    const InstId last = f_.add_inst(std::move(sum), {Type::kI32});
    std::vector<InstId>& insts = f_.blocks[entry].insts;
    insts.insert(insts.end() - 1, last);
    f_.insts[test].operands = {best->value, f_.insts[last].results[0]};
    counter.step = 0;  // it is gone
  }
  /// A number, or the address of a variable plus one.
  bool is_known(ValueId value) const {
    const Inst* def = f_.def(value);
    if (def != nullptr && def->op == Op::kAdd && f_.is_constant(def->operands[1])) def = f_.def(def->operands[0]);
    return def == nullptr ? f_.is_constant(value) : def->op == Op::kVarAddr;
  }

  /// True if the loop is left where the test finds equal numbers, which each iteration does; not where the next one
  /// begins: there a counter's own sum is the test (codegen/count_to_zero.cpp).
  bool ends_loop(InstId test, BlockId latch) const {
    const Inst& set = f_.insts[test];
    const std::vector<InstId>& users = uses_.of(set.results[0]);
    if ((set.compare != Compare::kEq && set.compare != Compare::kNe) || users.size() != 1) return false;
    const Inst& branch = f_.insts[users[0]];
    if (branch.op != Op::kCondBranch || inside_[branch.blocks[set.compare == Compare::kEq ? 0 : 1]] != 0) return false;
    return std::any_of(body_.begin(), body_.end(), [&](BlockId block) {
      return block != latch && f_.blocks[block].insts.back() == users[0] && dominators_.dominates(block, latch);
    });
  }

  Function& f_;
  Uses uses_;
  Dominators dominators_;
  std::vector<std::vector<BlockId>> preds_;
  std::vector<std::uint8_t> inside_;  // blocks of the loop
  std::vector<BlockId> body_;         // the same
};

}  // namespace

void move_loop_tests(Function& function) { TestMover(function).run(); }

}  // namespace g80::ir
