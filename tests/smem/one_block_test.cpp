// SPDX-License-Identifier: Apache-2.0
// The example of a block on plain SystemC: what it prints, and what is in the VCD file that SystemC writes.
#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "tests/support/shell.h"
#include "tests/support/vcd_reader.h"

namespace g80 {
namespace {

TEST(OneBlock, ServesAHalfWarpInAsManyPassesAsLanesShareABank) {
  for (const unsigned stride : {1u, 2u, 6u, 8u, 16u}) {
    SCOPED_TRACE(stride);
    const std::string name = ::testing::TempDir() + "g80_one_block";
    const test::Outcome run = test::shell(G80_ONE_BLOCK " " + std::to_string(stride) + " " + name);
    ASSERT_EQ(run.code, 0) << run.output;
    EXPECT_EQ(run.output.find("Warning"), std::string::npos) << run.output;
    const unsigned passes = std::gcd(stride, 16u);
    EXPECT_NE(run.output.find("pass " + std::to_string(passes) + " serves lanes "), std::string::npos) << run.output;
    EXPECT_EQ(run.output.find("pass " + std::to_string(passes + 1)), std::string::npos) << run.output;

    const testing::Vcd vcd(name + ".vcd");
    const std::string top = "SystemC.";
    EXPECT_EQ(vcd.widths.at(top + "request.address(3)"), 14u);
    EXPECT_EQ(vcd.widths.at(top + "pass.request.bytes"), 3u);
    EXPECT_EQ(vcd.at(top + "request.address(3)", 5'500), 4 * stride * 3);
    EXPECT_EQ(vcd.at(top + "rst_n", 4'500), 0u);
    EXPECT_EQ(vcd.at(top + "clk", 6'500), 1u);
    EXPECT_EQ(vcd.at(top + "clk", 7'500), 0u);
    EXPECT_EQ(vcd.at(top + "pass.valid", 6'500 + 2'000 * passes), 0u);
    std::uint64_t served = 0;
    for (unsigned pass = 0; pass < passes; ++pass) {  // the first leaves at the edge that takes the request
      const std::uint64_t time = 6'500 + 2'000 * pass, lanes = vcd.at(top + "pass.lanes", time);
      EXPECT_EQ(vcd.at(top + "pass.valid", time), 1u);
      EXPECT_EQ(vcd.at(top + "pass.last", time), pass + 1 == passes ? 1u : 0u);
      EXPECT_EQ(vcd.at(top + "replay", time), pass + 1 == passes ? 0u : 1u);
      EXPECT_EQ(served & lanes, 0u);
      served |= lanes;
    }
    EXPECT_EQ(served, 0xffffu);
  }
}

}  // namespace
}  // namespace g80
