// SPDX-License-Identifier: Apache-2.0
// The counted number of blocks is that of the divisions.
#include "hw/host/block_fit.h"

#include <gtest/gtest.h>

#include <random>

#include "hw/common/limits.h"
#include "hw/config/occupancy.h"

namespace g80 {
namespace {

class CountedBlocks : public ::testing::TestWithParam<std::string> {};

TEST_P(CountedBlocks, AreAsManyAsTheOccupancySays) {
  const Config config = load_config(GetParam());
  std::mt19937 random(11);
  for (int i = 0; i < 3000; ++i) {
    const auto draw = [&](std::uint32_t below) { return static_cast<std::uint32_t>(random() % below); };
    const BlockNeeds needs{1 + draw(config.device.max_threads_per_block), 1 + draw(kMaxRegistersPerThread),
                           draw(config.sm.shared_bytes + 1) & ~63u};
    BlockFit fit;
    unsigned steps = 0;
    for (; !fit.done(); ++steps) count_blocks(fit, needs, config.sm);
    const Occupancy expected = occupancy(config, needs);
    ASSERT_EQ(fit.blocks, expected.blocks) << needs.threads << " threads, " << needs.registers_per_thread
                                           << " registers, " << needs.shared_bytes << " bytes";
    ASSERT_EQ(fit.used.registers, expected.blocks * allocate_block(config, needs).registers);
    ASSERT_LE(steps, 3 + config.sm.max_ctas);
  }
}
TEST_P(CountedBlocks, FillEachLimitToItsEnd) {
  const Config config = load_config(GetParam());
  for (std::uint32_t threads = 32; threads <= config.device.max_threads_per_block; threads += 32) {
    for (const std::uint32_t registers : {1u, 4u, 8u, 16u, 32u, 64u}) {
      for (std::uint32_t shared = 0; shared <= config.sm.shared_bytes; shared += 2048) {
        BlockFit fit;
        while (!fit.done()) count_blocks(fit, {threads, registers, shared}, config.sm);
        ASSERT_EQ(fit.blocks, occupancy(config, {threads, registers, shared}).blocks)
            << threads << " threads, " << registers << " registers, " << shared << " bytes";
      }
    }
  }
}
TEST_P(CountedBlocks, AnyWordsOfMethodsAreCountedInAFewSteps) {
  const Config config = load_config(GetParam());
  std::mt19937 random(12);
  for (int i = 0; i < 1000; ++i) {
    BlockFit fit;
    unsigned steps = 0;
    const BlockNeeds needs{static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random()),
                           static_cast<std::uint32_t>(random())};
    for (; !fit.done() && steps < 100; ++steps) count_blocks(fit, needs, config.sm);
    ASSERT_LE(steps, 3 + config.sm.max_ctas);
  }
}
INSTANTIATE_TEST_SUITE_P(EveryPreset, CountedBlocks, ::testing::ValuesIn(preset_names()));

}  // namespace
}  // namespace g80
