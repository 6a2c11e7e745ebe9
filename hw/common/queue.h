// SPDX-License-Identifier: Apache-2.0
// A first-in first-out store inside one block whose capacity comes from the configuration. Allocated when it is built.
// Like Fifo, it changes in the block's next(), and a block pops before it pushes.
#pragma once
#include <vector>

#include "hw/common/check.h"
#include "hw/common/store.h"
#include "hw/common/types.h"

namespace g80 {

template <class T>
class SizedRing {
 public:
  explicit SizedRing(unsigned capacity) : items_(capacity), capacity_(capacity) {
    CHECK(capacity > 0, "a queue needs at least one entry");
  }
  bool empty() const { return count_ == 0; }
  bool full() const { return count_ == capacity_; }
  unsigned size() const { return count_; }
  unsigned capacity() const { return capacity_; }
  T& front() { return items_[head_]; }
  const T& front() const { return items_[head_]; }
  /// Element `i` counted from the front.
  T& at(unsigned i) { return items_[wrap(head_ + i)]; }
  const T& at(unsigned i) const { return items_[wrap(head_ + i)]; }
  /// Where element `i` lies: its number among the places.
  unsigned row(unsigned i) const { return wrap(head_ + i); }
  T& back() { return items_[wrap(head_ + count_ - 1)]; }
  const T& back() const { return items_[wrap(head_ + count_ - 1)]; }
  G80_INLINE void push(const T& item) { place() = item; }
  /// Adds an entry and returns it to be filled in; it holds what was there before.
  T& place() {
    push_free();
    return back();
  }
  /// The place that is filled next. It becomes the last entry by push_free().
  T& free() { return items_[wrap(head_ + count_)]; }
  void push_free() {
    CHECK(!full(), "a queue of {} entries overflowed", capacity_);
    ++count_;
  }
  G80_INLINE void pop() {
    CHECK(count_ > 0, "a queue of {} entries was empty", capacity_);
    head_ = wrap(head_ + 1);
    --count_;
  }
  void clear() { head_ = count_ = 0; }

  template <class S, class V>
  static void visit(S& s, V& v) {
    visit_oldest(v, s.count_, 16, s.head_, s.items_);
    v.index("head", s.head_, s.capacity_);
    v.stored("place", s.items_);
  }
  /// The rows are drawn too, where they are the registers of stages.
  template <class S, class V>
  static void visit_rows(S& s, V& v) {
    visit_oldest(v, s.count_, 16, s.head_, s.items_);
    v.count("oldest", s.head_, s.capacity_ - 1, 16);
    v("row", s.items_);
  }

 private:
  unsigned wrap(unsigned i) const { return i >= capacity_ ? i - capacity_ : i; }
  std::vector<T> items_;
  unsigned capacity_;
  unsigned head_ = 0, count_ = 0;
};

template <class T>
using Queue = Stored<SizedRing<T>>;

}  // namespace g80
