// SPDX-License-Identifier: Apache-2.0
// What the stages of the SPs do alike: pass on words that they do not use, and multiply. Internal to this folder.
#pragma once
#include <cstdint>
#include <cstring>

#include "hw/exec/sp_datapath.h"

namespace g80 {

inline constexpr unsigned kMaxSpShift = 63;  // of the shifters

inline void copy_words(const SpWords& from, SpWords& to) { std::memcpy(to, from, sizeof to); }

/// What every stage hands on.
template <class From, class To>
void hand_on(const From& in, To& out) {
  out.control = in.control;
  out.verdict = in.verdict;
  if (in.control.increments) copy_words(in.addr, out.addr);
}

/// Carry and overflow of an integer result, where the instruction writes flags.
template <class From, class To>
void hand_on_flags(const From& in, To& out) {
  if (!in.control.writes_flags) return;
  copy_words(in.carry, out.carry);
  copy_words(in.overflow, out.overflow);
}

inline constexpr unsigned kSpDigits = 13;  // of a multiplier of 24 bits, in radix 4

/// Adds to sum + carry the rows of the digits `first` .. `end` - 1 of y times x, as add_booth_rows() of carry_save.h
/// does, for all lanes: two of them in a vector of the host.
inline void add_booth_rows(const SpWords& x, const SpWords& y, unsigned first, unsigned end, SpProducts& sum,
                           SpProducts& carry) {
  using Pair = std::uint64_t __attribute__((vector_size(16)));
  const auto wide = [](std::uint32_t word) {
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(word)});
  };
  for (unsigned l = 0; l < kNumSpLanes; l += 2) {
    Pair s, c;
    std::memcpy(&s, &sum[l], sizeof s);
    std::memcpy(&c, &carry[l], sizeof c);
    const auto add = [&](const Pair& row) {
      const Pair half = s ^ c;
      c = ((s & c) | (half & row)) << 1;
      s = half ^ row;
    };
    const Pair multiplicand = {wide(x[l]), wide(x[l + 1])}, multiplier = {wide(y[l]) << 1, wide(y[l + 1]) << 1};
    Pair ones = {};
    for (unsigned i = first; i < end; ++i) {
      const Pair bits = multiplier >> (2 * i), low = bits & 1, middle = bits >> 1 & 1, negative = bits >> 2 & 1;
      const Pair once = low ^ middle, twice = (low ^ 1) & (middle ^ 1) & negative;
      const Pair plus_twice = low & middle & (negative ^ 1);
      const Pair multiple = (multiplicand & (0 - once)) | (multiplicand << 1 & (0 - (twice | plus_twice)));
      add((multiple ^ (0 - negative)) << (2 * i));
      ones |= negative << (2 * i);
    }
    add(ones);
    s &= kSpProductMask;
    c &= kSpProductMask;
    std::memcpy(&sum[l], &s, sizeof s);
    std::memcpy(&carry[l], &c, sizeof c);
  }
}

}  // namespace g80
