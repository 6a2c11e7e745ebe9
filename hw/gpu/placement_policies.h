// SPDX-License-Identifier: Apache-2.0
// The policies of the CTA scheduler, gpu.cta_placement: which SM with room gets the next CTA, if any. A policy is a
// function here and its name in hw/config/policies.def.
//
// Only cta_scheduler.cpp includes this file: a new policy rebuilds it and the list of names.
#pragma once
#include <optional>

#include "hw/gpu/cta_placement.h"

namespace g80 {

struct PlacementChoice {
  std::uint32_t candidates;  // SMs with room, at least one
  unsigned num_tpcs, sms_per_tpc;
  const PlacementTurn& last;
};

namespace placement {

/// The TPCs take turns, and the SMs of a TPC take turns. Those without room miss theirs.
inline std::optional<unsigned> round_robin(const PlacementChoice& choice) {
  return pick_sm(choice.candidates, choice.num_tpcs, choice.sms_per_tpc, choice.last);
}

/// The same, but the CTA waits for the SM whose turn it is: all SMs get as many CTAs.
inline std::optional<unsigned> in_turn(const PlacementChoice& choice) {
  const auto next = [](unsigned last, unsigned count) { return last + 1 == count ? 0 : last + 1; };
  const unsigned tpc = next(choice.last.tpc, choice.num_tpcs);
  const unsigned sm = tpc * choice.sms_per_tpc + next(choice.last.sm[tpc], choice.sms_per_tpc);
  return (choice.candidates >> sm & 1) != 0 ? std::optional(sm) : std::nullopt;
}

}  // namespace placement

inline constexpr std::optional<unsigned> (*kPlacementPolicies[])(const PlacementChoice&) = {
#define PLACEMENT_POLICY(name) placement::name,
#include "hw/config/policies.def"
};

}  // namespace g80
