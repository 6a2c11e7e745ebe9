// SPDX-License-Identifier: Apache-2.0
// Multiplication without carry propagation: radix-4 Booth rows (O. L. MacSorley, High-speed arithmetic in binary
// computers, Proc. IRE 49, 1961) reduced by carry-save adders (C. S. Wallace, A suggestion for a fast multiplier, IEEE
// Trans. EC-13, 1964). A stage register holds the pair of words; a later stage adds them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace g80::arithmetic {

/// A number as two words: its value is sum + carry, modulo the width.
template <class Word>
struct CarrySave {
  Word sum = 0, carry = 0;

  /// One row of full adders.
  constexpr void add(Word row) {
    const auto half = static_cast<Word>(sum ^ carry);
    carry = static_cast<Word>(((sum & carry) | (half & row)) << 1);
    sum = static_cast<Word>(half ^ row);
  }
};

/// All rows as two words: three each go through a row of full adders, level by level.
template <class Word, std::size_t kRows>
constexpr CarrySave<Word> carry_save_tree(std::array<Word, kRows> row) {
  for (std::size_t words = kRows; words > 2;) {
    std::size_t next = 0, i = 0;
    for (; i + 2 < words; i += 3) {
      CarrySave<Word> three{row[i], row[i + 1]};
      three.add(row[i + 2]);
      row[next++] = three.sum;
      row[next++] = three.carry;
    }
    for (; i < words; ++i) row[next++] = row[i];
    words = next;
  }
  return {row[0], row[1]};
}

/// Digit i of a multiplier in radix 4, -2 to 2, as the lines that control its row. A zero may be negative: its row is
/// ones, and one is added. n bits of an unsigned multiplier have n / 2 + 1 digits.
struct BoothDigit {
  bool once, twice, negative;
};
constexpr BoothDigit booth_digit(std::uint64_t multiplier, unsigned i) {
  const unsigned bits = static_cast<unsigned>(i == 0 ? multiplier << 1 : multiplier >> (2 * i - 1)) & 7u;
  const bool low = (bits & 1u) != 0, middle = (bits & 2u) != 0, negative = (bits & 4u) != 0;
  return {low != middle, low == middle && middle != negative, negative};
}

/// Adds the rows of digits `first` .. `end` - 1. A negative multiple is a complement; the ones that make it a two's
/// complement are one row more, a bit for each digit.
template <class Word>
constexpr void add_booth_rows(CarrySave<Word>& total, Word multiplicand, std::uint64_t multiplier, unsigned first,
                              unsigned end) {
  Word ones = 0;
  for (unsigned i = first; i < end; ++i) {
    const BoothDigit digit = booth_digit(multiplier, i);
    const auto multiple = static_cast<Word>((multiplicand & (Word{0} - Word{digit.once})) |
                                            (multiplicand << 1 & (Word{0} - Word{digit.twice})));
    total.add((multiple ^ (Word{0} - Word{digit.negative})) << (2 * i));
    ones |= Word{digit.negative} << (2 * i);
  }
  total.add(ones);
}

}  // namespace g80::arithmetic
