// SPDX-License-Identifier: Apache-2.0
// The flops that bring a pointer over to the clock of the side that reads it.
//
// C. E. Cummings, Simulation and Synthesis Techniques for Asynchronous FIFO Design, SNUG San Jose 2002. A pointer moves
// by one place an edge and crosses in Gray code, of which one bit changes then: a flop that samples it meanwhile gets
// the old or the new value. So the code does not matter here, and the pointer is a number.
#pragma once
#include <array>
#include <atomic>
#include <vector>

#include "hw/common/check.h"
#include "hw/common/types.h"

namespace g80 {

/// Flops in a row. They sample the pointer at every edge of their clock; what the last one holds follows from the edges
/// at which the pointer moved. A move counts from the first edge strictly after it, so the order in which coincident
/// edges run cannot matter. The two sides may be on two threads: what is written on one of them while an edge of the
/// other runs shows after that edge.
class Synchroniser {
 public:
  explicit Synchroniser(unsigned flops) : flops_(flops), earlier_(flops / kMoves + 1) {}

  unsigned flops() const { return flops_; }
  /// The other side moves its pointer now; `next` is the first edge of this side's clock strictly after now.
  void move(unsigned pointer, Cycle next) {
    const Cycle shows = next + flops_;
    const Move last = last_.load(std::memory_order_relaxed);
    if (shows != shows_from(last)) {  // else two moves between two edges: the value in between is never sampled
      const std::size_t oldest = oldest_.load(std::memory_order_relaxed);
      earlier(oldest).store(last, std::memory_order_relaxed);
      oldest_.store(oldest == flops_ ? 0 : oldest + 1, std::memory_order_release);
    }
    last_.store(shows << kPointerBits | pointer, std::memory_order_release);
  }
  /// What the last flop holds when `edge` begins: not before the present edge of this side.
  G80_INLINE unsigned at(Cycle edge) const {
    const Move last = last_.load(std::memory_order_acquire);
    return edge >= shows_from(last) ? pointer(last) : earlier_at(edge);
  }
  /// The first edge that begins with the present pointer in the last flop.
  Cycle shows_from() const { return shows_from(last_.load(std::memory_order_relaxed)); }

 private:
  /// The pointer, and above it the first edge that begins with it in the last flop. One word, so that both sides may
  /// use it at once; the edges of days fit.
  using Move = std::uint64_t;
  static constexpr unsigned kPointerBits = 16;
  static Cycle shows_from(Move move) { return move >> kPointerBits; }
  static unsigned pointer(Move move) { return move & ((1u << kPointerBits) - 1); }

  unsigned earlier_at(Cycle edge) const {
    std::size_t place = oldest_.load(std::memory_order_acquire);
    for (unsigned i = 0; i <= flops_; ++i) {
      place = place == 0 ? flops_ : place - 1;
      const Move move = earlier(place).load(std::memory_order_acquire);
      if (edge >= shows_from(move)) return pointer(move);
    }
    throw ModelError(fmt::format("a synchroniser is read at edge {}, of which it has forgotten the pointer", edge));
  }

  std::atomic<Move>& earlier(std::size_t place) { return earlier_[place / kMoves].moves[place % kMoves]; }
  const std::atomic<Move>& earlier(std::size_t place) const { return earlier_[place / kMoves].moves[place % kMoves]; }

  /// A line of the host's cache: what one side writes lies in none of the other side.
  static constexpr std::size_t kMoves = kCacheLine / sizeof(Move);
  struct alignas(kCacheLine) Line {
    std::array<std::atomic<Move>, kMoves> moves{};
  };

  unsigned flops_;
  std::atomic<Move> last_{0};
  // A ring: as many as can be in the flops, and the one behind them. What the other side moves while this one looks
  // takes no place that this one needs: it shows after the present edge.
  std::vector<Line> earlier_;
  std::atomic<std::size_t> oldest_{0};
};

}  // namespace g80
