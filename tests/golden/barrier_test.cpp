// SPDX-License-Identifier: Apache-2.0
// Barriers count warps; who still counts after exiting is a launch option.
#include <gtest/gtest.h>

#include "tests/golden/words.h"

namespace g80::golden {
namespace {

TEST(Barrier, NoWarpPassesBeforeTheLastArrives) {
  Machine m({barrier(), mov_imm(1, 1), nop_exit()}, 96);
  m.start();
  EXPECT_EQ(m.step(0), StepStatus::kStepped);
  EXPECT_TRUE(m.record.waiting);
  EXPECT_EQ(m.step(0), StepStatus::kWaiting);
  EXPECT_EQ(m.step(2), StepStatus::kStepped);
  EXPECT_EQ(m.step(0), StepStatus::kWaiting);
  EXPECT_EQ(m.step(1), StepStatus::kStepped);
  for (unsigned w = 0; w < 3; ++w) EXPECT_EQ(m.step(w), StepStatus::kStepped);
  EXPECT_EQ(m.block.barrier[0].arrived, 0u);
}

TEST(Barrier, NumbersAreIndependent) {
  Machine m({barrier(3), nop_exit()}, 64);
  m.start();
  m.step(0);
  EXPECT_EQ(m.block.barrier[3].arrived, 1u);
  EXPECT_EQ(m.block.barrier[0].arrived, 0u);
}

TEST(Barrier, ArrivingWithoutWaitingOnlyCounts) {
  Machine m({barrier(0, true, false), barrier(0, false, true), nop_exit()}, 64);
  m.start();
  EXPECT_EQ(m.step(0), StepStatus::kStepped);
  EXPECT_FALSE(m.record.waiting);
  EXPECT_EQ(m.step(0), StepStatus::kStepped);
  EXPECT_TRUE(m.record.waiting);
  EXPECT_EQ(m.step(1), StepStatus::kStepped);  // the second arrival opens it
  EXPECT_EQ(m.step(0), StepStatus::kStepped);
}

TEST(Barrier, ExitedWarpsDoNotCountWhenLiveOnesAreExpected) {
  Machine m({mov_imm(1, 32), set_flags(0, kLess, 0, 1), bra(0x20, kNotZero), nop_exit(), barrier(), nop_exit()}, 64);
  const RunResult result = m.run();
  EXPECT_EQ(result.status, RunStatus::kFinished);
  EXPECT_EQ(result.defect, Defect::kBarrierMissedByExitedWarp);
}

TEST(Barrier, AWarpThatExitsFirstMissesTheBarrierToo) {
  Machine m({mov_imm(1, 32), set_flags(0, kLess, 0, 1), bra(0x20, kNotZero), nop_exit(), barrier(), nop_exit()}, 64);
  m.start();
  EXPECT_EQ(m.run_warp(1), StepStatus::kFinished);
  EXPECT_EQ(m.run_warp(0), StepStatus::kFinished);
  EXPECT_EQ(m.block.defect, Defect::kBarrierMissedByExitedWarp);
}

TEST(Barrier, ExitedWarpsHangTheBlockWhenLaunchedOnesAreExpected) {
  Machine m({mov_imm(1, 32), set_flags(0, kLess, 0, 1), bra(0x20, kNotZero), nop_exit(), barrier(), nop_exit()}, 64);
  m.launch.barrier_count = BarrierCount::kLaunched;
  const RunResult result = m.run();
  EXPECT_EQ(result.status, RunStatus::kFault);
  EXPECT_EQ(result.fault.kind, FaultKind::kBarrierDeadlock);
  EXPECT_EQ(result.fault.warp, 0u);
}

TEST(Barrier, ABarrierInPartOfAWarpIsADefect) {
  Machine m({mov_imm(1, 16), set_flags(0, kLess, 0, 1), joinat(0x28), bra(0x28, kNotZero), barrier(), nop_join(),
             nop_exit()});
  const RunResult result = m.run();
  EXPECT_EQ(result.status, RunStatus::kFinished);
  EXPECT_EQ(result.defect, Defect::kPartialWarpAtBarrier);
  EXPECT_EQ(result.defect_pc, 0x20u);
}

TEST(Barrier, AWellFormedBarrierIsNoDefect) {
  Machine m({barrier(), nop_exit()}, 64);
  EXPECT_EQ(m.run().defect, Defect::kNone);
}

}  // namespace
}  // namespace g80::golden
