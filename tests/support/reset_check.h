// SPDX-License-Identifier: Apache-2.0
// A reset in the middle of traffic leaves nothing behind.
#pragma once
#include <gtest/gtest.h>

namespace g80::testing {

/// `block` has work and loses it.
template <class Block>
void expect_reset_empties(Block& block) {
  EXPECT_FALSE(block.idle()) << block.name();
  block.hold_reset();
  block.commit();
  EXPECT_TRUE(block.idle()) << block.name();
}

}  // namespace g80::testing
