// SPDX-License-Identifier: Apache-2.0
// Floating point arithmetic. f64 below sm_13 is done in f32, with one warning.
#include <fmt/format.h>

#include "toolchain/compiler/ptx/kernel_lowering.h"

namespace g80::ptx {
namespace {

ir::Round ir_round(Rounding rounding) {
  switch (rounding) {
    case Rounding::kRz: return ir::Round::kRz;
    case Rounding::kRm: return ir::Round::kRm;
    case Rounding::kRp: return ir::Round::kRp;
    default: return ir::Round::kRn;
  }
}

}  // namespace

/// The operation with the instruction's rounding, saturation and accuracy, and whether it may be fused.
ir::Inst KernelLowering::rounded(const Instruction& inst, Op op, std::vector<ValueId> operands) {
  const bool in_f32 = emit_.function.type_of(operands[0]) == ir::Type::kF32;
  ir::Inst result = emit_.make(op, std::move(operands));
  result.round = ir_round(inst.mods.rounding);
  if (in_f32 && inst.type() == Scalar::kF64 && result.round != ir::Round::kRz) result.round = ir::Round::kRn;
  result.saturate = inst.mods.sat;
  // clang writes .rn on every sum and product, so its .rn does not forbid fusing. That of inline assembly and of other
  // compilers does.
  const bool free = inst.mods.rounding == Rounding::kNone ||
                    (inst.mods.rounding == Rounding::kRn && module_.made_by_llvm && !inst.inline_asm);
  const bool fusible = op == Op::kFadd || op == Op::kFsub || op == Op::kFmul;
  result.contract = free && fusible && in_f32 == (inst.type() == Scalar::kF32);  // not in f64 done in f32
  switch (inst.mods.accuracy) {
    case Accuracy::kApprox: result.accuracy = ir::Accuracy::kApprox; break;
    case Accuracy::kFull: result.accuracy = ir::Accuracy::kFull; break;
    case Accuracy::kNone:
      result.accuracy = inst.mods.rounding == Rounding::kNone && inst.type() == Scalar::kF32 ? ir::Accuracy::kApprox
                                                                                             : ir::Accuracy::kExact;
      break;
  }
  return result;
}

/// a * b + c with one rounding.
ValueId KernelLowering::fused(const Instruction& inst, ValueId a, ValueId b, ValueId c) {
  const ir::Type type = emit_.function.type_of(a);
  if (type == ir::Type::kF32 && inst.type() == Scalar::kF64) return emit_.op(Op::kFmad, {a, b, c});  // demoted
  return emit_.add(rounded(inst, Op::kFma, {a, b, c}), type);
}

void KernelLowering::lower_float(const Instruction& inst) {
  const Scalar type = inst.type();
  const ir::Type in = ir_type(type);
  if (type == Scalar::kF64 && in == ir::Type::kF32 && !warned_f64_) {
    warned_f64_ = true;
    warn(fmt::format("f64 arithmetic needs sm_13; it is computed in f32 for {}", isa::arch_name(options_.arch)));
  }
  const auto operand = [&](std::size_t k) { return value(inst.operands[k], type); };
  const auto result = [&](ValueId v) { define(inst.operands[0], v); };
  const auto simple = [&](Op op, std::vector<ValueId> operands) { result(emit_.op(op, in, std::move(operands))); };
  const auto exact = [&](Op op, std::vector<ValueId> operands) {
    result(emit_.add(rounded(inst, op, std::move(operands)), in));
  };
  const auto accuracy_given = [&] {
    if (type == Scalar::kF32 && module_.version >= 14 && inst.mods.accuracy == Accuracy::kNone &&
        inst.mods.rounding == Rounding::kNone)
      fail(fmt::format("{}.f32 needs .approx or a rounding since PTX 1.4", inst.form->name));
  };
  switch (inst.op()) {
    case Opcode::kAdd: return exact(Op::kFadd, {operand(1), operand(2)});
    case Opcode::kSub: return exact(Op::kFsub, {operand(1), operand(2)});
    case Opcode::kMul: return exact(Op::kFmul, {operand(1), operand(2)});
    case Opcode::kMad:
      if (type == Scalar::kF32 && inst.mods.rounding == Rounding::kNone)
        return exact(Op::kFmad, {operand(1), operand(2), operand(3)});
      return result(fused(inst, operand(1), operand(2), operand(3)));
    case Opcode::kFma: return result(fused(inst, operand(1), operand(2), operand(3)));
    case Opcode::kDiv: accuracy_given(); return exact(Op::kFdiv, {operand(1), operand(2)});
    case Opcode::kRcp:
    case Opcode::kSqrt: {
      if (inst.mods.accuracy == Accuracy::kFull) fail(fmt::format("{}.full does not exist", inst.form->name));
      accuracy_given();
      return exact(inst.op() == Opcode::kRcp ? Op::kFrcp : Op::kFsqrt, {operand(1)});
    }
    case Opcode::kRsqrt: return exact(Op::kFrsqrt, {operand(1)});
    case Opcode::kSin: return simple(Op::kFsin, {operand(1)});
    case Opcode::kCos: return simple(Op::kFcos, {operand(1)});
    case Opcode::kLg2: return simple(Op::kFlg2, {operand(1)});
    case Opcode::kEx2: return simple(Op::kFex2, {operand(1)});
    case Opcode::kAbs: return simple(Op::kFabs, {operand(1)});
    case Opcode::kNeg: return simple(Op::kFneg, {operand(1)});
    case Opcode::kMin: return simple(Op::kFmin, {operand(1), operand(2)});
    case Opcode::kMax: return simple(Op::kFmax, {operand(1), operand(2)});
    case Opcode::kCopysign: {  // the sign of the first, the rest of the second
      const ValueId sign =
          reinterpret(operand(1), type == Scalar::kF64 ? ir::Type::kI64 : ir::Type::kI32, type == Scalar::kF64);
      const ValueId rest =
          reinterpret(operand(2), type == Scalar::kF64 ? ir::Type::kI64 : ir::Type::kI32, type == Scalar::kF64);
      const bool is64 = type == Scalar::kF64;
      const ValueId mask = is64 ? emit_.i64(std::uint64_t{1} << 63) : emit_.i32(0x80000000u);
      const ValueId keep = is64 ? emit_.i64(INT64_MAX) : emit_.i32(0x7fffffffu);
      const ValueId bits = emit_.op(Op::kOr, {emit_.op(Op::kAnd, {sign, mask}), emit_.op(Op::kAnd, {rest, keep})});
      return result(reinterpret(bits, in, is64));
    }
    case Opcode::kTestp: {
      const bool is64 = type == Scalar::kF64;
      const ValueId bits = reinterpret(operand(1), is64 ? ir::Type::kI64 : ir::Type::kI32, is64);
      const auto number = [&](std::uint64_t v64, std::uint32_t v32) { return is64 ? emit_.i64(v64) : emit_.i32(v32); };
      const ValueId magnitude = emit_.op(Op::kAnd, {bits, number(INT64_MAX, 0x7fffffffu)});
      const ValueId infinity = number(0x7ff0000000000000u, 0x7f800000u);
      const ValueId smallest = number(0x0010000000000000u, 0x00800000u);
      const auto is = [&](ir::Compare c, ValueId other) { return emit_.compare(c, magnitude, other); };
      switch (inst.mods.test) {
        case NumberTest::kFinite: return result(is(ir::Compare::kLtU, infinity));
        case NumberTest::kInfinite: return result(is(ir::Compare::kEq, infinity));
        case NumberTest::kNumber: return result(is(ir::Compare::kLeU, infinity));
        case NumberTest::kNotANumber: return result(is(ir::Compare::kGtU, infinity));
        case NumberTest::kNormal:
          return result(emit_.op(Op::kAnd, {is(ir::Compare::kLtU, infinity), is(ir::Compare::kGeU, smallest)}));
        case NumberTest::kSubnormal:
          return result(emit_.op(Op::kAnd, {is(ir::Compare::kLtU, smallest), is(ir::Compare::kNe, number(0, 0))}));
      }
      return;
    }
    default: fail("this floating point instruction is not supported");
  }
}

}  // namespace g80::ptx
