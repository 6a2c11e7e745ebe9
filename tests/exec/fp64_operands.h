// SPDX-License-Identifier: Apache-2.0
// Random operands for the fp64 unit.
#pragma once
#include <cstdint>
#include <iterator>
#include <random>

#include "tb/golden/semantics.h"

namespace g80::test {

/// Numbers of every kind; `near` is one that the others are near to, so that sums cancel.
inline std::uint64_t random_double(std::mt19937_64& random, std::uint64_t near) {
  constexpr std::uint64_t kSpecial[] = {0,
                                        1,
                                        0x000fffffffffffff,
                                        0x0010000000000000,
                                        0x0010000000000001,
                                        0x3ff0000000000000,
                                        0x3fefffffffffffff,
                                        0x3ff0000000000001,
                                        0x7fefffffffffffff,
                                        0x7ff0000000000000,
                                        0x7ff0000000000001,
                                        0x7ff8000000000000};
  constexpr std::uint64_t kFractionBits = (std::uint64_t{1} << 52) - 1;
  const std::uint64_t sign = random() & std::uint64_t{1} << 63, bits = random();
  const std::uint64_t few = std::uint64_t{1} << random() % 52 | std::uint64_t{1} << random() % 52;
  const std::uint64_t beside = ((near >> 52) + 2047 - 70 + random() % 140) % 2047;  // an exponent
  switch (random() % 11) {
    case 0: return sign | kSpecial[random() % std::size(kSpecial)];
    case 1: return sign | (random() % 2047) << 52 | few;                         // few bits: halfway cases
    case 2: return sign | (1020 + random() % 8) << 52 | (bits & kFractionBits);  // near one
    case 3: return sign | (bits & kFractionBits) >> random() % 52;               // denormal
    case 4: return (near ^ sign) + (random() % 5) - 2;                           // cancels
    case 5: return (near ^ sign) + ((random() % 200) << 52) - (std::uint64_t{100} << 52);
    case 6: return sign | (1023 + random() % 66) << 52 | (bits & kFractionBits & ~std::uint64_t{0} << random() % 52);
    case 7: return sign | (890 + random() % 12) << 52 | (bits & kFractionBits);  // denormals of f32
    case 8: return sign | beside << 52 | (random() % 2 == 0 ? few : 0);          // one bit leaves the adder's window
    case 9: return random() % 2 == 0 ? sign : near ^ sign;                       // zeros, equal magnitudes
    default: return bits;
  }
}

/// Operands of all lanes, as low and high words; with `narrow`, floats of 32 bits in the low words.
inline void fill_fp64(std::mt19937_64& random, bool narrow, golden::AluInput& in) {
  for (unsigned l = 0; l < kWarpSize; ++l) {
    std::uint64_t near = 0x3ff0000000000000;
    for (unsigned i = 0; i < 3; ++i) {
      std::uint64_t value = near = random_double(random, near);
      if (narrow) {  // a float's exponents in the low word
        value = (value >> 63) << 31 | ((value >> 52) % 256) << 23 | (value & 0x7fffffu);
      }
      in.s[i][l] = static_cast<std::uint32_t>(value);
      in.hi[i][l] = static_cast<std::uint32_t>(value >> 32);
    }
  }
}

}  // namespace g80::test
