// SPDX-License-Identifier: Apache-2.0
// The SP array: results, lanes, special moves, vote, and the cycle in which the last lanes leave.
#include "hw/exec/sp_array.h"

#include "tests/exec/exec_pipe_bench.h"

namespace g80 {
namespace {

using SpArrayTest = testing::SystemCTest;
using Bench = test::ExecPipeBench<SpArray>;

OperandSet numbered() {
  OperandSet operands{};
  operands.active = operands.lanes = operands.condition = ~LaneMask{0};
  for (unsigned l = 0; l < kWarpSize; ++l) operands.source[0][l] = l, operands.source[1][l] = 100;
  return operands;
}

TEST_F(SpArrayTest, AddsLaneByLaneAndKeepsIdentity) {
  Bench bench;
  const OperandSet operands = numbered();
  ASSERT_TRUE(bench.run("add b32 $r3 $r1 $r2", operands));
  for (unsigned l = 0; l < kWarpSize; ++l) EXPECT_EQ(bench.low[l], 100 + l);
  EXPECT_EQ(bench.result.read().warp, 3u);
  EXPECT_EQ(bench.result.read().fetched.pc, 0x40u);
  EXPECT_EQ(bench.result.read().lanes, ~LaneMask{0});
}

TEST_F(SpArrayTest, TheLastOfFourGroupsLeavesAfterEntryAndStages) {
  Bench bench;
  const OperandSet operands = numbered();
  const auto edges = bench.run("add b32 $r3 $r1 $r2", operands);
  ASSERT_TRUE(edges);
  // Taken on the edge after the dispatch, three more edges for the other groups, then the stages.
  EXPECT_EQ(*edges, 1 + 3 + bench.pipe.stages());
}

TEST_F(SpArrayTest, VoteGivesTheSameFlagsToAllLanes) {
  Bench bench;
  const OperandSet operands = numbered();
  ASSERT_TRUE(bench.run("(lg $c0) vote any $c1", operands, true));
  for (unsigned l = 0; l < kWarpSize; ++l) EXPECT_EQ(bench.flags[l], 2u);
  ASSERT_TRUE(bench.run("(lg $c0) vote all $c1", operands, false));
  for (unsigned l = 0; l < kWarpSize; ++l) EXPECT_EQ(bench.flags[l], 1u);
}

TEST_F(SpArrayTest, BackToBackInstructionsEachGiveOneResult) {
  Bench bench;
  const OperandSet operands = numbered();
  for (unsigned i = 0; i < 40; ++i) ASSERT_TRUE(bench.run("add b32 $r3 $r1 $r2", operands)) << i;
  EXPECT_EQ(bench.pipe.counters().instructions, 40u);
}

}  // namespace
}  // namespace g80
