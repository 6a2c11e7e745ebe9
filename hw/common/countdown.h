// SPDX-License-Identifier: Apache-2.0
// A counter that is loaded and then counts down at each edge of its block's clock, also while the block sleeps.
//
// The model does not count: it keeps what was loaded and what the block's clock counted then. The counter holds the
// first less a step for each edge since; so a fault in either of them is a fault in the counter.
#pragma once
#include <algorithm>
#include <cstdint>

#include "hw/common/field_list.h"
#include "hw/common/types.h"

namespace g80 {

struct Countdown {
  std::uint64_t loaded = 0;
  Cycle since = 0;

  void load(std::uint64_t value, Cycle edge) {
    loaded = value;
    since = edge;
  }
  bool over(Cycle edge, std::uint64_t step = 1) const { return left(edge, step) == 0; }
  std::uint64_t left(Cycle edge, std::uint64_t step = 1) const {
    return std::max(loaded, counted(edge, step)) - counted(edge, step);
  }
  /// What the step that ended it had too much.
  std::uint64_t beyond(Cycle edge, std::uint64_t step) const { return std::max(loaded, counted(edge, step)) - loaded; }
  /// The edge at which it is over, to wake at.
  Cycle end(std::uint64_t step = 1) const { return since + (loaded + step - 1) / step; }

  G80_FIELDS(loaded, since);

 private:
  /// So far. One that a fault made early does not wrap.
  std::uint64_t counted(Cycle edge, std::uint64_t step) const { return step * (std::max(edge, since) - since); }
};

}  // namespace g80
