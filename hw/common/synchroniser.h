// SPDX-License-Identifier: Apache-2.0
// The flops that bring a pointer over to the clock of the side that reads it.
//
// C. E. Cummings, Simulation and Synthesis Techniques for Asynchronous FIFO Design, SNUG San Jose 2002. A pointer moves
// by one place an edge and crosses in Gray code, of which one bit changes then: a flop that samples it meanwhile gets
// the old or the new value. So the code does not matter here, and the pointer is a number.
#pragma once
#include <vector>

#include "hw/common/check.h"
#include "hw/common/types.h"

namespace g80 {

/// Flops in a row. They sample the pointer at every edge of their clock; what the last one holds follows from the edges
/// at which the pointer moved. A move counts from the first edge strictly after it, so the order in which coincident
/// edges run cannot matter.
class Synchroniser {
 public:
  explicit Synchroniser(unsigned flops) : flops_(flops), earlier_(flops + 1) {}

  unsigned flops() const { return flops_; }
  /// The other side moves its pointer now; `next` is the first edge of this side's clock strictly after now.
  void move(unsigned pointer, Cycle next) {
    const Cycle shows = next + flops_;
    if (shows != last_.shows) {  // else two moves between two edges: the value in between is never sampled
      earlier_[oldest_] = last_;
      oldest_ = oldest_ + 1 == earlier_.size() ? 0 : oldest_ + 1;
    }
    last_ = {shows, pointer};
  }
  /// What the last flop holds when `edge` begins: not before the present edge of this side.
  unsigned at(Cycle edge) const { return edge >= last_.shows ? last_.pointer : earlier_at(edge); }
  /// The first edge that begins with the present pointer in the last flop.
  Cycle shows_from() const { return last_.shows; }

 private:
  struct Move {
    Cycle shows = 0;  // the first edge that begins with it in the last flop
    unsigned pointer = 0;
  };
  unsigned earlier_at(Cycle edge) const {
    std::size_t move = oldest_;
    for (std::size_t i = 0; i < earlier_.size(); ++i) {
      move = (move == 0 ? earlier_.size() : move) - 1;
      if (edge >= earlier_[move].shows) return earlier_[move].pointer;
    }
    throw ModelError(fmt::format("a synchroniser is read at edge {}, of which it has forgotten the pointer", edge));
  }

  unsigned flops_;
  Move last_;
  std::vector<Move> earlier_;  // a ring: as many as can be in the flops, and the one behind them
  std::size_t oldest_ = 0;
};

}  // namespace g80
