// SPDX-License-Identifier: Apache-2.0
// The end of the chip's reset, brought over to one clock. The pin clears two flops without a clock; once it is released
// the first takes 1 at the next edge, or an edge later (--x crossings:SEED), and the second follows the first. While
// the second is 0, the blocks of the clock are held in reset.
//
//     pin released | first edge after it: `first` | the next: `second` | the next: blocks step
#pragma once
#include <algorithm>

#include "hw/common/clocked.h"

namespace g80 {

struct ResetSynchroniserRegs {
  bool first = false, second = false;
  G80_FIELDS(first, second);
};

/// Of a clock whose Domain was made with kUntilReleased.
class ResetSynchroniser final : public Clocked<ResetSynchroniserRegs> {
 public:
  /// `released`: when the pin is; `late`: the first flop catches that an edge late.
  ResetSynchroniser(const sc_core::sc_module_name& name, Picoseconds released, bool late)
      : Clocked(name), released_(released), late_(late) {}
  Picoseconds released() const { return released_; }

 private:
  // What holds other blocks is what lets the flops go on.
  void reset() override {
    if (was_held(0)) return;
    CHECK(q_.second || was_held(kPatience), "the reset of {} does not end", domain()->name());
    d_.first = !was_held(late_ ? 1 : 0);
    d_.second = q_.first;
  }
  void next() override {
    CHECK(q_.first && q_.second, "the reset of {} has come back", domain()->name());
    sleep();
  }
  void drive() override {
    if (q_.second) domain()->end_reset();
  }

  /// The pin, so many edges ago.
  bool was_held(Cycle edges) const { return domain()->edge_time(edge() - std::min(edges, edge())) <= released_; }

  static constexpr Cycle kPatience = 64;  // edges behind the pin's release; a fault may delay the flops
  const Picoseconds released_;
  const bool late_;
};

}  // namespace g80
