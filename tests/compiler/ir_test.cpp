// SPDX-License-Identifier: Apache-2.0
// The intermediate representation: what the verifier accepts and refuses, constants, dominators, text.
#include "toolchain/compiler/ir/ir.h"

#include <gtest/gtest.h>

namespace g80::ir {
namespace {

Inst make(Op op, std::vector<ValueId> operands, std::vector<BlockId> blocks = {}) {
  Inst inst;
  inst.op = op;
  inst.operands = std::move(operands);
  inst.blocks = std::move(blocks);
  return inst;
}

// if (2 == tid.x) x = tid.x + 1; else x = 5; then the phi
Function diamond() {
  Function f;
  f.name = "diamond";
  for (int i = 0; i < 4; ++i) f.add_block();
  const ValueId tid = f.append1(0, make(Op::kSpecial, {}), Type::kI32);
  const ValueId is_two = f.append1(0, make(Op::kSet, {tid, f.i32(2)}), Type::kPred);
  f.append(0, make(Op::kCondBranch, {is_two}, {1, 2}), {});
  const ValueId sum = f.append1(1, make(Op::kAdd, {tid, f.i32(1)}), Type::kI32);
  f.append(1, make(Op::kBranch, {}, {3}), {});
  f.append(2, make(Op::kBranch, {}, {3}), {});
  f.append1(3, make(Op::kPhi, {sum, f.i32(5)}, {1, 2}), Type::kI32);
  f.append(3, make(Op::kExit, {}), {});
  return f;
}

TEST(Ir, EqualConstantsAreOneValue) {
  Function f;
  EXPECT_EQ(f.i32(7), f.i32(7));
  EXPECT_NE(f.i32(7), f.i32(8));
  EXPECT_NE(f.i32(0), f.constant(Type::kF32, 0));
}

TEST(Ir, WellFormedFunctionsPass) { EXPECT_NO_THROW(verify(diamond())); }

TEST(Ir, UsesMustBeDominated) {
  Function f = diamond();
  const ValueId sum = f.insts[f.blocks[1].insts[0]].results[0];
  const InstId bad = f.add_inst(make(Op::kAdd, {sum, sum}), {Type::kI32});
  f.blocks[2].insts.insert(f.blocks[2].insts.begin(), bad);
  EXPECT_THROW(verify(f), std::logic_error);
}

TEST(Ir, PhisNameTheirPredecessors) {
  Function f = diamond();
  f.insts[f.blocks[3].insts[0]].blocks[0] = 0;
  EXPECT_THROW(verify(f), std::logic_error);
}

TEST(Ir, TypesMustAgree) {
  Function f = diamond();
  const InstId bad = f.add_inst(make(Op::kAdd, {f.i32(1), f.constant(Type::kI64, 1)}), {Type::kI32});
  f.blocks[0].insts.insert(f.blocks[0].insts.begin(), bad);
  EXPECT_THROW(verify(f), std::logic_error);
}

TEST(Ir, BlocksEndWithTerminators) {
  Function f = diamond();
  f.blocks[2].insts[0] = f.add_inst(make(Op::kBarrier, {}), {});
  EXPECT_THROW(verify(f), std::logic_error);
}

TEST(Ir, TheForkDominatesTheJoin) {
  const Dominators dominators = find_dominators(diamond());
  EXPECT_EQ(dominators.idom[3], 0u);
  EXPECT_TRUE(dominators.dominates(0, 3));
  EXPECT_FALSE(dominators.dominates(1, 3));
}

TEST(Ir, TextShowsOperationsAndTypes) {
  const std::string text = print(diamond());
  EXPECT_NE(text.find("= add %0, 0x1"), std::string::npos) << text;
  EXPECT_NE(text.find("condbr %2, b1, b2"), std::string::npos) << text;
  EXPECT_NE(text.find("= phi b1: %"), std::string::npos) << text;
}

}  // namespace
}  // namespace g80::ir
