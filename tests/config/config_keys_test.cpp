// SPDX-License-Identifier: Apache-2.0
// The table of keys as data: it agrees with the struct, its spellings round-trip, the manifest is reproducible.
#include "hw/config/config_keys.h"
#include "input/nearest_name.h"
#include "source_dir.h"

#include <gtest/gtest.h>

#include <cmath>
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

const ConfigKey& key_of(const char* name) { return config_keys()[*find_config_key(name)]; }

TEST(ConfigKeys, SayWhatIsAllowed) {
  EXPECT_EQ(key_of("coalescer.segment_rule").allowed(), "true or false");
  EXPECT_EQ(key_of("device.name").allowed(), "a text of printable characters");
  EXPECT_EQ(key_of("dram.policy").allowed(), "one of fr_fcfs, fcfs");
  EXPECT_EQ(key_of("device.compute_major").allowed(), "1");
  EXPECT_EQ(key_of("dram.t_rcd").allowed(), "an integer from 1 to 255 (cycles)");
  EXPECT_EQ(key_of("clock.core_mhz").allowed(), "a number from 1 to 10000 (MHz)");
  EXPECT_EQ(key_of("ccache.mshrs").allowed(), "an integer from 1 to 32");
  EXPECT_EQ(find_config_key("dram.t_rcd_"), std::nullopt);
}

TEST(ConfigKeys, TakeValuesOfTheirTypeAlone) {
  const auto takes = [](const char* name, const ConfigValue& value) {
    Config config;
    return key_of(name).store(config, key_of(name), value);
  };
  EXPECT_TRUE(takes("clock.core_mhz", std::int64_t{500}));
  EXPECT_TRUE(takes("clock.core_mhz", 1.0));
  EXPECT_TRUE(takes("clock.core_mhz", 10000.0));
  EXPECT_FALSE(takes("clock.core_mhz", 0.999));
  EXPECT_FALSE(takes("clock.core_mhz", 10000.001));
  EXPECT_FALSE(takes("clock.core_mhz", std::nan("")));
  EXPECT_FALSE(takes("clock.core_mhz", std::string("500")));
  EXPECT_FALSE(takes("dram.t_rcd", 15.0)) << "a real never fits an integer";
  EXPECT_FALSE(takes("dram.t_rcd", true));
  EXPECT_TRUE(takes("coalescer.segment_rule", true));
  EXPECT_FALSE(takes("coalescer.segment_rule", std::int64_t{1}));
  EXPECT_TRUE(takes("device.name", std::string(" ~")));
  EXPECT_FALSE(takes("device.name", std::string()));
  EXPECT_FALSE(takes("device.name", std::string("a\tb")));
  EXPECT_FALSE(takes("device.name", std::string("\x7f")));
  EXPECT_FALSE(takes("device.name", true));
}

TEST(ConfigValue, IsReadFromTextAsItsKeySays) {
  const auto read = [](const char* name, const char* text) {
    return quote_config_value(parse_config_value(key_of(name), text));
  };
  EXPECT_EQ(read("coalescer.segment_rule", "true"), "true");
  EXPECT_EQ(read("coalescer.segment_rule", "1"), "true");
  EXPECT_EQ(read("coalescer.segment_rule", "false"), "false");
  EXPECT_EQ(read("coalescer.segment_rule", "0"), "false");
  EXPECT_EQ(read("coalescer.segment_rule", "yes"), "'yes'");
  for (const char* key : {"dram.t_rcd", "device.memory_bytes"}) {
    EXPECT_EQ(read(key, "24"), "24");
    EXPECT_EQ(read(key, "-24"), "-24");
    EXPECT_EQ(read(key, "0x20"), "32");
    EXPECT_EQ(read(key, "0X2f"), "47");
    EXPECT_EQ(read(key, "0x"), "'0x'");
    EXPECT_EQ(read(key, "-0x10"), "-16");
    EXPECT_EQ(read(key, "--1"), "'--1'");
    EXPECT_EQ(read(key, "-"), "'-'");
    EXPECT_EQ(read(key, ""), "''");
    EXPECT_EQ(read(key, "12a"), "'12a'");
    EXPECT_EQ(read(key, "1.5"), "'1.5'");
    EXPECT_EQ(read(key, "99999999999999999999"), "'99999999999999999999'") << "as it is written";
    EXPECT_EQ(read(key, "-0x8000000000000001"), "'-0x8000000000000001'");
    EXPECT_EQ(read(key, "9223372036854775807"), "9223372036854775807");
    EXPECT_EQ(read(key, "1e30"), "'1e30'");
    EXPECT_EQ(read(key, "99999999999999999999x"), "'99999999999999999999x'");
  }
  EXPECT_EQ(read("clock.core_mhz", "500"), "500");
  EXPECT_EQ(read("clock.core_mhz", "1e3"), "1000");
  EXPECT_EQ(read("clock.core_mhz", "500x"), "'500x'");
  EXPECT_EQ(read("clock.core_mhz", "99999999999999999999"), "'99999999999999999999'") << "as it is written";
  EXPECT_EQ(read("clock.core_mhz", ""), "''");
  EXPECT_EQ(read("device.name", "0x20"), "'0x20'");
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
  EXPECT_EQ(nearest_config_key("sm.t_rcd"), "dram.t_rcd") << "only the section is wrong";
}

// The first name is `edits` away, the second one more: equals go to the first, so both orders are tried.
TEST(NearestName, CountsInsertionsRemovalsReplacementsAndSwaps) {
  const auto nearest = [](const char* name, const char* near, const char* far) {
    EXPECT_EQ(nearest_name(name, {near, far}), near);
    EXPECT_EQ(nearest_name(name, {far, near}), near);
  };
  nearest("abcd", "bacd", "bxcd");     // one swap, two replacements
  nearest("abcd", "abdc", "abxy");     // at the end
  nearest("abcd", "abxcd", "axbxcd");  // one insertion, two
  nearest("abcd", "acd", "ad");        // one removal, two
  nearest("abcd", "abce", "abxe");     // one replacement, two
  nearest("abcd", "", "efghij");       // four removals, six edits
  nearest("abcd", "badc", "bcda1");    // two swaps, one removal and two insertions
  EXPECT_EQ(nearest_name("abcd", {"abce", "abcf"}), "abce") << "the first of equals";
  EXPECT_EQ(nearest_name("ab", {"xbay", "ba"}), "ba");
}

}  // namespace
}  // namespace g80
