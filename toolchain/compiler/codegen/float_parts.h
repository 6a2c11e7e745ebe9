// SPDX-License-Identifier: Apache-2.0
// The parts of an fp32 number in integers, and its rounding, for the exact operations.
#pragma once
#include "toolchain/compiler/codegen/ir_builder.h"

namespace g80::codegen {

class FloatParts {
 public:
  explicit FloatParts(IrBuilder& builder) : b_(builder) {}

  ir::ValueId n(std::uint32_t value) { return b_.f.i32(value); }
  ir::ValueId f32(float value) { return b_.f32(value); }
  ir::ValueId field(ir::ValueId bits) { return b_.bit_and(b_.shr_u(bits, n(23)), n(0xff)); }
  ir::ValueId sign(ir::ValueId bits) { return b_.bit_and(bits, n(0x80000000u)); }
  ir::ValueId mantissa(ir::ValueId bits) { return b_.bit_or(b_.bit_and(bits, n(0x7fffff)), n(0x800000)); }
  /// The mantissa as a float in [1, 2).
  ir::ValueId scaled(ir::ValueId bits) { return b_.from_bits(b_.bit_or(b_.bit_and(bits, n(0x7fffff)), n(0x3f800000))); }
  /// Zero, subnormal, infinite or not a number.
  ir::ValueId is_special(ir::ValueId exponent) { return b_.set(ir::Compare::kGeU, b_.sub(exponent, n(1)), n(254)); }
  ir::ValueId either(ir::ValueId a, ir::ValueId b) { return b_.make(ir::Op::kOr, ir::Type::kPred, {a, b}); }
  /// -1 where the predicate holds, else 0.
  ir::ValueId mask(ir::ValueId pred) { return b_.select(pred, n(0xffffffffu), n(0)); }

  ir::ValueId wide(ir::Op op, ir::ValueId a, ir::ValueId b) { return b_.make(op, ir::Type::kI64, {a, b}); }
  ir::ValueId low(ir::ValueId wide) { return b_.make(ir::Op::kTrunc, ir::Type::kI32, {wide}); }
  ir::ValueId high(ir::ValueId wide) { return b_.make(ir::Op::kHigh, ir::Type::kI32, {wide}); }
  ir::ValueId zero_extended(ir::ValueId a) { return b_.make(ir::Op::kZext32, ir::Type::kI64, {a}); }

  /// A positive number before rounding: 32 digits, the first of which is 1 and the last also stands for all that was
  /// cut off; `exponent` is the biased exponent less 1.
  struct Unrounded {
    ir::ValueId sign;  // 0 or 0x80000000
    ir::ValueId exponent;
    ir::ValueId digits;
  };
  /// The i64 `magnitude`, not 0, whose bit 0 has the biased exponent `unit`.
  Unrounded normalised(ir::ValueId sign, ir::ValueId unit, ir::ValueId magnitude);
  /// The bits without the sign. The exponent must be that of a normal number.
  ir::ValueId rounded(const Unrounded& number, ir::Round round);
  /// The number, whatever its exponent.
  ir::ValueId packed(const Unrounded& number, ir::Round round);

 private:
  IrBuilder& b_;
};

}  // namespace g80::codegen
