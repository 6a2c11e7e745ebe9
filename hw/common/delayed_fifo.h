// SPDX-License-Identifier: Apache-2.0
// A queue whose entries may leave a fixed number of steps after they entered: the words wait in a memory, and a valid
// bit passes through registers in a row.
//
// At each step of its block, in this order: step(); then arrived() and pop(), enter at most one entry with push(). An
// entry pushed at one step has arrived at the `stages`-th step after it; without stages at once. Entries that have
// arrived wait until they are popped, and hold up nothing behind them. A block stays awake while moving(); or it steps
// to its edge, which makes up for those that it has slept, and wakes when the next entry arrives.
#pragma once
#include <vector>

#include "hw/common/check.h"
#include "hw/common/fifo.h"
#include "hw/common/queue.h"
#include "hw/common/types.h"

namespace g80 {

/// The registers of the valid bits. The model turns an index instead of shifting them, and not at all when none is set.
class DelayLine {
 public:
  explicit DelayLine(unsigned stages) : bit_(stages) {}

  unsigned stages() const { return static_cast<unsigned>(bit_.size()); }
  bool moving() const { return moving_ != 0; }
  /// All bits move on by one register. Call it first at each step.
  void step() {
    if (moving_ == 0) return;
    first_ = after(first_);
    if (!bit_[first_]) return;
    bit_[first_] = false;
    --moving_;
    ++arrived_;
  }
  /// All steps up to that of this edge, of a block that may have slept since the last one.
  void step_to(Cycle edge) {
    for (; edge_ < edge && moving_ != 0; ++edge_) step();
    edge_ = edge;
  }
  /// The edge at which the first bit leaves the last register, while moving() and with step_to().
  Cycle next_arrival() const {
    Cycle edge = edge_ + 1;
    for (unsigned i = after(first_); !bit_[i]; i = after(i)) ++edge;
    return edge;
  }
  /// Sets the first bit. Once a step.
  void enter() {
    if (bit_.empty()) {
      ++arrived_;
      return;
    }
    CHECK(!bit_[first_], "two entries in the first of {} stages", bit_.size());
    bit_[first_] = true;
    ++moving_;
  }
  bool arrived() const { return arrived_ != 0; }
  void leave() {
    CHECK(arrived_ != 0, "nothing has come through {} stages", bit_.size());
    --arrived_;
  }
  void clear() {
    bit_.assign(bit_.size(), false);
    moving_ = arrived_ = 0;
  }
  template <class S, class V>
  static void visit(S& s, V& v) {
    v.shown("moving", s.moving_, 8);
    v.shown("arrived", s.arrived_, 8);
  }

 private:
  unsigned after(unsigned i) const { return i + 1 == bit_.size() ? 0 : i + 1; }
  std::vector<bool> bit_;
  unsigned first_ = 0;  // the first register, and at a step also the one whose bit leaves the last
  unsigned moving_ = 0, arrived_ = 0;
  Cycle edge_ = 0;  // of the last step_to()
};

/// `Items` is the memory, a Ring or SizedRing.
template <class Items>
class DelayedRing {
 public:
  /// `capacity` is that of a SizedRing.
  template <class... Capacity>
  explicit DelayedRing(unsigned stages, Capacity... capacity) : items_(capacity...), line_(stages) {}

  void step() { line_.step(); }
  void step_to(Cycle edge) { line_.step_to(edge); }
  Cycle next_arrival() const { return line_.next_arrival(); }
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
