// SPDX-License-Identifier: Apache-2.0
// Copies on the device: which the driver makes with a kernel, and that either way moves the bytes asked for.
#include "app/run/device_copy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "tb/scenario/golden_backend.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

constexpr std::uint32_t kMegabyte = 1 << 20;

bool uses_kernel(const Lines& to, const Lines& from) {
  return !copy_launches(load_config("8600gts"), to, from).empty();
}

TEST(DeviceCopy, AKernelCopiesWhatIsLargeAndCoalesces) {
  EXPECT_TRUE(uses_kernel({0, kMegabyte}, {kMegabyte, kMegabyte}));
  EXPECT_TRUE(uses_kernel({0, kLeastKernelCopy}, {kMegabyte, kLeastKernelCopy}));
  EXPECT_FALSE(uses_kernel({0, kLeastKernelCopy - 8}, {kMegabyte, kLeastKernelCopy - 8})) << "small";
  EXPECT_FALSE(uses_kernel({64, kMegabyte}, {2 * kMegabyte, kMegabyte})) << "the destination is not aligned";
  EXPECT_FALSE(uses_kernel({0, kMegabyte}, {2 * kMegabyte + 64, kMegabyte})) << "the source is not aligned";
  EXPECT_FALSE(uses_kernel({0, kMegabyte + 4}, {2 * kMegabyte, kMegabyte + 4})) << "no whole elements";
  EXPECT_TRUE(uses_kernel({0, 1032, 512, 1152}, {kMegabyte, 1032, 512, 2048}));
  EXPECT_FALSE(uses_kernel({0, 1032, 512, 1152}, {kMegabyte, 1032, 512, 2016})) << "the pitch is not aligned";
  Lines in_array{0, kMegabyte};
  in_array.surface = SurfacePlace{{kMegabyte, 1, 1, {}}, 0, 0, 0};
  EXPECT_FALSE(uses_kernel(in_array, {2 * kMegabyte, kMegabyte})) << "an array has no lines in memory";
  EXPECT_TRUE(uses_kernel({0, kMegabyte, 1, 4}, {2 * kMegabyte, kMegabyte, 1, 4})) << "one line has no pitch";
}

TEST(DeviceCopy, TheLaunchesOfALargeCopyShareItsElementsAndLines) {
  constexpr std::uint32_t kBytes = 300 * kMegabyte, kFrom = 512 * kMegabyte;
  std::uint32_t copied = 0;
  for (const Launch& launch : copy_launches(load_config("8600gts"), {0, kBytes}, {kFrom, kBytes})) {
    EXPECT_LE(launch.shape.grid[0], 65535u);
    EXPECT_EQ(launch.params[0], copied);
    EXPECT_EQ(launch.params[1], kFrom + copied);
    EXPECT_GE(launch.shape.grid[0] * launch.shape.block[0], launch.params[2]) << "an element without a thread";
    copied += launch.params[2] * 8;
  }
  EXPECT_EQ(copied, kBytes);

  constexpr std::uint32_t kLines = 150'000;
  std::uint32_t line = 0;
  for (const Launch& launch : copy_launches(load_config("8600gts"), {0, 8, kLines, 128}, {kFrom, 8, kLines, 256})) {
    EXPECT_LE(launch.shape.grid[1], 65535u);
    EXPECT_EQ(launch.params, (std::vector<std::uint32_t>{line * 128, kFrom + line * 256, 1, 128, 256}));
    line += launch.shape.grid[1];
  }
  EXPECT_EQ(line, kLines);
}

TEST(DeviceCopy, TheKernelMovesTheLinesAndNothingElse) {
  std::mt19937 generator(random_seed());
  const auto random = [&generator] { return static_cast<std::uint32_t>(generator()); };
  GoldenBackend machine(load_config("8600gts"));
  DeviceCopy copies(machine);
  constexpr std::uint32_t kBytes = 4 * kMegabyte;
  const std::uint32_t to = machine.allocate(kBytes, "to"), from = machine.allocate(kBytes, "from");
  std::vector<std::uint32_t> source(kBytes / 4);
  for (std::uint32_t& word : source) word = random();
  machine.write(from, source.data(), kBytes);
  for (unsigned trial = 0; trial < 4; ++trial) {
    const std::uint32_t bytes = 8 * (150 + random() % 500), lines = 400 + random() % 50;
    const auto pitch = [&] { return (bytes + 127) / 128 * 128 + 128 * (random() % 10); };
    const std::uint32_t to_pitch = pitch(), from_pitch = pitch();
    const Lines target{to + 128 * (random() % 50), bytes, lines, to_pitch};
    const Lines origin{from + 128 * (random() % 50), bytes, lines, from_pitch};
    ASSERT_TRUE(uses_kernel(target, origin));
    machine.fill({to, kBytes}, 0xdeadbeef);
    std::vector<std::uint32_t> expected(kBytes / 4, 0xdeadbeef), seen(kBytes / 4);
    for (std::uint32_t line = 0; line < lines; ++line) {
      std::memcpy(expected.data() + (target.address - to + line * to_pitch) / 4,
                  source.data() + (origin.address - from + line * from_pitch) / 4, bytes);
    }
    copies.copy(target, origin);
    machine.read(to, seen.data(), kBytes);
    EXPECT_TRUE(seen == expected) << lines << " lines of " << bytes << " bytes";
  }
}

}  // namespace
}  // namespace g80
