// SPDX-License-Identifier: Apache-2.0
// The policies of the barriers, sm.barrier_expected: how many warps of a block a barrier waits for. A policy is a
// function here, one of the same name for the reference in tb/golden/control_policies.h, and its name in
// hw/config/policies.def.
//
// Only barrier.cpp includes this file: a new policy rebuilds it, the reference and the list of names.
#pragma once

namespace g80 {

struct BlockWarps {
  unsigned launched;
  unsigned live;  // that have not ended
};

namespace barrier_expects {

inline unsigned live(const BlockWarps& warps) { return warps.live; }
inline unsigned launched(const BlockWarps& warps) { return warps.launched; }

}  // namespace barrier_expects

inline constexpr unsigned (*kBarrierPolicies[])(const BlockWarps&) = {
#define BARRIER_POLICY(name) barrier_expects::name,
#include "hw/config/policies.def"
};

}  // namespace g80
