// SPDX-License-Identifier: Apache-2.0
// The flops that bring a pointer over to the clock of the side that reads it.
//
// C. E. Cummings, Simulation and Synthesis Techniques for Asynchronous FIFO Design, SNUG San Jose 2002. A pointer moves
// by one place an edge and crosses in Gray code, of which one bit changes then: a flop that samples it meanwhile gets
// the old or the new value. So the code does not matter here, and the pointer is a number. Which of the two it gets is
// the new one, or with catch_late() drawn for each move: the old one then, and the new one an edge later.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

#include "hw/common/check.h"
#include "hw/common/fields.h"
#include "hw/common/types.h"

namespace g80 {

/// Flops in a row. They sample the pointer at every edge of their clock; what the last one holds follows from the edges
/// at which the pointer moved. A move counts from the first edge strictly after it, so the order in which coincident
/// edges run cannot matter. The two sides may be on two threads: what is written on one of them while an edge of the
/// other runs shows after that edge.
class Synchroniser {
 public:
  explicit Synchroniser(unsigned flops) : flops_(flops), places_(flops + 2), earlier_(places_ / kMoves + 1) {}

  unsigned flops() const { return flops_; }
  /// From now on the first flop catches about half of the moves an edge late. Before the first move.
  void catch_late(std::uint64_t seed) { late_ = seed | 1; }
  bool catches_late() const { return late_ != 0; }
  /// The other side moves its pointer now; `next` is the first edge of this side's clock strictly after now.
  void move(unsigned pointer, Cycle next) {
    const Move last = last_.load(std::memory_order_relaxed);
    const Cycle shows = std::max(next + flops_ + (late_ != 0 && draws_late() ? 1 : 0), shows_from(last));
    if (shows != shows_from(last)) {  // else two moves between two edges: the value in between is never sampled
      const std::size_t oldest = oldest_.load(std::memory_order_relaxed);
      earlier(oldest).store(last, std::memory_order_relaxed);
      oldest_.store(oldest + 1 == places_ ? 0 : oldest + 1, std::memory_order_release);
      before_.store(last, std::memory_order_relaxed);
    }
    last_.store(shows << kPointerBits | pointer, std::memory_order_release);
  }
  /// What the last flop holds when `edge` begins: not before the present edge of this side.
  G80_INLINE unsigned at(Cycle edge) const {
    const Move last = last_.load(std::memory_order_acquire);
    if (edge >= shows_from(last)) return pointer(last);
    // Moves that come meanwhile show later than `last`, so what shows here is followed by none that shows by `edge`.
    const Move before = before_.load(std::memory_order_acquire);
    return edge >= shows_from(before) ? pointer(before) : earlier_at(edge);
  }
  /// Between the edges of both sides.
  void move_state(FieldEditor& editor) {
    const auto move = [&editor](auto& atomic) {
      auto value = atomic.load();
      editor.state(value);
      atomic.store(value);
    };
    editor.state(late_);
    move(last_);
    move(before_);
    for (unsigned place = 0; place < places_; ++place) move(earlier(place));
    move(oldest_);
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
    for (unsigned i = 0; i < places_; ++i) {
      place = (place == 0 ? places_ : place) - 1;
      const Move move = earlier(place).load(std::memory_order_acquire);
      if (edge >= shows_from(move)) return pointer(move);
    }
    throw ModelError(fmt::format("a synchroniser is read at edge {}, of which it has forgotten the pointer", edge));
  }

  /// xorshift64*: G. Marsaglia, Xorshift RNGs, J. Stat. Softw. 8(14), 2003; S. Vigna's multiplier.
  bool draws_late() {
    late_ ^= late_ >> 12;
    late_ ^= late_ << 25;
    late_ ^= late_ >> 27;
    return late_ * 0x2545f4914f6cdd1du >> 63 != 0;
  }

  std::atomic<Move>& earlier(std::size_t place) { return earlier_[place / kMoves].moves[place % kMoves]; }
  const std::atomic<Move>& earlier(std::size_t place) const { return earlier_[place / kMoves].moves[place % kMoves]; }

  /// A line of the host's cache: what one side writes lies in none of the other side.
  static constexpr std::size_t kMoves = kCacheLine / sizeof(Move);
  struct alignas(kCacheLine) Line {
    std::array<std::atomic<Move>, kMoves> moves{};
  };

  unsigned flops_, places_;
  std::uint64_t late_ = 0;                 // state of the draw, of the side that moves the pointer; 0: none is late
  std::atomic<Move> last_{0}, before_{0};  // the one before it is in the ring too
  // A ring: as many as can be in the flops, a late one, and the one behind them. What the other side moves while this
  // one looks takes no place that this one needs: it shows after the present edge.
  std::vector<Line> earlier_;
  std::atomic<std::size_t> oldest_{0};
};

}  // namespace g80
