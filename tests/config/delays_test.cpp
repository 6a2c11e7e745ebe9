// SPDX-License-Identifier: Apache-2.0
// What keys that add cycles stand for, and the quantities that follow from keys.
#include "hw/config/delays.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "hw/config/config.h"
#include "hw/config/config_keys.h"
#include "hw/config/key_lists.h"
#include "source_dir.h"

namespace g80 {
namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// A time or a rate, not a size or a policy.
bool is_timing_key(const ConfigKey& key) {
  for (const std::string_view unit : {"cycles", "edges", "MHz", "nanoseconds", "MB/s"}) {
    if (contains(key.unit, unit)) return true;
  }
  for (const std::string_view rate : {"per core c", "4 shader cycles"}) {
    if (contains(key.doc, rate)) return true;
  }
  const std::string name = key.full_name();
  for (const std::string_view rate : {"sm.launch_words", "sm.launch_lanes", "sm.num_sfus", "sm.num_dps"}) {
    if (name == rate) return true;  // lanes or words a cycle
  }
  return false;
}

TEST(KeyList, SaysOfEachKeyHowItIsKnown) {
  const std::string text = key_list("8600gts");
  const ConfigDetails details = load_config_details("8600gts");
  for (std::size_t i = 0; i < config_keys().size(); ++i) {
    const std::size_t key = text.find("\n  " + config_keys()[i].full_name() + ' ');
    ASSERT_NE(key, text.npos) << config_keys()[i].full_name();
    const std::string origin = "      " + details.origins[i].status + ": " + details.origins[i].source + '\n';
    EXPECT_EQ(text.compare(text.find('\n', key + 1) + 1, origin.size(), origin), 0) << config_keys()[i].full_name();
  }
}

/// Every key that is a time or a rate adds cycles, except the frequencies. The rows are in the order of the keys.
TEST(Delays, HaveOneRowForEveryKeyThatAddsCycles) {
  std::vector<std::string> expected, rows;
  for (const ConfigKey& key : config_keys()) {
    if (is_timing_key(key) && key.unit != "MHz") expected.push_back(key.full_name());
  }
  for (const Delay& delay : delays()) rows.emplace_back(delay.key);
  EXPECT_EQ(rows, expected);
}

TEST(Delays, NameFilesThatExist) {
  for (const Delay& delay : delays()) {
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(G80_SOURCE_DIR) / delay.file)) << delay.key;
    EXPECT_FALSE(delay.hardware.empty()) << delay.key;
  }
}

TEST(Delays, KnowsTimesFromSizes) {
  const auto key = [](const char* name) { return config_keys()[*find_config_key(name)]; };
  for (const char* name :
       {"clock.shader_mhz", "sm.alu_latency", "icache.l1_latency", "tex.address_lanes", "dram.t_rcd",
        "xbar.reply_flits_per_cycle", "host.link_mb_per_s", "host.link_latency_ns", "sm.smem_passes_per_4_cycles"}) {
    EXPECT_TRUE(is_timing_key(key(name))) << name;
  }
  for (const char* name : {"sm.max_warps", "icache.l1_bytes", "dram.num_banks", "sm.scheduler", "xbar.queue"}) {
    EXPECT_FALSE(is_timing_key(key(name))) << name;
  }
}

// Published peaks; stages that compute and those that only delay.
TEST(Quantities, FollowFromTheKeysOfADevice) {
  const auto values = [](const char* device) {
    std::map<std::string_view, std::string> list;
    for (const Quantity& quantity : quantities(load_config(device))) list[quantity.what] = quantity.value;
    return list;
  };
  auto g84 = values("8600gts"), gt200 = values("gtx280");
  EXPECT_EQ(g84["peak DRAM bandwidth"], "32.0 GB/s");
  EXPECT_EQ(g84["peak fp32 multiply-add"], "93.3 GFLOP/s");
  EXPECT_EQ(g84["fp64 instruction occupies its unit"], "no unit");
  EXPECT_EQ(g84["registers of an SP: stages that compute + padding"], "8 + 6");
  EXPECT_EQ(gt200["fp64 instruction occupies its unit"], "32 cycles");
  EXPECT_EQ(gt200["registers of the SFUs' multipliers"], "7 + 11");
  EXPECT_EQ(gt200["registers of the fp64 unit"], "10 + 0");
}

}  // namespace
}  // namespace g80
