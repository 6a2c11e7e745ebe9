// SPDX-License-Identifier: Apache-2.0
// The whole chip under the driver: copies travel through crossbar, partitions and DRAM, and real machine code runs.
#include "hw/gpu/gpu.h"

#include <random>

#include "source_dir.h"
#include "tb/driver/driver.h"
#include "tb/driver/gpu_link.h"
#include "tests/support/systemc_test.h"
#include "toolchain/assembler/assembler.h"

namespace g80 {
namespace {

using GpuTest = testing::SystemCTest;

TEST_F(GpuTest, CopiesOfOddSizesMakeTheRoundTripThroughDram) {
  for (const char* preset : {"tiny", "8600gts"}) {
    sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = new sc_core::sc_simcontext();
    Gpu gpu("gpu", load_config(preset));
    Driver driver(gpu.config, link_to(gpu));
    const unsigned seed = 31;
    std::mt19937 random(seed);
    const std::uint32_t size = 40'000, base = driver.alloc(size, "buffer");
    std::vector<std::uint8_t> shadow(size), back(size);
    for (auto& byte : shadow) byte = static_cast<std::uint8_t>(random());
    driver.copy_to_device(base, shadow.data(), size);
    for (int i = 0; i < 40; ++i) {
      const auto bytes = static_cast<std::uint32_t>(1 + random() % 900);
      const auto at = static_cast<std::uint32_t>(random() % (size - bytes));
      std::vector<std::uint8_t> data(bytes);
      for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
      driver.copy_to_device(base + at, data.data(), bytes);
      std::copy(data.begin(), data.end(), shadow.begin() + at);
      driver.copy_from_device(data.data(), base + at, bytes);
      ASSERT_TRUE(std::equal(data.begin(), data.end(), shadow.begin() + at))
          << preset << ", seed " << seed << ", copy " << i;
    }
    driver.copy_from_device(back.data(), base, size);
    EXPECT_EQ(back, shadow) << preset << ", seed " << seed;
  }
}

/// Argument bytes in order, 4 bytes each.
struct Sum {
  std::vector<float> c;
  std::uint64_t cycles = 0;
  std::uint64_t ctas = 0;
};

/// c = a + b on a fresh chip.
Sum vec_add(const Config& config, bool no_sleep, std::uint32_t n, std::uint32_t block) {
  sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = new sc_core::sc_simcontext();
  Gpu gpu("gpu", config, {no_sleep, false});
  Driver driver(gpu.config, link_to(gpu));
  const Module module = assemble_file(G80_SOURCE_DIR "/kernels/vec_add/vec_add.sasm");
  driver.load_module(module);
  std::vector<float> a(n), b(n), c(n);
  for (std::uint32_t i = 0; i < n; ++i) a[i] = static_cast<float>(i), b[i] = 0.5f * static_cast<float>(n - i);
  const std::uint32_t bytes = 4 * n;
  const std::uint32_t pa = driver.alloc(bytes, "a"), pb = driver.alloc(bytes, "b"), pc = driver.alloc(bytes, "c");
  driver.copy_to_device(pa, a.data(), bytes);
  driver.copy_to_device(pb, b.data(), bytes);
  const Launch::Extent grid{(n + block - 1) / block, 1, 1};
  driver.launch(driver.kernel("vec_add"),
                {config, module.kernels.front(), grid, {block, 1, 1}, {pa, pb, pc, n}, 0, 2'000'000});
  EXPECT_EQ(driver.wait(), WaitEnd::kDone);
  const LaunchRecord& record = driver.last_launch().record;
  EXPECT_EQ(record.outcome, LaunchOutcome::kComplete) << "fault " << static_cast<int>(record.fault.kind);
  Sum sum;
  if (record.outcome != LaunchOutcome::kComplete) return sum;
  sum.cycles = driver.last_launch().shader_cycles;
  sum.ctas = gpu.cta_scheduler.counters().ctas_finished;
  driver.copy_from_device(c.data(), pc, bytes);
  for (std::uint32_t i = 0; i < n; ++i) EXPECT_EQ(c[i], a[i] + b[i]) << i;
  sum.c = c;
  return sum;
}

TEST_F(GpuTest, VectorsAreAddedOnTheWholeChip) {
  const Sum tiny = vec_add(load_config("tiny"), false, 200, 64);
  EXPECT_GT(tiny.cycles, 0u);
  EXPECT_EQ(tiny.ctas, 4u);
  const Sum g84 = vec_add(load_config("8600gts"), false, 1000, 256);
  // Launch and CTA start alone take host.launch_cycles and gpu.cta_launch_cycles core cycles.
  EXPECT_GT(g84.cycles, (675u + 675u) * 1458 / 675);
}

TEST_F(GpuTest, SleepingBlocksChangeNoCycle) {
  const Sum with = vec_add(load_config("tiny"), false, 200, 64), without = vec_add(load_config("tiny"), true, 200, 64);
  EXPECT_EQ(with.cycles, without.cycles);
}

TEST_F(GpuTest, TheOrderOfTheBlocksChangesNoResult) {
  const Sum linear = vec_add(load_config("8600gts"), false, 3000, 64);
  const Sum shuffled = vec_add(load_config("8600gts", {"gpu.cta_order=shuffled", "gpu.seed=3"}), false, 3000, 64);
  EXPECT_EQ(linear.c, shuffled.c);
}

TEST_F(GpuTest, AnIndexBehindABufferFaults) {
  Gpu gpu("gpu", load_config("tiny"));
  Driver driver(gpu.config, link_to(gpu));
  const Module module = assemble_file(G80_SOURCE_DIR "/kernels/vec_add/vec_add.sasm");
  driver.load_module(module);
  const std::uint32_t a = driver.alloc(64, "a");
  // 64 KB behind the buffer begins its guard page.
  driver.launch(driver.kernel("vec_add"),
                {gpu.config, module.kernels.front(), {1, 1, 1}, {32, 1, 1}, {a, a + page_table::kPageBytes, a, 32}});
  EXPECT_EQ(driver.wait(), WaitEnd::kDone);
  EXPECT_EQ(driver.last_launch().record.outcome, LaunchOutcome::kFault);
  EXPECT_EQ(driver.last_launch().record.fault.kind, FaultKind::kPageNotPresent);
  EXPECT_EQ(driver.last_launch().record.fault.address, a + page_table::kPageBytes);
}

}  // namespace
}  // namespace g80
