// SPDX-License-Identifier: Apache-2.0
// The fault reporter: the first fault goes out once, completed with block and warp.
#include "hw/sm/fault_reporter.h"

#include "tests/sm/launcher_bench.h"

namespace g80 {
namespace {

using FaultReporterTest = testing::SystemCTest;

TEST_F(FaultReporterTest, TheFirstFaultGoesOutOnceWithItsBlock) {
  test::LauncherBench bench;
  FaultReporter reporter("reporter", 3);
  Wire<KernelFault> stack("stack"), address("address"), load("load"), collector("collector");
  CrossingFifo<KernelFault> out("out", &bench.domain, nullptr, 2, 1);
  reporter.start_i(bench.start);
  reporter.stack_i(stack);
  reporter.address_i(address);
  reporter.load_i(load);
  reporter.collector_i(collector);
  reporter.fault_o(out);
  bench.domain.add(reporter, Rate::kHalf);
  bench.ctas.push({true, 5, 2, 1});
  bench.run(20);
  KernelFault fault;
  fault.valid = true;
  fault.kind = FaultKind::kMisalignedAddress;
  fault.lane = 9;
  fault.origin.warp = bench.starts[1].warp;
  address.write(fault);
  bench.run(4);
  fault.kind = FaultKind::kTrap;
  stack.write(fault);
  bench.run(4);
  ASSERT_TRUE(out.available());
  EXPECT_EQ(out.front().kind, FaultKind::kMisalignedAddress);
  EXPECT_EQ(out.front().cta_x, 5u);
  EXPECT_EQ(out.front().cta_y, 2u);
  EXPECT_EQ(out.front().warp_in_cta, 1u);
  EXPECT_EQ(out.front().lane, 9u);
  EXPECT_EQ(out.front().origin.sm, 3u);
  EXPECT_EQ(out.size(), 1u);
}

}  // namespace
}  // namespace g80
