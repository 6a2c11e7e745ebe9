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

/// The words of an SM's memories when a block starts. A place holds the same bits each time, so that the reference can
/// hold them too.
class InitialWords {
 public:
  explicit InitialWords(const Config& config) : init_(config.sm.init), seed_(config.gpu.seed) {}
  std::uint32_t of_register(unsigned row, unsigned lane) const { return at(std::uint64_t{row} * kWarpSize + lane); }
  std::uint32_t of_shared(unsigned word) const { return at(std::uint64_t{kMaxRegistersPerSm} + word); }

 private:
  std::uint32_t at(std::uint64_t place) const {
    switch (init_) {
      case InitState::kZero: return 0;
      case InitState::kPoison: return 0xdeadbeefu;
      case InitState::kRandom: break;
    }
    return random_word(seed_, place);
  }
  InitState init_;
  std::uint64_t seed_;
};

}  // namespace g80
