// SPDX-License-Identifier: Apache-2.0
// The choices of sm.scheduler and dram.policy: the rows of policies.def.
#include "hw/config/config.h"

namespace g80 {
namespace {

constexpr std::string_view kSchedulerPolicies[] = {
#define SCHEDULER_POLICY(name) #name,
#include "hw/config/policies.def"
};
constexpr std::string_view kDramPolicies[] = {
#define DRAM_POLICY(name) #name,
#include "hw/config/policies.def"
};

template <class Enum, std::size_t N>
std::vector<Choice<Enum>> numbered(const std::string_view (&names)[N]) {
  std::vector<Choice<Enum>> list;
  for (std::size_t i = 0; i < N; ++i) list.push_back({static_cast<Enum>(i), names[i]});
  return list;
}

}  // namespace

std::vector<Choice<SchedulerPolicy>> choices(SchedulerPolicy) { return numbered<SchedulerPolicy>(kSchedulerPolicies); }
std::vector<Choice<DramPolicy>> choices(DramPolicy) { return numbered<DramPolicy>(kDramPolicies); }

}  // namespace g80
