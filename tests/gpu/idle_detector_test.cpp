// SPDX-License-Identifier: Apache-2.0
// Everything is idle when each block is, and nobody waits for that as for an event.
#include "hw/gpu/idle_detector.h"

#include <gtest/gtest.h>

#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

struct IdleBlock {
  sc_core::sc_signal_inout_if<bool>* wire = nullptr;
  void idle_o(sc_core::sc_signal_inout_if<bool>& to) { wire = &to; }
};

using IdleDetectorTest = testing::SystemCTest;

TEST_F(IdleDetectorTest, IsTrueWhileEveryBlockIsIdle) {
  IdleDetector detector("detector");
  IdleBlock blocks[3];
  for (unsigned i = 0; i < 3; ++i) detector.add("idle" + std::to_string(i), blocks[i]);
  for (unsigned idle = 0; idle < 8; ++idle) {
    for (unsigned i = 0; i < 3; ++i) blocks[i].wire->write((idle >> i & 1) != 0);
    EXPECT_EQ(detector.read(), idle == 7) << idle;
    EXPECT_EQ(detector.get_data_ref(), idle == 7) << idle;
  }
}

TEST_F(IdleDetectorTest, HasNoEvents) {
  const IdleDetector detector("detector");
  EXPECT_THROW(detector.value_changed_event(), ModelError);
  EXPECT_THROW(detector.posedge_event(), ModelError);
  EXPECT_THROW(detector.negedge_event(), ModelError);
  EXPECT_THROW(detector.event(), ModelError);
  EXPECT_THROW(detector.posedge(), ModelError);
  EXPECT_THROW(detector.negedge(), ModelError);
}

}  // namespace
}  // namespace g80
