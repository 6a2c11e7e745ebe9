// SPDX-License-Identifier: Apache-2.0
// Latency keys and the registers that they stand for: what the structure takes is free, two cycles more are one more
// register of the half-rate front end, and less than the structure is refused.
#include "hw/config/pipeline_depth.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "hw/config/initial_word.h"

namespace g80 {
namespace {

std::string with(const char* key, unsigned value) { return std::string(key) + "=" + std::to_string(value); }

/// What a configuration with these values is refused for; empty if it is taken.
std::string refusal(const char* device, const std::vector<std::string>& sets) {
  try {
    load_config(device, sets);
    return {};
  } catch (const ConfigError& error) {
    return error.what();
  }
}

// A seed names the same machine in every version.
TEST(InitialWord, OfASeedAndAPlaceStaysTheSame) {
  EXPECT_EQ(random_word(0, 0), 0xe220a838u);
  EXPECT_EQ(random_word(7, 3), 0x15bcb23cu);
  EXPECT_EQ(random_word((std::uint64_t{1} << 40) + 1, 1000), 0x8f5b49e5u);
}

/// Stages for each latency from `least` to `most`; what lies outside and what is odd is refused.
template <class Stages>
void expect_range(const char* key, unsigned least, unsigned most, unsigned stages_at_least, const Stages& stages) {
  SCOPED_TRACE(key);
  const auto sets = [key](unsigned latency) {
    return std::vector<std::string>{with(key, latency), "sm.smem_latency=200", "sm.const_latency=200",
                                    "sm.sfu_mul=false"};
  };
  for (unsigned latency = least; latency <= most; latency += 2) {
    ASSERT_EQ(stages(load_config("gtx280", sets(latency))), stages_at_least + latency - least) << latency;
  }
  for (const unsigned latency : {least - 2, least - 1, least + 1, most + 1, most + 2}) {
    const std::string text = refusal("gtx280", sets(latency));
    EXPECT_EQ(text.find(fmt::format("--set {0}={1}: {0} = {1} must be an even number from {2} to {3}", key, latency,
                                    least, most)),
              0u)
        << text;
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
    return kWarpSize / multiply_occupancy(
                           load_config("gtx280", {with("sm.num_sfus", sfus), "sm.sfu_latency=60", "sm.sfu_mul=true"}));
  };
  EXPECT_EQ(lanes(1), 4u);
  EXPECT_EQ(lanes(2), 8u);
  EXPECT_EQ(lanes(4), 8u) << "the operand port feeds no more";
  EXPECT_EQ(multiply_occupancy(load_config("gtx280", {"sm.sfu_mul=false"})), 0u);
  const Config config = load_config("gtx280", {"sm.num_sfus=2", "sm.sfu_mul=true", "sm.sfu_latency=28"});
  EXPECT_EQ(multiply_stages(config), 17u) << "the 4 cycles in which it enters instead of 16, as registers";
}
TEST(ExecStages, MultipliesOnTheSfusAndFewerSfusAllowOtherLatencies) {
  EXPECT_NE(refusal("tiny", {"sm.num_sfus=4", "sm.sfu_latency=18"}).find("from 20 to 82 with sm.num_sfus = 4"),
            std::string::npos);
  EXPECT_NE(refusal("tiny", {"sm.sfu_mul=true", "sm.sfu_latency=84"})
                .find("from 18 to 78 with sm.sfu_mul and sm.num_sfus = 2"),
            std::string::npos);
  EXPECT_EQ(refusal("tiny", {"sm.sfu_mul=false", "sm.sfu_latency=84"}), "");
  EXPECT_EQ(refusal("tiny", {"sm.num_dps=0", "sm.dp_latency=9"}), "") << "there is no such pipe";
}
// A latency that others are counted from is looked at before them.
TEST(ExecStages, TheKeyThatIsWrongIsNamed) {
  EXPECT_EQ(refusal("tiny", {"sm.alu_latency=80"}).find("--set sm.alu_latency=80: sm.alu_latency = 80 must"), 0u);
  EXPECT_EQ(refusal("tiny", {"sm.alu_latency=23"}).find("--set sm.alu_latency=23: sm.alu_latency = 23 must"), 0u);
}
TEST(ExecStages, WhatTheStagesDoNotUseIsPadding) {
  EXPECT_EQ(padding_registers(7, 8), 0u);
  EXPECT_EQ(padding_registers(20, 8), 13u);
}

/// `extra` is what `structure` does not take; other numbers are refused, with the key that the structure depends on.
template <class Extra>
void expect_rest(const char* key, unsigned structure, const std::vector<std::string>& sets, const char* of,
                 const Extra& extra) {
  SCOPED_TRACE(key);
  for (unsigned latency = 8; latency <= 255; ++latency) {
    std::vector<std::string> all = sets;
    all.push_back(with(key, latency));
    if (latency < structure || (latency - structure) % 2 != 0) {
      EXPECT_EQ(refusal("tiny", all), fmt::format("--set {0}={1}: {0} = {1} must be an even number from {2} on{3}", key,
                                                  latency, structure, of));
    } else {
      ASSERT_EQ(extra(load_config("tiny", all)), latency - structure) << latency;
    }
  }
}
TEST(ExtraCycles, AreWhatTheStructureDoesNotTake) {
  expect_rest("sm.branch_latency", 16 + 2 * 3, {"icache.l1_latency=3"}, " (16 + 2 x icache.l1_latency)",
              branch_extra_cycles);
  expect_rest("sm.smem_latency", 24 + 10, {"sm.alu_latency=24"}, " (sm.alu_latency + 10)", smem_extra_cycles);
  expect_rest("sm.const_latency", 24 + 8, {"sm.alu_latency=24"}, " (sm.alu_latency + 8)", const_extra_cycles);
  expect_rest("sm.return_latency", 12, {}, "", return_extra_cycles);
}

TEST(AccessWay, IsWhatTheCrossingLeavesOfTheCoreEdgesBehindTheAddressUnit) {
  const auto registers = [](unsigned latency, const char* core, const char* shader) {
    return access_way(load_config("tiny", {with("sm.address_latency", latency), std::string("clock.core_mhz=") + core,
                                           std::string("clock.shader_mhz=") + shader, "clock.crossing_edges=3"}));
  };
  EXPECT_EQ(registers(106, "500", "1000"), 47u);
  EXPECT_EQ(registers(106, "1000", "1000"), 97u);
  EXPECT_EQ(registers(106, "1000", "500"), 197u);
  EXPECT_EQ(registers(107, "500", "1000"), 48u) << "50.5, to the nearest";
  EXPECT_EQ(registers(9, "1000", "1000"), 0u);
  EXPECT_EQ(registers(10, "1000", "1000"), 1u);
  EXPECT_EQ(registers(6, "1000", "1000"), 0u) << "never less than the crossing";
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
