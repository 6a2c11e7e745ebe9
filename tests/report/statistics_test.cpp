// SPDX-License-Identifier: Apache-2.0
// The table, the statistics files and the exit code of known results.
#include "app/report/statistics.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/report/counters.h"
#include "app/report/summary_table.h"
#include "hw/common/version.h"
#include "input/input_error.h"
#include "source_dir.h"

namespace g80 {
namespace {

RunResult timed_result() {
  SmCounters sm;
  sm.scheduler_cycles = 100;
  sm.issued = 40;
  sm.stall = {{"raw_hazard", 50}, {"empty", 10}};
  sm.warp_instructions = 40;
  sm.coalesced_transactions = 5;
  LaunchResult launch;
  launch.kernel = "k";
  launch.grid = {2, 3, 1};
  launch.block = {64, 1, 1};
  launch.timed = true;
  launch.shader_cycles = 200;
  launch.executing_cycles = 150;
  launch.sms = {sm, sm};
  RunResult result;
  result.scenario = "demo";
  result.model = "gpu";
  result.launches = {launch};
  result.compared = true;
  result.checks = {{"c", 10, 0, ""}};
  result.shader_mhz = 1000;
  result.manifest.config_json = "{\"sm\": {\"max_warps\": 24}}";
  return result;
}
RunResult ended(LaunchEnd end, const std::string& expectation) {
  RunResult result = timed_result();
  result.launches[0].end = end;
  result.expectation = expectation;
  return result;
}

TEST(Statistics, StallReasonsAndIssuesAddUpToSchedulerCycles) {
  const auto json = nlohmann::json::parse(statistics_json({timed_result()}));
  for (const auto& sm : json["runs"][0]["launches"][0]["sms"]) {
    std::uint64_t sum = sm["issued"].get<std::uint64_t>();
    for (const auto& stall : sm["stall"].items()) sum += stall.value().get<std::uint64_t>();
    EXPECT_EQ(sum, sm["scheduler_cycles"].get<std::uint64_t>());
  }
}

TEST(Statistics, TotalsSumTheSms) {
  const auto run = nlohmann::json::parse(statistics_json({timed_result()}))["runs"][0];
  EXPECT_EQ(run["shader_cycles"], 200);
  EXPECT_EQ(run["executing_cycles"], 150);
  EXPECT_EQ(run["warp_instructions"], 80);
  EXPECT_DOUBLE_EQ(run["ipc"].get<double>(), 0.4);
  EXPECT_DOUBLE_EQ(run["milliseconds"].get<double>(), 0.0002);
  EXPECT_EQ(run["main_stall"], "raw_hazard");
  EXPECT_EQ(run["stall"]["empty"], 20);
  EXPECT_EQ(run["manifest"]["config"]["sm"]["max_warps"], 24);
  EXPECT_EQ(run["manifest"]["version"], kVersion);
}

TEST(Statistics, EveryDocumentedCounterIsWritten) {
  const auto sm = nlohmann::json::parse(statistics_json({timed_result()}))["runs"][0]["launches"][0]["sms"][0];
  std::size_t members = 0;
  for (const NamedCount& counter : counters_of(SmCounters())) {
    EXPECT_TRUE(sm.contains(counter.first)) << counter.first;
    ++members;
  }
  EXPECT_EQ(sm.size(), members + 1) << "all but `stall`";
}

TEST(Statistics, CsvHasOneLinePerCounter) {
  const std::string csv = statistics_csv({timed_result()});
  EXPECT_EQ(csv.find("run,launch,sm,counter,value,version\n"), 0u);
  EXPECT_NE(csv.find(std::string("\ndemo,0,1,stall_raw_hazard,50,") + kVersion + "\n"), std::string::npos);
  EXPECT_NE(csv.find(std::string("\ndemo,0,,shader_cycles,200,") + kVersion + "\n"), std::string::npos);
  EXPECT_NE(csv.find(std::string("\ndemo,0,,executing_cycles,150,") + kVersion + "\n"), std::string::npos);
}

TEST(Statistics, UntimedRunsHaveNoCycles) {
  RunResult result = timed_result();
  result.launches[0].timed = false;
  const auto run = nlohmann::json::parse(statistics_json({result}))["runs"][0];
  EXPECT_FALSE(run.contains("shader_cycles"));
  EXPECT_FALSE(run.contains("executing_cycles"));
  EXPECT_EQ(statistics_csv({result}).find("shader_cycles"), std::string::npos);
}

TEST(Statistics, EveryKeyOfARunIsInTheDocumentation) {
  std::ifstream stream(std::string(G80_SOURCE_DIR) + "/docs/stats.md");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const auto run = nlohmann::json::parse(statistics_json({timed_result()}))["runs"][0];
  for (const auto& object : {run, run["manifest"], run["launches"][0]}) {
    for (const auto& entry : object.items())
      EXPECT_NE(text.find("`" + entry.key() + "`"), std::string::npos) << entry.key();
  }
}

TEST(Statistics, OtherSuffixesAreRefused) { EXPECT_THROW(check_statistics_name("x.txt"), InputError); }

TEST(SummaryTable, ShowsTheRun) {
  const std::string table = summary_table(timed_result());
  for (const char* cell : {"demo", "2,3 x 64", "200", "150", "0.0002", "0.400", "raw_hazard", "ok"}) {
    EXPECT_NE(table.find(cell), std::string::npos) << cell << "\n" << table;
  }
}

TEST(SummaryTable, ItsRowsStandUnderItsHeads) {
  const std::string head = summary_head(12), row = summary_row(timed_result(), "demo trial=1", 12);
  EXPECT_EQ(row.find("demo trial=1"), 0u);
  EXPECT_EQ(head.find("cycles") + 6, row.find(" 200 ") + 4);
  EXPECT_EQ(head.find("executing") + 9, row.find(" 150 ") + 4);
  EXPECT_EQ(head.find("main stall"), row.find("raw_hazard"));
  EXPECT_EQ(head.find("golden"), row.find("ok"));
}

TEST(ExitCode, SaysHowTheRunEnded) {
  EXPECT_EQ(exit_code(timed_result()), 0);
  RunResult differs = timed_result();
  differs.checks[0].differing = 1;
  EXPECT_EQ(exit_code(differs), 1);
  EXPECT_EQ(exit_code(ended(LaunchEnd::kBarrierDeadlock, "pass")), 3);
  EXPECT_EQ(exit_code(ended(LaunchEnd::kBarrierDeadlock, "barrier_deadlock")), 3);
  EXPECT_EQ(exit_code(ended(LaunchEnd::kLivelock, "livelock")), 3);
  EXPECT_EQ(exit_code(ended(LaunchEnd::kHang, "pass")), 3);
  EXPECT_EQ(exit_code(ended(LaunchEnd::kMaxCycles, "pass")), 3);
  EXPECT_EQ(exit_code(ended(LaunchEnd::kFault, "fault")), 5);
  EXPECT_EQ(exit_code(ended(LaunchEnd::kFinished, "livelock")), 1) << "a kernel that must hang and does not is wrong";
}

TEST(AsExpected, AHangIsOnlyFineWhereItIsExpected) {
  EXPECT_TRUE(as_expected(timed_result()));
  EXPECT_TRUE(as_expected(ended(LaunchEnd::kBarrierDeadlock, "barrier_deadlock")));
  EXPECT_FALSE(as_expected(ended(LaunchEnd::kMaxCycles, "livelock")));
  EXPECT_FALSE(as_expected(ended(LaunchEnd::kLivelock, "pass")));
  EXPECT_FALSE(as_expected(ended(LaunchEnd::kFinished, "fault")));
}

}  // namespace
}  // namespace g80
