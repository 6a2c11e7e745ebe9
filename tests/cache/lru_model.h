// SPDX-License-Identifier: Apache-2.0
// What a set-associative cache keeps whose least recently used way leaves, in the simplest words: a list for each set,
// the latest first. With "fifo" a hit does not move its line, so the line that came first leaves.
#pragma once
#include <algorithm>
#include <cstdint>
#include <list>
#include <string>
#include <vector>

namespace g80::testing {

class LruModel {
 public:
  LruModel(unsigned sets, unsigned ways, const std::string& policy = "lru")
      : ways_(ways), fifo_(policy == "fifo"), recent_(sets) {}
  /// True if `line` was there; it is now, in set `line` % sets.
  bool use(std::uint32_t line) {
    std::list<std::uint32_t>& set = recent_[line % recent_.size()];
    const auto at = std::find(set.begin(), set.end(), line);
    const bool hit = at != set.end();
    if (hit && fifo_) return true;
    if (hit) set.erase(at);
    set.push_front(line);
    if (set.size() > ways_) set.pop_back();
    return hit;
  }

 private:
  std::size_t ways_;
  bool fifo_;
  std::vector<std::list<std::uint32_t>> recent_;
};

}  // namespace g80::testing
