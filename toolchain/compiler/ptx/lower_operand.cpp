// SPDX-License-Identifier: Apache-2.0
// Operands: registers, literals and special registers as values of the IR, and back.
#include <fmt/format.h>

#include "toolchain/compiler/ptx/constant_expression.h"
#include "toolchain/compiler/ptx/kernel_lowering.h"
#include "toolchain/compiler/ptx/lexer.h"

namespace g80::ptx {

void KernelLowering::fail(const std::string& message) const { fail_at(module_.filename, at_->place, message); }

void KernelLowering::warn(const std::string& message) {
  warnings_.push_back({fmt::format("{}:{}: {}", module_.filename, at_->place.line, message)});
}

void KernelLowering::need(isa::Arch arch, const std::string& what) const {
  if (options_.arch < arch)
    fail(fmt::format("{} needs {}; this code is for {}", what, isa::arch_name(arch), isa::arch_name(options_.arch)));
}

/// f64 registers are f32 below sm_13, as in NVIDIA's compiler.
ir::Type KernelLowering::ir_type(Scalar type) const {
  if (type == Scalar::kPred) return ir::Type::kPred;
  if (type == Scalar::kF32) return ir::Type::kF32;
  if (type == Scalar::kF64) return options_.arch < isa::Arch::kSm13 ? ir::Type::kF32 : ir::Type::kF64;
  return scalar_bits(type) == 64 ? ir::Type::kI64 : ir::Type::kI32;
}

VariableId KernelLowering::register_of(const Frame& frame, std::uint32_t id) const {
  const std::uint32_t shared = frame.function->module_registers;
  return id < shared ? module_registers_ + id : frame.first_register + (id - shared);
}

ValueId KernelLowering::read_register(std::uint32_t id) {
  return emit_.ssa.read(register_of(*frame_, id), emit_.block);
}

void KernelLowering::write_register(std::uint32_t id, ValueId value) {
  if (guard_ != ir::kNone) value = emit_.select(guard_, value, read_register(id));
  emit_.ssa.write(register_of(*frame_, id), emit_.block, value);
}

ValueId KernelLowering::f64_bits(ValueId value) {
  if (emit_.function.type_of(value) == ir::Type::kF64) return emit_.op(Op::kF64ToBits, ir::Type::kI64, {value});
  // A demoted double: every f32 is exactly a double. Denormals are zero on this chip.
  const ValueId bits = emit_.op(Op::kF32ToBits, ir::Type::kI32, {value});
  const ValueId sign = emit_.op(Op::kAnd, {bits, emit_.i32(0x80000000u)});
  const ValueId magnitude = emit_.op(Op::kAnd, {bits, emit_.i32(0x7fffffffu)});
  const ValueId exponent = emit_.op(Op::kShrU, {magnitude, emit_.i32(23)});
  const ValueId high = emit_.op(Op::kShrU, {magnitude, emit_.i32(3)});
  const ValueId special = emit_.compare(ir::Compare::kEq, exponent, emit_.i32(255));
  const ValueId bias = emit_.select(special, emit_.i32((2047u - 255u) << 20), emit_.i32((1023u - 127u) << 20));
  const ValueId zero = emit_.compare(ir::Compare::kEq, exponent, emit_.i32(0));
  const ValueId biased = emit_.select(zero, emit_.i32(0), emit_.op(Op::kAdd, {high, bias}));
  const ValueId low = emit_.select(zero, emit_.i32(0), emit_.op(Op::kShl, {bits, emit_.i32(29)}));
  return emit_.op(Op::kPack, ir::Type::kI64, {low, emit_.op(Op::kOr, {sign, biased})});
}

ValueId KernelLowering::f64_from_bits(ValueId bits) {
  if (options_.arch >= isa::Arch::kSm13) return emit_.op(Op::kBitsToF64, ir::Type::kF64, {bits});
  // Rounds to nearest even. Too large values become infinite, too small ones zero.
  const ValueId low = emit_.op(Op::kTrunc, ir::Type::kI32, {bits}), high = emit_.op(Op::kHigh, ir::Type::kI32, {bits});
  const ValueId sign = emit_.op(Op::kAnd, {high, emit_.i32(0x80000000u)});
  const ValueId magnitude = emit_.op(Op::kAnd, {high, emit_.i32(0x7fffffffu)});
  // bits 61:29 of the double, re-biased: exponent and fraction of the f32 before rounding
  const ValueId top = emit_.op(Op::kSub, {magnitude, emit_.i32((1023u - 127u) << 20)});
  const ValueId kept =
      emit_.op(Op::kOr, {emit_.op(Op::kShl, {top, emit_.i32(3)}), emit_.op(Op::kShrU, {low, emit_.i32(29)})});
  const ValueId rest = emit_.op(Op::kAnd, {low, emit_.i32(0x1fffffffu)});
  const ValueId odd = emit_.op(Op::kAnd, {kept, emit_.i32(1)});
  const ValueId round_up = emit_.compare(ir::Compare::kGtU, emit_.op(Op::kAdd, {rest, odd}), emit_.i32(0x10000000u));
  const ValueId rounded = emit_.op(Op::kAdd, {kept, emit_.select(round_up, emit_.i32(1), emit_.i32(0))});
  const ValueId tiny = emit_.compare(ir::Compare::kLtU, magnitude, emit_.i32((1023u - 126u) << 20));
  const ValueId huge = emit_.compare(ir::Compare::kGeU, magnitude, emit_.i32((1023u + 128u) << 20));
  const ValueId fraction = emit_.op(Op::kOr, {emit_.op(Op::kAnd, {magnitude, emit_.i32(0xfffffu)}), low});
  const ValueId nan = emit_.op(Op::kAnd, ir::Type::kPred,
                               {emit_.compare(ir::Compare::kGeU, magnitude, emit_.i32(0x7ff00000u)),
                                emit_.compare(ir::Compare::kNe, fraction, emit_.i32(0))});
  ValueId result = emit_.select(huge, emit_.i32(0x7f800000u), rounded);
  result = emit_.select(tiny, emit_.i32(0), result);
  result = emit_.select(nan, emit_.i32(0x7fffffffu), result);
  return emit_.op(Op::kBitsToF32, ir::Type::kF32, {emit_.op(Op::kOr, {result, sign})});
}

ValueId KernelLowering::reinterpret(ValueId value, ir::Type type, bool is_f64) {
  const ir::Type from = emit_.function.type_of(value);
  if (is_f64 && type == ir::Type::kI64) return f64_bits(value);
  if (is_f64 && from == ir::Type::kI64) return f64_from_bits(value);
  if (from == type) return value;
  if (from == ir::Type::kF32 && type == ir::Type::kI32) return emit_.op(Op::kF32ToBits, type, {value});
  if (from == ir::Type::kI32 && type == ir::Type::kF32) return emit_.op(Op::kBitsToF32, type, {value});
  if (from == ir::Type::kI64 && type == ir::Type::kI32) return emit_.op(Op::kTrunc, type, {value});
  if (from == ir::Type::kI32 && type == ir::Type::kI64) return emit_.op(Op::kZext32, type, {value});
  fail("this combination of register types is not supported");
}

ValueId KernelLowering::literal(const Operand& operand, Scalar type) {
  Constant constant;
  constant.is_float = operand.kind == OperandKind::kFloat;
  constant.bits = operand.bits;
  constant.has_f32 = operand.has_f32;
  constant.f32_bits = operand.f32_bits;
  const ir::Type wanted = ir_type(type);
  if (is_float(type))
    return emit_.function.constant(wanted,
                                   wanted == ir::Type::kF64 ? constant_as_f64(constant) : constant_as_f32(constant));
  if (constant.is_float && scalar_bits(type) == 32) constant.bits = constant_as_f32(constant);
  if (type == Scalar::kPred) constant.bits = constant.bits != 0;
  if (const std::string why = why_no_value(constant, type, operand.text); !why.empty()) fail(why);
  return emit_.function.constant(wanted, constant.bits);
}

ValueId KernelLowering::special(ir::Special special) {
  if (special == ir::Special::kCtaidZ) return emit_.i32(0);  // a grid of this chip has two dimensions
  if (special == ir::Special::kNctaidZ) return emit_.i32(1);
  ir::Inst inst = emit_.make(Op::kSpecial, {});
  inst.special = special;
  return emit_.add(std::move(inst), ir::Type::kI32);
}

ValueId KernelLowering::value(const Operand& operand, Scalar type) {
  switch (operand.kind) {
    case OperandKind::kRegister: {
      const Scalar held = frame_->function->registers[operand.id].type;
      ValueId result = read_register(operand.id);
      if (operand.negated) return emit_.op(Op::kNot, {result});
      return reinterpret(result, ir_type(type), held == Scalar::kF64 || type == Scalar::kF64);
    }
    case OperandKind::kInteger:
    case OperandKind::kFloat: return literal(operand, type);
    case OperandKind::kSpecial: return reinterpret(special(operand.special), ir_type(type), false);
    case OperandKind::kClock:
      return reinterpret(emit_.add(emit_.make(Op::kClock, {}), ir::Type::kI32), ir_type(type), false);
    default: fail(fmt::format("'{}' cannot be an operand here", operand.text));
  }
}

ValueId KernelLowering::extend(ValueId value, Scalar type) {
  if (emit_.function.type_of(value) != ir::Type::kI32) return value;
  if (scalar_bits(type) == 8) return emit_.op(is_signed(type) ? Op::kSext8 : Op::kZext8, {value});
  if (scalar_bits(type) == 16) return emit_.op(is_signed(type) ? Op::kSext16 : Op::kZext16, {value});
  return value;
}

ValueId KernelLowering::extended(const Operand& operand, Scalar type) { return extend(value(operand, type), type); }

ValueId KernelLowering::count(const Operand& operand) {
  if (operand.kind == OperandKind::kRegister && scalar_bits(frame_->function->registers[operand.id].type) == 16)
    return emit_.op(Op::kZext16, {read_register(operand.id)});
  return value(operand, Scalar::kB32);
}

void KernelLowering::define(const Operand& operand, ValueId value) {
  if (operand.kind == OperandKind::kSink) return;
  const Scalar held = frame_->function->registers[operand.id].type;
  const ir::Type from = emit_.function.type_of(value);
  // An f64 may go through a .b64 register, and bits into an .f64 one.
  const bool is_f64 = (held == Scalar::kF64 && from == ir::Type::kI64) ||
                      (ir_type(held) == ir::Type::kI64 && (from == ir::Type::kF64 || from == ir::Type::kF32));
  write_register(operand.id, reinterpret(value, ir_type(held), is_f64));
}

}  // namespace g80::ptx
