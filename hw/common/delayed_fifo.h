// SPDX-License-Identifier: Apache-2.0
// A queue whose entries may leave a fixed number of steps after they entered: the words wait in a memory, and a valid
// bit passes through registers in a row.
//
// At each step of its block, in this order: step(); then arrived() and pop(), enter at most one entry with push(). An
// entry pushed at one step has arrived at the `stages`-th step after it; without stages at once. Entries that have
// arrived wait until they are popped, and hold up nothing behind them. A block stays awake while moving(); or it steps
// to its edge, which makes up for those that it has slept, and wakes when the next entry arrives.
#pragma once
#include <algorithm>

#include "hw/common/check.h"
#include "hw/common/fifo.h"
#include "hw/common/queue.h"
#include "hw/common/types.h"

namespace g80 {

/// The registers of the valid bits. The model shifts nothing: it keeps the steps at which the bits leave the last one.
class DelayLine {
 public:
  explicit DelayLine(unsigned stages) : due_(std::max(1u, stages)), stages_(stages) {}

  unsigned stages() const { return stages_; }
  bool moving() const { return !due_.empty(); }
  /// All bits move on by one register. Call it first at each step.
  void step() { step_to(step_ + 1); }
  /// All steps up to that of this edge, of a block that may have slept since the last one.
  void step_to(Cycle edge) {
    step_ = edge;
    for (; !due_.empty() && due_.front() <= edge; due_.pop()) ++arrived_;
  }
  /// The edge at which the first bit leaves the last register, while moving() and with step_to().
  Cycle next_arrival() const { return due_.front(); }
  /// Sets the first bit. Once a step.
  void enter() {
    if (stages_ == 0) {
      ++arrived_;
      return;
    }
    CHECK(due_.empty() || due_.back() != step_ + stages_, "two entries in the first of {} stages", stages_);
    due_.push(step_ + stages_);
  }
  bool arrived() const { return arrived_ != 0; }
  /// Bits in the registers, and bits behind them.
  unsigned num_moving() const { return due_.size(); }
  unsigned num_arrived() const { return arrived_; }
  void leave() {
    CHECK(arrived_ != 0, "nothing has come through {} stages", stages_);
    --arrived_;
  }
  void clear() {
    due_.clear();
    arrived_ = 0;
  }
  template <class S, class V>
  static void visit(S& s, V& v) {
    v.shown("moving", s.due_.size(), 8);
    v.shown("arrived", s.arrived_, 8);
    if constexpr (std::is_same_v<V, FieldEditor>) v.state(s.due_, s.arrived_, s.step_);  // edges are no registers
  }

 private:
  SizedRing<Cycle> due_;
  unsigned stages_;
  unsigned arrived_ = 0;
  Cycle step_ = 0;
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
