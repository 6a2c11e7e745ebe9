// SPDX-License-Identifier: Apache-2.0
// What a register or a word of s[] holds before a program writes it: sm.init.
#pragma once
#include <cstdint>

#include "hw/config/config.h"

namespace g80 {

/// The value a register or a shared-memory word has when a block starts, under sm.init.
inline std::uint32_t initial_word(InitState init, std::uint64_t& random) {
  switch (init) {
    case InitState::kZero: return 0;
    case InitState::kPoison: return 0xdeadbeefu;
    case InitState::kRandom: break;
  }
  random ^= random << 13, random ^= random >> 7, random ^= random << 17;
  return static_cast<std::uint32_t>(random >> 32);
}

}  // namespace g80
