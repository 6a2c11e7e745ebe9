// SPDX-License-Identifier: Apache-2.0
// Comparisons and selects.
#include "toolchain/compiler/optimize/evaluate.h"
#include "toolchain/compiler/optimize/simplifier.h"

namespace g80::ir {
namespace {

/// The result of comparing a range with a number, if it is the same for the whole range.
std::optional<bool> always(Compare compare, Range range, std::int64_t n) {
  switch (compare) {
    case Compare::kLtU:
    case Compare::kLeU:
    case Compare::kGtU:
    case Compare::kGeU:
      if (range.low < 0 || n < 0) return std::nullopt;
      break;
    default: break;
  }
  switch (compare) {
    case Compare::kEq:
    case Compare::kNe:
      if (n < range.low || n > range.high) return compare == Compare::kNe;
      return std::nullopt;
    case Compare::kLt:
    case Compare::kLtU:
      if (range.high < n) return true;
      return range.low >= n ? std::optional(false) : std::nullopt;
    case Compare::kLe:
    case Compare::kLeU:
      if (range.high <= n) return true;
      return range.low > n ? std::optional(false) : std::nullopt;
    case Compare::kGt:
    case Compare::kGtU:
      if (range.low > n) return true;
      return range.high <= n ? std::optional(false) : std::nullopt;
    case Compare::kGe:
    case Compare::kGeU:
      if (range.low >= n) return true;
      return range.high < n ? std::optional(false) : std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace

ValueId Simplifier::rewrite_choice(InstId id) {
  const Inst inst = f_.insts[id];
  if (inst.op == Op::kSelect) {
    const ValueId p = inst.operands[0], yes = inst.operands[1], no = inst.operands[2];
    if (yes == no) return yes;
    if (const auto n = constant(p)) return *n ? yes : no;
    if (f_.values[yes].undefined) return no;
    if (f_.values[no].undefined) return yes;
    if (is_def(p, Op::kNot)) return become(id, Op::kSelect, {def(p)->operands[0], no, yes});
    if (type_of(yes) == Type::kPred) {
      const auto y = constant(yes), n = constant(no);
      if (y && n) return *y ? p : become(id, Op::kNot, {p});
      if (y) return *y ? become(id, Op::kOr, {p, no}) : become(id, Op::kAnd, {make(Op::kNot, Type::kPred, {p}), no});
      if (n) return *n ? become(id, Op::kOr, {make(Op::kNot, Type::kPred, {p}), yes}) : become(id, Op::kAnd, {p, yes});
    }
    return kNone;
  }
  const ValueId a = inst.operands[0], b = inst.operands[1];
  if (a == b) return number(Type::kPred, evaluate_compare(inst.compare, Type::kI32, 0, 0));
  const auto n = constant(b);
  if (!n) return kNone;
  const bool is32 = type_of(a) == Type::kI32;
  if (is32)
    if (const auto known =
            always(inst.compare, ranges_.of(a), static_cast<std::int32_t>(static_cast<std::uint32_t>(*n))))
      return number(Type::kPred, *known);
  const Inst* left = def(a);
  if (left == nullptr) return kNone;
  // Comparing a select of two constants gives the predicate, its opposite, or a constant.
  if (left->op == Op::kSelect) {
    const auto yes = constant(left->operands[1]), no = constant(left->operands[2]);
    if (yes && no) {
      const bool if_true = evaluate_compare(inst.compare, type_of(a), *yes, *n);
      const bool if_false = evaluate_compare(inst.compare, type_of(a), *no, *n);
      if (if_true == if_false) return number(Type::kPred, if_true);
      return if_true ? left->operands[0] : become(id, Op::kNot, {left->operands[0]});
    }
  }
  // A 64-bit comparison of extended words becomes a comparison of the words.
  if (left->op == Op::kZext32 && !is32) {
    if (*n <= 0xffffffffu && (inst.compare >= Compare::kLtU || inst.compare <= Compare::kNe))
      return become(id, Op::kSet, {left->operands[0], f_.i32(static_cast<std::uint32_t>(*n))});
  }
  if (left->op == Op::kSext32 && !is32 &&
      *n == static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(*n))) &&
      inst.compare <= Compare::kGe)
    return become(id, Op::kSet, {left->operands[0], f_.i32(static_cast<std::uint32_t>(*n))});
  const bool equality = inst.compare == Compare::kEq || inst.compare == Compare::kNe;
  // The address of a variable is never null: the variable's space has something else at address 0.
  if (equality && *n == 0 && left->op == Op::kZext32 && is_def(left->operands[0], Op::kVarAddr))
    return number(Type::kPred, inst.compare == Compare::kNe);
  if (equality && *n == 0 && left->op == Op::kVarAddr) return number(Type::kPred, inst.compare == Compare::kNe);
  // x + m == n is x == n - m
  if (equality && left->op == Op::kAdd)
    if (const auto m = constant(left->operands[1]))
      return become(id, Op::kSet, {left->operands[0], number(type_of(a), *n - *m)});
  return kNone;
}

}  // namespace g80::ir
