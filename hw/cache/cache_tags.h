// SPDX-License-Identifier: Apache-2.0
// The tags of a set-associative cache: which line is in which slot, and which line is evicted next.
//
// Every cache and TLB of the chip has one, with a replacement policy of its own (replacement_policies.h). The number of
// sets may be any number; the set is the line number modulo it.
// A slot is set * ways + way; the owner keeps the data of slot s at s * line_words.
#pragma once
#include <cstdint>
#include <vector>

#include "hw/common/check.h"
#include "hw/common/fields.h"
#include "hw/config/config.h"

namespace g80 {

struct CacheWay {
  bool valid = false;
  std::uint32_t line = 0;      // line number: address / line bytes
  std::uint64_t last_use = 0;  // access count at the last touch
  std::uint64_t filled = 0;    // access count when the line came in
};

/// A cache of `bytes` in sets of `ways` lines.
struct CacheShape {
  unsigned bytes, ways, line_bytes;
  ReplacementPolicy replacement = ReplacementPolicy::kLru;
};

/// The way that holds `line`, or `ways` if none does. This is where a cache hit is decided.
inline unsigned matching_way(const CacheWay* set, unsigned ways, std::uint32_t line) {
  for (unsigned w = 0; w < ways; ++w) {
    if (set[w].valid && set[w].line == line) return w;
  }
  return ways;
}

/// The way that a new line takes: the first empty one, else the one that the policy evicts. `random`: a number that
/// differs from eviction to eviction. This is where the line that leaves a cache is decided.
unsigned victim_way(ReplacementPolicy policy, const CacheWay* set, unsigned ways, std::uint32_t random);

class CacheTags {
 public:
  static constexpr unsigned kMiss = ~0u;

  explicit CacheTags(const CacheShape& shape)
      : line_bytes_(shape.line_bytes),
        ways_(shape.ways),
        sets_(shape.bytes / (shape.ways * shape.line_bytes)),
        policy_(shape.replacement),
        way_(sets_ * ways_) {
    CHECK(sets_ > 0 && sets_ * ways_ * line_bytes_ == shape.bytes,
          "{} bytes cannot be divided into sets of {} lines of {} bytes", shape.bytes, ways_, line_bytes_);
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
  /// The line in `slot` was used.
  void touch(unsigned slot) { way_[slot].last_use = ++uses_; }
  /// Gives the line of `address` a slot, evicting if needed, and counts as a use.
  unsigned insert(std::uint32_t address) {
    const unsigned present = find(address);
    if (present != kMiss) {
      touch(present);
      return present;
    }
    const unsigned first = first_slot(address);
    const unsigned slot = first + victim_way(policy_, &way_[first], ways_, random_);
    ++uses_;
    way_[slot] = {true, line_of(address), uses_, uses_};
    step_random();
    return slot;
  }
  void invalidate_all() {
    for (CacheWay& way : way_) way = CacheWay{};
    uses_ = 0;
    random_ = kFirstRandom;
  }

  /// Gives `filler` the tags that are not valid.
  void fill_unused(FieldEditor& filler) {
    for (CacheWay& way : way_) {
      if (way.valid) continue;
      filler.fill(way.line);
      filler.fill(way.last_use);
      filler.fill(way.filled);
    }
  }

 private:
  unsigned first_slot(std::uint32_t address) const { return (line_of(address) % sets_) * ways_; }

  /// Eight steps of a linear feedback shift register, x^32 + x^22 + x^2 + x + 1.
  void step_random() {
    for (unsigned i = 0; i < 8; ++i) {
      const std::uint32_t bit = (random_ >> 31 ^ random_ >> 21 ^ random_ >> 1 ^ random_) & 1;
      random_ = random_ << 1 | bit;
    }
  }

  static constexpr std::uint32_t kFirstRandom = 1;
  unsigned line_bytes_, ways_, sets_;
  ReplacementPolicy policy_;
  std::vector<CacheWay> way_;
  std::uint64_t uses_ = 0;
  std::uint32_t random_ = kFirstRandom;
};

}  // namespace g80
