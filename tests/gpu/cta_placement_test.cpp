// SPDX-License-Identifier: Apache-2.0
// Which SM gets a CTA.
#include "hw/gpu/cta_placement.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "hw/gpu/placement_policies.h"

namespace g80 {
namespace {

PlacementTurn before_first(unsigned num_tpcs, unsigned sms_per_tpc) {
  PlacementTurn turn;
  turn.tpc = static_cast<std::uint8_t>(num_tpcs - 1);
  turn.sm.fill(static_cast<std::uint8_t>(sms_per_tpc - 1));
  return turn;
}

std::vector<unsigned> picks(std::uint32_t candidates, unsigned num_tpcs, unsigned sms_per_tpc, unsigned count) {
  PlacementTurn turn = before_first(num_tpcs, sms_per_tpc);
  std::vector<unsigned> sms;
  for (unsigned i = 0; i < count; ++i) {
    const auto sm = pick_sm(candidates, num_tpcs, sms_per_tpc, turn);
    if (!sm) break;
    turn = after_pick(turn, *sm, sms_per_tpc);
    sms.push_back(*sm);
  }
  return sms;
}

TEST(PickSm, TpcsTakeTurnsBeforeTheSmsOfATpcDo) {
  EXPECT_EQ(picks(0xf, 2, 2, 6), (std::vector<unsigned>{0, 2, 1, 3, 0, 2}));
  EXPECT_EQ(picks(0x3fffffff, 10, 3, 12), (std::vector<unsigned>{0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 1, 4}));
}
TEST(PickSm, FullSmsAreSkipped) {
  EXPECT_EQ(picks(0b1000, 2, 2, 3), (std::vector<unsigned>{3, 3, 3}));
  EXPECT_EQ(picks(0b0110, 2, 2, 4), (std::vector<unsigned>{1, 2, 1, 2}));
}
TEST(PickSm, NoRoomMeansNoPick) { EXPECT_EQ(pick_sm(0, 8, 2, {}), std::nullopt); }
TEST(PickSm, OnlyCandidatesArePicked) {
  std::mt19937 random(7);
  PlacementTurn turn = before_first(8, 2);
  for (int i = 0; i < 10000; ++i) {
    const auto candidates = static_cast<std::uint32_t>(random() & 0xffff) & static_cast<std::uint32_t>(random());
    const auto sm = pick_sm(candidates, 8, 2, turn);
    ASSERT_EQ(sm.has_value(), candidates != 0);
    if (!sm) continue;
    ASSERT_TRUE(candidates >> *sm & 1) << "SM " << *sm << " of " << candidates;
    turn = after_pick(turn, *sm, 2);
  }
}

TEST(InTurn, WaitsForTheSmWhoseTurnItIs) {
  PlacementTurn turn = before_first(8, 2);
  const std::vector<unsigned> in_turn = picks(0xffff, 8, 2, 48);
  for (unsigned i = 0; i < 48; ++i) {
    EXPECT_EQ(placement::in_turn({0xffffu & ~(1u << in_turn[i]), 8, 2, turn}), std::nullopt);
    const std::optional<unsigned> sm = placement::in_turn({1u << in_turn[i], 8, 2, turn});
    ASSERT_EQ(sm, in_turn[i]);
    turn = after_pick(turn, *sm, 2);
  }
}

}  // namespace
}  // namespace g80
