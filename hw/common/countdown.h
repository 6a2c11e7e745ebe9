// SPDX-License-Identifier: Apache-2.0
// A counter that is loaded and then loses its step at each edge of its block's clock, down to zero, also while the
// block sleeps.
//
// The model does not count: it keeps what the counter held at some edge. Who looks sees what it holds now.
#pragma once
#include <algorithm>
#include <cstdint>

#include "hw/common/field_list.h"
#include "hw/common/types.h"

namespace g80 {

class Countdown {
 public:
  void load(std::uint64_t value, Cycle edge, std::uint64_t step = 1) {
    left_ = value;
    step_ = step;
    since_ = edge;
  }
  bool over(Cycle edge) const { return left(edge) == 0; }
  std::uint64_t left(Cycle edge) const { return left_ - std::min(left_, lost(edge)); }
  /// What the step that ended it had too much, at the edge of its end().
  std::uint64_t beyond(Cycle edge) const { return std::max(left_, lost(edge)) - left_; }
  /// The edge at which it is over, to wake at.
  Cycle end() const { return since_ + (left_ + step_ - 1) / step_; }

  void count_to(Cycle edge) { load(left(edge), std::max(edge, since_), step_); }
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("left", s.left_);
    v.unseen("step", s.step_);
    v.unseen("since", s.since_);
  }

 private:
  std::uint64_t lost(Cycle edge) const { return step_ * (std::max(edge, since_) - since_); }

  std::uint64_t left_ = 0, step_ = 1;
  Cycle since_ = 0;
};

}  // namespace g80
