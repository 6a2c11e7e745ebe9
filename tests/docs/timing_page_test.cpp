// SPDX-License-Identifier: Apache-2.0
// docs/timing.md, docs/delays.md and docs/parameters.md against the configuration they are printed from.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "docs/parameter_page.h"
#include "docs/timing_table.h"
#include "hw/config/delays.h"
#include "source_dir.h"

namespace g80 {
namespace {

/// The committed page is what `command` prints.
void expect_committed(const std::string& page, const std::string& text, const std::string& command) {
  std::ifstream committed(G80_SOURCE_DIR "/docs/" + page);
  std::istringstream printed(text);
  std::string is, should;
  for (unsigned line = 1; std::getline(printed, should); ++line) {
    ASSERT_TRUE(std::getline(committed, is)) << page << " ends before line " << line;
    ASSERT_EQ(is, should) << page << ", line " << line << ": build timing_doc and write the output of `" << command
                          << "` there";
  }
  EXPECT_FALSE(std::getline(committed, is)) << page << " goes on after the last line";
}

TEST(TimingPage, IsWhatTheConfigurationSays) { expect_committed("timing.md", timing_page(), "timing_doc"); }
TEST(ParametersPage, IsWhatTheConfigurationSays) {
  expect_committed("parameters.md", parameters_page(), "timing_doc parameters");
}

/// Two values of a key against the preset's: the better one for six times is chosen each time.
TEST(LeaveOneOut, ChoosesWithoutTheTrialThatItPredicts) {
  const Times measured = {10, 10, 10, 10, 10, 10, 10};
  const std::vector<FitRun> runs = {
      {"", "", {12, 12, 12, 12, 12, 12, 12}},
      {"near", "1", {11, 11, 11, 11, 11, 11, 11}},
      {"near", "2", {10, 10, 10, 10, 10, 10, 14}},  // worse in the mean of all seven, best without the last one
      {"other", "3", {10, 10, 10, 10, 10, 10, 10}},
  };
  const std::vector<LeftOut> list = leave_one_out(runs, "near", measured);
  ASSERT_EQ(list.size(), 7u);
  for (unsigned trial = 0; trial < 6; ++trial) {
    EXPECT_EQ(list[trial].trial, trial + 1);
    EXPECT_EQ(list[trial].value, "1") << trial;
    EXPECT_NEAR(list[trial].error, 0.1, 1e-9);
  }
  EXPECT_EQ(list[6].value, "2");
  EXPECT_NEAR(list[6].error, 0.4, 1e-9);
  EXPECT_EQ(leave_one_out(runs, "absent", measured)[0].value, "") << "only the preset's values are left";
}

TEST(DelaysPage, IsWhatTheConfigurationSays) { expect_committed("delays.md", delays_page(), "timing_doc delays"); }

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

TEST(TimingPage, ShowsEveryKeyOnceAndTimesApartFromSizes) {
  const std::string page = timing_page();
  const auto sizes = page.find("## Sizes and policies");
  ASSERT_NE(sizes, std::string::npos);
  for (const ConfigKey& key : config_keys()) {
    const std::string row = "\n| `" + key.full_name() + "` |";
    const auto at = page.find(row);
    ASSERT_NE(at, std::string::npos) << key.full_name();
    EXPECT_EQ(page.find(row, at + 1), std::string::npos) << key.full_name();
    EXPECT_EQ(at < sizes, is_timing_key(key)) << key.full_name();
  }
}

TEST(TimingPage, KnowsTimesFromSizes) {
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

}  // namespace
}  // namespace g80
