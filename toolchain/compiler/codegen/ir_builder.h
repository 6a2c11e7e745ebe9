// SPDX-License-Identifier: Apache-2.0
// Appends IR instructions to a list and folds constants; for the passes that expand operations.
#pragma once
#include <vector>

#include "toolchain/compiler/ir/ir.h"

namespace g80::codegen {

class IrBuilder {
 public:
  explicit IrBuilder(ir::Function& function) : f(function) {}

  ir::Function& f;
  std::vector<ir::InstId> out;
  ir::Location loc;

  /// The only result of a new instruction. Integer, predicate and width operations on constants, and operations that
  /// change nothing, give a value that is already there.
  ir::ValueId make(ir::Op op, ir::Type type, std::vector<ir::ValueId> operands);
  ir::ValueId make(ir::Inst inst, ir::Type type);

  ir::ValueId add(ir::ValueId a, ir::ValueId b) { return make(ir::Op::kAdd, ir::Type::kI32, {a, b}); }
  ir::ValueId sub(ir::ValueId a, ir::ValueId b) { return make(ir::Op::kSub, ir::Type::kI32, {a, b}); }
  ir::ValueId mul(ir::ValueId a, ir::ValueId b) { return make(ir::Op::kMul, ir::Type::kI32, {a, b}); }
  ir::ValueId bit_and(ir::ValueId a, ir::ValueId b) { return make(ir::Op::kAnd, ir::Type::kI32, {a, b}); }
  ir::ValueId bit_or(ir::ValueId a, ir::ValueId b) { return make(ir::Op::kOr, ir::Type::kI32, {a, b}); }
  ir::ValueId bit_xor(ir::ValueId a, ir::ValueId b) { return make(ir::Op::kXor, ir::Type::kI32, {a, b}); }
  ir::ValueId shl(ir::ValueId a, ir::ValueId b) { return make(ir::Op::kShl, ir::Type::kI32, {a, b}); }
  ir::ValueId shr_u(ir::ValueId a, ir::ValueId b) { return make(ir::Op::kShrU, ir::Type::kI32, {a, b}); }
  ir::ValueId shr_s(ir::ValueId a, ir::ValueId b) { return make(ir::Op::kShrS, ir::Type::kI32, {a, b}); }
  ir::ValueId zext16(ir::ValueId a) { return make(ir::Op::kZext16, ir::Type::kI32, {a}); }
  ir::ValueId high16(ir::ValueId a) { return shr_u(a, f.i32(16)); }
  ir::ValueId set(ir::Compare compare, ir::ValueId a, ir::ValueId b);
  ir::ValueId fset(ir::Compare compare, ir::ValueId a, ir::ValueId b);
  ir::ValueId select(ir::ValueId pred, ir::ValueId a, ir::ValueId b) {
    return make(ir::Op::kSelect, f.type_of(a), {pred, a, b});
  }
  ir::ValueId bits(ir::ValueId a) { return make(ir::Op::kF32ToBits, ir::Type::kI32, {a}); }
  ir::ValueId from_bits(ir::ValueId a) { return make(ir::Op::kBitsToF32, ir::Type::kF32, {a}); }
  ir::ValueId fmul(ir::ValueId a, ir::ValueId b, ir::Round round = ir::Round::kRn);
  ir::ValueId convert(ir::Op op, ir::Type type, ir::ValueId a, ir::Round round);
  ir::ValueId f32(float value);

 private:
  ir::ValueId fold(ir::Op op, ir::Type type, const std::vector<ir::ValueId>& operands);
  ir::ValueId identity(ir::Op op, const std::vector<ir::ValueId>& operands);
};

/// Puts other instructions in the place of some: `expand(id)` makes them with `builder` and returns the value that
/// stands for the old one's result, or kNone if the instruction stays.
template <class Expand>
void expand_instructions(IrBuilder& builder, Expand expand) {
  ir::Function& f = builder.f;
  std::vector<ir::ValueId> replacement;
  for (ir::Block& block : f.blocks) {
    builder.out.clear();
    const std::vector<ir::InstId> insts = block.insts;
    for (const ir::InstId id : insts) {
      builder.loc = f.insts[id].loc;
      const ir::ValueId value = expand(id);
      if (value == ir::kNone) {
        builder.out.push_back(id);
      } else {
        replacement.resize(f.values.size(), ir::kNone);
        replacement[f.insts[id].results[0]] = value;
      }
    }
    block.insts = builder.out;
  }
  f.replace_uses(replacement);
}

/// Deletes dead instructions.
void remove_dead(ir::Function& function);

}  // namespace g80::codegen
