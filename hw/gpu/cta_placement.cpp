// SPDX-License-Identifier: Apache-2.0
#include "hw/gpu/cta_placement.h"

#include "hw/common/round_robin.h"

namespace g80 {

std::optional<unsigned> pick_sm(std::uint32_t candidates, unsigned num_tpcs, unsigned sms_per_tpc,
                                const PlacementTurn& last) {
  const std::uint32_t sms = (1u << sms_per_tpc) - 1;
  std::uint32_t tpcs = 0;
  for (unsigned tpc = 0; tpc < num_tpcs; ++tpc) {
    if ((candidates >> tpc * sms_per_tpc & sms) != 0) tpcs |= 1u << tpc;
  }
  if (tpcs == 0) return std::nullopt;
  const unsigned tpc = pick_round_robin(tpcs, last.tpc), first = tpc * sms_per_tpc;
  return first + pick_round_robin(candidates >> first & sms, last.sm[tpc]);
}

PlacementTurn after_pick(PlacementTurn last, unsigned sm, unsigned sms_per_tpc) {
  last.tpc = 0;
  while ((last.tpc + 1) * sms_per_tpc <= sm) ++last.tpc;
  last.sm[last.tpc] = static_cast<std::uint8_t>(sm - last.tpc * sms_per_tpc);
  return last;
}

}  // namespace g80
