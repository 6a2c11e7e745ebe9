// SPDX-License-Identifier: Apache-2.0
// A first-in first-out store inside one block whose capacity comes from the configuration. Allocated when it is built.
// Like Fifo, it changes in the block's next(), and a block pops before it pushes.
#pragma once
#include <vector>

#include "hw/common/check.h"
#include "hw/common/store.h"

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
  void push(const T& item) { place() = item; }
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
  void pop() {
    CHECK(count_ > 0, "a queue of {} entries was empty", capacity_);
    head_ = wrap(head_ + 1);
    --count_;
  }
  void clear() { head_ = count_ = 0; }

  template <class S, class V>
  static void visit(S& s, V& v) {
    visit_ring(v, s.count_, 16, s.items_[s.head_]);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      v.state(s.items_, s.head_, s.count_);
      for (unsigned i = s.count_; v.fills() && i < s.capacity_; ++i) v.fill(s.items_[s.wrap(s.head_ + i)]);
    }
  }
  /// The rows too, where they are the registers of stages.
  template <class S, class V>
  static void visit_rows(S& s, V& v) {
    visit(s, v);
    v.shown("oldest", s.head_, 16);
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
