// SPDX-License-Identifier: Apache-2.0
// The beats of bursts on the data pins, as controller and chips count them.
#pragma once
#include <cstdint>

#include "hw/common/check.h"
#include "hw/common/delayed_fifo.h"

namespace g80 {

/// At each edge, of one direction: a burst whose way is over begins; tCCD is at least the beats of the one before.
/// `left` are the beats that are still to move. True if one moves now.
inline bool beat_moves(DelayLine& coming, std::uint8_t& left, unsigned beats_of_burst) {
  if (coming.arrived()) {
    coming.leave();
    left = static_cast<std::uint8_t>(beats_of_burst);
  }
  if (left == 0) return false;
  CHECK(left <= beats_of_burst, "{} beats are left of a burst of {}", left, beats_of_burst);
  return true;
}

}  // namespace g80
