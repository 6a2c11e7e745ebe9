// SPDX-License-Identifier: Apache-2.0
// Which SM gets the next CTA: the decision of the CTA scheduler, without a clock.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "hw/common/field_list.h"
#include "hw/common/limits.h"

namespace g80 {

/// Round-robin position: the TPC that was served last, and in each TPC the SM that was.
struct PlacementTurn {
  std::uint8_t tpc = 0;
  std::array<std::uint8_t, kMaxTpcs> sm{};
  G80_FIELDS((tpc, 4), (sm, 2));
};

/// The SM (TPC number * SMs per TPC + number in the TPC) that gets the next CTA; nothing if no SM has room. Bit i of
/// `candidates` says that SM i has. TPCs take turns, and the SMs of a TPC take turns.
std::optional<unsigned> pick_sm(std::uint32_t candidates, unsigned num_tpcs, unsigned sms_per_tpc,
                                const PlacementTurn& last);
/// The turn after SM `sm` was picked: its number is compared with the first one of each TPC.
PlacementTurn after_pick(PlacementTurn last, unsigned sm, unsigned sms_per_tpc);

}  // namespace g80
