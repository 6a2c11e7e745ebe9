// SPDX-License-Identifier: Apache-2.0
// Latency keys and the registers that they stand for: what the structure takes is free, two cycles more are one more
// register of the half-rate front end, and less than the structure is refused.
#include "hw/config/pipeline_depth.h"

#include <gtest/gtest.h>

#include <set>

#include "hw/config/initial_word.h"

namespace g80 {
namespace {

std::string with(const char* key, unsigned value) { return std::string(key) + "=" + std::to_string(value); }

/// Stages for each latency from `least` to `most`; what lies outside and what is odd is refused.
template <class Stages>
void expect_range(const char* key, unsigned least, unsigned most, unsigned stages_at_least, const Stages& stages) {
  SCOPED_TRACE(key);
  for (unsigned latency = least; latency <= most; latency += 2) {
    const Config config = load_config("gtx280", {with(key, latency)});
    ASSERT_EQ(stages(config), stages_at_least + latency - least) << latency;
  }
  for (const unsigned latency : {least - 2, least - 1, least + 1, most + 1, most + 2}) {
    const Config config = load_config("gtx280", {with(key, latency)});
    try {
      stages(config);
      ADD_FAILURE() << latency << " is accepted";
    } catch (const ConfigError& error) {
      EXPECT_EQ(std::string(error.what()), std::string(key) + " = " + std::to_string(latency) +
                                               ": allowed are even numbers from " + std::to_string(least) + " to " +
                                               std::to_string(most));
    }
  }
}

// 12 fixed cycles, 4 in which the lanes enter, and the structure: one cycle and the five registers behind the
// announcement are free.
TEST(ExecStages, AnSpInstructionTakesAtLeastItsEightStages) {
  expect_range("sm.alu_latency", 12 + 4 + 2, 12 + 4 + 62, 7, sp_stages);
  EXPECT_GE(sp_stages(load_config("tiny", {"sm.alu_latency=18"})) + 1, kSpFunctionalStages);
}
TEST(ExecStages, AnSfuInstructionEntersOverSixteenCyclesWithTwoSfus) {
  expect_range("sm.sfu_latency", 12 + 16, 12 + 16 + 62, 5, [](const Config& config) { return sfu_stages(config); });
  const Config four = load_config("gtx280", {"sm.num_sfus=4", "sm.sfu_latency=28"});
  EXPECT_EQ(sfu_stages(four), 5u + 8);
}
TEST(ExecStages, AnFp64InstructionEntersOverThirtyTwoCyclesWithOneUnit) {
  expect_range("sm.dp_latency", 12 + 32 + 4, 12 + 32 + 62, 9, dp_stages);
  EXPECT_EQ(dp_occupancy(load_config("gtx280")), 32u);
  EXPECT_EQ(dp_occupancy(load_config("gtx280", {"sm.num_dps=8"})), 4u);
  EXPECT_EQ(dp_occupancy(load_config("8800gtx")), 0u);
}
TEST(ExecStages, AMultiplyOnTheSfusUsesFourMultipliersEachAndNoMoreThanEightLanes) {
  const auto lanes = [](unsigned sfus) {
    return kWarpSize / multiply_occupancy(load_config("gtx280", {with("sm.num_sfus", sfus), "sm.sfu_mul=true"}));
  };
  EXPECT_EQ(lanes(1), 4u);
  EXPECT_EQ(lanes(2), 8u);
  EXPECT_EQ(lanes(4), 8u) << "the operand port feeds no more";
  EXPECT_EQ(multiply_occupancy(load_config("gtx280", {"sm.sfu_mul=false"})), 0u);
  const Config config = load_config("gtx280", {"sm.num_sfus=2", "sm.sfu_mul=true", "sm.sfu_latency=28"});
  EXPECT_EQ(multiply_stages(config), 17u) << "the 4 cycles in which it enters instead of 16, as registers";
}
TEST(ExecStages, WhatTheStagesDoNotUseIsPadding) {
  EXPECT_EQ(padding_registers(7, 8), 0u);
  EXPECT_EQ(padding_registers(20, 8), 13u);
}

/// `extra` is what `structure` does not take, and refuses other numbers.
template <class Extra>
void expect_rest(const char* key, unsigned structure, const std::vector<std::string>& sets, const Extra& extra) {
  SCOPED_TRACE(key);
  for (unsigned latency = 8; latency <= 255; ++latency) {
    std::vector<std::string> all = sets;
    all.push_back(with(key, latency));
    if (latency < structure || (latency - structure) % 2 != 0) {
      EXPECT_THROW(extra(load_config("tiny", all)), ConfigError) << latency;
    } else {
      ASSERT_EQ(extra(load_config("tiny", all)), latency - structure) << latency;
    }
  }
}
TEST(ExtraCycles, AreWhatTheStructureDoesNotTake) {
  expect_rest("sm.branch_latency", 16 + 2 * 3, {"icache.l1_latency=3"}, branch_extra_cycles);
  expect_rest("sm.smem_latency", 24 + 10, {"sm.alu_latency=24"}, smem_extra_cycles);
  expect_rest("sm.const_latency", 24 + 8, {"sm.alu_latency=24"}, const_extra_cycles);
  expect_rest("sm.return_latency", 12, {}, return_extra_cycles);
}

TEST(AccessEdges, AreCoreEdgesOfTheShaderCyclesBehindTheAddressUnit) {
  const auto edges = [](unsigned latency, const char* core, const char* shader) {
    return access_edges(load_config("tiny", {with("sm.address_latency", latency), std::string("clock.core_mhz=") + core,
                                             std::string("clock.shader_mhz=") + shader, "clock.crossing_edges=2"}));
  };
  EXPECT_EQ(edges(106, "500", "1000"), 50u);
  EXPECT_EQ(edges(106, "1000", "1000"), 100u);
  EXPECT_EQ(edges(106, "1000", "500"), 200u);
  EXPECT_EQ(edges(107, "500", "1000"), 51u) << "50.5, to the nearest";
  EXPECT_EQ(edges(8, "1000", "1000"), 2u);
  EXPECT_EQ(edges(9, "1000", "1000"), 3u);
  EXPECT_EQ(edges(6, "1000", "1000"), 2u) << "never less than the crossing";
}

TEST(InitialWords, AreWhatTheKeySays) {
  const InitialWords zero(load_config("tiny", {"sm.init=zero"})), poison(load_config("tiny", {"sm.init=poison"}));
  const InitialWords random(load_config("tiny", {"sm.init=random", "gpu.seed=1"}));
  const InitialWords again(load_config("tiny", {"sm.init=random", "gpu.seed=1"}));
  const InitialWords other(load_config("tiny", {"sm.init=random", "gpu.seed=2"}));
  std::set<std::uint32_t> words;
  unsigned ones = 0;
  for (unsigned row = 0; row < 16; ++row) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      EXPECT_EQ(zero.of_register(row, lane), 0u);
      EXPECT_EQ(poison.of_register(row, lane), 0xdeadbeefu);
      EXPECT_EQ(random.of_register(row, lane), again.of_register(row, lane));
      EXPECT_NE(random.of_register(row, lane), other.of_register(row, lane));
      words.insert(random.of_register(row, lane));
      ones += static_cast<unsigned>(__builtin_popcount(random.of_register(row, lane)));
    }
    EXPECT_EQ(zero.of_shared(row), 0u);
    EXPECT_EQ(poison.of_shared(row), 0xdeadbeefu);
    words.insert(random.of_shared(row));
  }
  EXPECT_EQ(words.size(), 16 * kWarpSize + 16) << "every place has a word of its own";
  EXPECT_NEAR(ones, 16 * kWarpSize * 16, 400);
}

}  // namespace
}  // namespace g80
