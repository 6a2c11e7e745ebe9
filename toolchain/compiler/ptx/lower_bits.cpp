// SPDX-License-Identifier: Apache-2.0
// Lowers logic and shifts, and the bit instructions of later chips as sequences.

#include <array>

#include "toolchain/compiler/ptx/kernel_lowering.h"

namespace g80::ptx {
namespace {

/// Selectors of prmt's modes for selector value 0..3 (PTX ISA, prmt).
constexpr std::array<std::array<std::uint32_t, 4>, 6> kPermuteModes{{
    {0x3210, 0x4321, 0x5432, 0x6543},  // f4e
    {0x5670, 0x6701, 0x7012, 0x0123},  // b4e
    {0x0000, 0x1111, 0x2222, 0x3333},  // rc8
    {0x3210, 0x3211, 0x3222, 0x3333},  // ecl
    {0x0000, 0x1110, 0x2210, 0x3210},  // ecr
    {0x1010, 0x3232, 0x1010, 0x3232},  // rc16
}};

/// Makes the sequences for one i32.
class BitSequences {
 public:
  explicit BitSequences(Emitter& emit) : emit_(emit) {}

  ValueId popc(ValueId x) {
    ValueId v = sub(x, both(shr(x, 1), 0x55555555u));
    v = emit_.op(Op::kAdd, {both(v, 0x33333333u), both(shr(v, 2), 0x33333333u)});
    v = both(emit_.op(Op::kAdd, {v, shr(v, 4)}), 0x0f0f0f0fu);
    v = emit_.op(Op::kAdd, {v, shr(v, 8)});
    v = emit_.op(Op::kAdd, {v, shr(v, 16)});
    return both(v, 0x3f);
  }

  /// The exponent of the number as a truncated f32 is the place of its highest bit. Zero has exponent field 0.
  ValueId clz(ValueId x) {
    ir::Inst convert = emit_.make(Op::kIntToFloatU, {x});
    convert.round = ir::Round::kRz;
    const ValueId f = emit_.add(std::move(convert), ir::Type::kF32);
    const ValueId exponent = shr(emit_.op(Op::kF32ToBits, ir::Type::kI32, {f}), 23);
    return emit_.op(Op::kMinU, {sub(emit_.i32(158), exponent), emit_.i32(32)});
  }

  ValueId brev(ValueId x) {
    static constexpr std::array<std::uint32_t, 4> kMasks{0x55555555u, 0x33333333u, 0x0f0f0f0fu, 0x00ff00ffu};
    for (unsigned k = 0; k < 4; ++k) {
      const ValueId up = emit_.op(Op::kShl, {both(x, kMasks[k]), emit_.i32(1u << k)});
      x = emit_.op(Op::kOr, {up, both(shr(x, 1u << k), kMasks[k])});
    }
    return emit_.op(Op::kOr, {emit_.op(Op::kShl, {x, emit_.i32(16)}), shr(x, 16)});
  }

 private:
  ValueId shr(ValueId x, std::uint32_t n) { return emit_.op(Op::kShrU, {x, emit_.i32(n)}); }
  ValueId both(ValueId x, std::uint32_t mask) { return emit_.op(Op::kAnd, {x, emit_.i32(mask)}); }
  ValueId sub(ValueId a, ValueId b) { return emit_.op(Op::kSub, {a, b}); }

  Emitter& emit_;
};

}  // namespace

/// Byte k of the result is byte (selector >> 4k) & 7 of b:a, or eight copies of its sign if bit 3 is set.
ValueId KernelLowering::permute(ValueId a, ValueId b, ValueId selector) {
  const ValueId whole = emit_.op(Op::kPack, ir::Type::kI64, {a, b});
  ValueId result = emit_.i32(0);
  for (unsigned k = 0; k < 4; ++k) {
    const ValueId nibble = k == 0 ? selector : emit_.op(Op::kShrU, {selector, emit_.i32(4 * k)});
    const ValueId shift = emit_.op(Op::kShl, {emit_.op(Op::kAnd, {nibble, emit_.i32(7)}), emit_.i32(3)});
    const ValueId at = emit_.op(Op::kTrunc, ir::Type::kI32, {emit_.op(Op::kShrU, {whole, shift})});
    const ValueId byte = emit_.op(Op::kZext8, {at});
    const ValueId sign = emit_.op(Op::kZext8, {emit_.op(Op::kShrS, {emit_.op(Op::kSext8, {at}), emit_.i32(7)})});
    const ValueId is_sign = emit_.compare(ir::Compare::kNe, emit_.op(Op::kAnd, {nibble, emit_.i32(8)}), emit_.i32(0));
    const ValueId chosen = emit_.select(is_sign, sign, byte);
    result = emit_.op(Op::kOr, {result, k == 0 ? chosen : emit_.op(Op::kShl, {chosen, emit_.i32(8 * k)})});
  }
  return result;
}

void KernelLowering::lower_bits(const Instruction& inst) {
  const Scalar type = inst.type();
  const bool is64 = scalar_bits(type) == 64;
  const bool sign = is_signed(type);
  BitSequences sequences(emit_);
  const auto operand = [&](std::size_t k) { return value(inst.operands[k], type); };
  const auto result = [&](ValueId v) { define(inst.operands[0], v); };
  const auto low = [&](ValueId v) { return emit_.op(Op::kTrunc, ir::Type::kI32, {v}); };
  const auto high = [&](ValueId v) { return emit_.op(Op::kHigh, ir::Type::kI32, {v}); };
  const auto number = [&](std::uint64_t n) { return is64 ? emit_.i64(n) : emit_.i32(static_cast<std::uint32_t>(n)); };
  const auto byte = [&](std::size_t k) { return emit_.op(Op::kAnd, {count(inst.operands[k]), emit_.i32(0xff)}); };
  const auto leading_zeros = [&](ValueId v) {
    if (!is64) return sequences.clz(v);
    const ValueId none = emit_.compare(ir::Compare::kEq, high(v), emit_.i32(0));
    const ValueId rest = emit_.op(Op::kAdd, {sequences.clz(low(v)), emit_.i32(32)});
    return emit_.select(none, rest, sequences.clz(high(v)));
  };
  switch (inst.op()) {
    case Opcode::kAnd: return result(emit_.op(Op::kAnd, {operand(1), operand(2)}));
    case Opcode::kOr: return result(emit_.op(Op::kOr, {operand(1), operand(2)}));
    case Opcode::kXor: return result(emit_.op(Op::kXor, {operand(1), operand(2)}));
    case Opcode::kNot: return result(emit_.op(Op::kNot, {operand(1)}));
    case Opcode::kCnot: {
      const ValueId v = extended(inst.operands[1], type);
      return result(emit_.select(emit_.compare(ir::Compare::kEq, v, number(0)), number(1), number(0)));
    }
    case Opcode::kShl: return result(emit_.op(Op::kShl, {operand(1), count(inst.operands[2])}));
    case Opcode::kShr:
      return result(
          emit_.op(sign ? Op::kShrS : Op::kShrU, {extended(inst.operands[1], type), count(inst.operands[2])}));
    case Opcode::kPopc: {
      const ValueId v = operand(1);
      if (!is64) return result(sequences.popc(v));
      return result(emit_.op(Op::kAdd, {sequences.popc(low(v)), sequences.popc(high(v))}));
    }
    case Opcode::kClz: return result(leading_zeros(operand(1)));
    case Opcode::kBfind: {
      ValueId v = operand(1);
      if (sign) v = emit_.op(Op::kXor, {v, emit_.op(Op::kShrS, {v, emit_.i32(is64 ? 63 : 31)})});
      const ValueId zeros = leading_zeros(v);
      if (!inst.mods.shift_amount) return result(emit_.op(Op::kSub, {emit_.i32(is64 ? 63 : 31), zeros}));
      const ValueId none = emit_.compare(ir::Compare::kEq, zeros, emit_.i32(is64 ? 64 : 32));
      return result(emit_.select(none, emit_.i32(0xffffffffu), zeros));
    }
    case Opcode::kBrev: {
      const ValueId v = operand(1);
      if (!is64) return result(sequences.brev(v));
      return result(emit_.op(Op::kPack, ir::Type::kI64, {sequences.brev(high(v)), sequences.brev(low(v))}));
    }
    case Opcode::kBfe: {
      const ValueId v = operand(1), pos = byte(2), len = byte(3);
      if (!sign) {
        const ValueId mask = emit_.op(Op::kSub, {emit_.op(Op::kShl, {number(1), len}), number(1)});
        return result(emit_.op(Op::kAnd, {emit_.op(Op::kShrU, {v, pos}), mask}));
      }
      // The field goes to the top and comes back with its sign; a field beyond the top ends there.
      const ValueId room = emit_.op(Op::kSub, {emit_.i32(is64 ? 64 : 32), emit_.op(Op::kAdd, {pos, len})});
      const ValueId up = emit_.op(Op::kMaxS, {room, emit_.i32(0)});
      const ValueId field = emit_.op(Op::kShrS, {emit_.op(Op::kShl, {v, up}), emit_.op(Op::kAdd, {pos, up})});
      return result(emit_.select(emit_.compare(ir::Compare::kEq, len, emit_.i32(0)), number(0), field));
    }
    case Opcode::kBfi: {
      const ValueId a = operand(1), b = operand(2), pos = byte(3), len = byte(4);
      const ValueId ones = emit_.op(Op::kSub, {emit_.op(Op::kShl, {number(1), len}), number(1)});
      const ValueId mask = emit_.op(Op::kShl, {ones, pos});
      const ValueId field = emit_.op(Op::kAnd, {emit_.op(Op::kShl, {a, pos}), mask});
      return result(emit_.op(Op::kOr, {field, emit_.op(Op::kAnd, {b, emit_.op(Op::kNot, {mask})})}));
    }
    case Opcode::kPrmt: {
      const ValueId a = operand(1), b = operand(2);
      ValueId selector = operand(3);
      if (inst.mods.permute != Permute::kNone) {
        const auto& mode = kPermuteModes[static_cast<std::size_t>(inst.mods.permute) - 1];
        const ValueId index = emit_.op(Op::kAnd, {selector, emit_.i32(3)});
        selector = emit_.i32(mode[0]);
        for (std::uint32_t k = 1; k < 4; ++k)
          selector = emit_.select(emit_.compare(ir::Compare::kEq, index, emit_.i32(k)), emit_.i32(mode[k]), selector);
      }
      return result(permute(a, b, selector));
    }
    default: fail("this bit instruction is not supported");
  }
}

}  // namespace g80::ptx
