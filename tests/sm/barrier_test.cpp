// A barrier opens when every expected warp has arrived, and only then.
#include "hw/sm/barrier.h"

#include <gtest/gtest.h>

namespace g80 {
namespace {

TEST(AllArrived, HoldsFromTheLastExpectedWarpOn) {
  for (unsigned expected = 0; expected <= 16; ++expected) {
    for (unsigned arrived = 0; arrived <= 16; ++arrived) {
      // Nobody there: nothing to open. All others ended: whoever is there goes on.
      EXPECT_EQ(all_arrived(arrived, expected), arrived > 0 && !(arrived < expected)) << arrived << " of " << expected;
    }
  }
}

}  // namespace
}  // namespace g80
