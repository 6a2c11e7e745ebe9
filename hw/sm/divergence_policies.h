// SPDX-License-Identifier: Apache-2.0
// The policies of a divergent branch, sm.divergence_first: does the side that takes the branch run first? A policy is a
// function here, one of the same name for the reference in tb/golden/control_policies.h, and its name in
// hw/config/policies.def.
//
// Only warp_control.cpp includes this file: a new policy rebuilds it, the reference and the list of names.
#pragma once
#include "hw/common/types.h"

namespace g80 {

/// The lanes on either side of a branch; neither side is empty.
struct BranchSides {
  LaneMask taken, fallthrough;
};

namespace divergence {

inline bool taken(const BranchSides&) { return true; }
inline bool fallthrough(const BranchSides&) { return false; }

}  // namespace divergence

inline constexpr bool (*kDivergencePolicies[])(const BranchSides&) = {
#define DIVERGENCE_POLICY(name) divergence::name,
#include "hw/config/policies.def"
};

}  // namespace g80
