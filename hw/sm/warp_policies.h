// SPDX-License-Identifier: Apache-2.0
// The policies of the warp scheduler, sm.scheduler: which of the warps that may issue does. A policy is a function here
// and its name in hw/config/policies.def.
//
// Only warp_scheduler.cpp includes this file: a new policy rebuilds it and the list of names.
#pragma once
#include <cstddef>
#include <string_view>

#include "hw/common/round_robin.h"
#include "hw/common/set_bits.h"
#include "hw/config/config.h"
#include "hw/sm/pick_input.h"

namespace g80 {

inline unsigned loose_round_robin(const PickInput& in) { return pick_round_robin(in.eligible, in.last); }

inline unsigned oldest_first(const PickInput& in) {
  unsigned oldest = static_cast<unsigned>(__builtin_ctz(in.eligible));
  for (const unsigned w : set_bits(in.eligible)) {
    if (in.age[w] < in.age[oldest]) oldest = w;
  }
  return oldest;
}

inline unsigned greedy_then_oldest(const PickInput& in) {
  return (in.eligible >> in.last & 1) != 0 ? in.last : oldest_first(in);
}

struct WarpPolicy {
  std::string_view name;
  unsigned (*pick)(const PickInput&);
};
inline constexpr WarpPolicy kWarpPolicies[] = {
#define SCHEDULER_POLICY(name) {#name, name},
#include "hw/config/policies.def"
};

constexpr bool begins_with_the_twins_policies() {
  for (const Choice<SchedulerPolicy>& choice : kSchedulerPoliciesOfTheTwin) {
    if (kWarpPolicies[static_cast<std::size_t>(choice.value)].name != choice.text) return false;
  }
  return true;
}
static_assert(begins_with_the_twins_policies(), "the first rows are those of config.h, in its order");

}  // namespace g80
