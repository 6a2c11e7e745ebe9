// The fp64 unit: one lane a cycle.
#include "hw/exec/dp.h"

#include "tests/exec/exec_pipe_bench.h"

namespace g80 {
namespace {

using DpTest = testing::SystemCTest;

TEST_F(DpTest, AddsDoublesOneLaneACycle) {
  test::ExecPipeBench<Dp> bench;
  OperandSet operands{};
  operands.active = operands.lanes = ~LaneMask{0};
  for (unsigned l = 0; l < kWarpSize; ++l) operands.in.hi[0][l] = operands.in.hi[1][l] = 0x3ff00000u;  // 1.0
  const auto edges = bench.run("add rn f64 $r10d $r4d $r8d", operands);
  ASSERT_TRUE(edges);
  EXPECT_EQ(*edges, 1 + (kWarpSize - 1) + bench.pipe.stages());
  for (unsigned l = 0; l < kWarpSize; ++l) EXPECT_EQ(bench.slot().out.hi[l], 0x40000000u);  // 2.0
}

}  // namespace
}  // namespace g80
