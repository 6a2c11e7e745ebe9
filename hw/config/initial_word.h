// SPDX-License-Identifier: Apache-2.0
// What a register or a word of s[] holds before a program writes it: sm.init.
#pragma once
#include <cstdint>

#include "hw/common/limits.h"
#include "hw/common/types.h"
#include "hw/config/config.h"

namespace g80 {

/// The bits at `place` of a memory, for one seed.
inline std::uint32_t random_word(std::uint64_t seed, std::uint64_t place) {
  std::uint64_t bits = (seed + 1) * 0x9e3779b97f4a7c15u + place * 0xd1342543de82ef95u;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
  return static_cast<std::uint32_t>(bits >> 32);
}

/// The words of an SM's memories when a block starts: one for all places, or one that the bits of a place change. Each
/// bit of a word is a sum of few bits of the place, which costs hardware an exclusive or (rtl/common/initial_words.sv).
/// A place holds the same bits each time, so that the reference can hold them too.
class InitialWords {
 public:
  explicit InitialWords(const Config& config)
      : word_(config.sm.init == InitState::kZero     ? 0
              : config.sm.init == InitState::kPoison ? 0xdeadbeefu
                                                     : random_word(config.gpu.seed, 0)),
        differ_(config.sm.init == InitState::kRandom) {}
  std::uint32_t of_register(unsigned row, unsigned lane) const { return at(row * kWarpSize + lane); }
  std::uint32_t of_shared(unsigned word) const { return at(kMaxRegistersPerSm + word); }
  std::uint32_t word() const { return word_; }
  bool differ() const { return differ_; }

 private:
  std::uint32_t at(std::uint32_t place) const {
    return differ_ ? word_ ^ place ^ place << 7 ^ place << 14 ^ place << 21 ^ place << 28 : word_;
  }
  std::uint32_t word_;
  bool differ_;
};

}  // namespace g80
