// SPDX-License-Identifier: Apache-2.0
// Elements of a packed array in a Verilated port.
#pragma once
#include <cstdint>
#include <type_traits>

namespace g80::testing {

/// Writes a number of so many bits into element `index` of a port of several words.
template <class Words>
void put(Words& words, unsigned bits, unsigned index, std::uint32_t value) {
  for (unsigned bit = 0; bit < bits; ++bit) {
    const unsigned place = bits * index + bit;
    const std::uint32_t mask = 1u << place % 32;
    words[place / 32] = (words[place / 32] & ~mask) | (value >> bit & 1 ? mask : 0);
  }
}
/// The number there; the port may be one word.
template <class Port>
std::uint32_t get(const Port& port, unsigned bits, unsigned index) {
  std::uint32_t value = 0;
  for (unsigned bit = 0; bit < bits; ++bit) {
    const unsigned place = bits * index + bit;
    if constexpr (std::is_integral_v<Port>) {
      value |= static_cast<std::uint32_t>(port >> place & 1) << bit;
    } else {
      value |= (port[place / 32] >> place % 32 & 1) << bit;
    }
  }
  return value;
}

}  // namespace g80::testing
