// SPDX-License-Identifier: Apache-2.0
// Pointers that cross between clocks: Gray code, and the synchroniser flops of the side that reads the pointer.
//
// C. E. Cummings, Simulation and Synthesis Techniques for Asynchronous FIFO Design, SNUG San Jose 2002. A pointer moves
// by one place an edge, so one bit of its Gray code changes, and a flop that samples it meanwhile gets the old or the
// new value.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/common/check.h"
#include "hw/common/types.h"

namespace g80 {

using GrayPointer = std::uint16_t;

constexpr GrayPointer to_gray(unsigned binary) { return static_cast<GrayPointer>(binary ^ binary >> 1); }
constexpr unsigned from_gray(GrayPointer gray) {
  unsigned binary = gray;
  for (unsigned shift = 1; shift < 8 * sizeof gray; shift *= 2) binary ^= binary >> shift;
  return binary;
}

/// Flops in a row, in the clock of the side that reads the pointer. They sample it at every edge of that clock, but the
/// model clocks them only when the pointer changes: between two changes they sample the same value again and again.
/// A change counts from the first edge strictly after it, so the order in which coincident edges run cannot matter.
class Synchroniser {
 public:
  explicit Synchroniser(unsigned flops) : flop_(flops), flops_(flops) {}

  unsigned flops() const { return flops_; }
  /// The other side moves its pointer now; `next` is the first edge of this side's clock strictly after now.
  void change(GrayPointer pointer, Cycle next) {
    if (next != from_) {  // else it changes twice between two edges, and the value in between is never sampled
      clock(next - 2);    // the edge before `next` may be now, and its block has yet to look
      before_ = pointer_;
      from_ = next;
    }
    pointer_ = pointer;
  }
  /// What the last flop holds when `edge` begins. Not for edges that passed before the last change.
  GrayPointer at(Cycle edge) const {
    if (edge >= shows_from()) return pointer_;
    if (edge > clocked_ + flops()) return before_;
    if (edge == 0) return 0;  // no edge has run: a twin settles its pins
    CHECK(edge > clocked_, "a synchroniser is read at edge {}, but its flops were clocked up to edge {}", edge,
          clocked_);
    return flop_[clocked_ + flops() - edge];
  }
  /// The first edge that begins with the present pointer in the last flop.
  Cycle shows_from() const { return from_ + flops(); }

 private:
  /// All edges up to `edge`.
  void clock(Cycle edge) {
    if (edge + 1 <= clocked_ + 1) return;  // edge -1 comes before edge 0
    for (Cycle e = std::max(clocked_, edge - std::min<Cycle>(edge, flops())) + 1; e <= edge; ++e) {
      std::move_backward(flop_.begin(), flop_.end() - 1, flop_.end());
      flop_.front() = e >= from_ ? pointer_ : before_;
    }
    clocked_ = edge;
  }

  std::vector<GrayPointer> flop_;  // the first one samples the pointer
  unsigned flops_;
  Cycle clocked_ = 0;  // the flops hold their samples of this edge and those before it
  Cycle from_ = 0;     // the first edge that samples pointer_; the edges before it sample before_
  GrayPointer pointer_ = 0, before_ = 0;
};

}  // namespace g80
