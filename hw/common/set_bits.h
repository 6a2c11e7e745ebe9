// SPDX-License-Identifier: Apache-2.0
// The numbers of the bits that are set in a word, lowest first: for (const unsigned lane : set_bits(lanes)).
#pragma once
#include <cstdint>

namespace g80 {

class SetBits {
 public:
  explicit constexpr SetBits(std::uint64_t word) : word_(word) {}

  struct End {};
  class Iterator {
   public:
    explicit constexpr Iterator(std::uint64_t left) : left_(left) {}
    constexpr unsigned operator*() const { return static_cast<unsigned>(__builtin_ctzll(left_)); }
    constexpr Iterator& operator++() {
      left_ &= left_ - 1;
      return *this;
    }
    constexpr bool operator!=(End) const { return left_ != 0; }

   private:
    std::uint64_t left_;
  };
  constexpr Iterator begin() const { return Iterator(word_); }
  constexpr End end() const { return {}; }

 private:
  std::uint64_t word_;
};

/// Of the word as it is now: the loop may change where it came from.
constexpr SetBits set_bits(std::uint64_t word) { return SetBits(word); }

}  // namespace g80
