// The deviceQuery text of a GeForce 8600 GTS, as its owner saw it.
#include "hw/config/device_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace g80 {
namespace {

constexpr const char* kGeForce8600Gts =
    "There is 1 device supporting CUDA\n"
    "\n"
    "Device 0: \"GeForce 8600 GTS\"\n"
    "  Major revision number:                         1\n"
    "  Minor revision number:                         1\n"
    "  Total amount of global memory:                 268173312 bytes\n"
    "  Total amount of constant memory:               65536 bytes\n"
    "  Total amount of shared memory per block:       16384 bytes\n"
    "  Total number of registers available per block: 8192\n"
    "  Warp size:                                     32\n"
    "  Maximum number of threads per block:           512\n"
    "  Maximum sizes of each dimension of a block:    512 x 512 x 64\n"
    "  Maximum sizes of each dimension of a grid:     65535 x 65535 x 1\n"
    "  Maximum memory pitch:                          262144 bytes\n"
    "  Texture alignment:                             256 bytes\n"
    "  Clock rate:                                    1458000 kilohertz\n"
    "\n"
    "Test PASSED\n";

TEST(DeviceReport, Equals8600GtsToTheByte) { EXPECT_EQ(device_query_text(load_config("8600gts")), kGeForce8600Gts); }

TEST(DeviceReport, FollowsTheConfiguration) {
  const std::string text = device_query_text(load_config("gtx280", {"clock.shader_mhz=1296.5"}));
  EXPECT_THAT(text, ::testing::HasSubstr("Device 0: \"GeForce GTX 280\"\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("registers available per block: 16384\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("Clock rate:                                    1296500 kilohertz\n"));
}

}  // namespace
}  // namespace g80
