// SPDX-License-Identifier: Apache-2.0
// The choice of the CTA scheduler in SystemVerilog against the functions in C++.
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "hw/gpu/cta_scheduler.h"
#include "tb/twins/verilated_time.h"
#include "tests/support/random_seed.h"
#include "tests/twins/clock_edge.h"

#include "Vplace_ctas.h"

namespace g80 {
namespace {

/// A chip's registers, and what one edge makes of them.
struct Chip {
  const unsigned tpcs, sms_per_tpc;
  CtaSchedulerRegs now, next;
  std::uint32_t ended = 0;
  std::optional<unsigned> sm;

  std::uint32_t all() const { return 0xffffffffu >> (32 - tpcs * sms_per_tpc); }
  void draw(std::mt19937& random, std::uint8_t ctas_per_sm, bool place) {
    now = CtaSchedulerRegs{};
    now.ctas_per_sm = ctas_per_sm;
    now.turn.tpc = static_cast<std::uint8_t>(random() % tpcs);
    const unsigned full_in_16 = random() % 17;
    const bool others_full = random() % 8 == 0;  // than the TPC that was served last
    ended = 0;
    for (unsigned i = 0; i < tpcs * sms_per_tpc; ++i) {
      const bool full = (others_full && i / sms_per_tpc != now.turn.tpc) || random() % 16 < full_in_16;
      now.resident[i] = static_cast<std::uint8_t>(full ? ctas_per_sm : random() % ctas_per_sm);
      now.unfinished = static_cast<std::uint16_t>(now.unfinished + now.resident[i]);
      if (now.resident[i] != ctas_per_sm) now.candidates |= 1u << i;
      if (now.resident[i] != 0 && random() % (others_full ? 64 : 8) == 0) ended |= 1u << i;
    }
    for (unsigned i = 0; i < tpcs; ++i) now.turn.sm[i] = static_cast<std::uint8_t>(random() % sms_per_tpc);
    next = now;
    end_ctas(next, ended);
    sm = std::nullopt;
    if (place && next.candidates != 0) {
      sm = place_cta(next, *from_text<CtaPlacement>("round_robin"), tpcs, sms_per_tpc, now.turn);
    }
  }
};

TEST(PlaceCtaTwin, ChoosesTheSmAndKeepsTheLedgerAsInCpp) {
  std::mt19937 random(random_seed());
  Vplace_ctas model;
  Chip small{8, 2, {}, {}, 0, {}}, large{10, 3, {}, {}, 0, {}};
  unsigned placed = 0, filled = 0, without_room = 0, behind_an_end = 0, same_tpc = 0;
  for (unsigned step = 0; step < 30'000; ++step) {
    const auto ctas_per_sm = static_cast<std::uint8_t>(1 + random() % kMaxCtasPerSm);
    const bool place = random() % 8 != 0;
    large.draw(random, ctas_per_sm, place);
    // The small chip's SMs are the first ones of the large chip.
    small.draw(random, ctas_per_sm, false);
    small.now.resident = large.now.resident;
    small.now.candidates = large.now.candidates & small.all();
    small.ended = large.ended & small.all();
    small.next = small.now;
    end_ctas(small.next, small.ended);
    small.sm = std::nullopt;
    if (place && small.next.candidates != 0)
      small.sm = place_cta(small.next, *from_text<CtaPlacement>("round_robin"), 8, 2, small.now.turn);

    model.place_i = place;
    model.ctas_per_sm_i = ctas_per_sm;
    model.ended_i = large.ended;
    model.candidates_i = large.now.candidates;
    for (unsigned word = 0; word < 4; ++word) {
      model.resident_i[word] = 0;
      for (unsigned i = 0; i < 8; ++i)
        model.resident_i[word] |= std::uint32_t{large.now.resident[8 * word + i]} << 4 * i;
    }
    model.turn_tpc_i = static_cast<std::uint8_t>(small.now.turn.tpc | large.now.turn.tpc << 4);
    model.turn_sm_i = 0;
    model.large_turn_sm_i = 0;
    for (unsigned i = 0; i < 8; ++i)
      model.turn_sm_i = static_cast<std::uint8_t>(model.turn_sm_i | small.now.turn.sm[i] << i);
    for (unsigned i = 0; i < 10; ++i) model.large_turn_sm_i |= std::uint32_t{large.now.turn.sm[i]} << 2 * i;
    testing::clock_edge(model);

    ASSERT_EQ(model.placed_o != 0, small.sm.has_value()) << step;
    ASSERT_EQ(model.sm_o, small.sm ? 1u << *small.sm : 0) << step;
    ASSERT_EQ(model.candidates_o, small.next.candidates) << step;
    ASSERT_EQ(model.turn_tpc_o, small.next.turn.tpc) << step;
    ASSERT_EQ(model.large_placed_o != 0, large.sm.has_value()) << step;
    ASSERT_EQ(model.large_sm_o, large.sm ? 1u << *large.sm : 0) << step;
    ASSERT_EQ(model.large_candidates_o, large.next.candidates) << step;
    ASSERT_EQ(model.large_turn_tpc_o, large.next.turn.tpc) << step;
    for (unsigned i = 0; i < 16; ++i) ASSERT_EQ(model.resident_o >> 4 * i & 15, small.next.resident[i]) << step;
    for (unsigned i = 0; i < 30; ++i)
      ASSERT_EQ(model.large_resident_o[i / 8] >> 4 * (i % 8) & 15, large.next.resident[i]) << step;
    for (unsigned i = 0; i < 8; ++i) ASSERT_EQ(model.turn_sm_o >> i & 1, small.next.turn.sm[i]) << step;
    for (unsigned i = 0; i < 10; ++i) ASSERT_EQ(model.large_turn_sm_o >> 2 * i & 3, large.next.turn.sm[i]) << step;

    if (place && !large.sm) ++without_room;
    if (!large.sm) continue;
    ++placed;
    filled += (large.next.candidates >> *large.sm & 1) == 0;
    behind_an_end += (large.now.candidates >> *large.sm & 1) == 0;
    same_tpc += *large.sm / 3 == large.now.turn.tpc;
  }
  EXPECT_GT(placed, 3'000u);
  EXPECT_GT(filled, 300u) << "a block takes the last place of its SM";
  EXPECT_GT(without_room, 100u);
  EXPECT_GT(behind_an_end, 300u) << "a block goes to an SM in which one ends at this edge";
  EXPECT_GT(same_tpc, 100u) << "no other TPC has room";
}

}  // namespace
}  // namespace g80
