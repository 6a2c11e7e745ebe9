// SPDX-License-Identifier: Apache-2.0
// The two levels of the TLB on the whole machine: what a chain of loads over more than the first level reaches takes,
// and what it reads of the page table.
#include <gtest/gtest.h>

#include <map>

#include "tb/machine/gpu_backend.h"
#include "toolchain/assembler/assembler.h"

namespace g80 {
namespace {

constexpr unsigned kLinks = 18;  // one each 512 KB: 9 MB, more than 16 entries reach
constexpr unsigned kLaps = 4;
constexpr double kWarmLoads = kLinks * (kLaps - 1);

struct Lap {
  double core_cycles = 0;      // a load of the later laps
  std::uint64_t walks = 0;     // of all laps, by the TLBs of the TPCs
  std::uint64_t known = 0;     // by the second level
  std::uint64_t requests = 0;  // of the TPCs, to memory
};

std::uint64_t count(const UnitCounters& counters, const std::string& name) {
  return std::map<std::string, std::uint64_t>(counters.begin(), counters.end()).at(name);
}
std::uint64_t sum(const std::vector<UnitCounters>& units, const std::string& name) {
  std::uint64_t sum = 0;
  for (const UnitCounters& unit : units) sum += count(unit, name);
  return sum;
}

/// Laps through a ring of pointers, one thread: the first lap touches every page for the first time. Nothing is
/// refreshed: when that hits a load depends on how long everything before it took.
Lap chase(std::vector<std::string> sets) {
  sets.push_back("dram.t_refi=1000000");
  const Config config = load_config("8600gts", sets);
  std::string body =
      ".kernel chase\n.reg 4\n.param ptr ring\n.param u32 laps\n  mov b32 $r1 b32 s[ring]\n  mov b32 $r2 b32 "
      "s[laps]\nlap:\n";
  for (unsigned i = 0; i < kLinks; ++i) body += "  ld b32 $r1 g14[$r1]\n";
  body += "  add b32 $r2 $r2 0xffffffff\n  set $c0 # lg s32 $r2 $r124\n  (lg $c0) bra lap\n  exit nop\n";
  const Module module = assemble(".arch sm_11\n" + body, "chase.sasm");
  const auto launch = [&](unsigned laps) {
    GpuBackend gpu(config, {});
    gpu.load(module);
    // From the start of a reach on, apart from what the chip's own TLB walks for: code and constants.
    const std::uint32_t step = config.tlb.reach_bytes,
                        ring = (gpu.allocate((kLinks + 1) * step, "ring") + step - 1) / step * step;
    for (unsigned i = 0; i < kLinks; ++i) {
      const std::uint32_t next = ring + (i + 1) % kLinks * step;
      gpu.write(ring + i * step, &next, 4);
    }
    return gpu.launch({config, module.kernels.front(), {1, 1, 1}, {1, 1, 1}, {ring, laps}, 0, 1'000'000});
  };
  const LaunchResult one = launch(1), all = launch(kLaps);
  EXPECT_EQ(all.end, LaunchEnd::kFinished) << all.message;
  Lap lap;
  lap.core_cycles = static_cast<double>(all.shader_cycles - one.shader_cycles) * config.clock.core_mhz /
                    config.clock.shader_mhz / kWarmLoads;
  lap.walks = sum(all.tpcs, "tlb_walks");
  lap.known = count(all.chip, "second_level_tlb_hits");
  lap.requests = sum(all.tpcs, "request_packets");
  return lap;
}

TEST(Translation, WhatOnlyTheSecondLevelKnowsTakesItsLatencyAndReadsNoPageTable) {
  const Lap first_level = chase({"tlb.entries=32"});
  const Lap second_level = chase({});
  EXPECT_EQ(second_level.walks, kLinks);
  EXPECT_GE(second_level.known, kWarmLoads);
  EXPECT_EQ(second_level.requests, first_level.requests) << "reads of the page table for what is known";
  const double latency = load_config("8600gts", {}).tlb.l2_latency;
  // Miss register, walker and its question in front of it; fill, and a second lookup, behind it.
  EXPECT_NEAR(second_level.core_cycles - first_level.core_cycles, latency + 5, 1);
  EXPECT_NEAR(chase({"tlb.l2_latency=110"}).core_cycles - second_level.core_cycles, 110 - latency, 1);
}

TEST(Translation, WithoutASecondLevelEveryMissReadsThePageTableTwice) {
  const Lap with = chase({}), without = chase({"tlb.l2_entries=0"});
  EXPECT_EQ(without.known, 0u);
  EXPECT_EQ(without.walks, kLinks * kLaps);
  EXPECT_EQ(without.requests - with.requests, 2 * (without.walks - with.walks));
  EXPECT_GT(without.core_cycles, 2 * with.core_cycles);
}

TEST(Translation, MoreThanTheSecondLevelReachesIsWalkedForAgain) {
  const Lap small = chase({"tlb.l2_entries=8", "tlb.l2_ways=4"});
  EXPECT_EQ(small.walks, kLinks * kLaps);
}

}  // namespace
}  // namespace g80
