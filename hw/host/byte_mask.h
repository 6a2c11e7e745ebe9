// SPDX-License-Identifier: Apache-2.0
// The byte enables of a transaction that the host side makes.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

namespace g80 {

/// `count` bytes from byte `first` on, of the 128 that a transaction can have.
inline std::array<std::uint64_t, 2> byte_mask(unsigned first, unsigned count) {
  std::array<std::uint64_t, 2> mask{};
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned low = std::max(first, 64 * half), high = std::min(first + count, 64 * half + 64);
    if (low >= high) continue;
    const unsigned width = high - low;
    mask[half] = (width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1) << (low % 64);
  }
  return mask;
}

}  // namespace g80
