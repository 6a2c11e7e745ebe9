// SPDX-License-Identifier: Apache-2.0
// Replaces 64-bit address arithmetic by 32-bit: all addresses of the chip have 32 bits, so the upper halves are dead.
#include <vector>

#include "toolchain/compiler/optimize/passes.h"

namespace g80::ir {
namespace {

/// The low word of the result depends on the low words of the operands only.
bool is_narrowable(const Inst& inst) {
  switch (inst.op) {
    case Op::kPhi:
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
    case Op::kNot:
    case Op::kNeg:
    case Op::kShl:
    case Op::kSelect:
    case Op::kCopy: return true;
    default: return false;
  }
}

class Narrower {
 public:
  explicit Narrower(Function& function) : f_(function) {}

  void run() {
    find_wide();
    // Replaces each narrowable i64 instruction whose upper word has no reader by an i32 instruction in the same place.
    std::vector<InstId> converted;
    for (const Block& block : f_.blocks)
      for (const InstId id : block.insts)
        if (f_.insts[id].results.size() == 1 && f_.type_of(f_.insts[id].results[0]) == Type::kI64 &&
            is_narrowable(f_.insts[id]) && !wide_[f_.insts[id].results[0]])
          converted.push_back(id);
    low_.assign(f_.values.size(), kNone);
    for (const InstId id : converted) {
      f_.values[f_.insts[id].results[0]].type = Type::kI32;
      low_[f_.insts[id].results[0]] = f_.insts[id].results[0];
    }
    place_words();
    std::vector<ValueId> replacement(f_.values.size(), kNone);
    for (const InstId id : converted)
      for (ValueId& operand : f_.insts[id].operands)
        if (f_.type_of(operand) == Type::kI64) operand = low_of(operand);
    for (const Block& block : f_.blocks)
      for (const InstId id : block.insts) {
        const Inst& inst = f_.insts[id];
        if (inst.op != Op::kTrunc) continue;
        const ValueId word = f_.type_of(inst.operands[0]) == Type::kI32 ? inst.operands[0] : low_of(inst.operands[0]);
        if (word != inst.results[0]) replacement[inst.results[0]] = word;
      }
    f_.replace_uses(replacement);
    for (Block& block : f_.blocks) {
      std::vector<InstId> kept;
      for (const InstId id : block.insts) {
        const Inst& inst = f_.insts[id];
        if (inst.op == Op::kTrunc && replacement[inst.results[0]] != kNone) continue;
        kept.push_back(id);
      }
      block.insts = std::move(kept);
    }
  }

 private:
  /// Fills wide_: wide_[v] is true if an instruction reads the upper word of v.
  void find_wide() {
    wide_.assign(f_.values.size(), 0);
    std::vector<ValueId> todo;
    const auto mark = [&](ValueId v) {
      if (f_.type_of(v) != Type::kI64 || wide_[v]) return;
      wide_[v] = 1;
      todo.push_back(v);
    };
    for (const Block& block : f_.blocks)
      for (const InstId id : block.insts) {
        const Inst& inst = f_.insts[id];
        const bool low_only =
            inst.op == Op::kTrunc || (is_narrowable(inst) && f_.type_of(inst.results[0]) == Type::kI64);
        if (!low_only)
          for (const ValueId operand : inst.operands) mark(operand);
      }
    while (!todo.empty()) {
      const ValueId v = todo.back();
      todo.pop_back();
      const Inst* inst = f_.def(v);
      if (inst == nullptr || !is_narrowable(*inst)) continue;
      for (const ValueId operand : inst->operands) mark(operand);
    }
  }

  /// Inserts a kTrunc after every value that stays i64 and of which a converted instruction, or another kTrunc, reads
  /// the low word. There it is invariant in every loop in which the value is.
  void place_words() {
    std::vector<std::uint8_t> wanted(f_.values.size(), 0);
    for (const Block& block : f_.blocks)
      for (const InstId id : block.insts) {
        const Inst& inst = f_.insts[id];
        if (inst.results.size() != 1 || (low_[inst.results[0]] == kNone && inst.op != Op::kTrunc)) continue;
        for (const ValueId operand : inst.operands)
          if (f_.type_of(operand) == Type::kI64) wanted[operand] = 1;
      }
    for (Block& block : f_.blocks) {
      std::vector<InstId> insts, after_phis;
      for (const InstId id : block.insts) {
        const bool is_phi = f_.insts[id].op == Op::kPhi;
        if (!is_phi) {
          insts.insert(insts.end(), after_phis.begin(), after_phis.end());
          after_phis.clear();
        }
        insts.push_back(id);
        const std::vector<ValueId> results = f_.insts[id].results;
        for (const ValueId v : results) {
          if (v >= wanted.size() || !wanted[v] || f_.type_of(v) != Type::kI64) continue;
          Inst cut;
          cut.op = Op::kTrunc;
          cut.operands = {v};
          cut.loc = f_.insts[id].loc;
          const InstId made = f_.add_inst(std::move(cut), {Type::kI32});
          low_.resize(f_.values.size(), kNone);
          low_[v] = f_.insts[made].results[0];
          (is_phi ? after_phis : insts).push_back(made);
        }
      }
      block.insts = std::move(insts);
    }
  }

  ValueId low_of(ValueId v) {
    if (v < low_.size() && low_[v] != kNone) return low_[v];
    const Value& value = f_.values[v];
    return value.undefined ? f_.undefined(Type::kI32) : f_.i32(static_cast<std::uint32_t>(value.bits));
  }

  Function& f_;
  std::vector<std::uint8_t> wide_;
  std::vector<ValueId> low_;
};

}  // namespace

void narrow_to_i32(Function& function) { Narrower(function).run(); }

}  // namespace g80::ir
