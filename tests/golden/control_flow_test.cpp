// SPDX-License-Identifier: Apache-2.0
// The divergence stack: every rule once, in both orders where it matters.
#include <gtest/gtest.h>

#include "tests/golden/words.h"

namespace g80::golden {
namespace {

class BothOrders : public ::testing::TestWithParam<FirstPath> {};
INSTANTIATE_TEST_SUITE_P(Divergence, BothOrders, ::testing::Values(FirstPath::kTaken, FirstPath::kFallthrough),
                         [](const auto& info) { return info.param == FirstPath::kTaken ? "Taken" : "Fallthrough"; });

// $r1 = 4 * tid + 0x1000, $r2 = 16
Words prologue() { return join_words({shl_imm(1, 0, 2), add_imm(1, 1, 0x1000), mov_imm(2, 16)}); }  // 24 bytes

TEST_P(BothOrders, IfElseGivesEachSideItsValueAndJoins) {
  Machine m({prologue(), set_flags(0, kLess, 0, 2), /*20*/ joinat(0x48), /*28*/ bra(0x40, kNotZero),
             /*30*/ mov_imm(3, 100), /*38*/ bra(0x48), /*40*/ mov_imm(3, 200), /*48*/ nop_join(),
             /*50*/ add_imm(3, 3, 1), /*58*/ st_global(1, 3), nop_exit()});
  m.launch.first_path = GetParam();
  const RunResult result = m.run();
  ASSERT_EQ(result.status, RunStatus::kFinished) << describe(result.fault);
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(m.out(t), t < 16 ? 201u : 101u) << t;
  EXPECT_EQ(result.warp_instructions, 3u + 3 + 1 + 2 + 1 + 1 + 3);  // the join executes once per side
}

TEST_P(BothOrders, LanesThatBreakWaitAtTheLoopsEnd) {
  // for (r4 = 0;; ++r4) if (r4 == tid) break;   out = r4 + 7
  Machine m({prologue(), mov_imm(4, 0), /*20*/ breakaddr(0x48), /*28*/ set_flags(0, kEqual, 4, 0),
             /*30*/ brk(kNotZero), /*38*/ add_imm(4, 4, 1), /*40*/ bra(0x28), /*48*/ add_imm(4, 4, 7),
             /*50*/ st_global(1, 4), nop_exit()});
  m.launch.first_path = GetParam();
  ASSERT_EQ(m.run().status, RunStatus::kFinished);
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(m.out(t), t + 7);
}

TEST_P(BothOrders, DivergentReturnsMeetBehindTheCall) {
  Machine m({prologue(), mov_imm(3, 5), /*20*/ call(0x40), /*28*/ st_global(1, 3), /*30*/ nop_exit(), /*38*/ nop(),
             /*40*/ set_flags(1, kLess, 0, 2), /*48*/ ret(kNotZero, 1), /*50*/ add_imm(3, 3, 10), /*58*/ ret()});
  m.launch.first_path = GetParam();
  const RunResult result = m.run();
  ASSERT_EQ(result.status, RunStatus::kFinished);
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(m.out(t), t < 16 ? 5u : 15u);
  EXPECT_EQ(result.warp_instructions, 4u + 1 + 4 + 2);  // the store is issued once, by all lanes
}

TEST_P(BothOrders, ThreadsThatExitInsideARegionDoNotComeBack) {
  Machine m({prologue(), set_flags(0, kLess, 0, 2), /*20*/ joinat(0x48), /*28*/ bra(0x40, kNotZero),
             /*30*/ mov_imm(3, 9), /*38*/ bra(0x48), /*40*/ nop_exit(), /*48*/ nop_join(), /*50*/ st_global(1, 3),
             nop_exit()});
  m.launch.first_path = GetParam();
  ASSERT_EQ(m.run().status, RunStatus::kFinished);
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(m.out(t), t < 16 ? 0u : 9u);
}

TEST(ControlFlow, TheConfiguredSideOfABranchRunsFirst) {
  for (const FirstPath first : {FirstPath::kTaken, FirstPath::kFallthrough}) {
    Machine m({mov_imm(2, 16), set_flags(0, kLess, 0, 2), bra(0x20, kNotZero), nop_exit(), nop_exit()});
    m.launch.first_path = first;
    m.start();
    for (int i = 0; i < 3; ++i) ASSERT_EQ(m.step(), StepStatus::kStepped);
    EXPECT_EQ(m.warp().pc, first == FirstPath::kTaken ? 0x20u : 0x18u);
    EXPECT_EQ(m.warp().active, first == FirstPath::kTaken ? 0x0000ffffu : 0xffff0000u);
    ASSERT_EQ(m.warp().stack.size(), 1u);
    EXPECT_EQ(m.warp().stack[0].mask, ~m.warp().active);
  }
}

TEST(ControlFlow, AUniformBranchPushesNothing) {
  Machine m({bra(0x10), nop(), nop_exit()});
  m.start();
  ASSERT_EQ(m.step(), StepStatus::kStepped);
  EXPECT_EQ(m.warp().pc, 0x10u);
  EXPECT_TRUE(m.warp().stack.empty());
}

TEST(ControlFlow, ReturnOutsideACallEndsTheThreads) {
  Machine m({ret()});
  m.start();
  ASSERT_EQ(m.step(), StepStatus::kStepped);
  EXPECT_TRUE(m.warp().finished);
  EXPECT_TRUE(m.record.finished);
  EXPECT_EQ(m.step(), StepStatus::kFinished);
}

TEST(ControlFlow, LanesPastTheLastThreadNeverRun) {
  Machine m({mov_imm(1, 1), nop_exit()}, 40);
  m.start();
  ASSERT_EQ(m.step(1), StepStatus::kStepped);
  EXPECT_EQ(m.record.lanes, 0xffu);
  EXPECT_EQ(m.warp(1).r[1][7], 1u);
  EXPECT_EQ(m.warp(1).r[1][8], 0u);
}

FaultKind fault_of(std::initializer_list<Words> code, std::uint32_t stack_depth = kMaxStackDepth) {
  Machine m(code);
  m.launch.stack_depth = stack_depth;
  m.start();
  EXPECT_EQ(m.run_warp(), StepStatus::kFault);
  return m.executor.fault().kind;
}

TEST(ControlFlow, StackErrorsAreFaults) {
  EXPECT_EQ(fault_of({nop_join()}), FaultKind::kStackUnderflow);
  EXPECT_EQ(fault_of({quadpop()}), FaultKind::kStackUnderflow);
  EXPECT_EQ(fault_of({breakaddr(8), nop_join()}), FaultKind::kStackMismatch);
  EXPECT_EQ(fault_of({joinat(8), quadpop()}), FaultKind::kStackMismatch);
  EXPECT_EQ(fault_of({call(0)}, 4), FaultKind::kStackOverflow);
  EXPECT_EQ(fault_of({quadon(), bra(0)}), FaultKind::kQuadonActive);
  EXPECT_EQ(fault_of({quadon(), nop_exit()}), FaultKind::kQuadonActive);
  EXPECT_EQ(fault_of({trap()}), FaultKind::kTrap);
  EXPECT_EQ(fault_of({bra(0x800)}), FaultKind::kCodeLimit);
}

TEST(ControlFlow, ACallBeyondTheLimitIsSkipped) {
  Machine m({call(8, true), call(0x10, true), nop_exit()});
  m.launch.call_limit = 1;
  m.start();
  ASSERT_EQ(m.step(), StepStatus::kStepped);
  ASSERT_EQ(m.step(), StepStatus::kStepped);
  EXPECT_EQ(m.warp().stack.size(), 1u);
}

TEST(ControlFlow, WholeQuadModeWakesTheQuadsOfActiveLanesAndRestoresThem) {
  Machine m({quadon(), nop(), quadpop(), nop_exit()}, 6);
  m.start();
  ASSERT_EQ(m.warp().active, 0x3fu);
  ASSERT_EQ(m.step(), StepStatus::kStepped);
  EXPECT_EQ(m.warp().active, 0xffu);
  ASSERT_EQ(m.step(), StepStatus::kStepped);
  ASSERT_EQ(m.step(), StepStatus::kStepped);
  EXPECT_EQ(m.warp().active, 0x3fu);
}

}  // namespace
}  // namespace g80::golden
