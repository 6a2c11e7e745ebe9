// SPDX-License-Identifier: Apache-2.0
// The deviceQuery text of a GeForce 8600 GTS, as its owner saw it.
#include "app/report/device_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "validation/geforce_8600gts_report.h"

namespace g80 {
namespace {

TEST(DeviceReport, Equals8600GtsToTheByte) {
  EXPECT_EQ(device_query_text(load_config("8600gts")), silicon::kGeForce8600GtsReport);
}

TEST(DeviceReport, FollowsTheConfiguration) {
  const std::string text = device_query_text(load_config("gtx280", {"clock.shader_mhz=1296.5"}));
  EXPECT_THAT(text, ::testing::HasSubstr("Device 0: \"GeForce GTX 280\"\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("registers available per block: 16384\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("Clock rate:                                    1296500 kilohertz\n"));
}

}  // namespace
}  // namespace g80
