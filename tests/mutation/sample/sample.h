// SPDX-License-Identifier: Apache-2.0
// Code with every kind of place that a mutant can change. The build makes mutants of it; mutation_test.cpp shows that
// each of them changes a result.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace g80::mutation::sample {

constexpr unsigned twice(unsigned value) { return value * 2; }
static_assert(twice(21) == 42, "a constant stays one");

enum class Order : std::uint8_t { kLess, kEqual, kGreater };
inline Order order(int a, int b) {
  if (a < b) return Order::kLess;
  if (a <= b) return Order::kEqual;
  return Order::kGreater;
}

template <class T>
bool inside(const T& value, const T& low, const T& high) {
  return value >= low && high > value;
}

inline bool usable(bool ready, bool old, bool error) { return (ready || old) && !error; }

struct Queue {
  std::vector<unsigned> entries;
  std::uint16_t pushed = 0;
  void push(unsigned entry) {
    entries.push_back(entry);
    ++pushed;
  }
};

inline unsigned bits(unsigned word, unsigned first, unsigned count) {
  const unsigned mask = (1u << count) - 1;
  return (word >> first & mask) | (word / 16 % 2) << 9 | (word ^ 0x5) << 12;
}

inline std::uint64_t sum(const std::array<unsigned, 4>& values) {
  std::uint64_t total = 0;
  for (const unsigned value : values) {
    if (value == 9) continue;
    if (const unsigned half = value / 2; half != 3) total += half;
  }
  return total;
}

}  // namespace g80::mutation::sample
