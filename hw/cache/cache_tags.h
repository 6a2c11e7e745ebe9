// SPDX-License-Identifier: Apache-2.0
// The tags of a set-associative cache: which line sits in which slot, and which line leaves next (least recently used).
//
// Shared by every cache of the chip. The number of sets may be any number; the set is the line number modulo it.
// A slot is set * ways + way; the owner keeps the data of slot s at s * line_words.
#pragma once
#include <cstdint>
#include <vector>

#include "hw/common/check.h"

namespace g80 {

struct CacheWay {
  bool valid = false;
  std::uint32_t line = 0;      // line number: address / line bytes
  std::uint64_t last_use = 0;  // access count at the last touch
};

/// The way that holds `line`, or `ways` if none does. This is where a cache hit is decided.
inline unsigned matching_way(const CacheWay* set, unsigned ways, std::uint32_t line) {
  for (unsigned w = 0; w < ways; ++w) {
    if (set[w].valid && set[w].line == line) return w;
  }
  return ways;
}

/// The way that a new line takes: the first empty one, else the least recently used.
/// This is where the line that leaves a cache is decided.
inline unsigned victim_way(const CacheWay* set, unsigned ways) {
  unsigned oldest = 0;
  for (unsigned w = 0; w < ways; ++w) {
    if (!set[w].valid) return w;
    if (set[w].last_use < set[oldest].last_use) oldest = w;
  }
  return oldest;
}

class CacheTags {
 public:
  static constexpr unsigned kMiss = ~0u;

  CacheTags(unsigned bytes, unsigned ways, unsigned line_bytes)
      : line_bytes_(line_bytes), ways_(ways), sets_(bytes / (ways * line_bytes)), way_(sets_ * ways) {
    CHECK(sets_ > 0 && sets_ * ways * line_bytes == bytes, "{} bytes are not whole sets of {} lines of {} bytes", bytes,
          ways, line_bytes);
  }

  unsigned num_slots() const { return static_cast<unsigned>(way_.size()); }
  unsigned num_sets() const { return sets_; }
  unsigned line_bytes() const { return line_bytes_; }
  std::uint32_t line_of(std::uint32_t address) const { return address / line_bytes_; }

  /// Slot of the line that holds `address`, or kMiss. Does not count as a use.
  unsigned find(std::uint32_t address) const {
    const unsigned first = first_slot(address);
    const unsigned w = matching_way(&way_[first], ways_, line_of(address));
    return w == ways_ ? kMiss : first + w;
  }
  /// The line in `slot` was used: it leaves last.
  void touch(unsigned slot) { way_[slot].last_use = ++uses_; }
  /// Gives the line of `address` a slot, evicting if needed, and counts as a use.
  unsigned insert(std::uint32_t address) {
    const unsigned present = find(address);
    const unsigned first = first_slot(address);
    const unsigned slot = present != kMiss ? present : first + victim_way(&way_[first], ways_);
    way_[slot] = {true, line_of(address), ++uses_};
    return slot;
  }
  void invalidate_all() {
    for (CacheWay& way : way_) way = CacheWay{};
    uses_ = 0;
  }

 private:
  unsigned first_slot(std::uint32_t address) const { return (line_of(address) % sets_) * ways_; }

  unsigned line_bytes_, ways_, sets_;
  std::vector<CacheWay> way_;
  std::uint64_t uses_ = 0;
};

}  // namespace g80
