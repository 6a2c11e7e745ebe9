// SPDX-License-Identifier: Apache-2.0
// Sums, products, logic, shifts.
#include "toolchain/compiler/optimize/simplifier.h"

namespace g80::ir {
namespace {

std::uint64_t ones(Type type) { return type == Type::kI64 ? UINT64_MAX : type == Type::kPred ? 1 : 0xffffffffu; }

int power_of_two(std::uint64_t v) {
  if (v == 0 || (v & (v - 1)) != 0) return -1;
  return __builtin_ctzll(v);
}

/// A product of a value and a constant, modulo 2^32.
struct Multiple {
  ValueId of = kNone;
  std::uint32_t factor = 1;
};

Multiple as_multiple(const Function& f, ValueId v) {
  const Inst* inst = f.def(v);
  if (inst != nullptr && inst->op == Op::kNeg) return {inst->operands[0], ~0u};
  if (inst == nullptr || inst->operands.size() != 2 || !f.is_constant(inst->operands[1])) return {v, 1};
  const std::uint64_t n = f.values[inst->operands[1]].bits;
  if (inst->op == Op::kShl && n < 32) return {inst->operands[0], 1u << n};
  if (inst->op == Op::kMul) return {inst->operands[0], static_cast<std::uint32_t>(n)};
  return {v, 1};
}

}  // namespace

/// x * m + x * n is a shift of x if m + n is a power of two. Sums of this kind come from the steps of an unrolled loop
/// whose stride doubles: each would wait for the one before it, and all would be alive together.
ValueId Simplifier::sum_of_multiples(InstId id) {
  const Inst inst = f_.insts[id];
  if (type_of(inst.results[0]) != Type::kI32) return kNone;
  const Multiple a = as_multiple(f_, inst.operands[0]), b = as_multiple(f_, inst.operands[1]);
  if (a.of != b.of) return kNone;
  const std::uint32_t sum = inst.op == Op::kAdd ? a.factor + b.factor : a.factor - b.factor;
  if (sum == 0) return number(Type::kI32, 0);
  const int k = power_of_two(sum);
  if (k == 0) return a.of;
  return k < 0 ? kNone : become(id, Op::kShl, {a.of, f_.i32(static_cast<std::uint32_t>(k))});
}

ValueId Simplifier::rewrite_arithmetic(InstId id) {
  const Inst inst = f_.insts[id];  // a copy: new instructions move the table
  const ValueId a = inst.operands[0], b = inst.operands.size() > 1 ? inst.operands[1] : kNone;
  const Type type = type_of(inst.results[0]);
  const auto n = b == kNone ? std::nullopt : constant(b);
  const Inst* left = def(a);
  const auto left_constant = [&](Op op) -> std::optional<std::uint64_t> {
    if (left == nullptr || left->op != op || left->operands.size() != 2) return std::nullopt;
    return constant(left->operands[1]);
  };
  switch (inst.op) {
    case Op::kAdd:
      if (n && *n == 0) return a;
      if (n)
        if (const auto m = left_constant(Op::kAdd))
          return become(id, Op::kAdd, {left->operands[0], number(type, *m + *n)});
      if (is_def(b, Op::kNeg)) return become(id, Op::kSub, {a, def(b)->operands[0]});
      // x + (p ? 1 : 0) subtracts the mask that is the predicate in a register
      if (type == Type::kI32 && is_def(b, Op::kSelect)) {
        const Inst& choice = *def(b);
        const auto yes = constant(choice.operands[1]), no = constant(choice.operands[2]);
        if (yes && no && *yes == 1 && *no == 0)
          return become(id, Op::kSub, {a, make(Op::kSelect, type, {choice.operands[0], f_.i32(~0u), f_.i32(0)})});
      }
      // (x + c) + y becomes (x + y) + c, so that constants meet, in an address for example
      if (!n)
        if (const auto m = left_constant(Op::kAdd))
          return become(id, Op::kAdd, {make(Op::kAdd, type, {left->operands[0], b}), number(type, *m)});
      if (!n && is_def(b, Op::kAdd))
        if (const auto m = constant(def(b)->operands[1])) {
          const ValueId x = def(b)->operands[0];
          return become(id, Op::kAdd, {make(Op::kAdd, type, {a, x}), number(type, *m)});
        }
      return n ? kNone : sum_of_multiples(id);
    case Op::kSub:
      if (n) return become(id, Op::kAdd, {a, number(type, 0 - *n)});
      if (a == b) return number(type, 0);
      if (const auto m = constant(a); m && *m == 0) return become(id, Op::kNeg, {b});
      return sum_of_multiples(id);
    case Op::kMul:
      if (!n) return kNone;
      if (*n == 0) return b;
      if (*n == 1) return a;
      if (*n == ones(type)) return become(id, Op::kNeg, {a});
      if (const int k = power_of_two(*n); k > 0)
        return become(id, Op::kShl, {a, f_.i32(static_cast<std::uint32_t>(k))});
      return kNone;
    case Op::kMulWideU:
    case Op::kMulWideS:
      if (n && *n == 0) return number(type, 0);
      if (n)
        if (const int k = power_of_two(*n); k >= 0 && (k < 31 || inst.op == Op::kMulWideU)) {
          const ValueId wide = make(inst.op == Op::kMulWideU ? Op::kZext32 : Op::kSext32, Type::kI64, {a});
          return k == 0 ? wide : become(id, Op::kShl, {wide, f_.i32(static_cast<std::uint32_t>(k))});
        }
      return kNone;
    case Op::kDivU:
      if (n)
        if (const int k = power_of_two(*n); k >= 0)
          return k == 0 ? a : become(id, Op::kShrU, {a, f_.i32(static_cast<std::uint32_t>(k))});
      return kNone;
    case Op::kRemU:
      if (n && power_of_two(*n) >= 0) return become(id, Op::kAnd, {a, number(type, *n - 1)});
      return kNone;
    case Op::kAnd:
      if (a == b) return a;
      if (n && *n == 0) return b;
      if (n && *n == ones(type)) return a;
      if (n)
        if (const auto m = left_constant(Op::kAnd))
          return become(id, Op::kAnd, {left->operands[0], number(type, *m & *n)});
      if (type == Type::kI32 && n && *n == 0xff) return become(id, Op::kZext8, {a});
      if (type == Type::kI32 && n && *n == 0xffff) return become(id, Op::kZext16, {a});
      return kNone;
    case Op::kOr:
      if (a == b) return a;
      if (n && *n == 0) return a;
      if (n && *n == ones(type)) return b;
      if (n)
        if (const auto m = left_constant(Op::kOr))
          return become(id, Op::kOr, {left->operands[0], number(type, *m | *n)});
      // (x << m) | n without common bits is a sum, whose constant may go into an address (from 16 on: a word of halves)
      if (n && type == Type::kI32)
        if (const auto m = left_constant(Op::kShl); m && *m < 16 && *n < std::uint64_t{1} << *m)
          return become(id, Op::kAdd, {a, b});
      return kNone;
    case Op::kXor:
      if (a == b) return number(type, 0);
      if (n && *n == 0) return a;
      if (n && *n == ones(type)) return become(id, Op::kNot, {a});
      if (n)
        if (const auto m = left_constant(Op::kXor))
          return become(id, Op::kXor, {left->operands[0], number(type, *m ^ *n)});
      return kNone;
    case Op::kNot:
      if (left != nullptr && left->op == Op::kNot) return left->operands[0];
      if (left != nullptr && left->op == Op::kSet) {
        static constexpr Compare kOpposite[] = {Compare::kNe,  Compare::kEq, Compare::kGe,  Compare::kGt,
                                                Compare::kLe,  Compare::kLt, Compare::kGeU, Compare::kGtU,
                                                Compare::kLeU, Compare::kLtU};
        f_.insts[id].compare = kOpposite[static_cast<std::size_t>(left->compare)];
        return become(id, Op::kSet, left->operands);
      }
      if (left != nullptr && left->op == Op::kFset) {
        // the opposite of an ordered relation is an unordered one
        static constexpr Compare kOpposite[] = {
            Compare::kNeUn,      Compare::kEqUn,   Compare::kGeUn, Compare::kGtUn,
            Compare::kLeUn,      Compare::kLtUn,                                  // eq ne lt le gt ge
            Compare::kEq,        Compare::kEq,     Compare::kEq,   Compare::kEq,  // integers: never
            Compare::kNe,        Compare::kEq,     Compare::kGe,   Compare::kGt,
            Compare::kLe,        Compare::kLt,  // equ neu ltu leu gtu geu
            Compare::kUnordered, Compare::kOrdered};
        f_.insts[id].compare = kOpposite[static_cast<std::size_t>(left->compare)];
        return become(id, Op::kFset, left->operands);
      }
      return kNone;
    case Op::kNeg:
      if (left != nullptr && left->op == Op::kNeg) return left->operands[0];
      if (left != nullptr && left->op == Op::kSub) return become(id, Op::kSub, {left->operands[1], left->operands[0]});
      return kNone;
    case Op::kMinU:
      if (a == b) return a;
      if (n && *n == 0) return b;
      return n && *n == ones(type) ? a : kNone;
    case Op::kMaxU:
      if (a == b) return a;
      if (n && *n == 0) return a;
      return n && *n == ones(type) ? b : kNone;
    case Op::kMinS:
    case Op::kMaxS: return a == b ? a : kNone;
    case Op::kAddHigh:
    case Op::kSubHigh: {  // adding or subtracting 0 gives no carry
      const auto m = constant(inst.operands[3]);
      if (m && *m == 0) return become(id, inst.op == Op::kAddHigh ? Op::kAdd : Op::kSub, {a, b});
      return kNone;
    }
    case Op::kFneg: return left != nullptr && left->op == Op::kFneg ? left->operands[0] : kNone;
    case Op::kFabs:
      if (left != nullptr && left->op == Op::kFabs) return a;
      return left != nullptr && left->op == Op::kFneg ? become(id, Op::kFabs, {left->operands[0]}) : kNone;
    default: return kNone;
  }
}

ValueId Simplifier::rewrite_shift(InstId id) {
  const Inst inst = f_.insts[id];
  const ValueId a = inst.operands[0];
  const auto n = constant(inst.operands[1]);
  const Type type = type_of(a);
  const std::uint64_t width = type == Type::kI64 ? 64 : 32;
  if (const auto m = constant(a); m && *m == 0) return a;
  if (!n) return kNone;
  if (*n == 0) return a;
  if (*n >= width) {
    if (inst.op != Op::kShrS) return number(type, 0);
    if (*n > width - 1) return become(id, Op::kShrS, {a, f_.i32(static_cast<std::uint32_t>(width - 1))});
    return kNone;
  }
  const Inst* left = def(a);
  if (left == nullptr) return kNone;
  // (x + c) << n becomes (x << n) + (c << n), so that neighbours in an array share their base
  if (inst.op == Op::kShl && left->op == Op::kAdd && type == Type::kI32)
    if (const auto c = constant(left->operands[1]))
      return become(id, Op::kAdd,
                    {make(Op::kShl, type, {left->operands[0], inst.operands[1]}), number(type, *c << *n)});
  const auto m = left->operands.size() == 2 ? constant(left->operands[1]) : std::nullopt;
  if (left->op == inst.op && m && *m < width) {
    const std::uint64_t sum = *n + *m;
    if (sum >= width && inst.op != Op::kShrS) return number(type, 0);
    return become(id, inst.op, {left->operands[0], f_.i32(static_cast<std::uint32_t>(std::min(sum, width - 1)))});
  }
  // (x >> n) << n and (x << n) >> n are masks
  if (m && *m == *n &&
      ((inst.op == Op::kShl && left->op != Op::kShl && (left->op == Op::kShrU || left->op == Op::kShrS)) ||
       (inst.op == Op::kShrU && left->op == Op::kShl))) {
    const std::uint64_t all = ones(type);
    const std::uint64_t mask = inst.op == Op::kShl ? all & (all << *n) : all >> *n;
    return become(id, Op::kAnd, {left->operands[0], number(type, mask)});
  }
  if (inst.op == Op::kShrS && left->op == Op::kShl && m && *m == *n && type == Type::kI32 && (*n == 16 || *n == 24))
    return become(id, *n == 16 ? Op::kSext16 : Op::kSext8, {left->operands[0]});
  if (type == Type::kI64 && inst.op == Op::kShrU && left->op == Op::kZext32)
    return *n >= 32 ? number(type, 0)
                    : become(id, Op::kZext32, {make(Op::kShrU, Type::kI32, {left->operands[0], inst.operands[1]})});
  if (type == Type::kI64 && inst.op == Op::kShrS && left->op == Op::kSext32)
    return become(id, Op::kSext32,
                  {make(Op::kShrS, Type::kI32,
                        {left->operands[0], f_.i32(static_cast<std::uint32_t>(std::min<std::uint64_t>(*n, 31)))})});
  return kNone;
}

}  // namespace g80::ir
