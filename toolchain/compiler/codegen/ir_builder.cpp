// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/ir_builder.h"

#include "hw/isa/float_bits.h"

namespace g80::codegen {

using ir::Op;
using ir::Type;
using ir::ValueId;

ValueId IrBuilder::make(ir::Inst inst, Type type) {
  inst.loc = loc;
  const ir::InstId id = f.add_inst(std::move(inst), {type});
  out.push_back(id);
  return f.insts[id].results[0];
}

ValueId IrBuilder::make(Op op, Type type, std::vector<ValueId> operands) {
  if (const ValueId folded = fold(op, type, operands); folded != ir::kNone) return folded;
  if (const ValueId same = identity(op, operands); same != ir::kNone) return same;
  ir::Inst inst;
  inst.op = op;
  inst.operands = std::move(operands);
  return make(std::move(inst), type);
}

ValueId IrBuilder::set(ir::Compare compare, ValueId a, ValueId b) {
  ir::Inst inst;
  inst.op = Op::kSet;
  inst.operands = {a, b};
  inst.compare = compare;
  return make(std::move(inst), Type::kPred);
}

ValueId IrBuilder::fset(ir::Compare compare, ValueId a, ValueId b) {
  ir::Inst inst;
  inst.op = Op::kFset;
  inst.operands = {a, b};
  inst.compare = compare;
  return make(std::move(inst), Type::kPred);
}

ValueId IrBuilder::fmul(ValueId a, ValueId b, ir::Round round) {
  ir::Inst inst;
  inst.op = Op::kFmul;
  inst.operands = {a, b};
  inst.round = round;
  return make(std::move(inst), f.type_of(a));
}

ValueId IrBuilder::convert(Op op, Type type, ValueId a, ir::Round round) {
  ir::Inst inst;
  inst.op = op;
  inst.operands = {a};
  inst.round = round;
  return make(std::move(inst), type);
}

ValueId IrBuilder::f32(float value) { return f.constant(Type::kF32, isa::bits_of(value)); }

// Evaluates operations on i32 and predicate constants.
ValueId IrBuilder::fold(Op op, Type type, const std::vector<ValueId>& operands) {
  for (const ValueId operand : operands) {
    if (!f.is_constant(operand) || (f.type_of(operand) != Type::kI32 && f.type_of(operand) != Type::kPred))
      return ir::kNone;
  }
  if (operands.empty() || (type != Type::kI32 && type != Type::kPred)) return ir::kNone;
  const auto word = [&](unsigned i) { return static_cast<std::uint32_t>(f.values[operands[i]].bits); };
  const auto give = [&](std::uint32_t value) { return f.constant(type, value); };
  switch (op) {
    case Op::kAdd: return give(word(0) + word(1));
    case Op::kSub: return give(word(0) - word(1));
    case Op::kMul: return give(word(0) * word(1));
    case Op::kMulHiU: return give(static_cast<std::uint32_t>(std::uint64_t{word(0)} * word(1) >> 32));
    case Op::kMulHiS:
      return give(static_cast<std::uint32_t>(
          static_cast<std::int64_t>(static_cast<std::int32_t>(word(0))) * static_cast<std::int32_t>(word(1)) >> 32));
    case Op::kAnd: return give(word(0) & word(1));
    case Op::kOr: return give(word(0) | word(1));
    case Op::kXor: return give(word(0) ^ word(1));
    case Op::kNot: return give(~word(0));
    case Op::kNeg: return give(0u - word(0));
    case Op::kShl: return give(word(1) > 31 ? 0 : word(0) << word(1));
    case Op::kShrU: return give(word(1) > 31 ? 0 : word(0) >> word(1));
    case Op::kShrS:
      return give(static_cast<std::uint32_t>(static_cast<std::int32_t>(word(0)) >> (word(1) > 31 ? 31 : word(1))));
    case Op::kZext8: return give(word(0) & 0xff);
    case Op::kZext16: return give(word(0) & 0xffff);
    case Op::kSext8: return give(static_cast<std::uint32_t>(static_cast<std::int8_t>(word(0))));
    case Op::kSext16: return give(static_cast<std::uint32_t>(static_cast<std::int16_t>(word(0))));
    case Op::kSelect: return word(0) != 0 ? operands[1] : operands[2];
    case Op::kAddHigh: return give(word(0) + word(1) + (word(2) + word(3) < word(2)));
    case Op::kSubHigh: return give(word(0) - word(1) - (word(2) < word(3)));
    default: return ir::kNone;
  }
}

// Simplifies operations whose result is an operand or a constant for every value of the other operand.
ValueId IrBuilder::identity(Op op, const std::vector<ValueId>& operands) {
  const auto is = [&](unsigned i, std::uint32_t value) {
    const ir::Value& v = f.values[operands[i]];
    return v.is_constant() && (v.type == Type::kI32 || v.type == Type::kPred) && v.bits == value;
  };
  switch (op) {
    case Op::kAdd:
    case Op::kOr:
    case Op::kXor:
      if (is(1, 0)) return operands[0];
      if (is(0, 0)) return operands[1];
      break;
    case Op::kSub:
    case Op::kShl:
    case Op::kShrU:
    case Op::kShrS:
      if (is(1, 0)) return operands[0];
      break;
    case Op::kAnd:
      if (f.type_of(operands[0]) != Type::kI32) break;
      if (is(1, 0) || is(0, 0)) return f.i32(0);
      if (is(1, 0xffffffffu)) return operands[0];
      if (is(0, 0xffffffffu)) return operands[1];
      break;
    case Op::kMul:
      if (f.type_of(operands[0]) != Type::kI32) break;
      if (is(1, 0) || is(0, 0)) return f.i32(0);
      if (is(1, 1)) return operands[0];
      if (is(0, 1)) return operands[1];
      break;
    case Op::kMulHiU:
      if (f.type_of(operands[0]) != Type::kI32) break;
      if (is(1, 0) || is(0, 0) || is(1, 1) || is(0, 1)) return f.i32(0);
      break;
    case Op::kSelect:
      if (operands[1] == operands[2]) return operands[1];
      if (is(0, 1)) return operands[1];
      if (is(0, 0)) return operands[2];
      break;
    default: break;
  }
  return ir::kNone;
}

void remove_dead(ir::Function& function) {
  std::vector<std::uint8_t> needed(function.insts.size(), 0);
  std::vector<ir::InstId> work;
  const auto need = [&](ir::InstId id) {
    if (id != ir::kNone && !needed[id]) {
      needed[id] = 1;
      work.push_back(id);
    }
  };
  for (const ir::Block& block : function.blocks) {
    for (const ir::InstId id : block.insts) {
      if (!ir::is_removable(function.insts[id])) need(id);
    }
  }
  while (!work.empty()) {
    const ir::InstId id = work.back();
    work.pop_back();
    for (const ValueId operand : function.insts[id].operands) need(function.values[operand].def);
  }
  for (ir::Block& block : function.blocks) {
    std::vector<ir::InstId> kept;
    for (const ir::InstId id : block.insts) {
      if (needed[id]) kept.push_back(id);
    }
    block.insts = std::move(kept);
  }
}

}  // namespace g80::codegen
