// SPDX-License-Identifier: Apache-2.0
// A queue for what checks wait for.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace g80 {

/// First in, first out. Its entries keep their memory, so that nothing is allocated for each of them.
template <class T>
class Backlog {
 public:
  bool empty() const { return first_ == end_; }
  std::size_t size() const { return end_ - first_; }
  T& front() { return entries_[first_]; }
  const T& front() const { return entries_[first_]; }
  /// The new last entry, with what an earlier one held.
  T& add() {
    if (end_ == entries_.size()) {
      if (first_ > end_ / 2) {
        std::rotate(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(first_), entries_.end());
        end_ -= first_;
        first_ = 0;
      } else {
        entries_.emplace_back();
      }
    }
    return entries_[end_++];
  }
  void pop() {
    if (++first_ == end_) clear();
  }
  void clear() { first_ = end_ = 0; }
  T* begin() { return entries_.data() + first_; }
  T* end() { return entries_.data() + end_; }
  const T* begin() const { return entries_.data() + first_; }
  const T* end() const { return entries_.data() + end_; }

 private:
  std::vector<T> entries_;
  std::size_t first_ = 0, end_ = 0;
};

}  // namespace g80
