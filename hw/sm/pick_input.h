// SPDX-License-Identifier: Apache-2.0
// The input of a warp scheduling policy.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/sm_bundles.h"
#include "hw/common/limits.h"

namespace g80 {

/// All inputs of the choice.
struct PickInput {
  WarpMask eligible = 0;                       // may issue now; a policy is asked only if there is one
  unsigned last = 0;                           // warp issued last
  std::array<std::uint32_t, kMaxWarps> age{};  // start number of each warp: the lower, the older
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v.unseen("eligible", s.eligible);  // no register: formed anew at each edge
    v("last", s.last, 5);
    v("age", s.age);
  }
};

}  // namespace g80
