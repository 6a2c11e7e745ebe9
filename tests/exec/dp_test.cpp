// SPDX-License-Identifier: Apache-2.0
// The fp64 unit: how many lanes a cycle enter, and how long a result takes.
#include "hw/exec/dp.h"

#include "tests/exec/exec_pipe_bench.h"

namespace g80 {
namespace {

class DpTest : public testing::SystemCTest, public ::testing::WithParamInterface<unsigned> {};

TEST_P(DpTest, AddsDoublesAsManyLanesACycleAsItHas) {
  test::ExecPipeBench<Dp> bench({"sm.num_dps=" + std::to_string(GetParam())});
  test::AllOperands operands{};
  operands.active = operands.lanes = ~LaneMask{0};
  for (unsigned l = 0; l < kWarpSize; ++l) operands.high[0][l] = operands.high[1][l] = 0x3ff00000u;  // 1.0
  const auto edges = bench.run("add rn f64 $r10d $r4d $r8d", operands);
  ASSERT_TRUE(edges);
  const unsigned entry = kWarpSize / GetParam();
  EXPECT_EQ(*edges, 1 + (entry - 1) + bench.pipe.stages());
  EXPECT_EQ(kFixedCycles + entry + bench.pipe.stages() - kResultAheadCycles - 1, bench.config.sm.dp_latency)
      << "the latency is the configured one";
  for (unsigned l = 0; l < kWarpSize; ++l) EXPECT_EQ(bench.high[l], 0x40000000u);  // 2.0
}
INSTANTIATE_TEST_SUITE_P(LanesACycle, DpTest, ::testing::Values(1, 2, 8));

}  // namespace
}  // namespace g80
