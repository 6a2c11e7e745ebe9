// SPDX-License-Identifier: Apache-2.0
// The CTA launcher: warps of a block, thread ids, the head of shared memory, and when a block is done.
#include "hw/sm/cta_launcher.h"

#include <array>
#include <vector>

#include "tests/sm/launcher_bench.h"

namespace g80 {
namespace {

using CtaLauncherTest = testing::SystemCTest;

TEST_F(CtaLauncherTest, FortyThreadsAreOneWholeWarpAndOneOfEight) {
  test::LauncherBench bench;
  bench.ctas.push({true, 5, 0, 1});
  bench.run(20);
  ASSERT_EQ(bench.starts.size(), 2u);
  EXPECT_EQ(bench.starts[0].lanes, ~LaneMask{0});
  EXPECT_EQ(bench.starts[1].lanes, 0xffu);
  EXPECT_EQ(bench.starts[1].warps_in_cta, 2u);
  for (unsigned l = 0; l < 8; ++l) EXPECT_EQ(bench.registers.read(bench.starts[1].warp, 0)[l], 32 + l);
  EXPECT_EQ(bench.kernel.read(), 1u);
}

TEST_F(CtaLauncherTest, RatesSetHowLongAWarpAndTheHeadOfSharedMemoryTake) {
  unsigned cycles[3];
  const std::vector<std::string> sets[] = {{}, {"sm.launch_lanes=8"}, {"sm.launch_words=1"}};
  for (unsigned i = 0; i < 3; ++i) {
    renew_context();
    test::LauncherBench bench(sets[i]);
    bench.ctas.push({true, 5, 0, 1});
    for (cycles[i] = 0; bench.starts.size() < 2 && cycles[i] < 100; ++cycles[i]) bench.run(1);
    bench.run(4);
    for (unsigned w = 0; w < 2; ++w) {
      for (unsigned l = 0; l < (w == 0 ? 32u : 8u); ++l)
        EXPECT_EQ(bench.registers.read(bench.starts.at(w).warp, 0)[l], 32 * w + l) << i;
      EXPECT_EQ(bench.registers.read(bench.starts.at(1).warp, 0)[8], 0u);
    }
    EXPECT_EQ(bench.head.at(4), 0xabcdu);
  }
  EXPECT_EQ(cycles[1], cycles[0] + 2 * 3) << "four cycles for each of two warps instead of one";
  EXPECT_EQ(cycles[2], cycles[0] + 4) << "five words instead of a row";
}

TEST_F(CtaLauncherTest, AStepSendsTheNumbersOfItsLanesAloneAndOnlyThoseOfThreads) {
  test::LauncherBench bench({"sm.launch_lanes=8"});
  bench.ctas.push({true, 5, 0, 1});
  std::vector<LaneMask> steps;
  for (unsigned i = 0; i < 40; ++i) {
    bench.run(1);
    const ThreadNumbers& numbers = bench.register_wires.numbers.read();
    if (numbers.valid) steps.push_back(numbers.lanes);
  }
  EXPECT_EQ(steps, (std::vector<LaneMask>{0xff, 0xff00, 0xff0000, 0xff000000, 0xff, 0, 0, 0}));
}

TEST_F(CtaLauncherTest, TheHeadOfSharedMemoryHoldsDimensionsAndParameters) {
  test::LauncherBench bench;
  bench.ctas.push({true, 5, 0, 1});
  bench.run(20);
  EXPECT_EQ(bench.head.at(0) >> 16, 40u);     // block x
  EXPECT_EQ(bench.head.at(2) & 0xffffu, 9u);  // grid x
  EXPECT_EQ(bench.head.at(3) & 0xffffu, 5u);  // this block
  EXPECT_EQ(bench.head.at(4), 0xabcdu);
}

TEST_F(CtaLauncherTest, WarpsStartWhenTheWholeHeadHasBeenTaken) {
  test::LauncherBench bench({"sm.launch_words=1"});
  bench.ctas.push({true, 5, 0, 1});
  bench.fill_ready.write(false);
  bench.run(20);
  EXPECT_TRUE(bench.starts.empty());
  EXPECT_EQ(bench.head.size(), 1u) << "the first word waits";
  for (unsigned word = 1; word <= 5; ++word) {
    EXPECT_EQ(bench.head.size(), word);
    bench.fill_ready.write(true);
    bench.run(1);
    bench.fill_ready.write(false);
    bench.run(3);
    EXPECT_EQ(bench.starts.empty(), word < 5);
  }
  EXPECT_EQ(bench.head.at(4), 0xabcdu);
}

TEST_F(CtaLauncherTest, ABlockIsDoneWhenItsLastWarpHasDrained) {
  test::LauncherBench bench;
  bench.ctas.push({true, 5, 0, 1});
  bench.run(20);
  const WarpMask first = WarpMask{1} << bench.starts[0].warp, second = WarpMask{1} << bench.starts[1].warp;
  bench.drained.write(first);
  bench.run(8);
  EXPECT_FALSE(bench.done.available());
  bench.drained.write(first | second);
  bench.run(8);
  ASSERT_TRUE(bench.done.available());
  EXPECT_EQ(bench.done.front().cta_x, 5u);
  EXPECT_TRUE(bench.launcher.idle());
  EXPECT_EQ(bench.launcher.counters().blocks, 1u);
}

TEST_F(CtaLauncherTest, TheSmIsIdleBehindItsLastBlockWhenNothingIsOnItsWay) {
  for (unsigned last = 0; last < 3; ++last) {  // the block itself, a fetch, an access
    renew_context();
    test::LauncherBench bench;
    bench.run(8);
    EXPECT_FALSE(bench.done.available()) << "a new SM says nothing";
    bench.ctas.push({true, 5, 0, 1});
    bench.fetch_waits.write(last == 1);
    bench.accesses_busy.write(last == 2);
    bench.run(20);
    bench.drained.write(WarpMask{1} << bench.starts[0].warp | WarpMask{1} << bench.starts[1].warp);
    bench.run(8);
    ASSERT_TRUE(bench.done.available());
    EXPECT_FALSE(bench.done.front().idle);
    bench.done.pop();
    EXPECT_EQ(bench.done.available(), last == 0);
    bench.fetch_waits.write(false);
    bench.accesses_busy.write(false);
    bench.run(4);
    ASSERT_TRUE(bench.done.available());
    EXPECT_TRUE(bench.done.front().idle);
    bench.done.pop();
    bench.fetch_waits.write(true);
    bench.run(4);
    bench.fetch_waits.write(false);
    bench.run(4);
    EXPECT_FALSE(bench.done.available()) << "it is said once";
  }
}

// Blocks of three warps, of which a chip with room for two blocks takes two; s[] of each takes two
// granules.
struct TwoBlocks : test::LauncherBench {
  TwoBlocks() : LauncherBench({"sm.max_ctas=2"}) {
    launch.threads = launch.block_x = 80;
    launch.registers = 5;
    launch.shared_bytes = static_cast<std::uint16_t>(config.sm.shared_granule + 4);
  }
};

TEST_F(CtaLauncherTest, BlocksTakeSlotsFromTheFirstOnAndTheirWarpsStartInOrder) {
  TwoBlocks bench;
  bench.ctas.push({true, 5, 6, 1});
  bench.ctas.push({true, 7, 8, 1});
  std::vector<RegisterStart> rows;
  std::vector<SmemStart> shares;
  for (unsigned i = 0; i < 60; ++i) {
    bench.run(1);
    if (bench.register_wires.start.read().valid) rows.push_back(bench.register_wires.start.read());
    if (bench.smem_start.read().valid) shares.push_back(bench.smem_start.read());
    if (!bench.start.read().valid) continue;
    EXPECT_TRUE(bench.redirect.read().valid);
    EXPECT_EQ(bench.redirect.read().warp, bench.start.read().warp);
  }
  const unsigned share = 2 * bench.config.sm.shared_granule;
  ASSERT_EQ(bench.starts.size(), 6u);
  ASSERT_EQ(rows.size(), 6u);
  for (unsigned w = 0; w < 6; ++w) {
    const WarpStart& start = bench.starts[w];
    EXPECT_EQ(start.warp, w);
    EXPECT_EQ(start.cta_slot, w / 3);
    EXPECT_EQ(start.warp_in_cta, w % 3);
    EXPECT_EQ(start.warps_in_cta, 3u);
    EXPECT_EQ(start.lanes, w % 3 == 2 ? 0xffffu : ~LaneMask{0});
    EXPECT_EQ(start.cta_x, w < 3 ? 5u : 7u);
    EXPECT_EQ(start.cta_y, w < 3 ? 6u : 8u);
    EXPECT_EQ(start.shared_base, w < 3 ? 0u : share);
    EXPECT_EQ(start.shared_bytes, bench.launch.shared_bytes);
    EXPECT_EQ(rows[w].warp, w);
    EXPECT_EQ(rows[w].base_row, 5 * w);
  }
  ASSERT_EQ(shares.size(), 2u);
  EXPECT_EQ(shares[0].first, 0u);
  EXPECT_EQ(shares[1].first, share / 4);
}

TEST_F(CtaLauncherTest, ABlockTakesTheFirstSlotThatIsFree) {
  TwoBlocks bench;
  bench.ctas.push({true, 1, 0, 1});
  bench.ctas.push({true, 2, 0, 1});
  bench.run(60);
  ASSERT_EQ(bench.starts.size(), 6u);
  WarpMask ended = 0;
  bench.drained.write(0x7);
  for (unsigned i = 0; i < 8; ++i) {
    bench.run(1);
    ended |= bench.ended.read();
  }
  EXPECT_EQ(ended, 0x7u) << "the warps of the first block alone";
  ASSERT_TRUE(bench.done.available());
  EXPECT_EQ(bench.done.front().cta_x, 1u);
  bench.ctas.push({true, 3, 0, 1});
  bench.run(30);
  ASSERT_EQ(bench.starts.size(), 9u);
  for (unsigned w = 0; w < 3; ++w) EXPECT_EQ(bench.starts[6 + w].warp, w);
}

TEST_F(CtaLauncherTest, ABlockInTheSlotOfAnotherOutlastsTheOthersDrainedWarps) {
  TwoBlocks bench;
  bench.ctas.push({true, 1, 0, 1});
  bench.run(30);
  bench.drained.write(0x7);
  bench.run(8);
  ASSERT_TRUE(bench.done.available());
  while (bench.done.available()) bench.done.pop();
  bench.ctas.push({true, 2, 0, 1});
  std::vector<WarpMask> started;
  for (unsigned i = 0; i < 40; ++i) {
    bench.run(1);
    started.push_back(bench.start.read().valid ? WarpMask{1} << bench.start.read().warp : 0);
    if (i >= 3) bench.drained.write(bench.drained.read() & ~started[i - 3]);  // the latest that the launcher allows
  }
  ASSERT_EQ(bench.starts.size(), 6u);
  EXPECT_FALSE(bench.done.available());
}

TEST_F(CtaLauncherTest, ABlockEndsWithItsOwnWarpsThoughAnEarlierOneRunsOn) {
  TwoBlocks bench;
  bench.ctas.push({true, 1, 0, 1});
  bench.ctas.push({true, 2, 0, 1});
  bench.run(60);
  bench.drained.write(0x38);
  bench.run(8);
  ASSERT_TRUE(bench.done.available());
  EXPECT_EQ(bench.done.front().cta_x, 2u);
  bench.done.pop();
  EXPECT_FALSE(bench.done.available());
  EXPECT_FALSE(bench.launcher.idle());
}

TEST_F(CtaLauncherTest, BlocksThatEndTogetherAreReportedOneAfterTheOther) {
  TwoBlocks bench;
  bench.ctas.push({true, 1, 0, 1});
  bench.ctas.push({true, 2, 0, 1});
  bench.run(60);
  bench.drained.write(0x3f);
  std::vector<WarpMask> ended;
  std::vector<unsigned> blocks;
  for (unsigned i = 0; i < 12; ++i) {
    bench.run(1);
    if (bench.ended.read() != 0) ended.push_back(bench.ended.read());
    if (!bench.done.available()) continue;
    if (!bench.done.front().idle) blocks.push_back(bench.done.front().cta_x);
    bench.done.pop();
  }
  EXPECT_EQ(ended, (std::vector<WarpMask>{0x7, 0x38}));
  EXPECT_EQ(blocks, (std::vector<unsigned>{1, 2}));
}

TEST_F(CtaLauncherTest, ThreadsAreCountedXFirstInBlocksOfEveryShape) {
  for (const auto& [x, y, z] : {std::array{4u, 2u, 2u},
                                {1u, 1u, 64u},
                                {512u, 1u, 1u},
                                {1u, 512u, 1u},
                                {1u, 7u, 9u},
                                {5u, 3u, 31u},
                                {31u, 1u, 16u},
                                {33u, 15u, 1u},
                                {3u, 1u, 5u}}) {
    renew_context();
    test::LauncherBench bench;
    bench.launch.block_x = static_cast<std::uint16_t>(x);
    bench.launch.block_y = static_cast<std::uint16_t>(y);
    bench.launch.block_z = static_cast<std::uint16_t>(z);
    bench.launch.threads = static_cast<std::uint16_t>(std::min(x * y * z, bench.config.sm.max_warps * kWarpSize));
    bench.launch.registers = 1;
    bench.ctas.push({true, 0, 0, 1});
    bench.run(60);
    for (unsigned thread = 0; thread < bench.launch.threads; ++thread) {
      const std::uint32_t expected = thread % x | thread / x % y << 16 | thread / x / y << 26;
      ASSERT_EQ(bench.registers.read(bench.starts.at(thread / kWarpSize).warp, 0)[thread % kWarpSize], expected)
          << x << " x " << y << " x " << z << ", thread " << thread;
    }
  }
}

}  // namespace
}  // namespace g80
