// SPDX-License-Identifier: Apache-2.0
// Condition codes of the machine against the reference's table.
#include "hw/sm/guard_condition.h"

#include <gtest/gtest.h>

#include "hw/isa/condition_names.h"
#include "tb/golden/semantics.h"

namespace g80 {
namespace {

TEST(GuardCondition, EveryCodeHoldsForTheSameFlagsAsInTheReference) {
  for (unsigned code = 0; code < 32; ++code) {
    for (unsigned flags = 0; flags < 16; ++flags) {
      EXPECT_EQ((condition_truth(code) >> flags & 1u) != 0, golden::condition_holds(code, flags))
          << isa::kConditionNames[code] << " of flags " << flags;
    }
  }
}

TEST(GuardCondition, LanesAreIndependent) {
  for (unsigned code = 0; code < 32; ++code) {
    LaneFlags flags{};
    for (unsigned l = 0; l < kWarpSize; ++l) flags[l] = static_cast<std::uint8_t>((l * 7 + code) % 16);
    EXPECT_EQ(guard_lanes(code, flags), golden::condition_lanes(code, flags)) << isa::kConditionNames[code];
  }
}

// Signed and unsigned comparison by subtraction, from the numbers themselves.
TEST(GuardCondition, ComparisonsOfIntegersMeanWhatTheirNamesSay) {
  for (int a = -8; a < 8; ++a) {
    for (int b = -8; b < 8; ++b) {  // a - b in four bits
      const unsigned x = static_cast<unsigned>(a) & 15u, y = static_cast<unsigned>(b) & 15u;
      const unsigned sum = x + (~y & 15u) + 1, difference = sum & 15u;
      const bool overflow = a - b < -8 || a - b > 7;
      const unsigned flags =
          (overflow ? 8u : 0) | (sum >> 4) << 2 | (difference >> 3) << 1 | (difference == 0 ? 1u : 0);
      const auto holds = [&](unsigned code) { return (condition_truth(code) >> flags & 1u) != 0; };
      EXPECT_EQ(holds(0x1), a < b) << a << " " << b;
      EXPECT_EQ(holds(0x2), a == b) << a << " " << b;
      EXPECT_EQ(holds(0x3), a <= b) << a << " " << b;
      EXPECT_EQ(holds(0x4), a > b) << a << " " << b;
      EXPECT_EQ(holds(0x5), a != b) << a << " " << b;
      EXPECT_EQ(holds(0x6), a >= b) << a << " " << b;
      EXPECT_EQ(holds(0x11), x >= y) << a << " " << b;
      EXPECT_EQ(holds(0x12), x > y) << a << " " << b;
    }
  }
}

}  // namespace
}  // namespace g80
