// SPDX-License-Identifier: Apache-2.0
// The tags of a set-associative cache: which line is in which slot, and which line is evicted next.
//
// Every cache and TLB of the chip has one, with a replacement policy of its own (replacement_policies.h). Bits of the
// address select the set, so the number of sets is a power of two; the number of ways may be any.
// A slot is set * ways + way; the owner keeps the data of slot s at s * line_words. Callers give an address of the
// slot's set with it, as hardware does not divide by the ways.
#pragma once
#include <cstdint>
#include <vector>

#include "hw/common/check.h"
#include "hw/common/fields.h"
#include "hw/config/config.h"

namespace g80 {

struct CacheWay {
  bool valid = false;
  std::uint8_t use_age = 0;   // ways of the set that were used since this one was: 0 in the one used last
  std::uint8_t fill_age = 0;  // ways of the set that were filled since this one was
  std::uint32_t line = 0;     // line number: address / line bytes
  G80_FIELDS(valid, use_age, fill_age, line);
};

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
unsigned victim_way(ReplacementPolicy policy, const CacheWay* set, unsigned ways, std::uint16_t random);

/// `way` becomes the youngest of its set: those that were younger grow older by one. The ages of a set stay the
/// numbers below `ways`, each once.
template <std::uint8_t CacheWay::*age>
void make_youngest(CacheWay* set, unsigned ways, unsigned way) {
  const std::uint8_t before = set[way].*age;
  if (before == 0) return;
  for (unsigned w = 0; w < ways; ++w) set[w].*age = static_cast<std::uint8_t>(set[w].*age + (set[w].*age < before));
  set[way].*age = 0;
}

class CacheTags {
 public:
  static constexpr unsigned kMiss = ~0u;

  explicit CacheTags(const CacheShape& shape)
      : line_bytes_(shape.line_bytes),
        line_shift_(static_cast<unsigned>(__builtin_ctz(shape.line_bytes))),
        ways_(shape.ways),
        sets_(shape.bytes / (shape.ways * shape.line_bytes)),
        policy_(shape.replacement),
        way_(sets_ * ways_) {
    CHECK(sets_ > 0 && sets_ * ways_ * line_bytes_ == shape.bytes && (sets_ & (sets_ - 1)) == 0 &&
              (line_bytes_ & (line_bytes_ - 1)) == 0,
          "{} bytes cannot be divided into a power of two of sets of {} lines of {} bytes", shape.bytes, ways_,
          line_bytes_);
    CHECK(ways_ <= kMaxWays, "{} ways, but the model is built for {}", ways_, kMaxWays);
    reset();
  }
  void reset() {
    // The first order of the ways does not matter: a set evicts when each of them has been filled.
    for (unsigned first = 0; first < way_.size(); first += ways_) {
      for (unsigned w = 0; w < ways_; ++w) {
        const auto age = static_cast<std::uint8_t>(w);
        way_[first + w] = {false, age, age, 0};
      }
    }
    random_ = kFirstRandom;
  }

  bool is_valid(unsigned slot) const { return way_[slot].valid; }
  unsigned num_slots() const { return static_cast<unsigned>(way_.size()); }
  unsigned line_bytes() const { return line_bytes_; }
  std::uint32_t line_of(std::uint32_t address) const { return address >> line_shift_; }

  /// Slot of the line that holds `address`, or kMiss. Does not count as a use.
  unsigned find(std::uint32_t address) const {
    const unsigned first = first_slot(address);
    const unsigned w = matching_way(&way_[first], ways_, line_of(address));
    return w == ways_ ? kMiss : first + w;
  }
  /// The line of `address` in `slot` was used.
  void touch(std::uint32_t address, unsigned slot) { make_youngest<&CacheWay::use_age>(address, slot); }
  /// Gives the line of `address` a slot, evicting if needed, and counts as a use.
  unsigned insert(std::uint32_t address) {
    const unsigned present = find(address);
    if (present != kMiss) {
      touch(address, present);
      return present;
    }
    const unsigned slot = slot_for(address);
    put(slot, address);
    note_fill(address, slot);
    return slot;
  }
  // The parts of insert(), for blocks that have a stage for each.
  /// The slot that the line of `address` has, or the one that it gets.
  unsigned slot_for(std::uint32_t address) const {
    const unsigned present = find(address), first = first_slot(address);
    if (present != kMiss) return present;
    return first + victim_way(policy_, &way_[first], ways_, static_cast<std::uint16_t>(random_));
  }
  /// The line of `address` takes the slot.
  void put(unsigned slot, std::uint32_t address) {
    way_[slot].valid = true;
    way_[slot].line = line_of(address);
    step_random();
  }
  /// The slot was filled with the line of `address`, which is a use too.
  void note_fill(std::uint32_t address, unsigned slot) {
    touch(address, slot);
    make_youngest<&CacheWay::fill_age>(address, slot);
  }
  void invalidate_all() {
    for (CacheWay& way : way_) way.valid = false;
    random_ = kFirstRandom;
  }

  /// Gives `filler` the tags that are not valid.
  void fill_unused(FieldEditor& filler) {
    for (CacheWay& way : way_) {
      if (!way.valid) filler.fill(way.line);
    }
  }
  /// Where they are seen: in the caches and TLBs outside the multiprocessors.
  template <class S, class V>
  static void visit(S& s, V& v) {
    v("slot", s.way_);
    v("random", s.random_);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      if (v.fills()) s.fill_unused(v);
    }
  }

 private:
  unsigned first_slot(std::uint32_t address) const { return (line_of(address) & (sets_ - 1)) * ways_; }

  template <std::uint8_t CacheWay::*age>
  void make_youngest(std::uint32_t address, unsigned slot) {
    const unsigned first = first_slot(address), way = slot - first;
    CHECK(way < ways_, "slot {} is not in the set of {:#x}", slot, address);
    g80::make_youngest<age>(&way_[first], ways_, way);
  }

  /// Eight steps of a linear feedback shift register, x^32 + x^22 + x^2 + x + 1.
  void step_random() {
    for (unsigned i = 0; i < 8; ++i) {
      const std::uint32_t bit = (random_ >> 31 ^ random_ >> 21 ^ random_ >> 1 ^ random_) & 1;
      random_ = random_ << 1 | bit;
    }
  }

  static constexpr std::uint32_t kFirstRandom = 1;
  static constexpr unsigned kMaxWays = 256;  // largest tlb.entries
  unsigned line_bytes_, line_shift_, ways_, sets_;
  ReplacementPolicy policy_;
  std::vector<CacheWay> way_;
  std::uint32_t random_ = kFirstRandom;
};

}  // namespace g80
