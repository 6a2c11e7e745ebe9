// SPDX-License-Identifier: Apache-2.0
// The input of a warp scheduling policy.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/sm_bundles.h"
#include "hw/common/limits.h"

namespace g80 {

using WarpAges = std::array<std::uint8_t, kMaxWarps>;

constexpr WarpAges lowest_slot_is_oldest() {
  WarpAges age{};
  for (unsigned w = 0; w < kMaxWarps; ++w) age[w] = static_cast<std::uint8_t>(w);
  return age;
}
/// All inputs of the choice.
struct PickInput {
  WarpMask eligible = 0;                   // may issue now; a policy is asked only if there is one
  unsigned last = 0;                       // warp issued last
  WarpAges age = lowest_slot_is_oldest();  // place of each warp in the order of their starts: the lower, the older
};

}  // namespace g80
