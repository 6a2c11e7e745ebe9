// SPDX-License-Identifier: Apache-2.0
// A counter that is loaded and then counts down at each edge of its block's clock, also while the block sleeps.
//
// The model does not count: it keeps what was loaded, which waves show, and the edge at which it was.
#pragma once
#include <cstdint>

#include "hw/common/types.h"

namespace g80 {

struct Countdown {
  std::uint64_t loaded = 0;
  Cycle since = 0;

  void load(std::uint64_t value, Cycle edge) {
    loaded = value;
    since = edge;
  }
  /// By `step` at each edge, so far.
  std::uint64_t counted(Cycle edge, std::uint64_t step = 1) const { return step * (edge - since); }
  bool over(Cycle edge, std::uint64_t step = 1) const { return counted(edge, step) >= loaded; }
  std::uint64_t left(Cycle edge, std::uint64_t step = 1) const {
    return over(edge, step) ? 0 : loaded - counted(edge, step);
  }
  /// The edge at which it is over, to wake at.
  Cycle end(std::uint64_t step = 1) const { return since + (loaded + step - 1) / step; }

  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("loaded", s.loaded);
    v.unseen("since", s.since);
  }
};

}  // namespace g80
