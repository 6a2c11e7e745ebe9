// SPDX-License-Identifier: Apache-2.0
// A first-in first-out store inside one block. It changes in the block's next(); a block pops before it pushes.
#pragma once
#include "hw/common/check.h"
#include "hw/common/store.h"
#include "hw/common/types.h"

namespace g80 {

template <class T, unsigned kCapacity>
class Ring {
 public:
  bool empty() const { return count_ == 0; }
  unsigned size() const { return count_; }
  bool full() const { return count_ == kCapacity; }
  static constexpr unsigned capacity() { return kCapacity; }
  T& front() { return items_[head_]; }
  const T& front() const { return items_[head_]; }
  /// Element `i` counted from the front.
  T& at(unsigned i) { return items_[wrap(head_ + i)]; }
  const T& at(unsigned i) const { return items_[wrap(head_ + i)]; }
  /// Where element `i` lies: its number among kCapacity places.
  unsigned place(unsigned i) const { return wrap(head_ + i); }
  G80_INLINE void push(const T& item) {
    CHECK(count_ < kCapacity, "a queue of {} entries overflowed", kCapacity);
    items_[wrap(head_ + count_)] = item;
    ++count_;
  }
  void pop() {
    CHECK(count_ > 0, "a queue of {} entries was empty", kCapacity);
    head_ = wrap(head_ + 1);
    --count_;
  }
  void clear() { head_ = count_ = 0; }

  template <class S, class V>
  static void visit(S& s, V& v) {
    visit_oldest(v, s.count_, kCountBits, s.head_, s.items_);
    v.index("head", s.head_, kCapacity);
    v.stored("place", s.items_);
  }

 private:
  static constexpr unsigned kCountBits = 32u - static_cast<unsigned>(__builtin_clz(kCapacity));
  static unsigned wrap(unsigned i) { return i >= kCapacity ? i - kCapacity : i; }
  T items_[kCapacity] = {};
  unsigned head_ = 0, count_ = 0;
};

template <class T, unsigned kCapacity>
using Fifo = Stored<Ring<T, kCapacity>>;

}  // namespace g80
