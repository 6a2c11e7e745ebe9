// SPDX-License-Identifier: Apache-2.0
// Appends instructions of the IR to the block under construction.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "toolchain/compiler/ir/ir.h"
#include "toolchain/compiler/optimize/ssa_builder.h"

namespace g80::ptx {

using ir::Op;
using ir::SsaBuilder;
using ir::ValueId;
using ir::VariableId;

class Emitter {
 public:
  explicit Emitter(ir::Function& function) : function(function), ssa(function) {}

  ir::Function& function;
  SsaBuilder ssa;
  ir::BlockId block = 0;
  ir::Location loc;

  ir::Inst make(Op op, std::vector<ValueId> operands) const {
    ir::Inst inst;
    inst.op = op;
    inst.operands = std::move(operands);
    inst.loc = loc;
    return inst;
  }
  ValueId add(ir::Inst inst, ir::Type type) { return function.append1(block, std::move(inst), type); }
  void add(ir::Inst inst) { function.append(block, std::move(inst), {}); }

  ValueId op(Op op, ir::Type type, std::vector<ValueId> operands) { return add(make(op, std::move(operands)), type); }
  /// An operation whose result has the type of its first operand.
  ValueId op(Op o, std::vector<ValueId> operands) {
    const ir::Type type = function.type_of(operands[0]);
    return op(o, type, std::move(operands));
  }
  ValueId i32(std::uint32_t value) { return function.i32(value); }
  ValueId i64(std::uint64_t value) { return function.constant(ir::Type::kI64, value); }
  ValueId pred(bool value) { return function.constant(ir::Type::kPred, value); }
  ValueId compare(ir::Compare compare, ValueId a, ValueId b) {
    ir::Inst inst = make(Op::kSet, {a, b});
    inst.compare = compare;
    return add(std::move(inst), ir::Type::kPred);
  }
  ValueId fcompare(ir::Compare compare, ValueId a, ValueId b) {
    ir::Inst inst = make(Op::kFset, {a, b});
    inst.compare = compare;
    return add(std::move(inst), ir::Type::kPred);
  }
  ValueId select(ValueId condition, ValueId yes, ValueId no) {
    return op(Op::kSelect, function.type_of(yes), {condition, yes, no});
  }

  void branch(ir::BlockId to) {
    ir::Inst inst = make(Op::kBranch, {});
    inst.blocks = {to};
    add(std::move(inst));
    ssa.add_edge(block, to);
  }
  void branch(ValueId condition, ir::BlockId yes, ir::BlockId no) {
    ir::Inst inst = make(Op::kCondBranch, {condition});
    inst.blocks = {yes, no};
    add(std::move(inst));
    ssa.add_edge(block, yes);
    ssa.add_edge(block, no);
  }
};

}  // namespace g80::ptx
