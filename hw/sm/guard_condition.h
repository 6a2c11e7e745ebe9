// SPDX-License-Identifier: Apache-2.0
// The 32 condition codes of a guard: functions of the four flags of a lane.
#pragma once
#include <array>
#include <cstdint>

#include "hw/common/types.h"

namespace g80 {

/// Bit v: whether the condition holds for the flags v = O * 8 + C * 4 + S * 2 + Z.
/// This is where a condition code gets its meaning.
constexpr std::uint16_t condition_truth(unsigned code) {
  // Each flag as a truth table: its value for v = 15 .. 0.
  constexpr unsigned o = 0xff00, c = 0xf0f0, s = 0xcccc, z = 0xaaaa;
  // The lower eight codes of floating point comparisons and the upper four of flags are complements, in reverse order.
  const bool complement = (code & 0x18u) == 0x08u || (code & 0x1cu) == 0x1cu;
  unsigned truth = 0;
  switch (complement ? code ^ 0xfu : code) {
    case 0x01: truth = (s & ~z) ^ o; break;   // l, less
    case 0x02: truth = z & ~s; break;         // e, equal
    case 0x03: truth = s ^ (z | o); break;    // le
    case 0x04: truth = ~z & ~(s ^ o); break;  // g, greater
    case 0x05: truth = ~z; break;             // lg
    case 0x06: truth = ~(s ^ o); break;       // ge
    case 0x07: truth = ~z | ~s; break;        // lge: ordered
    case 0x10: truth = o; break;              // o, overflow
    case 0x11: truth = c; break;              // c, carry
    case 0x12: truth = c & ~z; break;         // a, above
    case 0x13: truth = s; break;              // s, sign
    default: break;                           // never, and the codes without a meaning
  }
  return static_cast<std::uint16_t>(complement ? ~truth : truth);
}

inline constexpr std::array<std::uint16_t, 32> kConditionTruth = [] {
  std::array<std::uint16_t, 32> table{};
  for (unsigned code = 0; code < 32; ++code) table[code] = condition_truth(code);
  return table;
}();

/// The lanes of a warp in which the condition holds.
inline LaneMask guard_lanes(unsigned code, const LaneFlags& flags) {
  const unsigned truth = kConditionTruth[code & 31u];
  LaneMask lanes = 0;
  for (unsigned l = 0; l < kWarpSize; ++l) lanes |= LaneMask{truth >> (flags[l] & 15u) & 1u} << l;
  return lanes;
}

}  // namespace g80
