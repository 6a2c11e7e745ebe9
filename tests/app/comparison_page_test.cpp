// SPDX-License-Identifier: Apache-2.0
// The page of `g80 diff --report`.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tests/support/shell.h"

namespace {

namespace fs = std::filesystem;
using ::g80::test::Outcome;
using Page = nlohmann::json;

class ComparisonPage : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  Outcome g80(const std::string& arguments) const {
    return ::g80::test::shell("cd '" + folder_.string() + "' && " G80_PROGRAM " " + arguments);
  }
  Page page() const {
    std::ifstream in(folder_ / "d.html");
    const std::string text{std::istreambuf_iterator<char>(in), {}}, begin = "id=\"page\">";
    const std::size_t at = text.find(begin) + begin.size();
    return Page::parse(text.substr(at, text.find("</script>", at) - at));
  }
  const fs::path folder_ = fs::path(::testing::TempDir()) / ("g80_comparison_" + std::to_string(::getpid()));
};

const Page& titled(const Page& items, const std::string& title) {
  for (const Page& item : items) {
    if (item["title"] == title) return item;
  }
  ADD_FAILURE() << title << " is not in " << items;
  return items;
}

TEST_F(ComparisonPage, PutsThreeRunsSideBySide) {
  const std::string run = "run vec_add --check off --quiet --arg n=64 --arg block=64 --stats ";
  ASSERT_EQ(g80(run + "a.json").code, 0);
  ASSERT_EQ(g80(run + "b.json --set dram.t_rcd=30").code, 0);
  ASSERT_EQ(g80(run + "c.json --device tiny").code, 0);
  const Outcome outcome = g80("diff a.json b.json c.json --report d.html --quiet");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  const auto cycles = [&](const std::string& file) {
    std::ifstream in(folder_ / file);
    return Page::parse(in)["runs"][0]["shader_cycles"].get<double>();
  };
  const Page all = page();
  ASSERT_EQ(all["sections"].size(), 2u);
  EXPECT_EQ(all["sections"][0]["title"], "vec_add n=64 block=64");
  const Page& items = all["sections"][0]["items"];
  const Page& times = titled(items, "Time")["rows"][0];
  EXPECT_EQ(times[0], "shader cycles");
  EXPECT_EQ(times[1], cycles("a.json"));
  EXPECT_EQ(times[2], cycles("b.json"));
  EXPECT_EQ(times[3]["class"], "bad") << "slower";
  EXPECT_EQ(times[4], cycles("c.json"));
  const Page& bars = titled(items, "Shader cycles")["series"];
  EXPECT_EQ(bars[0]["y"][1].get<double>() + bars[1]["y"][1].get<double>(), cycles("b.json"));
  double stalls = 0;
  for (const Page& series : titled(items, "Scheduler cycles of all SMs")["series"])
    stalls += series["y"][0].get<double>();
  std::ifstream in(folder_ / "a.json");
  EXPECT_EQ(stalls, Page::parse(in)["runs"][0]["scheduler_cycles"].get<double>()) << "issued and all reasons";
  const Page& hot = titled(items, "Source lines at which warps waited longest")["rows"];
  EXPECT_EQ(hot[0][0].get<std::string>().rfind("vec_add.sasm:", 0), 0u) << hot[0];
  const Page& keys = titled(all["sections"][1]["items"], "Configuration keys that differ")["rows"];
  EXPECT_NE(keys.dump().find("[\"dram.t_rcd\","), std::string::npos);
}

TEST_F(ComparisonPage, OfTwoRunsHasTheirLinesAndTheCommandOfEach) {
  const Outcome outcome =
      g80("diff --run vec_add --arg n=64 --arg 'block=32 * 2' --a '--check off' --b '--check off --set dram.t_rcd=30' "
          "--report d.html --quiet");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  const Page all = page();
  const Page& hot = titled(all["sections"][0]["items"], "Source lines at which warps waited longest")["rows"];
  EXPECT_EQ(hot[0][0].get<std::string>().rfind("vec_add.sasm:", 0), 0u) << hot[0];
  const Page& runs = titled(all["sections"][1]["items"], "Runs")["rows"];
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0][3], "g80 run vec_add --arg n=64 --arg 'block=32 * 2' --check off");
  EXPECT_EQ(runs[1][3], "g80 run vec_add --arg n=64 --arg 'block=32 * 2' --check off --set dram.t_rcd=30");
  for (const std::size_t k : {0u, 1u}) {  // the command is that of the run
    const std::string command = runs[k][3];
    ASSERT_EQ(g80(command.substr(4) + " --stats own.json --quiet").code, 0);
    std::ifstream in(folder_ / "own.json");
    const Page& times = titled(all["sections"][0]["items"], "Time")["rows"][0];
    EXPECT_EQ(times[1 + k], Page::parse(in)["runs"][0]["shader_cycles"]) << command;
  }
}

TEST_F(ComparisonPage, ListsAllRunsWithAndWithoutTheLaunch) {
  const std::string run = "suite --only divergence --check off --quiet --stats ";
  ASSERT_EQ(g80(run + "a.json").code, 0);
  ASSERT_EQ(g80(run + "b.json --set host.launch_cycles=1000").code, 0);
  ASSERT_EQ(g80("diff a.json b.json --report d.html --quiet").code, 0);
  const Page all = page();
  const Page& items = all["sections"][0]["items"];
  std::ifstream in(folder_ / "a.json");
  const Page runs = Page::parse(in)["runs"];
  ASSERT_EQ(runs.size(), 2u);
  for (std::size_t k = 0; k < runs.size(); ++k) {
    EXPECT_EQ(titled(items, "Shader cycles")["rows"][k][1], runs[k]["shader_cycles"]);
    EXPECT_EQ(titled(items, "Executing cycles")["rows"][k][1], runs[k]["executing_cycles"]);
  }
}

TEST_F(ComparisonPage, NeedsARunThatAllHave) {
  ASSERT_EQ(g80("run vec_add --model golden --quiet --stats a.json").code, 0);
  ASSERT_EQ(g80("run coordinates --model golden --quiet --stats b.json").code, 0);
  const Outcome outcome = g80("diff a.json b.json --report d.html --quiet");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.output, "g80: --report: no run is in all of them\n");
}

}  // namespace
