// SPDX-License-Identifier: Apache-2.0
// Order of the lanes of a half-warp in memory: the strict rule of coalescing (CC 1.0 and 1.1).
#pragma once
#include <array>

#include "hw/common/set_bits.h"
#include "hw/common/types.h"

namespace g80 {

/// Lane k accesses word k of a segment that is aligned to 16 words of 4, 8 or 16 bytes. Lanes may be missing, not all.
inline bool is_in_order(const std::array<std::uint32_t, kHalfWarp>& address, HalfMask lanes, unsigned bytes) {
  if (lanes == 0 || bytes < 4) return false;
  const auto first = static_cast<unsigned>(__builtin_ctz(lanes));
  const std::uint32_t base = address[first] - first * bytes;
  if (base % (kHalfWarp * bytes) != 0) return false;
  std::uint32_t differs = 0;
  if (lanes == 0xffff) {  // most often, and the host compares several lanes at once
    for (unsigned lane = 0; lane < kHalfWarp; ++lane) differs |= address[lane] ^ (base + lane * bytes);
  } else {
    for (const unsigned lane : set_bits(lanes)) differs |= address[lane] ^ (base + lane * bytes);
  }
  return differs == 0;
}

}  // namespace g80
