// SPDX-License-Identifier: Apache-2.0
// The counter registry: names, formulas, laws that can break, the profiler's view.
#include "app/report/counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>

#include "app/report/counter_formula.h"
#include "source_dir.h"

namespace g80 {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::size_t kSms = 4, kTpcs = 2;

UnitCounters zeros(CounterScope scope) {
  UnitCounters list;
  for (const Counter& counter : counters()) {
    if (counter.scope == scope) list.emplace_back(counter.name, 0);
  }
  return list;
}

/// A launch in which nothing was counted, on two TPCs of two SMs.
LaunchResult empty_launch() {
  LaunchResult launch;
  launch.grid = {0, 0, 0};
  SmCounters sm;
  const std::size_t members = counters_of(sm).size();
  const UnitCounters all = zeros(CounterScope::kSm);
  sm.other.assign(all.begin() + static_cast<std::ptrdiff_t>(members), all.end());
  sm.stall = {{"memory", 0}, {"alu", 0}};
  launch.sms.assign(kSms, sm);
  launch.tpcs.assign(kTpcs, zeros(CounterScope::kTpc));
  launch.partitions.assign(3, zeros(CounterScope::kPartition));
  launch.chip = zeros(CounterScope::kChip);
  return launch;
}

std::uint64_t& value_of(UnitCounters& counters, const std::string& name) {
  for (NamedCount& counter : counters) {
    if (counter.first == name) return counter.second;
  }
  throw std::invalid_argument(name);
}

/// Counts `amount` more of an SM's counter.
void count(SmCounters& sm, const std::string& name, std::uint64_t amount) {
  if (name == "stall") {
    sm.stall[0].second += amount;
    return;
  }
#define G80_SM_MEMBER(member, text, unit, module, source, meaning) \
  if (name == text) {                                              \
    sm.member += amount;                                           \
    return;                                                        \
  }
#include "tb/record/counters.def"
  value_of(sm.other, name) += amount;
}

/// Counts `amount` more of what a formula names, on the first of its units.
void count(LaunchResult& launch, CounterScope scope, std::string name, std::uint64_t amount) {
  if (scope == CounterScope::kLaunch) {
    const std::string unit = name.substr(0, name.find('.'));
    name = name.substr(unit.size() + 1);
    for (const CounterScope one :
         {CounterScope::kSm, CounterScope::kTpc, CounterScope::kPartition, CounterScope::kChip}) {
      if (scope_name(one) == unit) scope = one;
    }
  }
  switch (scope) {
    case CounterScope::kSm: count(launch.sms[0], name, amount); return;
    case CounterScope::kTpc: value_of(launch.tpcs[0], name) += amount; return;
    case CounterScope::kPartition: value_of(launch.partitions[0], name) += amount; return;
    case CounterScope::kChip: value_of(launch.chip, name) += amount; return;
    default: throw std::invalid_argument(name);
  }
}

TEST(CounterFormula, IsASumWithFactors) {
  const std::map<std::string, std::uint64_t> values = {{"a", 3}, {"b.c", 5}};
  const auto value = [&](const std::string& name) { return values.at(name); };
  EXPECT_EQ(CounterFormula("a").value(value), 3u);
  EXPECT_EQ(CounterFormula("32 * a + b.c + a").value(value), 104u);
}

TEST(CounterFormula, RefusesWhatIsNoSum) {
  for (const char* text : {"", "a +", "+ a", "a b", "x * a", "2 3 * a", "a - b", "A"}) {
    EXPECT_THROW(CounterFormula{text}, std::invalid_argument) << text;
  }
  for (const char* text : {"a", "a <", "= a", "a = b = c"})
    EXPECT_THROW(CounterStatement{text}, std::invalid_argument) << text;
}

TEST(CounterFormula, StatementsAreEqualitiesOrBounds) {
  EXPECT_TRUE(CounterStatement("a = b").equal());
  const CounterStatement bound("a + c <= 2 * b");
  EXPECT_FALSE(bound.equal());
  EXPECT_EQ(bound.left().terms().size(), 2u);
  EXPECT_EQ(bound.right().terms().at(0).factor, 2u);
  EXPECT_TRUE(bound.holds(1, 2));
  EXPECT_FALSE(bound.holds(3, 2));
}

TEST(CounterRegistry, NamesAreUniqueInTheirScopeAndModulesExist) {
  std::set<std::pair<CounterScope, std::string>> names;
  for (const Counter& counter : counters()) {
    EXPECT_TRUE(names.emplace(counter.scope, counter.name).second) << counter.name;
    EXPECT_NE(counter.module.empty(), counter.formula.empty()) << counter.name;
    if (!counter.module.empty()) {
      EXPECT_TRUE(std::filesystem::exists(G80_SOURCE_DIR "/hw/" + counter.module)) << counter.module;
    }
    EXPECT_FALSE(counter.unit.empty()) << counter.name;
    EXPECT_FALSE(counter.meaning.empty()) << counter.name;
  }
}

TEST(CounterLaws, HoldWhereNothingWasCounted) { EXPECT_THAT(broken_laws(empty_launch()), IsEmpty()); }

TEST(CounterLaws, EachOneBreaksWhenItsLeftSideGrowsAlone) {
  for (const CounterLaw& law : counter_laws()) {
    const CounterStatement statement(law.text);
    for (const CounterFormula::Term& term : statement.left().terms()) {
      LaunchResult launch = empty_launch();
      count(launch, law.scope, term.name, 1);
      EXPECT_THAT(broken_laws(launch), Contains(HasSubstr(law.text))) << term.name;
    }
  }
}

TEST(CounterLaws, EachEqualityBreaksWhenItsRightSideGrowsAlone) {
  for (const CounterLaw& law : counter_laws()) {
    const CounterStatement statement(law.text);
    if (!statement.equal()) continue;
    for (const CounterFormula::Term& term : statement.right().terms()) {
      LaunchResult launch = empty_launch();
      if (term.name == "launch.blocks") {
        launch.grid = {1, 1, 1};
      } else {
        count(launch, law.scope, term.name, 1);
      }
      EXPECT_THAT(broken_laws(launch), Contains(HasSubstr(law.text))) << term.name;
    }
  }
}

TEST(CounterLaws, OfFinishedLaunchesDoNotBindThoseThatWereStopped) {
  LaunchResult launch = empty_launch();
  launch.grid = {1, 1, 1};
  EXPECT_THAT(broken_laws(launch), Contains(HasSubstr("sm.blocks = launch.blocks: 0 against 1")));
  launch.end = LaunchEnd::kHang;
  EXPECT_THAT(broken_laws(launch), IsEmpty());
}

TEST(MemoryCounters, AreSumsOverThePartitions) {
  LaunchResult launch = empty_launch();
  value_of(launch.partitions[0], "dram_bytes_read") = 64;
  value_of(launch.partitions[2], "dram_bytes_read") = 160;
  value_of(launch.partitions[1], "dram_row_opened") = 3;
  value_of(launch.partitions[2], "dram_row_conflicts") = 4;
  UnitCounters memory = memory_counters(launch);
  EXPECT_EQ(value_of(memory, "dram_read_bytes"), 224u);
  EXPECT_EQ(value_of(memory, "dram_row_misses"), 7u);
}

TEST(ProfilerCounters, CountOnTheFirstSmOrTheFirstTpc) {
  LaunchResult launch = empty_launch();
  for (std::size_t sm = 0; sm < kSms; ++sm) {
    count(launch.sms[sm], "warp_instructions", std::uint64_t{1} << sm);
    count(launch.sms[sm], "gld_64b", std::uint64_t{1} << sm);
  }
  value_of(launch.tpcs[0], "texture_cache_hits") = 10;
  value_of(launch.tpcs[1], "texture_cache_hits") = 100;
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> values;
  for (const ProfilerValue& value : profiler_values(launch, 3)) values[value.counter->name] = {value.unit, value.chip};
  EXPECT_EQ(values.at("instructions"), std::make_pair(std::uint64_t{1}, std::uint64_t{15}));
  EXPECT_EQ(values.at("gld_64b"), std::make_pair(std::uint64_t{3}, std::uint64_t{15}));
  EXPECT_EQ(values.at("tex_cache_hit"), std::make_pair(std::uint64_t{10}, std::uint64_t{110}));
}

TEST(ProfilerCounters, AreThoseOfTheCapability) {
  const auto has = [](unsigned minor, const std::string& name) {
    const std::vector<ProfilerValue> values = profiler_values(empty_launch(), minor);
    return std::any_of(values.begin(), values.end(),
                       [&](const ProfilerValue& value) { return value.counter->name == name; });
  };
  EXPECT_TRUE(has(1, "gld_incoherent"));
  EXPECT_FALSE(has(1, "gld_128b"));
  EXPECT_FALSE(has(2, "gld_incoherent"));
  EXPECT_TRUE(has(2, "gld_128b"));
  EXPECT_TRUE(has(0, "branch") && has(3, "branch"));
}

}  // namespace
}  // namespace g80
