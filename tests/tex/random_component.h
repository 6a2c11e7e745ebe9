// SPDX-License-Identifier: Apache-2.0
// Components of texels that the texture filter's arithmetic is tested with.
#pragma once
#include <cstdint>
#include <iterator>
#include <random>

namespace g80::testing {

/// A float of any kind: special ones, powers of two, and such as make sums that cancel or results that are flushed.
inline std::uint32_t random_component(std::mt19937& random) {
  constexpr std::uint32_t kSpecial[] = {0,          0x00000001, 0x007fffff, 0x00800000, 0x3f800000,
                                        0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fffffff};
  const std::uint32_t sign = random() & 0x80000000u, fraction = random() & 0x7fffffu;
  switch (random() % 5) {
    case 0: return sign | kSpecial[random() % std::size(kSpecial)];
    case 1: return sign | (120 + random() % 30) << 23 | 1u << random() % 23;
    case 2: return sign | (120 + random() % 12) << 23 | fraction;
    case 3: return sign | (random() % 30) << 23 | fraction;  // results that are flushed
    default: return random();
  }
}

}  // namespace g80::testing
