// SPDX-License-Identifier: Apache-2.0
// First-fit allocator of page ranges: used for physical and for virtual pages.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

namespace g80 {

class RangeAllocator {
 public:
  RangeAllocator(std::uint32_t first, std::uint32_t count) {
    if (count != 0) free_[first] = count;
  }

  /// First page of `count` consecutive ones, at the lowest address from page `lowest` on where they fit.
  std::optional<std::uint32_t> take(std::uint32_t count, std::uint32_t lowest = 0) {
    for (auto range = free_.begin(); range != free_.end(); ++range) {
      const std::uint32_t first = std::max(range->first, lowest), end = range->first + range->second;
      if (end < first || end - first < count) continue;
      range->second = first - range->first;
      if (range->second == 0) free_.erase(range);
      if (end - first != count) free_[first + count] = end - first - count;
      return first;
    }
    return std::nullopt;
  }
  /// Frees a range of take() and merges it with free neighbours.
  void give_back(std::uint32_t first, std::uint32_t count) {
    auto next = free_.lower_bound(first);
    if (next != free_.end() && first + count == next->first) {
      count += next->second;
      next = free_.erase(next);
    }
    if (next != free_.begin()) {
      auto before = std::prev(next);
      if (before->first + before->second == first) {
        before->second += count;
        return;
      }
    }
    free_[first] = count;
  }
  std::uint32_t free_pages() const {
    std::uint32_t pages = 0;
    for (const auto& range : free_) pages += range.second;
    return pages;
  }

 private:
  std::map<std::uint32_t, std::uint32_t> free_;  // first page, pages
};

}  // namespace g80
