// The choices of sm.scheduler and dram.policy: the rows of the tables that the hardware decides by.
#include "hw/config/config.h"
#include "hw/dram/dram_policies.h"
#include "hw/sm/warp_policies.h"

namespace g80 {
namespace {

template <class Enum, class Row, std::size_t N>
std::vector<Choice<Enum>> rows(const Row (&table)[N]) {
  std::vector<Choice<Enum>> list;
  for (std::size_t i = 0; i < N; ++i) list.push_back({static_cast<Enum>(i), table[i].name});
  return list;
}

}  // namespace

std::vector<Choice<SchedulerPolicy>> choices(SchedulerPolicy) { return rows<SchedulerPolicy>(kWarpPolicies); }
std::vector<Choice<DramPolicy>> choices(DramPolicy) { return rows<DramPolicy>(kDramPolicies); }

}  // namespace g80
