// SPDX-License-Identifier: Apache-2.0
// The fetcher takes warps in turn and asks for aligned pieces.
#include "hw/sm/fetch.h"

#include <random>

#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

TEST(PickFetch, TakesTheNextWantingWarpInACircle) {
  std::mt19937 random(11);
  for (unsigned i = 0; i < 20000; ++i) {
    const WarpMask wanting = random() & random();  // NOLINT(misc-redundant-expression): two numbers
    const unsigned last = random() % 32;
    std::optional<unsigned> expected;
    for (unsigned step = 1; step <= 32 && !expected; ++step) {
      if ((wanting >> ((last + step) % 32) & 1) != 0) expected = (last + step) % 32;
    }
    ASSERT_EQ(pick_fetch(wanting, last), expected) << std::hex << wanting << " after " << last;
  }
}

struct FetchBench {
  Config config = load_config("tiny");
  Domain domain{"shader", 0, 1000, 1, false};
  Fetch fetch{"fetch", config};
  Wire<LaunchState> launch{"launch"};
  Wire<Redirect> start{"start"}, redirect{"redirect"};
  Wire<BufferLevel> level{"level"};
  Wire<DecodedGroup> decoded{"decoded"};
  Wire<bool> cache_ready{"cache_ready"};
  Wire<FetchRequest> request{"request"};

  FetchBench() {
    fetch.launch_i(launch);
    fetch.start_i(start);
    fetch.redirect_i(redirect);
    fetch.level_i(level);
    fetch.decoded_i(decoded);
    fetch.cache_ready_i(cache_ready);
    fetch.request_o(request);
    domain.add(fetch, Rate::kHalf);
    sc_core::sc_start(sc_core::sc_time(4500, sc_core::SC_PS));
    cache_ready.write(true);
  }
  void cycle() { sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_NS)); }
  /// From here on only a redirect makes room for a fetch.
  void fill_buffers() {
    BufferLevel full;
    full.room = 0;
    level.write(full);
  }
  void jump() {
    redirect.write({true, RedirectKind::kJump, 0, 0x100});
    cycle();
    redirect.write(Redirect{});
  }
  void decode(unsigned epoch) {
    DecodedGroup group;
    group.valid = true;
    group.epoch = static_cast<std::uint8_t>(epoch);
    group.count = 2;
    decoded.write(group);
    cycle();
    decoded.write(DecodedGroup{});
  }
};
using FetchTest = testing::SystemCTest;

// Epochs wrap around, so that of the warp is sometimes what an empty wire shows.
TEST_F(FetchTest, AWarpHasOneFetchInFlightUntilItIsDecodedWhateverItsEpoch) {
  FetchBench bench;
  bench.fill_buffers();
  for (unsigned epoch = 1; epoch <= 256; ++epoch) {
    bench.jump();
    EXPECT_TRUE(bench.request.read().valid);
    EXPECT_EQ(bench.request.read().epoch, epoch % 256);
    bench.cycle();
    bench.level.write(BufferLevel{});
    for (unsigned i = 0; i < 4; ++i) {
      EXPECT_FALSE(bench.request.read().valid) << "epoch " << epoch;
      bench.cycle();
    }
    if (epoch < 256) bench.fill_buffers();
    bench.decode(epoch);
  }
  EXPECT_TRUE(bench.request.read().valid) << "the next one";
}

// A line may take longer than 256 redirects to instructions that are at hand.
TEST_F(FetchTest, NoEpochBeginsAgainBeforeItsFetchHasArrived) {
  FetchBench bench;
  bench.fill_buffers();
  bench.jump();
  bench.cycle();  // the fetch of epoch 1 stays on its way
  unsigned epoch = 2;
  for (bench.jump(); bench.request.read().valid && epoch < 300; bench.jump(), ++epoch) {
    EXPECT_EQ(bench.request.read().epoch, epoch);
    bench.cycle();
    bench.decode(epoch);
  }
  EXPECT_EQ(epoch, 1 + 128u);
  bench.cycle();
  EXPECT_FALSE(bench.request.read().valid);
  bench.level.write(BufferLevel{});
  bench.cycle();
  EXPECT_FALSE(bench.request.read().valid);
  bench.decode(1);
  EXPECT_TRUE(bench.request.read().valid);
}

// Wherever a warp has come to in straight code since a jump, the instruction that it lacks is the first of the request.
TEST_F(FetchTest, TheAwaitedInstructionIsTheFirstOneThatIsRequested) {
  FetchBench bench;
  for (std::uint32_t target = 0, epoch = 1; target < 32; target += 4, ++epoch) {
    bench.redirect.write({true, RedirectKind::kJump, 0, target});
    bench.cycle();
    bench.redirect.write(Redirect{});
    for (std::uint32_t pc = target; pc < target + 64;) {
      ASSERT_TRUE(bench.request.read().valid);
      EXPECT_EQ(bench.request.read().address, pc);
      for (std::uint32_t from = target; from <= pc; from += 4)
        EXPECT_EQ(bench.fetch.awaited_pc(0, from), pc) << target << " " << from;
      pc += bench.request.read().bytes;
      bench.fill_buffers();
      bench.decode(epoch);
      EXPECT_EQ(bench.fetch.awaited_pc(0, target), pc) << "decoded";
      bench.level.write(BufferLevel{});
      bench.cycle();
    }
  }
}

TEST(AlignedFetchBytes, GivesTheLargestAlignedPieceOfTheBlock) {
  for (const std::uint32_t block : {8u, 16u, 32u}) {
    for (std::uint32_t pc = 0; pc < 128; pc += 4) {
      const std::uint32_t bytes = aligned_fetch_bytes(pc, block);
      EXPECT_EQ(pc % bytes, 0u) << pc;
      EXPECT_EQ(pc / block, (pc + bytes - 1) / block) << pc;
      EXPECT_TRUE(bytes == block || pc % (2 * bytes) != 0)
          << "a larger piece of " << block << " at " << pc << " is aligned";
    }
  }
}

}  // namespace
}  // namespace g80
