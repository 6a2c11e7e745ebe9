// SPDX-License-Identifier: Apache-2.0
// What is said about two statistics files.
#include "app/report/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/report/counters.h"
#include "app/report/statistics.h"
#include "input/input_error.h"

namespace g80 {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

RunResult result_of(std::uint64_t cycles, std::uint64_t misses, const std::string& contents = "00c0ffee00c0ffee") {
  SmCounters sm;
  sm.issued = 40;
  sm.blocks = 3;
  LaunchResult launch;
  launch.kernel = "k";
  launch.timed = true;
  launch.shader_cycles = cycles;
  launch.sms = {sm, sm};
  UnitCounters& partition = launch.partitions.emplace_back();
  for (const Counter& counter : counters()) {
    if (counter.scope == CounterScope::kPartition)
      partition.emplace_back(counter.name, counter.name == "dram_row_opened" ? misses : 0);
  }
  RunResult result;
  result.scenario = "demo";
  result.model = "gpu";
  result.arguments = {{"n", "5"}};
  result.launches = {launch};
  result.fingerprints = {{"out", contents}};
  result.shader_mhz = 1000;
  result.manifest.config_json = R"({"sm": {"max_warps": 24}})";
  return result;
}
Json document(const std::vector<RunResult>& results) { return Json::parse(statistics_json(results)); }
Comparison compare(const std::vector<RunResult>& a, const std::vector<RunResult>& b) {
  return compare_statistics(document(a), "a.json", document(b), "b.json");
}
const MetricPair& metric(const RunComparison& run, const std::string& name) {
  for (const MetricPair& pair : run.metrics) {
    if (pair.name == name) return pair;
  }
  throw std::runtime_error("no metric " + name);
}

TEST(Comparison, OfARunWithItselfIsEmpty) {
  const Comparison same = compare({result_of(200, 7)}, {result_of(200, 7)});
  ASSERT_EQ(same.runs.size(), 1u);
  EXPECT_TRUE(same.runs[0].results_stay());
  EXPECT_TRUE(same.runs[0].keys.empty());
  for (const MetricPair& pair : same.runs[0].metrics) EXPECT_EQ(pair.change(), 0) << pair.name;
  EXPECT_THAT(comparison_text(same, false), HasSubstr("all counters are equal"));
}

TEST(Comparison, SumsCountersAndTellsTheirChange) {
  const Comparison comparison = compare({result_of(200, 4)}, {result_of(202, 5)});
  const RunComparison& run = comparison.runs.at(0);
  EXPECT_EQ(run.run, "demo n=5");
  EXPECT_EQ(metric(run, "blocks").a, 6) << "of both SMs";
  EXPECT_DOUBLE_EQ(metric(run, "shader_cycles").change(), 1);
  EXPECT_DOUBLE_EQ(metric(run, "dram_row_misses").change(), 25);
  EXPECT_TRUE(std::isinf((MetricPair{"x", 0, 3}.change())));
  EXPECT_THAT(comparison_text(comparison, false), Not(HasSubstr("blocks")));
  EXPECT_THAT(comparison_text(comparison, true), HasSubstr("blocks"));
}

TEST(Comparison, FindsResultsThatDiffer) {
  const Comparison comparison = compare({result_of(200, 4)}, {result_of(200, 4, "00c0ffee00c0ffef")});
  EXPECT_FALSE(comparison.runs[0].results_stay());
  EXPECT_THAT(comparison_text(comparison, false), HasSubstr("RESULTS DIFFER\n    buffer out has different contents"));
  RunResult hang = result_of(200, 4);
  hang.launches[0].end = LaunchEnd::kHang;
  hang.fingerprints.clear();
  const Comparison ended = compare({result_of(200, 4)}, {hang});
  EXPECT_EQ(ended.runs[0].differences.size(), 2u);
  RunResult loose = result_of(200, 4);
  loose.order_dependent = "atomics";
  EXPECT_TRUE(compare({loose}, {result_of(200, 4, "1")}).runs[0].results_stay());
}

TEST(Comparison, NamesConfigurationKeysAndRunsOfOneFileOnly) {
  RunResult other = result_of(200, 4);
  other.manifest.config_json = R"({"sm": {"max_warps": 32}, "new": 1})";
  RunResult more = result_of(1, 1);
  more.scenario = "more";
  const Comparison comparison = compare({result_of(200, 4), result_of(200, 4)}, {other, more});
  ASSERT_EQ(comparison.runs.size(), 1u);
  ASSERT_EQ(comparison.runs[0].keys.size(), 2u);
  EXPECT_THAT(comparison_text(comparison, false), HasSubstr("sm.max_warps = 24 -> 32"));
  EXPECT_EQ(comparison.only_a, std::vector<std::string>{"demo n=5 (2)"});
  EXPECT_EQ(comparison.only_b, std::vector<std::string>{"more n=5"});
}

TEST(Gates, HoldUpToTheirBound) {
  const Comparison comparison = compare({result_of(200, 4)}, {result_of(202, 5)});
  for (const char* holds : {"cycles<=+1%", "cycles<=2", "shader_cycles>=+0.5%", "dram_row_misses==1", "blocks==0%"}) {
    EXPECT_TRUE(broken(parse_gate(holds), comparison).empty()) << holds;
  }
  for (const char* breaks : {"cycles<=+0.9%", "cycles<=1", "cycles>=+2%", "dram_row_misses<=0", "cycles<=-1%"}) {
    EXPECT_EQ(broken(parse_gate(breaks), comparison).size(), 1u) << breaks;
  }
  EXPECT_THAT(broken(parse_gate("cycles<=0"), comparison)[0], HasSubstr("demo n=5: 200 -> 202 (+1.00 %)"));
  EXPECT_THROW(broken(parse_gate("cyclse<=0"), comparison), InputError);
}

TEST(Gates, RefuseWhatTheyDoNotUnderstand) {
  for (const char* text :
       {"", "cycles", "<=1", "cycles<1", "cycles<=", "cycles<=x", "cycles<=1%%", "cycles<=%", "cycles=<1"}) {
    EXPECT_THROW(parse_gate(text), InputError) << text;
  }
}

TEST(Comparison, RefusesOtherDocuments) {
  for (const char* text : {"{}", "[]", R"({"format": "other"})", R"({"format": "g80-stats 1"})",
                           R"({"format": "g80-stats 1", "runs": [{}]})"}) {
    EXPECT_THROW(compare_statistics(Json::parse(text), "x.json", document({}), "b.json"), InputError) << text;
  }
}

}  // namespace
}  // namespace g80
