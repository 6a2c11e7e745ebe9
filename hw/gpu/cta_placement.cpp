// SPDX-License-Identifier: Apache-2.0
#include "hw/gpu/cta_placement.h"

namespace g80 {

std::optional<unsigned> pick_sm(std::uint32_t candidates, unsigned num_tpcs, unsigned sms_per_tpc,
                                const PlacementTurn& last) {
  // The sums are less than twice their divisors: each remainder is a subtraction.
  for (unsigned i = 1; i <= num_tpcs; ++i) {
    const unsigned tpc = (last.tpc + i) % num_tpcs;
    for (unsigned k = 1; k <= sms_per_tpc; ++k) {
      const unsigned sm = tpc * sms_per_tpc + (last.sm[tpc] + k) % sms_per_tpc;
      if ((candidates >> sm & 1) != 0) return sm;
    }
  }
  return std::nullopt;
}

PlacementTurn after_pick(PlacementTurn last, unsigned sm, unsigned sms_per_tpc) {
  last.tpc = static_cast<std::uint8_t>(sm / sms_per_tpc);
  last.sm[last.tpc] = static_cast<std::uint8_t>(sm % sms_per_tpc);
  return last;
}

}  // namespace g80
