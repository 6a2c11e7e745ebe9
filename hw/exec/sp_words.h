// SPDX-License-Identifier: Apache-2.0
// What the stages of the SPs do alike: pass on words that they do not use, and multiply. Internal to this folder.
#pragma once
#include <cstdint>
#include <cstring>

#include "hw/exec/lane_vector.h"
#include "hw/exec/sp_datapath.h"

namespace g80 {

inline constexpr unsigned kMaxSpShift = 63;  // of the shifters

/// As a vector: the compiler copies memory in smaller pieces.
inline void copy_words(const SpWords& from, SpWords& to) { store_lanes(load_lanes(from), to); }

/// Carry and overflow of an integer result, where the instruction writes flags.
template <class From, class To>
void hand_on_flags(const SpControl& c, const From& in, To& out) {
  if (!c.writes_flags) return;
  copy_words(in.carry, out.carry);
  copy_words(in.overflow, out.overflow);
}

inline constexpr unsigned kSpDigits = 13;  // of a multiplier of 24 bits, in radix 4

/// Adds to sum + carry the rows of the digits `first` .. `end` - 1 of y times x, as add_booth_rows() of carry_save.h
/// does. A multiple has at most 26 bits.
inline void add_booth_rows(const SpWords& x, const SpWords& y, unsigned first, unsigned end, LaneVector64& sum,
                           LaneVector64& carry) {
  LaneVector64 s = sum, c = carry, total{s.low + c.low, s.high + c.high};
  // The carries of an adder are what its sum bits lack of the total.
  const auto add = [&](const LaneVector64& row) {
    total = {total.low + row.low, total.high + row.high};
    s = {s.low ^ c.low ^ row.low, s.high ^ c.high ^ row.high};
    c = {total.low - s.low, total.high - s.high};
  };
  const auto widened = [](const LaneVector& words) {
    return interleave(words, reinterpret_cast<LaneVector>(reinterpret_cast<SignedLanes>(words) >> 31));
  };
  const LaneVector multiplicand = load_lanes(x), multiplier = load_lanes(y);
  // By the three bits of a digit: its value, and all ones where the row is a complement.
  constexpr LaneVector kDigit{0, 1, 1, 2, 0u - 2u, 0u - 1u, 0u - 1u, 0}, kComplement{0, 0, 0, 0, ~0u, ~0u, ~0u, ~0u};
  for (unsigned i = first; i < end; ++i) {
    const LaneVector bits = i == 0 ? multiplier << 1 : multiplier >> (2 * i - 1);
    const LaneVector64 row =
        widened(multiplicand * __builtin_shuffle(kDigit, bits) + __builtin_shuffle(kComplement, bits));
    add({row.low << (2 * i), row.high << (2 * i)});
  }
  // A complement lacks one in the lowest place of its row.
  const std::uint32_t lowest_places = 0x55555555u & ((1u << (2 * end)) - 1) & ~((1u << (2 * first)) - 1);
  add(widened(multiplier >> 1 & lowest_places));
  sum = {s.low & kSpProductMask, s.high & kSpProductMask};
  carry = {c.low & kSpProductMask, c.high & kSpProductMask};
}

/// How the 48 bits of a product come about. In halves: in the rows of two stages, as two words.
struct InHalves {
  static constexpr bool kInHalves = true;
};
/// At once, where nobody looks in between: what the two words of the rows add up to.
struct AtOnce {
  static constexpr bool kInHalves = false;
};
inline void multiply_words(const SpWords& x, const SpWords& y, SpProducts& sum, SpProducts& carry) {
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    const std::int64_t product = std::int64_t{static_cast<std::int32_t>(x[l])} * static_cast<std::int32_t>(y[l]);
    sum[l] = static_cast<std::uint64_t>(product) & kSpProductMask;
    carry[l] = 0;
  }
}

}  // namespace g80
