// SPDX-License-Identifier: Apache-2.0
// Selects values for half registers. It starts with all values that can be computed as halves, and removes those with a
// reader that does not accept a half, until nothing changes. Of the rest, it keeps those connected with a narrow value.
#include "toolchain/compiler/codegen/half_values.h"

#include <algorithm>

namespace g80::codegen {

using ir::Op;
using ir::ValueId;

HalfValues::HalfValues(const ir::Function& function)
    : f_(function), ranges_(function), is_half_(function.values.size(), 0) {
  std::vector<ir::InstId> insts;
  for (const ir::Block& block : f_.blocks) insts.insert(insts.end(), block.insts.begin(), block.insts.end());
  find_masks(insts);
  for (const ir::InstId id : insts) {
    const ir::Inst& inst = f_.insts[id];
    if (inst.results.size() != 1 || f_.type_of(inst.results[0]) != ir::Type::kI32) continue;
    if (root(inst.results[0]) == inst.results[0]) is_half_[inst.results[0]] = can_be_made(inst);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto id = insts.rbegin(); id != insts.rend(); ++id) {
      const ir::Inst& inst = f_.insts[*id];
      if (!inst.results.empty() && root(inst.results[0]) != inst.results[0]) continue;  // a copy: its readers are asked
      for (std::size_t k = 0; k < inst.operands.size(); ++k) {
        const ValueId value = root(inst.operands[k]);
        if (!is_half_[value] || can_read(inst, k)) continue;
        is_half_[value] = 0;
        changed = true;
      }
    }
  }
  drop_unrelated(insts);
  any_ = std::any_of(is_half_.begin(), is_half_.end(), [](std::uint8_t is) { return is != 0; });
}

/// Branches, votes and selects of two registers read flags; all other readers need a mask.
void HalfValues::find_masks(const std::vector<ir::InstId>& insts) {
  is_mask_.assign(f_.values.size(), 0);
  for (const ir::InstId id : insts) {
    const ir::Inst& inst = f_.insts[id];
    for (std::size_t k = 0; k < inst.operands.size(); ++k) {
      const ValueId value = root(inst.operands[k]);
      if (f_.type_of(value) != ir::Type::kPred || inst.op == Op::kCopy) continue;
      const bool chooses = inst.op == Op::kSelect && k == 0 && !f_.is_constant(root(inst.operands[1])) &&
                           !f_.is_constant(root(inst.operands[2]));
      const bool reads_flags = inst.op == Op::kCondBranch || inst.op == Op::kVoteAny || inst.op == Op::kVoteAll;
      if (!chooses && !reads_flags) is_mask_[value] = 1;
    }
  }
}

void HalfValues::drop_unrelated(const std::vector<ir::InstId>& insts) {
  const auto is_narrow = [&](const ir::Inst* inst) {
    if (inst == nullptr) return false;
    switch (inst->op) {
      case Op::kZext8:
      case Op::kSext8:
      case Op::kZext16:
      case Op::kSext16:
      case Op::kF16ToF32:
      case Op::kF32ToF16: return true;
      case Op::kLoad:
      case Op::kStore: return inst->access < ir::Access::kB32;
      default: return false;
    }
  };
  std::vector<ValueId> group(is_half_.size());
  for (ValueId v = 0; v < group.size(); ++v) group[v] = v;
  const auto leader = [&](ValueId v) {
    while (group[v] != v) v = group[v] = group[group[v]];
    return v;
  };
  std::vector<std::uint8_t> has_narrow(is_half_.size(), 0);
  for (const ir::InstId id : insts) {
    const ir::Inst& inst = f_.insts[id];
    const bool makes_half = inst.results.size() == 1 && is_half_[inst.results[0]];
    if (makes_half) has_narrow[inst.results[0]] |= is_narrow(&inst);
    for (const ValueId operand : inst.operands) {
      const ValueId value = root(operand);
      if (is_half_[value]) has_narrow[value] |= is_narrow(&inst);
      if (makes_half) has_narrow[inst.results[0]] |= is_narrow(f_.def(value));
      if (makes_half && is_half_[value]) group[leader(value)] = leader(inst.results[0]);
    }
  }
  for (ValueId v = 0; v < group.size(); ++v) {
    if (has_narrow[v]) has_narrow[leader(v)] = 1;
  }
  for (ValueId v = 0; v < group.size(); ++v) is_half_[v] &= has_narrow[leader(v)];
}

ValueId HalfValues::root(ValueId value) const {
  for (const ir::Inst* inst = f_.def(value); inst != nullptr && inst->op == Op::kCopy; inst = f_.def(value)) {
    value = inst->operands[0];
  }
  return value;
}

HalfKind HalfValues::kind(ValueId a, ValueId b) {
  const ir::Range x = ranges_.of(a), y = ranges_.of(b);
  if (x.within(0, 0xffff) && y.within(0, 0xffff)) return HalfKind::kUnsigned;
  return x.within(-0x8000, 0x7fff) && y.within(-0x8000, 0x7fff) ? HalfKind::kSigned : HalfKind::kNone;
}

/// Products have 32 bits, and a sum with a product is a multiply-add.
bool HalfValues::is_product(ValueId value) const {
  const ir::Inst* inst = f_.def(root(value));
  return inst != nullptr && inst->op >= Op::kMul && inst->op <= Op::kMul24HiS;
}

bool HalfValues::can_be_made(const ir::Inst& inst) {
  const auto constant = [&](std::size_t k) { return f_.is_constant(root(inst.operands[k])); };
  switch (inst.op) {
    case Op::kAdd:
    case Op::kSub: return !is_product(inst.operands[0]) && !is_product(inst.operands[1]);
    case Op::kPhi:
    case Op::kNeg:
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
    case Op::kNot:
    case Op::kZext8:
    case Op::kSext8:
    case Op::kZext16:
    case Op::kSext16:
    case Op::kF32ToF16: return true;
    case Op::kSelect:  // with a constant it may be logic on the mask
      return !constant(1) && !constant(2);
    case Op::kShl: return constant(1) || kind(inst.operands[1]) == HalfKind::kUnsigned;
    case Op::kShrU:
      return kind(inst.operands[0]) == HalfKind::kUnsigned &&
             (constant(1) || kind(inst.operands[1]) == HalfKind::kUnsigned);
    case Op::kShrS:
      return kind(inst.operands[0]) != HalfKind::kNone &&
             (constant(1) || kind(inst.operands[1]) == HalfKind::kUnsigned);
    case Op::kMinS:
    case Op::kMaxS:
    case Op::kMinU:
    case Op::kMaxU: return kind(inst.operands[0], inst.operands[1]) != HalfKind::kNone;
    case Op::kLoad:
      return inst.space != ir::Space::kGlobal && inst.space != ir::Space::kLocal && inst.access < ir::Access::kB32;
    default: return false;
  }
}

bool HalfValues::can_read(const ir::Inst& inst, std::size_t operand) {
  const bool makes_half = inst.results.size() == 1 && half(inst.results[0]);
  const ValueId value = inst.operands[operand];
  switch (inst.op) {
    case Op::kStore: return operand > 0 && inst.access < ir::Access::kB32;
    case Op::kZext8:
    case Op::kSext8:
    case Op::kZext16:
    case Op::kSext16:
    case Op::kF16ToF32: return true;
    case Op::kPhi:
    case Op::kAdd:
    case Op::kSub:
    case Op::kNeg:
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
    case Op::kNot:
    case Op::kSelect:
    case Op::kShl:
    case Op::kShrU:
    case Op::kShrS:
    case Op::kMinS:
    case Op::kMaxS:
    case Op::kMinU:
    case Op::kMaxU: return makes_half;  // what can be made of halves can be made of these
    case Op::kSet:                      // a mask of 16 bits would have to be widened
      return kind(inst.operands[0], inst.operands[1]) != HalfKind::kNone && !is_mask_[inst.results[0]];
    case Op::kMul24U:
    case Op::kMul24S:
    case Op::kSadU:
    case Op::kSadS: {
      if (operand > 1) return false;  // what a sad adds its distance to
      const HalfKind both = kind(inst.operands[0], inst.operands[1]);
      return both == HalfKind::kUnsigned ||
             (both == HalfKind::kSigned && (inst.op == Op::kMul24S || inst.op == Op::kSadS));
    }
    case Op::kIntToFloatS:
    case Op::kIntToFloatU:
      return f_.type_of(inst.results[0]) == ir::Type::kF32 &&
             (kind(value) == HalfKind::kUnsigned || (kind(value) == HalfKind::kSigned && inst.op == Op::kIntToFloatS));
    default: return false;
  }
}

}  // namespace g80::codegen
