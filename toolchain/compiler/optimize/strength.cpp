// SPDX-License-Identifier: Apache-2.0
// Chooses cheaper instructions for operands that are small or constant. The chip multiplies 24 bits in one instruction
// and 32 bits in several; it has no division.
#include <vector>

#include "toolchain/compiler/optimize/passes.h"
#include "toolchain/compiler/optimize/ranges.h"

namespace g80::ir {
namespace {

unsigned ceil_log2(std::uint64_t v) {
  unsigned k = 0;
  while ((std::uint64_t{1} << k) < v) ++k;
  return k;
}

class StrengthReducer {
 public:
  explicit StrengthReducer(Function& function) : f_(function), ranges_(function) {}

  void run() {
    std::vector<ValueId> replacement(f_.values.size(), kNone);
    for (Block& block : f_.blocks) {
      const std::vector<InstId> old = block.insts;
      insts_.clear();
      for (const InstId id : old) {
        loc_ = f_.insts[id].loc;
        const ValueId other = reduce(id);
        if (other == kNone) {
          insts_.push_back(id);
        } else {
          replacement[f_.insts[id].results[0]] = other;
        }
      }
      block.insts = insts_;
    }
    f_.replace_uses(std::move(replacement));
  }

 private:
  ValueId make(Op op, std::vector<ValueId> operands) {
    Inst inst;
    inst.op = op;
    inst.operands = std::move(operands);
    inst.loc = loc_;
    const InstId id = f_.add_inst(std::move(inst), {Type::kI32});
    insts_.push_back(id);
    return f_.insts[id].results[0];
  }
  ValueId number(std::uint64_t v) { return f_.i32(static_cast<std::uint32_t>(v)); }

  ValueId reduce(InstId id) {
    const Inst inst = f_.insts[id];
    if (inst.results.size() != 1 || f_.type_of(inst.results[0]) != Type::kI32) return kNone;
    switch (inst.op) {
      case Op::kMul: {
        const Range a = ranges_.of(inst.operands[0]), b = ranges_.of(inst.operands[1]);
        if (a.within(0, 0xffffff) && b.within(0, 0xffffff))
          f_.insts[id].op = Op::kMul24U;
        else if (a.within(-0x800000, 0x7fffff) && b.within(-0x800000, 0x7fffff))
          f_.insts[id].op = Op::kMul24S;
        return kNone;
      }
      case Op::kDivU:
      case Op::kDivS:
      case Op::kRemU:
      case Op::kRemS: return divide(inst);
      default: return kNone;
    }
  }

  /// Division by a constant: Granlund and Montgomery, "Division by Invariant Integers using Multiplication" (1994).
  ValueId divide(const Inst& inst) {
    const bool remainder = inst.op == Op::kRemU || inst.op == Op::kRemS;
    bool is_signed = inst.op == Op::kDivS || inst.op == Op::kRemS;
    const ValueId x = inst.operands[0];
    const Range range = ranges_.of(x), by = ranges_.of(inst.operands[1]);
    const Value& divisor = f_.values[inst.operands[1]];
    if (is_signed && range.low >= 0 && by.low >= 0) is_signed = false;  // the same, and cheaper
    if (!divisor.is_constant()) {
      if (!is_signed && (inst.op == Op::kDivS || inst.op == Op::kRemS))
        return make(remainder ? Op::kRemU : Op::kDivU, inst.operands);
      return kNone;
    }
    const std::uint32_t d = static_cast<std::uint32_t>(divisor.bits);
    if (d == 0) return kNone;
    const ValueId q = is_signed ? signed_quotient(x, static_cast<std::int32_t>(d)) : unsigned_quotient(x, d, range);
    if (!remainder) return q;
    return make(Op::kSub, {x, multiple(q, d)});
  }

  ValueId multiple(ValueId q, std::uint32_t d) {
    return (d & (d - 1)) == 0 ? make(Op::kShl, {q, number(ceil_log2(d))}) : make(Op::kMul, {q, number(d)});
  }

  ValueId unsigned_quotient(ValueId x, std::uint32_t d, const Range& range) {
    if (d == 1) return x;
    const unsigned l = ceil_log2(d);
    if ((d & (d - 1)) == 0) return make(Op::kShrU, {x, number(l)});
    if (range.within(0, 65535) && d <= 65535) {
      const std::uint64_t m = ((std::uint64_t{1} << (16 + l)) + d - 1) / d;  // at most 17 bits
      return make(Op::kShrU, {make(Op::kMul24HiU, {x, number(m)}), number(l)});
    }
    const std::uint64_t m = (((std::uint64_t{1} << l) - d) << 32) / d + 1;
    const ValueId t = make(Op::kMulHiU, {x, number(m)});
    const ValueId half = make(Op::kShrU, {make(Op::kSub, {x, t}), number(1)});
    return make(Op::kShrU, {make(Op::kAdd, {t, half}), number(l - 1)});
  }

  ValueId signed_quotient(ValueId x, std::int32_t d) {
    const std::uint32_t size = d < 0 ? 0 - static_cast<std::uint32_t>(d) : static_cast<std::uint32_t>(d);
    ValueId q;
    if (size == 1) {
      q = x;
    } else if ((size & (size - 1)) == 0) {
      const unsigned k = ceil_log2(size);
      const ValueId bias = make(Op::kShrU, {make(Op::kShrS, {x, number(31)}), number(32 - k)});
      q = make(Op::kShrS, {make(Op::kAdd, {x, bias}), number(k)});
    } else {
      const unsigned l = ceil_log2(size);
      const std::uint64_t m = ((std::uint64_t{1} << (31 + l)) / size) + 1;  // less 2^32: the multiplier is negative
      const ValueId sum = make(Op::kAdd, {x, make(Op::kMulHiS, {x, number(m)})});
      q = make(Op::kSub, {make(Op::kShrS, {sum, number(l - 1)}), make(Op::kShrS, {x, number(31)})});
    }
    return d < 0 ? make(Op::kNeg, {q}) : q;
  }

  Function& f_;
  Ranges ranges_;
  std::vector<InstId> insts_;
  Location loc_;
};

}  // namespace

void reduce_strength(Function& function) { StrengthReducer(function).run(); }

}  // namespace g80::ir
