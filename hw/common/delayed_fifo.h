// SPDX-License-Identifier: Apache-2.0
// A queue whose entries may leave a fixed number of steps after they entered: the words wait in a memory, and a valid
// bit passes through registers in a row.
//
// At each step of its block, in this order: step_to(); then arrived() and pop(), enter at most one entry with push().
// An entry pushed at one step has arrived at the `stages`-th step after it; without stages at once. Entries that have
// arrived wait until they are popped, and hold up nothing behind them.
//
// The registers are a ring of bits: instead of all bits, a hand moves on by one place at each step. The hand is the
// counter of the block's clock, modulo the places, so nothing changes while the block sleeps.
// The rule for a block that sleeps: it runs at each edge at which a bit leaves the last register. Either it stays awake
// while moving(), or before it sleeps it asks to be woken at next_arrival(edge()).
#pragma once
#include <vector>

#include "hw/common/check.h"
#include "hw/common/fifo.h"
#include "hw/common/queue.h"
#include "hw/common/set_bits.h"
#include "hw/common/types.h"

namespace g80 {

/// Where a bit lies in the ring, and when the next one leaves: a word for up to 63 registers.
class DelayRing {
 public:
  explicit DelayRing(unsigned stages) : stages_(stages), places_(places_for(stages)), bits_((places_ + 63) / 64) {}

  unsigned stages() const { return stages_; }
  unsigned places() const { return places_; }
  unsigned hand() const { return step_ & (places_ - 1); }
  unsigned size() const { return count_; }
  /// The hand goes to the place of this step. True if a bit leaves there.
  G80_INLINE bool step_to(Cycle step) {
    step_ = static_cast<unsigned>(step);
    return count_ != 0 && take();
  }
  /// Where a bit goes that enters at this step.
  unsigned entry() const { return (step_ + stages_) & (places_ - 1); }
  bool has(unsigned place) const { return (bits_[place / 64] >> place % 64 & 1) != 0; }
  void set(unsigned place) {
    bits_[place / 64] |= std::uint64_t{1} << place % 64;
    ++count_;
  }
  /// Steps until the next bit leaves; there is one.
  unsigned next() const {
    const unsigned first = (step_ + 1) & (places_ - 1);  // its word comes twice: the upper bits first, the others last
    for (unsigned i = 0;; ++i) {
      const unsigned number = (first / 64 + i) & static_cast<unsigned>(bits_.size() - 1);
      const std::uint64_t word = i == 0 ? bits_[number] & ~std::uint64_t{0} << first % 64 : bits_[number];
      if (word == 0) continue;
      const unsigned place = number * 64 + static_cast<unsigned>(__builtin_ctzll(word));
      return 1 + ((place - first) & (places_ - 1));
    }
  }
  void clear() {
    bits_.assign(bits_.size(), 0);
    count_ = 0;
  }
  template <class S, class V>
  static void visit(S& s, V& v) {
    v.stored("stage", s.bits_, s.places_ < 64 ? s.places_ : 64);  // not drawn: `moving` says how many
    v.unseen("step", s.step_);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      s.count_ = 0;
      for (const std::uint64_t word : s.bits_) s.count_ += static_cast<unsigned>(__builtin_popcountll(word));
    }
  }

 private:
  G80_INLINE bool take() {
    std::uint64_t& word = bits_[hand() / 64];
    const std::uint64_t here = std::uint64_t{1} << hand() % 64;
    if ((word & here) == 0) return false;
    word ^= here;
    --count_;
    return true;
  }
  static unsigned places_for(unsigned stages) {
    unsigned places = 1;
    while (places <= stages) places *= 2;  // a bit goes in where none leaves at this step
    return places;
  }

  unsigned stages_, places_;  // places_: a power of two
  std::vector<std::uint64_t> bits_;
  unsigned count_ = 0;  // of bits that are set
  unsigned step_ = 0;   // the hand is at its place: no state, step_to() sets it
};

inline constexpr unsigned kDelayCountBits = 11;  // the longest latency is 1024

/// The registers of the valid bits.
class DelayLine {
 public:
  explicit DelayLine(unsigned stages) : ring_(stages) {}

  unsigned stages() const { return ring_.stages(); }
  bool moving() const { return ring_.size() != 0; }
  /// The step of this edge. None at which a bit leaves is left out.
  G80_INLINE void step_to(Cycle edge) {
    if (ring_.step_to(edge)) ++arrived_;
  }
  /// The edge at which the next bit leaves the last register, while moving(), behind the step of `edge`.
  Cycle next_arrival(Cycle edge) const { return edge + ring_.next(); }
  /// Sets the first bit. Once a step.
  G80_INLINE void enter() {
    if (stages() == 0) {
      ++arrived_;
      return;
    }
    CHECK(!ring_.has(ring_.entry()), "two entries in the first of {} stages", stages());
    ring_.set(ring_.entry());
  }
  bool arrived() const { return arrived_ != 0; }
  /// Bits in the registers, and bits behind them.
  unsigned num_moving() const { return ring_.size(); }
  unsigned num_arrived() const { return arrived_; }
  void leave() {
    CHECK(arrived_ != 0, "nothing has come through {} stages", stages());
    --arrived_;
  }
  void clear() {
    ring_.clear();
    arrived_ = 0;
  }
  template <class S, class V>
  static void visit(S& s, V& v) {
    v.shown("moving", s.num_moving(), kDelayCountBits);
    v("arrived", s.arrived_, kDelayCountBits);
    DelayRing::visit(s.ring_, v);
  }

 private:
  DelayRing ring_;
  unsigned arrived_ = 0;
};

/// Up to 32 lines of the same length side by side: the register of a stage has a bit of each.
class DelayLines {
 public:
  DelayLines(unsigned lines, unsigned stages) : any_(stages), stage_(any_.places()), arrived_(lines) {}

  bool moving() const { return any_.size() != 0; }
  bool empty() const { return !moving() && any_arrived_ == 0; }
  G80_INLINE void step_to(Cycle edge) {
    if (any_.step_to(edge)) arrive_here();
  }
  Cycle next_arrival(Cycle edge) const { return edge + any_.next(); }
  /// Sets the first bit of a line. Once a step.
  G80_INLINE void enter(unsigned line) {
    if (any_.stages() == 0) return arrive(line);
    const unsigned place = any_.entry();
    std::uint32_t& stage = stage_[place];
    if (stage == 0) {
      any_.set(place);
    } else {
      CHECK((stage >> line & 1) == 0, "two entries in the first of {} stages", any_.stages());
    }
    stage |= 1u << line;
  }
  /// Bit k: something in line k leaves its last register at this edge, one of the next ones.
  std::uint32_t leaving(Cycle edge) const { return stage_[edge & (stage_.size() - 1)]; }
  /// Bit k: something has come through line k.
  std::uint32_t arrived() const { return any_arrived_; }
  unsigned num_arrived(unsigned line) const { return arrived_[line]; }
  /// What has entered line k and has not left it. For observers.
  unsigned size(unsigned line) const {
    unsigned size = arrived_[line];
    for (const std::uint32_t stage : stage_) size += stage >> line & 1;
    return size;
  }
  G80_INLINE void leave(unsigned line) {
    CHECK(arrived_[line] != 0, "nothing has come through {} stages", any_.stages());
    if (--arrived_[line] == 0) any_arrived_ &= ~(1u << line);
  }
  void clear() {
    any_.clear();
    stage_.assign(stage_.size(), 0);
    arrived_.assign(arrived_.size(), 0);
    any_arrived_ = 0;
  }
  template <class S, class V>
  static void visit(S& s, V& v) {
    v("stage", s.stage_, static_cast<unsigned>(s.arrived_.size()));
    v("arrived", s.arrived_, kDelayCountBits);
    v.unseen("any", s.any_);
    if constexpr (std::is_same_v<V, FieldEditor>) s.sum_up();
  }

 private:
  void arrive_here() {
    for (const unsigned line : set_bits(stage_[any_.hand()])) arrive(line);
    stage_[any_.hand()] = 0;
  }
  G80_INLINE void arrive(unsigned line) {
    ++arrived_[line];
    any_arrived_ |= 1u << line;
  }
  /// What follows from the fields.
  void sum_up() {
    any_.clear();
    for (unsigned place = 0; place < stage_.size(); ++place) {
      if (stage_[place] != 0) any_.set(place);
    }
    any_arrived_ = 0;
    for (unsigned line = 0; line < arrived_.size(); ++line) any_arrived_ |= arrived_[line] != 0 ? 1u << line : 0;
  }

  DelayRing any_;  // the stages with a bit
  std::vector<std::uint32_t> stage_;
  std::vector<std::uint16_t> arrived_;
  std::uint32_t any_arrived_ = 0;
};

/// `Items` is the memory, a Ring or SizedRing.
template <class Items>
class DelayedRing {
 public:
  /// `capacity` is that of a SizedRing.
  template <class... Capacity>
  explicit DelayedRing(unsigned stages, Capacity... capacity) : items_(capacity...), line_(stages) {}

  G80_INLINE void step_to(Cycle edge) { line_.step_to(edge); }
  Cycle next_arrival(Cycle edge) const { return line_.next_arrival(edge); }
  bool empty() const { return items_.empty(); }
  bool full() const { return items_.full(); }
  unsigned size() const { return items_.size(); }
  bool moving() const { return line_.moving(); }
  bool arrived() const { return line_.arrived(); }
  const auto& front() const { return items_.front(); }
  template <class T>
  void push(const T& item) {
    items_.push(item);
    line_.enter();
  }
  void pop() {
    line_.leave();
    items_.pop();
  }
  void clear() {
    items_.clear();
    line_.clear();
  }
  template <class S, class V>
  static void visit(S& s, V& v) {
    DelayLine::visit(s.line_, v);
    Items::visit(s.items_, v);
  }

 private:
  Items items_;
  DelayLine line_;
};

/// DelayedFifo<LineReply, 256> replies_{*this, "replies", latency};
template <class T, unsigned kCapacity>
using DelayedFifo = Stored<DelayedRing<Ring<T, kCapacity>>>;
/// DelayedQueue<MemRequest> queue_{*this, "queue", latency, capacity};
template <class T>
using DelayedQueue = Stored<DelayedRing<SizedRing<T>>>;

}  // namespace g80
