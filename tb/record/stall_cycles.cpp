// SPDX-License-Identifier: Apache-2.0
#include "tb/record/stall_cycles.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace g80 {

std::string stall_name(StallReason reason) {
  std::string name = enum_text(reason).names[static_cast<unsigned>(reason)];
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

std::vector<NamedCount> named_stalls(const StallCycles& cycles) {
  std::vector<NamedCount> named;
  for (unsigned i = 1; i < kNumStallReasons; ++i)
    named.emplace_back(stall_name(static_cast<StallReason>(i)), cycles[i]);
  return named;
}

StallCycles stalls_of_launch(const StallCycles& before, const StallCycles& after, std::uint64_t scheduler_cycles) {
  StallCycles cycles;
  for (unsigned i = 0; i < kNumStallReasons; ++i) cycles[i] = after[i] - before[i];
  const std::uint64_t total = std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0});
  std::uint64_t& no_warp = cycles[static_cast<unsigned>(StallReason::kNoWarp)];
  if (total > scheduler_cycles) no_warp -= std::min(no_warp, total - scheduler_cycles);
  return cycles;
}

}  // namespace g80
