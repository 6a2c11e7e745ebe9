// SPDX-License-Identifier: Apache-2.0
// Comparisons and choices: set, setp, selp, slct.
#include <fmt/format.h>

#include <optional>

#include "toolchain/compiler/ptx/kernel_lowering.h"

namespace g80::ptx {
namespace {

using C = ir::Compare;

/// The comparison that the text `written` means for `type`, if there is one.
std::optional<C> compare_for(C written, Scalar type) {
  if (is_float(type)) {
    const bool is_unsigned = written >= C::kLtU && written <= C::kGeU;
    return is_unsigned ? std::nullopt : std::optional(written);
  }
  if (written == C::kEq || written == C::kNe) return written;
  if (written > C::kGeU || is_bits(type)) return std::nullopt;
  if (is_signed(type)) return written >= C::kLtU ? std::nullopt : std::optional(written);
  switch (written) {
    case C::kLt: return C::kLtU;
    case C::kLe: return C::kLeU;
    case C::kGt: return C::kGtU;
    case C::kGe: return C::kGeU;
    default: return written;
  }
}

}  // namespace

ValueId KernelLowering::compared(const Instruction& inst, ValueId a, ValueId b, Scalar type) {
  const std::optional<C> compare = compare_for(inst.mods.compare, type);
  if (!compare) fail(fmt::format("{}: this comparison does not exist for .{}", inst.form->name, scalar_name(type)));
  return is_float(type) ? emit_.fcompare(*compare, a, b) : emit_.compare(*compare, a, b);
}

/// Combines the relation with the third operand, if there is one, by .and, .or or .xor.
ValueId KernelLowering::combined(const Instruction& inst, ValueId relation, std::size_t operand) {
  const bool given = inst.operands.size() > operand;
  if (given != (inst.mods.boolean != Boolean::kNone))
    fail(fmt::format("{}: a predicate to combine with and .and, .or or .xor go together", inst.form->name));
  if (!given) return relation;
  const Op op = inst.mods.boolean == Boolean::kAnd ? Op::kAnd : inst.mods.boolean == Boolean::kOr ? Op::kOr : Op::kXor;
  return emit_.op(op, {relation, value(inst.operands[operand], Scalar::kPred)});
}

void KernelLowering::lower_compare(const Instruction& inst) {
  const Scalar type = inst.type();
  switch (inst.op()) {
    case Opcode::kSetp: {
      const ValueId relation = compared(inst, extended(inst.operands[1], type), extended(inst.operands[2], type), type);
      const Operand& target = inst.operands[0];
      if (target.kind != OperandKind::kPair) return define(target, combined(inst, relation, 3));
      // Both are computed before either is written: the combining predicate may be one of the two.
      const ValueId first = combined(inst, relation, 3);
      const ValueId second = combined(inst, emit_.op(Op::kNot, {relation}), 3);
      define(target.elements[0], first);
      return define(target.elements[1], second);
    }
    case Opcode::kSet: {
      const Scalar source = inst.types[1];
      const ValueId relation =
          compared(inst, extended(inst.operands[1], source), extended(inst.operands[2], source), source);
      const ValueId truth = combined(inst, relation, 3);
      const bool as_float = type == Scalar::kF32;
      const ir::Type out = as_float ? ir::Type::kF32 : ir::Type::kI32;
      const ValueId yes = emit_.function.constant(out, as_float ? 0x3f800000u : 0xffffffffu);
      return define(inst.operands[0], emit_.select(truth, yes, emit_.function.constant(out, 0)));
    }
    case Opcode::kSelp:
      return define(inst.operands[0], emit_.select(value(inst.operands[3], Scalar::kPred),
                                                   value(inst.operands[1], type), value(inst.operands[2], type)));
    case Opcode::kSlct: {
      const Scalar sign = inst.types[1];
      const ValueId c = value(inst.operands[3], sign);
      const ValueId zero = emit_.function.constant(ir_type(sign), 0);
      const ValueId take_first = is_float(sign) ? emit_.fcompare(C::kGe, c, zero) : emit_.compare(C::kGe, c, zero);
      return define(inst.operands[0],
                    emit_.select(take_first, value(inst.operands[1], type), value(inst.operands[2], type)));
    }
    default: fail("this comparison is not supported");
  }
}

}  // namespace g80::ptx
