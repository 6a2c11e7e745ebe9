// SPDX-License-Identifier: Apache-2.0
// Operands on which floating point arithmetic goes wrong first.
#pragma once
#include <algorithm>

#include "tests/compiler/mpfr_judge.h"
#include "tests/compiler/ptx_cases.h"

namespace g80 {

/// Three singles per thread whose sums, products and quotients are near something that decides.
inline Inputs hard_singles(unsigned seed, std::size_t threads) {
  static constexpr std::uint32_t kEdges[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000,
                                             0x00800000, 0x80800000, 0x007fffff, 0x7f7fffff, 0xff7fffff,
                                             0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x00800001,
                                             0x7e800000, 0x7f000000, 0x33800000, 0x34000000, 0x4b800000};
  std::mt19937_64 rng(seed);
  const auto near = [&](int exponent) {  // few digits, or all ones, or any
    const std::uint64_t r = rng();
    const std::uint32_t mantissa = r % 4 == 0   ? static_cast<std::uint32_t>(r >> 8) & 0x7f0000u
                                   : r % 4 == 1 ? 0x7fffffu ^ (static_cast<std::uint32_t>(r >> 8) & 7u)
                                   : r % 4 == 2 ? static_cast<std::uint32_t>(r >> 8) & 15u
                                                : static_cast<std::uint32_t>(r >> 8) & 0x7fffffu;
    return static_cast<std::uint32_t>(r >> 63 << 31) | static_cast<std::uint32_t>(std::clamp(exponent, 0, 254)) << 23 |
           mantissa;
  };
  Inputs inputs;
  for (std::size_t t = 0; t < threads; ++t) {
    const std::uint64_t kind = t < std::size(kEdges) ? 0 : rng() % 8;
    std::uint32_t a, b, c;
    if (kind == 0) {
      a = kEdges[rng() % std::size(kEdges)], b = kEdges[rng() % std::size(kEdges)],
      c = kEdges[rng() % std::size(kEdges)];
      if (t < std::size(kEdges)) a = kEdges[t];
    } else if (kind == 1) {
      a = static_cast<std::uint32_t>(rng()), b = static_cast<std::uint32_t>(rng()),
      c = static_cast<std::uint32_t>(rng());
    } else if (kind == 2) {  // results at the edges of the range
      const bool top = rng() % 2 == 0;
      const int sum = top ? 254 + 127 : 1 + 127;
      const int first = 64 + static_cast<int>(rng() % 128);
      a = near(first), b = near(sum - first + static_cast<int>(rng() % 3) - 1), c = near(top ? 254 : 1);
    } else {  // an addend of about the product's size, far below it, or its negative
      const int first = 100 + static_cast<int>(rng() % 50), second = 100 + static_cast<int>(rng() % 50);
      static constexpr int kApart[] = {-90, -50, -49, -48, -26, -25, -24, -23, -2, -1, 0, 1, 2, 23, 24, 25, 26, 49, 90};
      a = near(first), b = near(second), c = near(first + second - 127 + kApart[rng() % std::size(kApart)]);
      if (kind == 3) c = static_cast<std::uint32_t>(bits_of(-float_of(a) * float_of(b)));
      if (kind == 4) b = near(first + kApart[rng() % std::size(kApart)]);
      if (kind == 5) a = static_cast<std::uint32_t>(bits_of(float_of(b) * float_of(b)));  // squares have exact roots
    }
    inputs.insert(inputs.end(), {a, b, c});
  }
  return inputs;
}

/// The same for doubles: edges, near each other, near the ends of the range.
inline Inputs hard_doubles(unsigned seed, std::size_t threads) {
  static constexpr std::uint64_t kEdges[] = {0,
                                             0x8000000000000000,
                                             0x7ff0000000000000,
                                             0xfff0000000000000,
                                             0x7ff8000000000000,
                                             1,
                                             0x800fffffffffffff,
                                             0x0010000000000000,
                                             0x7fefffffffffffff,
                                             0x3ff0000000000000,
                                             0xbff0000000000001,
                                             0x3fe0000000000000,
                                             0x41dfffffffc00000,
                                             0xc1e0000000200000,
                                             0x43e0000000000000,
                                             0x47efffffe0000000};
  std::mt19937_64 rng(seed);
  Inputs inputs;
  for (std::size_t t = 0; t < threads; ++t) {
    const std::uint64_t kind = rng() % 4;
    const std::uint64_t base = kind == 0 ? 990 + rng() % 70 : rng() % 2046;
    for (int k = 0; k < 3; ++k) {
      const std::uint64_t exponent = std::min<std::uint64_t>(base + rng() % 56, 2046);
      const std::uint64_t any = (rng() & 0x800fffffffffffffu) | exponent << 52;
      const bool edge = t < std::size(kEdges) || (kind == 3 && rng() % 2 == 0);
      const std::size_t which = t < std::size(kEdges) && k == 0 ? t : rng() % std::size(kEdges);
      inputs.push_back(edge ? kEdges[which] : any);
    }
  }
  return inputs;
}

/// Positive and negative singles of moderate size, 2^-20 to 2^20, in the low word.
inline Inputs tame_singles(unsigned seed, std::size_t threads) {
  std::mt19937_64 rng(seed);
  Inputs inputs;
  for (std::size_t k = 0; k < 3 * threads; ++k) inputs.push_back((rng() & 0x807fffffu) | (107 + rng() % 40) << 23);
  return inputs;
}

}  // namespace g80
