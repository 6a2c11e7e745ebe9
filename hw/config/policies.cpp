// SPDX-License-Identifier: Apache-2.0
// The choices of the keys that select a policy: the rows of policies.def.
#include "hw/config/config.h"

namespace g80 {
namespace {

constexpr std::string_view kSchedulerPolicies[] = {
#define SCHEDULER_POLICY(name) #name,
#include "hw/config/policies.def"
};
constexpr std::string_view kDivergencePolicies[] = {
#define DIVERGENCE_POLICY(name) #name,
#include "hw/config/policies.def"
};
constexpr std::string_view kBarrierPolicies[] = {
#define BARRIER_POLICY(name) #name,
#include "hw/config/policies.def"
};
constexpr std::string_view kReplacementPolicies[] = {
#define REPLACEMENT_POLICY(name) #name,
#include "hw/config/policies.def"
};
constexpr std::string_view kDramPolicies[] = {
#define DRAM_POLICY(name) #name,
#include "hw/config/policies.def"
};
constexpr std::string_view kPlacementPolicies[] = {
#define PLACEMENT_POLICY(name) #name,
#include "hw/config/policies.def"
};

template <class Enum, std::size_t N>
std::vector<Choice<Enum>> numbered(const std::string_view (&names)[N]) {
  std::vector<Choice<Enum>> list;
  for (std::size_t i = 0; i < N; ++i) list.push_back({static_cast<Enum>(i), names[i]});
  return list;
}

// The values that config.h names
template <class Enum, std::size_t N>
constexpr bool is(const std::string_view (&names)[N], Enum value, std::string_view name) {
  return names[static_cast<std::size_t>(value)] == name;
}
static_assert(is(kDivergencePolicies, DivergenceFirst::kTaken, "taken"));
static_assert(is(kDivergencePolicies, DivergenceFirst::kFallthrough, "fallthrough"));
static_assert(is(kBarrierPolicies, BarrierExpected::kLive, "live"));
static_assert(is(kBarrierPolicies, BarrierExpected::kLaunched, "launched"));
static_assert(is(kReplacementPolicies, ReplacementPolicy::kLru, "lru"));
static_assert(is(kPlacementPolicies, CtaPlacement::kRoundRobin, "round_robin"));
static_assert(is(kDramPolicies, DramPolicy::kFrFcfs, "fr_fcfs") && is(kDramPolicies, DramPolicy::kFcfs, "fcfs"));

}  // namespace

std::vector<Choice<SchedulerPolicy>> choices(SchedulerPolicy) { return numbered<SchedulerPolicy>(kSchedulerPolicies); }
std::vector<Choice<DivergenceFirst>> choices(DivergenceFirst) { return numbered<DivergenceFirst>(kDivergencePolicies); }
std::vector<Choice<BarrierExpected>> choices(BarrierExpected) { return numbered<BarrierExpected>(kBarrierPolicies); }
std::vector<Choice<ReplacementPolicy>> choices(ReplacementPolicy) {
  return numbered<ReplacementPolicy>(kReplacementPolicies);
}
std::vector<Choice<DramPolicy>> choices(DramPolicy) { return numbered<DramPolicy>(kDramPolicies); }
std::vector<Choice<CtaPlacement>> choices(CtaPlacement) { return numbered<CtaPlacement>(kPlacementPolicies); }

}  // namespace g80
