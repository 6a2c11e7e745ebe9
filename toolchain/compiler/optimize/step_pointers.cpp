// SPDX-License-Identifier: Apache-2.0
// Turns addresses that are linear in a loop variable into loop variables.
//
// A loop that reads base + 4 * i computes a shift and a sum in every iteration. One sum is enough: a pointer that
// starts at base + 4 * start and grows by 4 * step. LLVM does this for 64-bit addresses if it can prove that they do
// not wrap. Here addresses have 32 bits and wrap as on the chip, so it is always correct.
//
// The pass follows values from a phi i (i + step in the next iteration, step invariant) through shifts by constants,
// sums with invariants and products by invariants. It replaces those that are addresses, if it saves at least one
// instruction for each register that it adds. Accesses to the other memories than the global have an index register $a.
// It gets its value by a shift, and a constant is added for nothing; in a loop of one block it keeps a pointer
// (codegen/loop_addresses.h), so that the shift is saved.
#include <algorithm>
#include <optional>
#include <vector>

#include "toolchain/compiler/optimize/passes.h"
#include "toolchain/compiler/optimize/uses.h"

namespace g80::ir {
namespace {

constexpr std::size_t kMaxPointers = 3;  // of one loop variable; each is a register through the loop

class Stepper {
 public:
  explicit Stepper(Function& function)
      : f_(function),
        dominators_(find_dominators(function)),
        preds_(function.predecessors()),
        inside_(function.blocks.size(), 0) {
    find_places();
  }

  void run() {
    for (const BlockId header : std::vector<BlockId>(dominators_.order)) {
      std::vector<BlockId> latches, entries;
      for (const BlockId pred : preds_[header])
        (dominators_.dominates(header, pred) ? latches : entries).push_back(pred);
      if (latches.size() != 1 || entries.size() != 1 || f_.terminator(entries[0]).op != Op::kBranch) continue;
      header_ = header, entry_ = entries[0], latch_ = latches[0];
      find_body();
      for (const InstId id : std::vector<InstId>(f_.blocks[header].insts)) {
        if (f_.insts[id].op == Op::kPhi) step(id);
      }
    }
  }

 private:
  void find_places() {
    block_of_.assign(f_.insts.size(), kNone);
    for (BlockId block = 0; block < f_.blocks.size(); ++block) {
      for (const InstId id : f_.blocks[block].insts) block_of_[id] = block;
    }
  }

  void find_body() {
    for (const BlockId block : body_) inside_[block] = 0;
    body_ = {header_};
    inside_[header_] = 1;
    std::vector<BlockId> work{latch_};
    while (!work.empty()) {
      const BlockId block = work.back();
      work.pop_back();
      if (inside_[block]) continue;
      inside_[block] = 1;
      body_.push_back(block);
      work.insert(work.end(), preds_[block].begin(), preds_[block].end());
    }
  }

  bool is_inside(InstId id) const { return id < block_of_.size() && block_of_[id] != kNone && inside_[block_of_[id]]; }
  bool is_outside(ValueId value) const {
    const InstId def = f_.values[value].def;
    return def == kNone || (def < block_of_.size() && block_of_[def] != kNone && !inside_[block_of_[def]]);
  }
  /// A sum or shift of what is computed outside may still stand inside. Nobody else may read it: it moves in front.
  bool can_move(ValueId value) const {
    const InstId def = f_.values[value].def;
    if (def == kNone || !is_inside(def) || !uses_ || uses_->of(value).size() != 1) return false;
    const Inst& inst = f_.insts[def];
    return (inst.op == Op::kAdd || inst.op == Op::kSub || inst.op == Op::kShl) &&
           std::all_of(inst.operands.begin(), inst.operands.end(), [&](ValueId v) { return is_outside(v); });
  }
  bool is_invariant(ValueId value) const { return is_outside(value) || can_move(value); }
  void move_in_front(ValueId value) {
    if (is_outside(value)) return;
    const InstId def = f_.values[value].def;
    std::vector<InstId>& from = f_.blocks[block_of_[def]].insts;
    std::vector<InstId>& to = f_.blocks[entry_].insts;
    from.erase(std::find(from.begin(), from.end(), def));
    to.insert(to.end() - 1, def);
    block_of_[def] = entry_;
  }

  /// The operand through which the instruction depends on the loop variable, if it is linear in it: 0 or 1; else -1.
  int linear_operand(const Inst& inst) const {
    const auto in = [&](unsigned i) {
      return std::find(linear_.begin(), linear_.end(), inst.operands[i]) != linear_.end();
    };
    if (inst.results.size() != 1 || f_.type_of(inst.results[0]) != Type::kI32) return -1;
    switch (inst.op) {
      case Op::kShl: return in(0) && f_.is_constant(inst.operands[1]) && f_.values[inst.operands[1]].bits < 32 ? 0 : -1;
      case Op::kSub: return in(0) && is_invariant(inst.operands[1]) ? 0 : -1;
      case Op::kAdd:
      case Op::kMul:
        if (in(0) && is_invariant(inst.operands[1])) return 0;
        if (in(1) && is_invariant(inst.operands[0])) return 1;
        return -1;
      default: return -1;
    }
  }

  bool is_address_only(ValueId value, const Uses& uses) const {
    const std::vector<InstId>& users = uses.of(value);
    return !users.empty() && std::all_of(users.begin(), users.end(), [&](InstId user) {
      const Inst& inst = f_.insts[user];
      if (inst.op != Op::kLoad && inst.op != Op::kStore && inst.op != Op::kAtomic) return false;
      return inst.space != Space::kParam && is_inside(user) &&
             std::count(inst.operands.begin(), inst.operands.end(), value) == 1 && inst.operands[0] == value;
    });
  }
  bool has_index(ValueId pointer, const Uses& uses) const {
    return f_.insts[uses.of(pointer)[0]].space != Space::kGlobal;
  }

  /// The values that the shift into an index register computes: base << shift + offset.
  void add_free(ValueId pointer, std::vector<ValueId>& values) const {
    const Inst* inst = f_.def(pointer);
    while (inst != nullptr && inst->op == Op::kAdd && f_.is_constant(inst->operands[1])) {
      values.push_back(inst->results[0]);
      inst = f_.def(inst->operands[0]);
    }
    if (inst != nullptr && inst->op == Op::kShl) values.push_back(inst->results[0]);
  }

  void step(InstId phi) {
    const Inst variable = f_.insts[phi];
    if (variable.operands.size() != 2 || f_.type_of(variable.results[0]) != Type::kI32) return;
    const unsigned back = variable.blocks[0] == latch_ ? 0 : 1;
    variable_ = variable.results[0];
    start_ = variable.operands[1 - back];
    const ValueId next = variable.operands[back];
    const Inst* const update = f_.def(next);
    if (update == nullptr || !is_inside(f_.values[next].def) || update->op != Op::kAdd) return;
    const bool first = update->operands[0] == variable_;
    if (!first && update->operands[1] != variable_) return;
    step_ = update->operands[first ? 1 : 0];
    if (!uses_) uses_.emplace(f_);
    if (!is_invariant(step_) || f_.values[step_].undefined || f_.values[start_].undefined) return;

    const Uses& uses = *uses_;
    linear_ = {variable_};
    std::vector<ValueId> pointers;
    for (std::size_t i = 0; i < linear_.size(); ++i) {
      const ValueId value = linear_[i];
      for (const InstId user : uses.of(value)) {
        const Inst& inst = f_.insts[user];
        if (user == f_.values[next].def || !is_inside(user) || linear_operand(inst) < 0) continue;
        if (std::find(linear_.begin(), linear_.end(), inst.results[0]) != linear_.end()) continue;
        linear_.push_back(inst.results[0]);
        if (is_address_only(inst.results[0], uses)) pointers.push_back(inst.results[0]);
      }
    }
    if (pointers.empty() || pointers.size() > kMaxPointers || !pays(pointers, next, uses)) return;
    loc_ = variable.loc;
    std::vector<ValueId> replacement(f_.values.size(), kNone);
    for (const ValueId pointer : pointers) {
      const ValueId stepped = make_pointer(pointer);
      replacement.resize(f_.values.size(), kNone);
      replacement[pointer] = stepped;
    }
    f_.replace_uses(std::move(replacement));
    uses_.reset();
    find_places();
  }

  /// True if at least one instruction is saved for every added register.
  bool pays(const std::vector<ValueId>& pointers, ValueId next, const Uses& uses) const {
    std::vector<ValueId> gone = pointers;
    const auto is_gone = [&](ValueId value) { return std::find(gone.begin(), gone.end(), value) != gone.end(); };
    for (auto value = linear_.rbegin(); value != linear_.rend(); ++value) {
      if (*value == variable_ || is_gone(*value)) continue;
      const std::vector<InstId>& users = uses.of(*value);
      if (std::all_of(users.begin(), users.end(), [&](InstId user) {
            return f_.insts[user].results.size() == 1 && is_gone(f_.insts[user].results[0]);
          })) {
        gone.push_back(*value);
      }
    }
    const std::vector<InstId>& users = uses.of(variable_);
    const bool variable_ends = uses.of(next).size() == 1 && std::all_of(users.begin(), users.end(), [&](InstId user) {
                                 return f_.insts[user].results.size() == 1 &&
                                        (f_.insts[user].results[0] == next || is_gone(f_.insts[user].results[0]));
                               });
    std::vector<ValueId> free;
    std::size_t shifts = 0;
    for (const ValueId pointer : pointers) {
      if (!has_index(pointer, uses)) continue;
      if (header_ == latch_) ++shifts;
      add_free(pointer, free);
    }
    const auto computed = static_cast<std::size_t>(std::count_if(gone.begin(), gone.end(), [&](ValueId value) {
      return std::find(free.begin(), free.end(), value) == free.end();
    }));
    const std::size_t saved = computed + shifts + (variable_ends ? 1 : 0), added = pointers.size();
    const std::size_t registers = pointers.size() + (f_.is_constant(step_) ? 0 : 1);
    return saved > added && saved - added + (variable_ends ? 1 : 0) >= registers;
  }

  ValueId make(Op op, ValueId a, ValueId b) {
    Inst inst;
    inst.op = op;
    inst.operands = {a, b};
    inst.loc = loc_;
    const InstId id = f_.add_inst(std::move(inst), {Type::kI32});
    std::vector<InstId>& insts = f_.blocks[entry_].insts;
    insts.insert(insts.end() - 1, id);
    return f_.insts[id].results[0];
  }

  /// The value in the first iteration.
  ValueId start_of(ValueId value) {
    if (value == variable_) return start_;
    const Inst inst = *f_.def(value);
    std::vector<ValueId> operands = inst.operands;
    const auto i = static_cast<std::size_t>(linear_operand(inst));
    move_in_front(operands[1 - i]);
    operands[i] = start_of(operands[i]);
    return make(inst.op, operands[0], operands[1]);
  }

  /// The increment from one iteration to the next.
  ValueId step_of(ValueId value) {
    if (value == variable_) return step_;
    const Inst inst = *f_.def(value);
    const auto i = static_cast<std::size_t>(linear_operand(inst));
    const ValueId step = step_of(inst.operands[i]);
    if (inst.op == Op::kAdd || inst.op == Op::kSub) return step;
    return i == 0 ? make(inst.op, step, inst.operands[1]) : make(inst.op, inst.operands[0], step);
  }

  ValueId make_pointer(ValueId pointer) {
    move_in_front(step_);
    const ValueId start = start_of(pointer), step = step_of(pointer);
    Inst phi;
    phi.op = Op::kPhi;
    phi.operands = {start, start};
    phi.blocks = {entry_, latch_};
    phi.loc = loc_;
    const InstId id = f_.add_inst(std::move(phi), {Type::kI32});
    f_.blocks[header_].insts.insert(f_.blocks[header_].insts.begin(), id);
    Inst update;
    update.op = Op::kAdd;
    update.operands = {f_.insts[id].results[0], step};
    update.loc = loc_;
    const InstId moved = f_.add_inst(std::move(update), {Type::kI32});
    std::vector<InstId>& latch = f_.blocks[latch_].insts;
    latch.insert(latch.end() - 1, moved);
    f_.insts[id].operands[1] = f_.insts[moved].results[0];
    return f_.insts[id].results[0];
  }

  Function& f_;
  Dominators dominators_;
  std::vector<std::vector<BlockId>> preds_;
  std::vector<BlockId> block_of_;     // of instructions
  std::optional<Uses> uses_;          // as long as nothing has changed
  std::vector<std::uint8_t> inside_;  // blocks of the loop
  std::vector<BlockId> body_;         // the same
  BlockId header_ = 0, entry_ = 0, latch_ = 0;
  ValueId variable_ = kNone, start_ = kNone, step_ = kNone;
  std::vector<ValueId> linear_;  // the variable and what is linear in it, operands before results
  Location loc_;
};

}  // namespace

void step_pointers(Function& function) { Stepper(function).run(); }

}  // namespace g80::ir
