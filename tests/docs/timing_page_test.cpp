// SPDX-License-Identifier: Apache-2.0
// docs/timing.md against the configuration it is printed from.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "docs/timing_table.h"
#include "source_dir.h"

namespace g80 {
namespace {

TEST(TimingPage, IsWhatTheConfigurationSays) {
  std::ifstream committed(G80_SOURCE_DIR "/docs/timing.md");
  std::istringstream printed(timing_page());
  std::string is, should;
  for (unsigned line = 1; std::getline(printed, should); ++line) {
    ASSERT_TRUE(std::getline(committed, is)) << "docs/timing.md ends before line " << line;
    ASSERT_EQ(is, should) << "docs/timing.md, line " << line << ": build timing_doc and write its output there";
  }
  EXPECT_FALSE(std::getline(committed, is)) << "docs/timing.md goes on after the last line";
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
  for (const char* name : {"clock.shader_mhz", "sm.alu_latency", "icache.l1_latency", "tex.address_lanes", "dram.t_rcd",
                           "xbar.reply_flits_per_cycle", "host.copy_bytes_per_cycle", "sm.smem_passes_per_4_cycles"}) {
    EXPECT_TRUE(is_timing_key(key(name))) << name;
  }
  for (const char* name : {"sm.max_warps", "icache.l1_bytes", "dram.num_banks", "sm.scheduler", "xbar.queue"}) {
    EXPECT_FALSE(is_timing_key(key(name))) << name;
  }
}

}  // namespace
}  // namespace g80
