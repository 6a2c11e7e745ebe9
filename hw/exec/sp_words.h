// SPDX-License-Identifier: Apache-2.0
// What the stages of the SPs do alike: pass on words that they do not use. Internal to this folder.
#pragma once
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

}  // namespace g80
