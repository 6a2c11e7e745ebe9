// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "toolchain/compiler/optimize/passes.h"
#include "toolchain/compiler/optimize/uses.h"

namespace g80::ir {

/// Fuses a * b + c if the product has no other reader. The chip's f32 multiply-add truncates the product, and that of
/// f64 does not round it, so the source must allow fusing for both instructions.
void fuse_multiply_add(Function& function) {
  const Uses uses(function);
  const auto product = [&](ValueId v) -> const Inst* {
    const Inst* inst = function.def(v);
    const bool fits = inst != nullptr && inst->op == Op::kFmul && inst->contract && !inst->saturate &&
                      inst->round == Round::kRn && uses.of(v).size() == 1;
    return fits ? inst : nullptr;
  };
  for (Block& block : function.blocks) {
    std::vector<InstId> insts;
    const std::vector<InstId> old = block.insts;
    for (const InstId id : old) {
      const Inst inst = function.insts[id];
      const bool sum = inst.op == Op::kFadd || inst.op == Op::kFsub;
      if (!sum || !inst.contract || inst.round != Round::kRn) {
        insts.push_back(id);
        continue;
      }
      const Type type = function.type_of(inst.results[0]);
      const auto negated = [&](ValueId v) {
        Inst neg;
        neg.op = Op::kFneg;
        neg.operands = {v};
        neg.loc = inst.loc;
        const InstId made = function.add_inst(std::move(neg), {type});
        insts.push_back(made);
        return function.insts[made].results[0];
      };
      const bool subtracts = inst.op == Op::kFsub;
      std::vector<ValueId> operands;
      if (const Inst* left = product(inst.operands[0])) {
        operands = {left->operands[0], left->operands[1], inst.operands[1]};
        if (subtracts) operands[2] = negated(operands[2]);
      } else if (const Inst* right = product(inst.operands[1])) {
        operands = {right->operands[0], right->operands[1], inst.operands[0]};
        if (subtracts) operands[0] = negated(operands[0]);
      }
      if (!operands.empty()) {
        Inst& fused = function.insts[id];
        fused.op = type == Type::kF64 ? Op::kFma : Op::kFmad;
        fused.operands = std::move(operands);
        fused.contract = false;
      }
      insts.push_back(id);
    }
    block.insts = std::move(insts);
  }
}

}  // namespace g80::ir
