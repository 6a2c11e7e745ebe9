// SPDX-License-Identifier: Apache-2.0
// A barrier opens when every expected warp has arrived, and only then, whichever of the block's barriers it is.
#include "hw/sm/barrier.h"

#include "tests/support/fetched_instruction.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

TEST(AllArrived, HoldsFromTheLastExpectedWarpOn) {
  for (unsigned expected = 0; expected <= 16; ++expected) {
    for (unsigned arrived = 0; arrived <= 16; ++arrived) {
      // Nobody there: nothing to open. All others ended: whoever is there goes on.
      EXPECT_EQ(all_arrived(arrived, expected), arrived > 0 && !(arrived < expected)) << arrived << " of " << expected;
    }
  }
}

/// The barriers of one SM with wires in the place of their neighbours. Block k has warps 4 k .. 4 k + 3.
struct BarrierBench {
  explicit BarrierBench(const std::string& expected = "live")
      : shader("shader", 0, 1000, 2, false),
        barrier("barrier", load_config("tiny", {"sm.barrier_expected=" + expected})) {
    barrier.start_i(start);
    barrier.arrival_i(arrival);
    barrier.resolve_i(resolve);
    barrier.opened_o(opened);
    barrier.waiting_o(waiting);
    shader.add(barrier, Rate::kHalf);
    sc_core::sc_start(sc_core::sc_time(3500, sc_core::SC_PS));
  }
  /// One scheduler cycle; the released warps in it.
  WarpMask cycle() {
    sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_NS));
    start.write({});
    arrival.write({});
    resolve.write({});
    return opened.read();
  }
  static unsigned warp(unsigned cta, unsigned index) { return 4 * cta + index; }
  static LaneMask first_lanes(unsigned count) { return count >= kWarpSize ? ~LaneMask{0} : (LaneMask{1} << count) - 1; }

  /// A block begins, its last warp with so many lanes.
  void begin(unsigned cta, unsigned warps, unsigned lanes_of_last = kWarpSize) {
    for (unsigned w = 0; w < warps; ++w) {
      WarpStart begun;
      begun.valid = true;
      begun.warp = static_cast<std::uint8_t>(warp(cta, w));
      begun.cta_slot = static_cast<std::uint8_t>(cta);
      begun.warp_in_cta = static_cast<std::uint8_t>(w);
      begun.warps_in_cta = static_cast<std::uint8_t>(warps);
      begun.lanes = first_lanes(w + 1 == warps ? lanes_of_last : kWarpSize);
      start.write(begun);
      cycle();
    }
  }
  /// A warp executes a bar instruction in the lanes of `taken`. Returns the warps let through.
  WarpMask arrive(unsigned cta, unsigned index, unsigned id, LaneMask taken = ~LaneMask{0},
                  const std::string& kind = "inc wait") {
    ControlEvent event;
    event.valid = true;
    event.warp = static_cast<std::uint8_t>(warp(cta, index));
    event.taken = taken;
    event.fetched = test::fetched(fmt::format("bar {} {:#x} 0xfff", kind, id));
    arrival.write(event);
    return cycle();
  }
  /// A warp ends. Returns the warps let through.
  WarpMask end(unsigned cta, unsigned index) {
    Resolve ended;
    ended.ended = true;
    ended.ended_warp = static_cast<std::uint8_t>(warp(cta, index));
    resolve.write(ended);
    return cycle();
  }

  Domain shader;
  Barrier barrier;
  Wire<WarpStart> start{"start"};
  Wire<ControlEvent> arrival{"arrival"};
  Wire<Resolve> resolve{"resolve"};
  Wire<WarpMask> opened{"opened"}, waiting{"waiting"};
};

using BarrierTest = testing::SystemCTest;

TEST_F(BarrierTest, EachOpensForItsLastWarpAlone) {
  for (unsigned id = 0; id < kMaxBarriers; ++id) {
    renew_context();
    BarrierBench bench;
    bench.begin(0, 3);
    bench.begin(1, 2);
    EXPECT_EQ(bench.arrive(0, 0, id), 0u) << id;
    EXPECT_EQ(bench.arrive(1, 0, id), 0u) << id << ": another block's";
    EXPECT_EQ(bench.arrive(0, 2, (id + 1) % kMaxBarriers), 0u) << id << ": another barrier";
    EXPECT_EQ(bench.arrive(1, 1, id), 0x30u) << id;
    EXPECT_EQ(bench.arrive(0, 1, id), 0u) << id;
    EXPECT_EQ(bench.waiting.read(), 0x7u) << id;
    EXPECT_EQ(bench.barrier.counters().openings, 1u) << id;
  }
}

TEST_F(BarrierTest, TheEndOfTheOnlyOtherWarpOpensForOneThatWaitsAlone) {
  BarrierBench bench;
  bench.begin(0, 2);
  EXPECT_EQ(bench.arrive(0, 1, 3), 0u);
  EXPECT_EQ(bench.end(0, 0), 0x2u);
}

// The warps that are left need no more than each other, at whichever barriers they wait.
TEST_F(BarrierTest, AWarpThatEndsOpensEveryBarrierWhoseOtherWarpsHaveArrived) {
  for (unsigned id = 0; id < kMaxBarriers; ++id) {
    renew_context();
    BarrierBench bench;
    bench.begin(0, 3);
    bench.arrive(0, 0, id);
    bench.arrive(0, 1, id);
    EXPECT_EQ(bench.end(0, 2), 0x3u) << "barrier " << id;
    EXPECT_EQ(bench.waiting.read(), 0u) << "barrier " << id;
    EXPECT_EQ(bench.barrier.counters().openings, 1u) << "barrier " << id;
    EXPECT_EQ(bench.barrier.counters().missed, 1u) << "barrier " << id;
  }
}

TEST_F(BarrierTest, AWarpThatEndsOpensSeveralBarriersAtOnce) {
  BarrierBench bench;
  bench.begin(1, 4);
  // Two arrivals at barrier 9, where the second warp waits, and two at barrier 2, where the third one does. The first
  // warp goes on.
  bench.arrive(1, 0, 9, ~LaneMask{0}, "inc");
  bench.arrive(1, 1, 9, ~LaneMask{0}, "inc");
  bench.arrive(1, 1, 9, ~LaneMask{0}, "wait");
  bench.arrive(1, 0, 2, ~LaneMask{0}, "inc");
  bench.arrive(1, 2, 2);
  EXPECT_EQ(bench.waiting.read(), 0x60u);
  EXPECT_EQ(bench.end(1, 3), 0u) << "three are expected, two have arrived at each";
  EXPECT_EQ(bench.end(1, 0), 0x60u);
  EXPECT_EQ(bench.barrier.counters().openings, 2u);
}

TEST_F(BarrierTest, AWarpThatEndsOpensNothingWhereLaunchedWarpsAreExpected) {
  BarrierBench bench("launched");
  bench.begin(0, 2);
  bench.arrive(0, 0, 5);
  EXPECT_EQ(bench.end(0, 1), 0u);
  EXPECT_EQ(bench.waiting.read(), 1u);
}

// A lane that the block has no thread for takes no part: a warp is whole without it.
TEST_F(BarrierTest, IsCalledDivergentWhenALaneOfAThreadIsMissing) {
  for (const unsigned lanes : {1u, 16u, 18u, 31u, 32u}) {
    renew_context();
    BarrierBench bench;
    bench.begin(0, 2, lanes);
    const LaneMask all = BarrierBench::first_lanes(lanes);
    bench.arrive(0, 0, 0);
    bench.arrive(0, 1, 0, all);
    EXPECT_EQ(bench.barrier.counters().divergent, 0u) << lanes << " lanes";
    bench.arrive(0, 0, 0);
    bench.arrive(0, 1, 0, all & ~LaneMask{1});
    EXPECT_EQ(bench.barrier.counters().divergent, 1u) << lanes << " lanes, the first is missing";
    bench.arrive(0, 0, 0);
    bench.arrive(0, 1, 0, all & ~(LaneMask{1} << (lanes - 1)));
    EXPECT_EQ(bench.barrier.counters().divergent, 2u) << lanes << " lanes, the last is missing";
    bench.arrive(0, 0, 0, all >> 1);
    bench.arrive(0, 1, 0, all);
    EXPECT_EQ(bench.barrier.counters().divergent, 3u) << lanes << " lanes, of the full warp";
  }
}

}  // namespace
}  // namespace g80
