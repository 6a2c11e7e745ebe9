// SPDX-License-Identifier: Apache-2.0
// How many blocks share an SM, and which launches are refused.
#include "hw/config/occupancy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace g80 {
namespace {

const Config& g84() {
  static const Config config = load_config("8600gts");
  return config;
}
const Config& gt200() {
  static const Config config = load_config("gtx280");
  return config;
}

TEST(Occupancy, BlocksOf256ThreadsFillTheThreadsThreeTimes) {
  const Occupancy o = occupancy(g84(), {256, 8, 64});
  EXPECT_EQ(o.blocks, 3u);
  EXPECT_EQ(o.warps, 24u);
  EXPECT_EQ(o.limit, SmResource::kThreads);
}
TEST(Occupancy, BlocksOf128ThreadsFillTheThreadsSixTimes) {
  EXPECT_EQ(occupancy(g84(), {128, 8, 64}).blocks, 6u);
  EXPECT_EQ(occupancy(g84(), {128, 8, 64}).warps, 24u);
}
TEST(Occupancy, BlocksOf64ThreadsStopAtEightAndLeaveWarpsEmpty) {
  const Occupancy o = occupancy(g84(), {64, 8, 64});
  EXPECT_EQ(o.blocks, 8u);  // 12 would fit the threads
  EXPECT_EQ(o.warps, 16u);
  EXPECT_EQ(o.limit, SmResource::kBlocks);
  EXPECT_EQ(o.blocks_by[static_cast<unsigned>(SmResource::kThreads)], 12u);
}
TEST(Occupancy, ABlockOf512ThreadsFitsOnce) {
  const Occupancy o = occupancy(g84(), {512, 10, 64});
  EXPECT_EQ(o.blocks, 1u);
  EXPECT_EQ(o.warps, 16u);
  EXPECT_EQ(o.limit, SmResource::kThreads);
}
TEST(Occupancy, TenRegistersKeepThreeBlocksAndElevenTwo) {
  EXPECT_EQ(occupancy(g84(), {256, 10, 4096}).blocks, 3u);  // the calculator's example: 24 warps
  EXPECT_EQ(occupancy(g84(), {256, 10, 4096}).warps, 24u);
  const Occupancy eleven = occupancy(g84(), {256, 11, 4096});
  EXPECT_EQ(eleven.blocks, 2u);  // 3 x 2816 > 8192
  EXPECT_EQ(eleven.limit, SmResource::kRegisters);
}
TEST(Occupancy, SharedMemoryCountsInGranules) {
  EXPECT_EQ(occupancy(g84(), {64, 4, 4096}).blocks, 4u);
  const Occupancy o = occupancy(g84(), {64, 4, 4097});
  EXPECT_EQ(o.blocks, 3u);  // 4608 each
  EXPECT_EQ(o.limit, SmResource::kShared);
}
TEST(Occupancy, PartialWarpsAndOddWarpsRoundUp) {
  const BlockAllocation one_thread = allocate_block(g84(), {1, 10, 16});
  EXPECT_EQ(one_thread.warps, 1u);
  EXPECT_EQ(one_thread.registers, 768u);  // 2 warps x 32 x 10 = 640, in multiples of 256
  EXPECT_EQ(one_thread.shared_bytes, 512u);
  EXPECT_EQ(allocate_block(g84(), {65, 10, 0}).registers, 1280u);    // 3 warps count as 4
  EXPECT_EQ(allocate_block(gt200(), {65, 10, 0}).registers, 1536u);  // in multiples of 512
}
TEST(Occupancy, WarpsRunOutBeforeThreadsWhenTheyArePartial) {
  const Occupancy o = occupancy(g84(), {97, 4, 16});  // 4 warps for 97 threads
  EXPECT_EQ(o.blocks, 6u);
  EXPECT_EQ(o.limit, SmResource::kWarps);
}
TEST(Occupancy, ComputeCapability13HoldsMore) {
  EXPECT_EQ(occupancy(gt200(), {256, 16, 64}).blocks, 4u);
  EXPECT_EQ(occupancy(gt200(), {512, 16, 64}).warps, 32u);
}
TEST(Occupancy, ABlockThatDoesNotFitIsZero) {
  EXPECT_EQ(occupancy(g84(), {512, 17, 16}).blocks, 0u);
  EXPECT_EQ(occupancy(g84(), {512, 17, 16}).limit, SmResource::kRegisters);
  EXPECT_EQ(occupancy(g84(), {32, 0xffffffff, 0xffffffff}).blocks, 0u);
}

TEST(Occupancy, EqualsPlacingBlocksOneByOne) {
  const unsigned seed = 71;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 20000; ++round) {
    const Config& config = random() % 2 ? g84() : gt200();
    const unsigned threads = 1 + random() % 512;
    const unsigned registers = random() % 40;
    const unsigned shared = random() % 17000;
    unsigned blocks = 0;
    unsigned free_threads = config.sm.max_threads, free_warps = config.sm.max_warps;
    int free_registers = static_cast<int>(config.sm.num_registers), free_shared = 16384;
    for (;;) {
      const unsigned warps = threads / 32 + (threads % 32 ? 1 : 0);
      int need_registers = static_cast<int>((warps + warps % 2) * 32 * registers);
      while (need_registers % static_cast<int>(config.sm.register_granule)) ++need_registers;
      const int need_shared = static_cast<int>(shared + 511) / 512 * 512;
      if (blocks == 8 || threads > free_threads || warps > free_warps || need_registers > free_registers ||
          need_shared > free_shared) {
        break;
      }
      ++blocks;
      free_threads -= threads;
      free_warps -= warps;
      free_registers -= need_registers;
      free_shared -= need_shared;
    }
    ASSERT_EQ(occupancy(config, {threads, registers, shared}).blocks, blocks)
        << threads << " threads, " << registers << " registers, " << shared << " bytes";
  }
}

// --- launches

std::string refusal(const LaunchShape& shape) {
  const auto why = launch_refusal(g84(), shape);
  return why ? why->text : "";
}

TEST(Launch, TheLargestShapesAreAccepted) {
  EXPECT_EQ(refusal({{65535, 65535, 1}, {512, 1, 1}, 16, 16384}), "");
  EXPECT_EQ(refusal({{1, 1, 1}, {1, 512, 1}, 16, 16}), "");
  EXPECT_EQ(refusal({{1, 1, 1}, {8, 1, 64}, 16, 16}), "");
  EXPECT_EQ(refusal({{1, 1, 1}, {64, 1, 1}, 128, 16}), "");
}
TEST(Launch, EachLimitIsNamedWithTheValue) {
  EXPECT_EQ(refusal({{65536, 1, 1}, {1, 1, 1}, 4, 16}), "grid dimension x is 65536, but must be from 1 to 65535");
  EXPECT_EQ(refusal({{1, 0, 1}, {1, 1, 1}, 4, 16}), "grid dimension y is 0, but must be from 1 to 65535");
  EXPECT_EQ(refusal({{1, 1, 2}, {1, 1, 1}, 4, 16}), "grid dimension z is 2, but must be from 1 to 1");
  EXPECT_EQ(refusal({{1, 1, 1}, {513, 1, 1}, 4, 16}), "block dimension x is 513, but must be from 1 to 512");
  EXPECT_EQ(refusal({{1, 1, 1}, {0, 1, 1}, 4, 16}), "block dimension x is 0, but must be from 1 to 512");
  EXPECT_EQ(refusal({{1, 1, 1}, {1, 1, 65}, 4, 16}), "block dimension z is 65, but must be from 1 to 64");
  EXPECT_EQ(refusal({{1, 1, 1}, {32, 17, 1}, 4, 16}),
            "a block of 32 x 17 x 1 has 544 threads, but at most 512 are allowed");
  EXPECT_EQ(refusal({{1, 1, 1}, {512, 512, 64}, 4, 16}),
            "a block of 512 x 512 x 64 has 16777216 threads, but at most 512 are allowed");
  EXPECT_EQ(refusal({{1, 1, 1}, {1, 1, 1}, 129, 16}),
            "the kernel uses 129 registers per thread, but instructions can name only 128");
  EXPECT_EQ(refusal({{1, 1, 1}, {512, 1, 1}, 17, 16}),
            "a block of 512 threads with 17 registers each takes 8704 registers, but an SM has 8192");
  EXPECT_EQ(refusal({{1, 1, 1}, {1, 1, 1}, 4, 16385}),
            "a block takes 16385 bytes of shared memory (header and parameters included), but an SM has 16384");
  EXPECT_EQ(refusal({{1, 1, 1}, {1, 1, 1}, 4, 5000000016}),
            "a block takes 5000000016 bytes of shared memory (header and parameters included), but an SM has 16384");
  EXPECT_EQ(refusal({{1, 1, 1}, {1, 1, 1}, 4, 276, 65}), "the parameters take 260 bytes, but at most 256 fit");
}

TEST(Launch, AnyNumberOfDynamicBytesIsAddedWithoutAWrap) {
  EXPECT_EQ(block_shared_bytes(16, 0), 16u);
  EXPECT_EQ(block_shared_bytes(16, 5000000000), 5000000016u);
  EXPECT_EQ(block_shared_bytes(16, UINT64_MAX - 16), UINT64_MAX);
  EXPECT_EQ(block_shared_bytes(16, UINT64_MAX), UINT64_MAX);
  EXPECT_EQ(block_shared_bytes(UINT32_MAX, UINT64_MAX - 16), UINT64_MAX);
}

TEST(Launch, IsRefusedExactlyWhenNoBlockFits) {
  std::mt19937 random(72);
  for (int round = 0; round < 20000; ++round) {
    const unsigned threads = 1 + random() % 512, registers = random() % 60, shared = random() % 20000;
    const bool fits = occupancy(g84(), {threads, registers, shared}).blocks > 0;
    EXPECT_EQ(refusal({{1, 1, 1}, {threads, 1, 1}, registers, shared}).empty(), fits)
        << threads << " threads, " << registers << " registers, " << shared << " bytes";
  }
}

}  // namespace
}  // namespace g80
