// SPDX-License-Identifier: Apache-2.0
// The heap of CUDA programs over the memory of the golden reference, against books of what is allocated.
#include "runtime/heap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "hw/config/config.h"
#include "input/input_error.h"
#include "tb/scenario/golden_backend.h"
#include "tests/support/random_seed.h"

namespace g80::cuda {
namespace {

TEST(Heap, AllocationsLieSideBySideInGranulesOf256Bytes) {
  GoldenBackend memory(load_config("tiny"));
  Heap heap(memory, Placement::kHeap);
  std::uint32_t end = kHeapStart + 0x10000;  // a page lies in front of the first
  for (const std::uint32_t bytes : {1u, 256u, 257u, 4000u, 4096u, 1u}) {
    EXPECT_EQ(heap.allocate(bytes), end) << bytes;
    end += (bytes + 255) / 256 * 256;
  }
}

TEST(Heap, BlocksFollowOneAnotherSoThatBigBuffersAreNeighboursToo) {
  GoldenBackend memory(load_config("8600gts"));
  Heap heap(memory, Placement::kHeap);
  const std::uint32_t a = heap.allocate(4 << 20), b = heap.allocate(4 << 20);
  EXPECT_EQ(b, a + (4 << 20));
}

TEST(Heap, AGuardedOneLeavesAGapBehindEach) {
  GoldenBackend memory(load_config("tiny"));
  Heap heap(memory, Placement::kGuarded);
  const std::uint32_t a = heap.allocate(4096), b = heap.allocate(4096);
  EXPECT_GE(b, a + 4096 + 256);
  EXPECT_TRUE(heap.release(a));
  EXPECT_FALSE(heap.release(a));
}

TEST(Heap, AllOfTheFreeMemoryCanBeHadAndNoMore) {
  for (const Placement placement : {Placement::kHeap, Placement::kGuarded}) {
    GoldenBackend memory(load_config("tiny"));
    Heap heap(memory, placement);
    const std::uint64_t all = heap.free_bytes();
    EXPECT_THROW(heap.allocate(all + 1), InputError);
    EXPECT_THROW(heap.allocate(0xffff'ffff), InputError);
    EXPECT_THROW(heap.allocate(std::uint64_t{5} << 32), InputError);
    const std::uint32_t address = heap.allocate(all);
    EXPECT_EQ(heap.free_bytes(), 0u);
    EXPECT_THROW(heap.allocate(1), InputError);
    EXPECT_TRUE(heap.release(address));
    EXPECT_EQ(heap.free_bytes(), all);
  }
}

TEST(Heap, RandomAllocationsNeverOverlapReadZeroAndComeBack) {
  for (const Placement placement : {Placement::kHeap, Placement::kGuarded}) {
    std::mt19937 random(random_seed());
    GoldenBackend memory(load_config("8600gts"));
    Heap heap(memory, placement);
    const std::uint64_t all = heap.free_bytes();
    std::map<std::uint32_t, std::uint32_t> live;  // address, bytes
    for (int step = 0; step < 2000; ++step) {
      if (live.size() > random() % 40) {
        const auto one = std::next(live.begin(), random() % live.size());
        ASSERT_TRUE(heap.release(one->first));
        live.erase(one);
        continue;
      }
      const std::uint32_t bytes = 1 + random() % (random() % 4 != 0 ? 3000 : 300000);
      const std::uint32_t address = heap.allocate(bytes);
      ASSERT_EQ(address % 256, 0u);
      const auto above = live.lower_bound(address);
      ASSERT_TRUE(above == live.end() || address + bytes <= above->first);
      ASSERT_TRUE(above == live.begin() || std::prev(above)->first + std::prev(above)->second <= address);
      live[address] = bytes;
      std::vector<std::uint8_t> contents(bytes);
      memory.read(address, contents.data(), bytes);
      ASSERT_EQ(std::count(contents.begin(), contents.end(), 0), bytes) << "step " << step;
      memory.fill({address, bytes}, 0xffffffff);
    }
    for (const auto& [address, bytes] : live) EXPECT_TRUE(heap.release(address));
    EXPECT_EQ(heap.free_bytes(), all);
  }
}

}  // namespace
}  // namespace g80::cuda
