// SPDX-License-Identifier: Apache-2.0
// Which SM gets the next CTA and which CTA that is: the decisions of the CTA scheduler, without a clock.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "hw/common/field_list.h"
#include "hw/common/limits.h"
#include "hw/config/config.h"
#include "hw/config/occupancy.h"

namespace g80 {

/// The resources of the resident CTAs of one SM, in allocation granules.
struct SmLedger {
  std::uint32_t blocks = 0, threads = 0, warps = 0, registers = 0, shared_bytes = 0;
  G80_FIELDS((blocks, 4), (threads, 11), (warps, 6), (registers, 15), (shared_bytes, 15));
};

/// The share of one CTA of the running grid.
struct CtaShare {
  std::uint32_t threads = 0;
  BlockAllocation allocation;
};
CtaShare cta_share(const Config& config, const BlockNeeds& needs);

/// This is where it is decided whether an SM has room for one more CTA.
bool has_room(const SmLedger& held, const CtaShare& share, const Config::sm_keys& limits);
void take(SmLedger& held, const CtaShare& share);
void give_back(SmLedger& held, const CtaShare& share);

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
/// The turn after SM `sm` was picked.
PlacementTurn after_pick(PlacementTurn last, unsigned sm, unsigned sms_per_tpc);

/// Number of the CTA that is placed as the `position`-th of `total`: itself in linear order, else the seed's
/// permutation.
std::uint64_t cta_at(std::uint64_t position, std::uint64_t total, CtaOrder order, std::uint64_t seed);

}  // namespace g80
