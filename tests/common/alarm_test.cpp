// SPDX-License-Identifier: Apache-2.0
// An alarm rings when it should, and not after its end.
#include "hw/common/alarm.h"

#include <memory>
#include <vector>

#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

using sc_core::sc_time;

class AlarmTest : public testing::SystemCTest {
 protected:
  void run_to(std::uint64_t time) { sc_core::sc_start(sc_time::from_value(time) - sc_core::sc_time_stamp()); }
  std::vector<std::uint64_t> rung;  // at these times
  void ring() { rung.push_back(sc_core::sc_time_stamp().value()); }
};

TEST_F(AlarmTest, RingsOnceAfterTheDelayAndAgainWhenNotified) {
  Alarm alarm("alarm", [this] { ring(); });
  run_to(10);
  alarm.notify(sc_time::from_value(5));
  run_to(100);
  EXPECT_EQ(rung, std::vector<std::uint64_t>{15});
  alarm.notify(sc_time::from_value(7));
  run_to(200);
  EXPECT_EQ(rung, (std::vector<std::uint64_t>{15, 107}));
}

TEST_F(AlarmTest, IsSilentAfterItsEnd) {
  auto alarm = std::make_unique<Alarm>("alarm", [this] { ring(); });
  alarm->notify(sc_time::from_value(5));
  alarm.reset();
  run_to(100);
  EXPECT_TRUE(rung.empty());
}

TEST_F(AlarmTest, MayBeDestroyedByItsOwnRing) {
  std::unique_ptr<Alarm> alarm;
  alarm = std::make_unique<Alarm>("alarm", [&] {
    ring();
    alarm->notify(sc_time::from_value(1));
    alarm.reset();
  });
  alarm->notify(sc_time::from_value(5));
  run_to(100);
  EXPECT_EQ(rung, std::vector<std::uint64_t>{5});
}

}  // namespace
}  // namespace g80
