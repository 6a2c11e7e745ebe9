// SPDX-License-Identifier: Apache-2.0
// The flops that bring a pointer over to the clock of the side that reads it, and the registers of a way behind them.
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

/// Flops in a row, and behind them plain registers. They shift at every edge of their clock, asleep or not; what each
/// holds follows from the edges at which the pointer moved, and from faults. A move counts from the first edge strictly
/// after it, so the order in which coincident edges run cannot matter. The two sides may be on two threads: what is
/// written on one of them while an edge of the other runs shows after that edge.
class Synchroniser {
 public:
  /// The pointer counts modulo `pointers`, a power of two. What one side reads is never so many moves old.
  Synchroniser(unsigned flops, unsigned way, unsigned pointers)
      : flops_(flops),
        stages_(flops + way),
        last_(pointers - 1),
        shows_(pointers + 2 * kLine),
        upsets_(std::max(1u, stages_)) {}

  unsigned flops() const { return flops_; }
  /// Flops and registers.
  unsigned stages() const { return stages_; }
  /// From now on the first flop catches about half of the moves an edge late. Before the first move.
  void catch_late(std::uint64_t seed) { late_ = seed | 1; }
  bool catches_late() const { return late_ != 0; }
  /// The other side moves its pointer to the next number now; `next` is the first edge of this side's clock strictly
  /// after now. Of two moves between two edges the value in between is never sampled: both show at the same edge.
  G80_INLINE void move(unsigned pointer, Cycle next) {
    shows_from_ = std::max(next + stages_ + (late_ != 0 && draws_late() ? 1 : 0), shows_from_);
    shows_[kLine + pointer].store(shows_from_, std::memory_order_relaxed);
    pointer_.store(pointer, std::memory_order_release);
  }
  /// A fault on the other side: the pointer is another number now, however far away.
  void upset(unsigned pointer, Cycle next) {
    upset_ = true;
    for (unsigned at = pointer_.load(); at != pointer; at = (at + 1) & last_) move((at + 1) & last_, next);
  }
  /// What a stage holds behind `edge`.
  unsigned stage(unsigned number, Cycle edge) const { return newest_by(edge + stages_ - number); }
  /// A fault: the stage holds `pointer` behind `edge` instead, and the stages behind it take that on.
  void upset_stage(unsigned number, Cycle edge, unsigned pointer) {
    upset_ = true;
    const Cycle seen = edge + stages_ - number;
    upsets_[seen % upsets_.size()] = {seen, pointer};
  }
  /// A fault was here: at() alone says what the last stage holds, which may be any number.
  bool is_upset() const { return __builtin_expect(upset_, 0); }
  /// Some stage will hold something else behind the next edges.
  bool moves_on(Cycle edge) const {
    for (unsigned number = 0; number < stages_; ++number) {
      if (stage(number, edge) != pointer_.load()) return true;
    }
    return false;
  }
  /// The first edge that begins with the present pointer in the last stage. For the side that moves it.
  Cycle shows_from() const { return shows_from_; }
  /// The pointer has moved on from `pointer`, and the last stage holds the next number, or a later one, when `edge`
  /// begins: not before the present edge of this side.
  G80_INLINE bool has_left(unsigned pointer, Cycle edge) const {
    return pointer_.load(std::memory_order_acquire) != pointer && has_come((pointer + 1) & last_, edge);
  }
  /// The pointer is at this number, and the last stage holds it when `edge` begins.
  bool rests_at(unsigned pointer, Cycle edge) const {
    return pointer_.load(std::memory_order_acquire) == pointer && has_come(pointer, edge);
  }
  /// What the last stage holds when `edge` begins.
  unsigned at(Cycle edge) const {
    const unsigned pointer = newest_by(edge);
    if (has_come(pointer, edge) || upset_) return pointer;
    throw ModelError(fmt::format("a synchroniser is read at edge {}, of which it has forgotten the pointer", edge));
  }
  /// The same for observers, who may look at any moment: what it has not forgotten.
  G80_INLINE unsigned newest_by(Cycle edge) const {
    if (is_upset()) {
      if (const Upset& fault = upsets_[edge % upsets_.size()]; fault.edge == edge) return fault.pointer;
    }
    unsigned pointer = pointer_.load(std::memory_order_acquire);
    for (unsigned moves = 0; moves < last_ && !has_come(pointer, edge); ++moves) pointer = (pointer - 1) & last_;
    return pointer;
  }
  /// Between the edges of both sides.
  void move_state(FieldEditor& editor) {
    const auto move = [&editor](auto& atomic) {
      auto value = atomic.load();
      editor.state(value);
      atomic.store(value);
    };
    editor.state(late_, shows_from_, upset_);
    for (Upset& fault : upsets_) editor.state(fault.edge, fault.pointer);
    move(pointer_);
    for (unsigned pointer = 0; pointer <= last_; ++pointer) move(shows_[kLine + pointer]);
  }

 private:
  /// A number that the pointer has had; the edges of the others are those of an earlier round.
  G80_INLINE bool has_come(unsigned pointer, Cycle edge) const {
    return edge >= shows_[kLine + pointer].load(std::memory_order_relaxed);
  }

  /// xorshift64*: G. Marsaglia, Xorshift RNGs, J. Stat. Softw. 8(14), 2003; S. Vigna's multiplier.
  bool draws_late() {
    late_ ^= late_ >> 12;
    late_ ^= late_ << 25;
    late_ ^= late_ >> 27;
    return late_ * 0x2545f4914f6cdd1du >> 63 != 0;
  }

  struct Upset {
    Cycle edge = 0;  // that begins with this in the last stage
    unsigned pointer = 0;
  };

  unsigned flops_, stages_, last_;  // last_: the largest number
  bool upset_ = false;
  std::uint64_t late_ = 0;  // state of the draw, of the side that moves the pointer; 0: none is late
  Cycle shows_from_ = 0;
  std::atomic<unsigned> pointer_{0};
  // By number: the first edge that begins with it, or a later one, in the last stage. The places of a line of the host's
  // cache at both ends are free: what one side writes lies in no line of the other one.
  static constexpr std::size_t kLine = kCacheLine / sizeof(Cycle);
  std::vector<std::atomic<Cycle>> shows_;
  std::vector<Upset> upsets_;  // by edge
};

}  // namespace g80
