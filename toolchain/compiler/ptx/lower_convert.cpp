// SPDX-License-Identifier: Apache-2.0
// cvt: between integers, between floats, and from one to the other.

#include "toolchain/compiler/ptx/kernel_lowering.h"

namespace g80::ptx {
namespace {

ir::Round direction(const Modifiers& mods, Rounding otherwise) {
  Rounding r = mods.has(ModifierGroup::kIntegral) ? mods.integral : mods.rounding;
  if (r == Rounding::kNone) r = otherwise;
  switch (r) {
    case Rounding::kRz: return ir::Round::kRz;
    case Rounding::kRm: return ir::Round::kRm;
    case Rounding::kRp: return ir::Round::kRp;
    default: return ir::Round::kRn;
  }
}

/// Clamping and resizing of integers, for one conversion.
class IntegerConversion {
 public:
  IntegerConversion(Emitter& emit, Scalar to, Scalar from) : emit_(emit), to_(to), from_(from) {}

  /// `v`: the source, extended by its type. The result is i64 for 64-bit destinations, otherwise i32 with arbitrary
  /// bits above the destination's.
  ValueId run(ValueId v, bool saturate) {
    if (saturate) v = clamp(v);
    const bool is64 = emit_.function.type_of(v) == ir::Type::kI64;
    if (scalar_bits(to_) == 64 && !is64)
      return emit_.op(is_signed(from_) ? Op::kSext32 : Op::kZext32, ir::Type::kI64, {v});
    if (scalar_bits(to_) < 64 && is64) return emit_.op(Op::kTrunc, ir::Type::kI32, {v});
    return v;
  }

 private:
  ValueId clamp(ValueId v) {
    const ir::Type type = emit_.function.type_of(v);
    const unsigned width = type == ir::Type::kI64 ? 64 : 32;
    const unsigned to_bits = scalar_bits(to_);
    const std::uint64_t top = is_signed(to_)  ? (std::uint64_t{1} << (to_bits - 1)) - 1
                              : to_bits == 64 ? UINT64_MAX
                                              : (std::uint64_t{1} << to_bits) - 1;
    const auto number = [&](std::uint64_t n) { return emit_.function.constant(type, n); };
    if (!is_signed(from_)) {
      const std::uint64_t most = width == 64 ? UINT64_MAX : 0xffffffffu;
      return top < most ? emit_.op(Op::kMinU, {v, number(top)}) : v;
    }
    const std::uint64_t most = (std::uint64_t{1} << (width - 1)) - 1;
    if (!is_signed(to_)) {
      v = emit_.op(Op::kMaxS, {v, number(0)});
    } else if (top < most) {
      v = emit_.op(Op::kMaxS, {v, number(~top)});
    }
    return top < most ? emit_.op(Op::kMinS, {v, number(top)}) : v;
  }

  Emitter& emit_;
  Scalar to_, from_;
};

}  // namespace

/// The value of a conversion or load, extended by its type to the register that takes it.
ValueId KernelLowering::to_register_width(ValueId value, Scalar type, std::uint32_t reg) {
  const Scalar held = frame_->function->registers[reg].type;
  if (is_float(type) || scalar_bits(type) >= scalar_bits(held)) return value;
  value = extend(value, type);
  if (scalar_bits(held) != 64 || emit_.function.type_of(value) == ir::Type::kI64) return value;
  return emit_.op(is_signed(type) ? Op::kSext32 : Op::kZext32, ir::Type::kI64, {value});
}

void KernelLowering::lower_convert(const Instruction& inst) {
  const Scalar to = inst.types[0], from = inst.types[1];
  const Modifiers& mods = inst.mods;
  const bool to_integer = !is_float(to), from_integer = !is_float(from);
  if (to_integer && from_integer && (mods.has(ModifierGroup::kRounding) || mods.has(ModifierGroup::kIntegral)))
    fail("cvt between integers does not round");
  if (to_integer != from_integer && !to_integer && mods.has(ModifierGroup::kIntegral))
    fail("cvt to a float rounds with .rn, .rz, .rm or .rp");
  const bool rounds = mods.has(ModifierGroup::kRounding);
  if (rounds && mods.has(ModifierGroup::kIntegral))
    fail("cvt has one rounding: to an integral value, or to the precision of a float");
  if (to_integer && rounds) fail("cvt to an integer rounds with .rni, .rzi, .rmi or .rpi");
  if (!to_integer && !from_integer && rounds && scalar_bits(to) >= scalar_bits(from))
    fail("cvt to a float that is not narrower does not round");
  if (mods.ftz && to != Scalar::kF32 && from != Scalar::kF32) fail(".ftz is only for f32");
  const auto with_round = [&](Op op, ValueId v, ir::Type type, ir::Round round) {
    ir::Inst made = emit_.make(op, {v});
    made.round = round;
    return emit_.add(std::move(made), type);
  };
  const auto saturated = [&](ValueId v) {
    if (!mods.sat) return v;
    if (emit_.function.type_of(v) != ir::Type::kF64) return emit_.op(Op::kFsat, {v});
    // the chip ignores .sat of f64. NaN becomes 0.
    const ValueId one = emit_.function.constant(ir::Type::kF64, 0x3ff0000000000000u);
    const ValueId zero = emit_.function.constant(ir::Type::kF64, 0);
    const ValueId positive = emit_.select(emit_.fcompare(ir::Compare::kGt, v, zero), v, zero);
    return emit_.op(Op::kFmin, ir::Type::kF64, {positive, one});
  };
  const auto define_result = [&](ValueId v) {
    define(inst.operands[0], to_register_width(v, to, inst.operands[0].id));
  };

  if (from_integer) {
    const ValueId v = extended(inst.operands[1], from);
    if (to_integer) return define_result(IntegerConversion(emit_, to, from).run(v, mods.sat));
    if (to == Scalar::kF16 && scalar_bits(from) > 16)
      fail("cvt to f16 from more than 16 bits is not supported: convert to f32 first");
    const ir::Type type = to == Scalar::kF16 ? ir::Type::kF32 : ir_type(to);
    const ir::Round round = to == Scalar::kF16 ? ir::Round::kRn : direction(mods, Rounding::kRn);
    ValueId f = saturated(with_round(is_signed(from) ? Op::kIntToFloatS : Op::kIntToFloatU, v, type, round));
    if (to == Scalar::kF16) f = with_round(Op::kF32ToF16, f, ir::Type::kI32, direction(mods, Rounding::kRn));
    return define_result(f);
  }

  ValueId v = value(inst.operands[1], from);
  if (from == Scalar::kF16) v = emit_.op(Op::kF16ToF32, ir::Type::kF32, {v});
  const bool to_64_bits = scalar_bits(to) == 64;
  // PTX: subnormal singles are zero, but where the destination has 64 bits and .ftz is not written
  if (from == Scalar::kF32 &&
      (to_64_bits ? mods.ftz : to == Scalar::kF32 && !mods.sat && !mods.has(ModifierGroup::kIntegral)))
    v = emit_.op(Op::kFmul, {v, emit_.function.constant(ir::Type::kF32, 0x3f800000u)});
  const ir::Type source = emit_.function.type_of(v);
  if (to_integer) {
    const ir::Type type = scalar_bits(to) == 64 ? ir::Type::kI64 : ir::Type::kI32;
    ValueId n =
        with_round(is_signed(to) ? Op::kFloatToIntS : Op::kFloatToIntU, v, type, direction(mods, Rounding::kRz));
    if (scalar_bits(to) < 32)
      n = IntegerConversion(emit_, to, is_signed(to) ? Scalar::kS32 : Scalar::kU32).run(n, true);
    return define_result(n);
  }
  if (mods.has(ModifierGroup::kIntegral)) {
    if (scalar_bits(to) != scalar_bits(from)) fail("cvt to an integral value keeps its type");
    v = with_round(Op::kFround, v, source, direction(mods, Rounding::kRn));
  }
  if (to == Scalar::kF16) {
    if (source == ir::Type::kF64) fail("cvt from f64 to f16 is not supported: it would round twice");
    return define_result(with_round(Op::kF32ToF16, saturated(v), ir::Type::kI32, direction(mods, Rounding::kRn)));
  }
  const ir::Type type = ir_type(to);
  if (source == ir::Type::kF64 && type == ir::Type::kF32)
    v = with_round(Op::kF64ToF32, v, type, direction(mods, Rounding::kRn));
  if (source == ir::Type::kF32 && type == ir::Type::kF64) v = emit_.op(Op::kF32ToF64, type, {v});
  define_result(saturated(v));
}

}  // namespace g80::ptx
