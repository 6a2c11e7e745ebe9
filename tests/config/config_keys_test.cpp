// SPDX-License-Identifier: Apache-2.0
// The table of keys as data: it agrees with the struct, its spellings round-trip, the manifest is reproducible.
#include "hw/config/config_keys.h"
#include "source_dir.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

namespace g80 {
namespace {

TEST(ConfigKeys, NamesAreUnique) {
  std::set<std::string> names;
  for (const ConfigKey& key : config_keys()) EXPECT_TRUE(names.insert(key.full_name()).second) << key.full_name();
}

TEST(ConfigKeys, EveryKeyIsDocumented) {
  for (const ConfigKey& key : config_keys()) {
    EXPECT_GE(key.doc.size(), 5u) << key.full_name();
    EXPECT_NE(key.allowed(), "") << key.full_name();
  }
}

TEST(ConfigKeys, EveryKeyCanBeWrittenAndReadBack) {
  const Config reference = load_config("8600gts");
  for (const ConfigKey& key : config_keys()) {
    Config config;
    const ConfigValue value = key.load(reference);
    ASSERT_TRUE(key.store(config, key, value)) << key.full_name();
    EXPECT_EQ(key.load(config), value) << key.full_name();
  }
}

TEST(ConfigKeys, BothEndsOfEveryRangeFitAndTheNextDoNot) {
  for (const ConfigKey& key : config_keys()) {
    if (key.type != "u32" && key.type != "u64") continue;
    SCOPED_TRACE(key.full_name());
    Config config;
    const auto min = static_cast<std::int64_t>(key.min);
    const auto max = static_cast<std::int64_t>(key.max);
    for (const std::int64_t end : {min, max}) {
      EXPECT_TRUE(key.store(config, key, end));
      EXPECT_EQ(key.load(config), ConfigValue(end));
    }
    EXPECT_FALSE(key.store(config, key, min - 1));
    EXPECT_FALSE(key.store(config, key, max + 1));
    EXPECT_EQ(key.load(config), ConfigValue(max));  // a refused value leaves the old one
  }
}

TEST(ConfigKeys, ChoicesRoundTrip) {
  EXPECT_EQ(to_text(SchedulerPolicy::kLooseRoundRobin), "loose_round_robin");
  EXPECT_EQ(to_text(DramPolicy::kFrFcfs), "fr_fcfs");
  EXPECT_EQ(from_text<BarrierExpected>("launched"), BarrierExpected::kLaunched);
  EXPECT_EQ(from_text<InitState>("poison"), InitState::kPoison);
  EXPECT_EQ(from_text<BankHash>("XOR"), std::nullopt);
  EXPECT_EQ(from_text<BankHash>(""), std::nullopt);
  for (const ConfigKey& key : config_keys()) {
    for (const std::string_view spelling : key.choices) {
      Config config;
      EXPECT_TRUE(key.store(config, key, std::string(spelling)));
      EXPECT_EQ(key.load(config), ConfigValue(std::string(spelling)));
      // A policy is documented where it is defined.
      const bool documented =
          key.doc.find(spelling) != std::string_view::npos || key.doc.find("_policies.h") != std::string_view::npos;
      EXPECT_TRUE(documented) << key.full_name() << " does not document " << spelling;
    }
  }
}

TEST(ConfigManifest, HoldsEveryKeyInTableOrder) {
  const Config config = load_config("gtx280");
  const auto json = nlohmann::ordered_json::parse(resolved_config_json(config));
  std::vector<std::string> names;
  for (const auto& [section, keys] : json.items()) {
    for (const auto& item : keys.items()) names.push_back(section + "." + item.key());
  }
  std::vector<std::string> expected;
  for (const ConfigKey& key : config_keys()) expected.push_back(key.full_name());
  EXPECT_EQ(names, expected);
  EXPECT_EQ(json["clock"]["dram_mhz"], 1107.0);
  EXPECT_EQ(json["coalescer"]["segment_rule"], true);
  EXPECT_EQ(json["sm"]["scheduler"], "loose_round_robin");
  EXPECT_EQ(json["device"]["memory_bytes"], 1073414144u);
}

TEST(ConfigManifest, HashFollowsValuesAndNotTheirOrigin) {
  const std::string preset = config_hash(load_config("8600gts"));
  EXPECT_EQ(preset.size(), 16u);
  EXPECT_EQ(config_hash(load_config("8600gts", {"dram.t_rcd=15"})), preset);  // the value it already has
  EXPECT_EQ(config_hash(load_config(G80_SOURCE_DIR "/configs/8600gts.toml")), preset);
  std::set<std::string> hashes{preset};
  for (const char* change : {"dram.t_rcd=16", "dram.t_rrd=16", "sm.scheduler=oldest_first", "device.name=GeForce",
                             "clock.core_mhz=675.0001", "coalescer.segment_rule=true"}) {
    EXPECT_TRUE(hashes.insert(config_hash(load_config("8600gts", {change}))).second) << change;
  }
}

TEST(NearestName, PrefersTheSmallestEdit) {
  EXPECT_EQ(nearest_name("8800gt", {"8600gts", "8800gtx", "gtx280"}), "8800gtx");
  EXPECT_EQ(nearest_name("x", {}), "");
  EXPECT_EQ(nearest_config_key("dram.trcd"), "dram.t_rcd");
  EXPECT_EQ(nearest_config_key("alu_latency"), "sm.alu_latency");
}

}  // namespace
}  // namespace g80
