// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "toolchain/compiler/optimize/evaluate.h"
#include "toolchain/compiler/optimize/passes.h"
#include "toolchain/compiler/optimize/simplifier.h"

namespace g80::ir {
namespace {

Compare swapped(Compare compare) {
  switch (compare) {
    case Compare::kLt: return Compare::kGt;
    case Compare::kLe: return Compare::kGe;
    case Compare::kGt: return Compare::kLt;
    case Compare::kGe: return Compare::kLe;
    case Compare::kLtU: return Compare::kGtU;
    case Compare::kLeU: return Compare::kGeU;
    case Compare::kGtU: return Compare::kLtU;
    case Compare::kGeU: return Compare::kLeU;
    default: return compare;
  }
}

}  // namespace

bool simplify(Function& function) { return Simplifier(function).run(); }

ValueId Simplifier::make(Op op, Type type, std::vector<ValueId> operands) {
  Inst inst;
  inst.op = op;
  inst.operands = std::move(operands);
  inst.loc = loc_;
  const InstId id = f_.add_inst(std::move(inst), {type});
  before_.push_back(id);
  return f_.insts[id].results[0];
}

ValueId Simplifier::become(InstId id, Op op, std::vector<ValueId> operands) {
  f_.insts[id].op = op;
  f_.insts[id].operands = std::move(operands);
  changed_ = true;
  return kNone;
}

bool Simplifier::run() {
  bool any = false;
  const Dominators dominators = find_dominators(f_);
  std::vector<ValueId> replacement;
  const auto final_value = [&](ValueId v) {
    while (v < replacement.size() && replacement[v] != kNone) v = replacement[v];
    return v;
  };
  for (const BlockId block : dominators.order) {
    low_words_.clear();
    std::vector<InstId> insts;
    const std::vector<InstId> old = f_.blocks[block].insts;
    for (const InstId id : old) {
      for (ValueId& operand : f_.insts[id].operands) operand = final_value(operand);
      loc_ = f_.insts[id].loc;
      ValueId other = kNone;
      // A rewritten instruction may be rewritten again. Every step makes it simpler; the limit guards against a bug.
      for (int step = 0; step < 8 && other == kNone; ++step) {
        changed_ = false;
        other = rewrite(id);
        any |= changed_ || other != kNone;
        if (!changed_) break;
      }
      insts.insert(insts.end(), before_.begin(), before_.end());
      before_.clear();
      if (other == kNone) {
        insts.push_back(id);
        continue;
      }
      replacement.resize(f_.values.size(), kNone);
      replacement[f_.insts[id].results[0]] = other;
    }
    f_.blocks[block].insts = std::move(insts);
  }
  f_.replace_uses(std::move(replacement));
  return any;
}

ValueId Simplifier::fold_constants(const Inst& inst) {
  if (inst.operands.empty() || inst.operands.size() > 4) return kNone;
  std::array<std::uint64_t, 4> numbers{};
  Type operand_type = Type::kPred;
  for (std::size_t k = 0; k < inst.operands.size(); ++k) {
    const auto n = constant(inst.operands[k]);
    if (!n) return kNone;
    numbers[k] = *n;
    if (operand_type == Type::kPred) operand_type = type_of(inst.operands[k]);
  }
  const auto result = evaluate(inst, operand_type, numbers);
  return result ? number(type_of(inst.results[0]), *result) : kNone;
}

ValueId Simplifier::rewrite(InstId id) {
  {
    Inst& inst = f_.insts[id];
    if (inst.op == Op::kPhi) return kNone;
    if (inst.op == Op::kLoad || inst.op == Op::kStore || inst.op == Op::kAtomic) {
      fold_address(id);
      return kNone;
    }
    if (inst.op == Op::kCondBranch) {
      rewrite_branch(id);
      return kNone;
    }
    if (inst.results.size() != 1) return kNone;
    if (inst.op == Op::kCopy) return inst.immediate == 0 ? inst.operands[0] : kNone;
    if (const ValueId folded = fold_constants(inst); folded != kNone) return folded;
    if (is_commutative(inst.op) && f_.is_constant(inst.operands[0]) && !f_.is_constant(inst.operands[1])) {
      std::swap(inst.operands[0], inst.operands[1]);
      changed_ = true;
    }
    if (inst.op == Op::kSet && f_.is_constant(inst.operands[0]) && !f_.is_constant(inst.operands[1])) {
      std::swap(inst.operands[0], inst.operands[1]);
      inst.compare = swapped(inst.compare);
      changed_ = true;
    }
  }
  switch (f_.insts[id].op) {
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kDivU:
    case Op::kRemU:
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
    case Op::kNot:
    case Op::kNeg:
    case Op::kMinU:
    case Op::kMinS:
    case Op::kMaxU:
    case Op::kMaxS:
    case Op::kMulWideU:
    case Op::kMulWideS:
    case Op::kAddHigh:
    case Op::kSubHigh:
    case Op::kFneg:
    case Op::kFabs: return rewrite_arithmetic(id);
    case Op::kShl:
    case Op::kShrU:
    case Op::kShrS: return rewrite_shift(id);
    case Op::kZext8:
    case Op::kSext8:
    case Op::kZext16:
    case Op::kSext16:
    case Op::kTrunc:
    case Op::kHigh:
    case Op::kPack:
    case Op::kZext32:
    case Op::kSext32:
    case Op::kF32ToBits:
    case Op::kBitsToF32:
    case Op::kF64ToBits:
    case Op::kBitsToF64: return rewrite_width(id);
    case Op::kSelect:
    case Op::kSet: return rewrite_choice(id);
    default: return kNone;
  }
}

/// Moves constants from the address into the instruction's offset.
void Simplifier::fold_address(InstId id) {
  Inst& inst = f_.insts[id];
  const Inst* add = def(inst.operands[0]);
  if (add == nullptr || (add->op != Op::kAdd && add->op != Op::kSub)) return;
  const auto n = constant(add->operands[1]);
  if (!n) return;
  const std::uint32_t delta = static_cast<std::uint32_t>(add->op == Op::kAdd ? *n : 0 - *n);
  inst.offset = static_cast<std::int32_t>(static_cast<std::uint32_t>(inst.offset) + delta);
  inst.operands[0] = add->operands[0];
  changed_ = true;
}

void Simplifier::rewrite_branch(InstId id) {
  Inst& branch = f_.insts[id];
  const Inst* condition = def(branch.operands[0]);
  if (condition == nullptr || condition->op != Op::kNot) return;
  branch.operands[0] = condition->operands[0];
  std::swap(branch.blocks[0], branch.blocks[1]);
  changed_ = true;
}

}  // namespace g80::ir
