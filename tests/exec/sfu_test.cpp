// SPDX-License-Identifier: Apache-2.0
// The special function units: a warp takes sixteen cycles to enter.
#include "hw/exec/sfu.h"

#include "tests/exec/exec_pipe_bench.h"

namespace g80 {
namespace {

using SfuTest = testing::SystemCTest;

TEST_F(SfuTest, ReciprocalOfPowersOfTwoAfterSixteenEntryCycles) {
  test::ExecPipeBench<Sfu> bench;
  test::AllOperands operands{};
  operands.active = operands.lanes = ~LaneMask{0};
  for (unsigned l = 0; l < kWarpSize; ++l) operands.source[0][l] = (127 + l) << 23;  // 2^l
  const auto edges = bench.run("rcp f32 $r3 $r1", operands);
  ASSERT_TRUE(edges);
  EXPECT_EQ(*edges, 1 + (kWarpSize / bench.config.sm.num_sfus - 1) + bench.pipe.stages());
  for (unsigned l = 0; l < kWarpSize; ++l) EXPECT_EQ(bench.low[l], (127 - l) << 23);
}

}  // namespace
}  // namespace g80
