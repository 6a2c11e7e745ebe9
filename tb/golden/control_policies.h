// SPDX-License-Identifier: Apache-2.0
// The reference's functions for the choices of sm.divergence_first and sm.barrier_expected: one for each row of
// hw/config/policies.def. The machine has its own in hw/sm/divergence_policies.h and hw/sm/barrier_policies.h.
//
// Only control_flow.cpp includes this file.
#pragma once
#include "hw/common/types.h"
#include "tb/golden/launch.h"

namespace g80::golden {

/// Does the side that takes a divergent branch run first? Both sides have lanes.
namespace first_path {

inline bool taken(LaneMask, LaneMask) { return true; }
inline bool fallthrough(LaneMask, LaneMask) { return false; }

}  // namespace first_path

/// How many arrivals open a barrier of a block with `launched` warps, `unfinished` of which have not ended?
namespace barrier_count {

inline std::uint32_t live(std::uint32_t, std::uint32_t unfinished) { return unfinished; }
inline std::uint32_t launched(std::uint32_t launched, std::uint32_t) { return launched; }

}  // namespace barrier_count

inline bool taken_first(FirstPath policy, LaneMask taken, LaneMask not_taken) {
  static constexpr bool (*kPolicies[])(LaneMask, LaneMask) = {
#define DIVERGENCE_POLICY(name) first_path::name,
#include "hw/config/policies.def"
  };
  return kPolicies[static_cast<std::size_t>(policy)](taken, not_taken);
}

inline std::uint32_t barrier_arrivals(BarrierCount policy, std::uint32_t launched, std::uint32_t unfinished) {
  static constexpr std::uint32_t (*kPolicies[])(std::uint32_t, std::uint32_t) = {
#define BARRIER_POLICY(name) barrier_count::name,
#include "hw/config/policies.def"
  };
  return kPolicies[static_cast<std::size_t>(policy)](launched, unfinished);
}

}  // namespace g80::golden
