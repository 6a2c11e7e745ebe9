// SPDX-License-Identifier: Apache-2.0
// Simplifies extensions, halves and bit patterns, most of which come from 64-bit addresses and 16-bit registers.
#include "toolchain/compiler/optimize/simplifier.h"

namespace g80::ir {

ValueId Simplifier::rewrite_width(InstId id) {
  const Inst inst = f_.insts[id];
  const ValueId a = inst.operands[0];
  const Inst* source = def(a);
  const Op from = source == nullptr ? Op::kPhi : source->op;
  const auto word = [&](Op op, ValueId v) {
    if (op != Op::kTrunc) return make(op, Type::kI32, {v});
    if (const auto known = low_words_.find(v); known != low_words_.end()) return known->second;
    return low_words_[v] = make(op, Type::kI32, {v});
  };
  switch (inst.op) {
    case Op::kZext8:
    case Op::kSext8:
    case Op::kZext16:
    case Op::kSext16: {
      const bool byte = inst.op == Op::kZext8 || inst.op == Op::kSext8;
      const bool sign = inst.op == Op::kSext8 || inst.op == Op::kSext16;
      const std::int64_t top = byte ? 0xff : 0xffff;
      const Range range = ranges_.of(a);
      if (sign ? range.within(-(top + 1) / 2, top / 2) : range.within(0, top)) return a;
      // the extension is not needed: only the low bits are read
      const bool same_or_wider =
          from == Op::kZext16 || from == Op::kSext16 || (byte && (from == Op::kZext8 || from == Op::kSext8));
      if (same_or_wider) return become(id, inst.op, {source->operands[0]});
      if (from == Op::kAnd)
        if (const auto mask = constant(source->operands[1]);
            mask && (*mask & static_cast<std::uint64_t>(top)) == static_cast<std::uint64_t>(top))
          return become(id, inst.op, {source->operands[0]});
      return kNone;
    }
    case Op::kTrunc:
      // Computes each low word only once. Otherwise the number of instructions would double at every sum, because the
      // truncation moves into both operands.
      if (const auto known = low_words_.try_emplace(a, inst.results[0]).first->second; known != inst.results[0])
        return known;
      switch (from) {
        case Op::kZext32:
        case Op::kSext32:
        case Op::kPack: return source->operands[0];
        case Op::kMulWideU:
        case Op::kMulWideS: return become(id, Op::kMul, source->operands);
        case Op::kAdd:
        case Op::kSub:
        case Op::kMul:
        case Op::kAnd:
        case Op::kOr:
        case Op::kXor: {
          const ValueId x = source->operands[0], y = source->operands[1];
          const Op op = source->op;
          const ValueId low = word(Op::kTrunc, x);
          return become(id, op, {low, word(Op::kTrunc, y)});
        }
        case Op::kShl: {
          const ValueId x = source->operands[0], n = source->operands[1];
          return become(id, Op::kShl, {word(Op::kTrunc, x), n});
        }
        case Op::kNot:
        case Op::kNeg: {
          const ValueId x = source->operands[0];
          const Op op = source->op;
          return become(id, op, {word(Op::kTrunc, x)});
        }
        case Op::kShrU:
        case Op::kShrS: {
          const auto n = constant(source->operands[1]);
          const ValueId x = source->operands[0];
          if (n && *n == 32) return become(id, Op::kHigh, {x});
          if (n && *n > 32 && *n < 64) {
            const Op op = source->op;
            return become(id, op, {word(Op::kHigh, x), f_.i32(static_cast<std::uint32_t>(*n - 32))});
          }
          return kNone;
        }
        case Op::kSelect: {
          const ValueId p = source->operands[0], x = source->operands[1], y = source->operands[2];
          const ValueId yes = word(Op::kTrunc, x);
          return become(id, Op::kSelect, {p, yes, word(Op::kTrunc, y)});
        }
        default: return kNone;
      }
    case Op::kHigh:
      if (from == Op::kPack) return source->operands[1];
      if (from == Op::kZext32) return f_.i32(0);
      if (from == Op::kSext32) return become(id, Op::kShrS, {source->operands[0], f_.i32(31)});
      if (from == Op::kMulWideU) return become(id, Op::kMulHiU, source->operands);
      if (from == Op::kMulWideS) return become(id, Op::kMulHiS, source->operands);
      return kNone;
    case Op::kPack: {
      const ValueId b = inst.operands[1];
      if (const auto high = constant(b); high && *high == 0) return become(id, Op::kZext32, {a});
      if (from == Op::kTrunc && is_def(b, Op::kHigh) && source->operands[0] == def(b)->operands[0])
        return source->operands[0];
      return kNone;
    }
    case Op::kSext32:
      if (ranges_.of(a).low >= 0) return become(id, Op::kZext32, {a});
      return kNone;
    case Op::kF32ToBits: return from == Op::kBitsToF32 ? source->operands[0] : kNone;
    case Op::kBitsToF32: return from == Op::kF32ToBits ? source->operands[0] : kNone;
    case Op::kF64ToBits: return from == Op::kBitsToF64 ? source->operands[0] : kNone;
    case Op::kBitsToF64: return from == Op::kF64ToBits ? source->operands[0] : kNone;
    default: return kNone;
  }
}

}  // namespace g80::ir
