// SPDX-License-Identifier: Apache-2.0
#include "app/report/counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "app/report/counter_formula.h"

namespace g80 {
namespace {

constexpr bool kAlways = false, kFinished = true;
struct Capabilities {
  unsigned from, to;
};
constexpr Capabilities k10To13{0, 3}, k10To11{0, 1}, k12To13{2, 3};
constexpr CounterScope kSm = CounterScope::kSm, kTpc = CounterScope::kTpc, kPartition = CounterScope::kPartition,
                       kLaunch = CounterScope::kLaunch;

std::uint64_t sum_of(const std::vector<NamedCount>& counts) {
  std::uint64_t sum = 0;
  for (const NamedCount& count : counts) sum += count.second;
  return sum;
}

std::uint64_t value_in(const std::vector<NamedCount>& counts, const std::string& name) {
  const auto found =
      std::find_if(counts.begin(), counts.end(), [&](const NamedCount& count) { return count.first == name; });
  if (found == counts.end()) throw std::invalid_argument(fmt::format("there is no counter '{}'", name));
  return found->second;
}

using Units = std::vector<UnitCounters>;

/// The units of a launch by scope, each with all its counters.
struct LaunchCounts {
  Units sms, tpcs, partitions, chip, launch;

  explicit LaunchCounts(const LaunchResult& result) : tpcs(result.tpcs), partitions(result.partitions) {
    for (const SmCounters& sm : result.sms) {
      sms.push_back(counters_of(sm));
      sms.back().emplace_back("stall", sum_of(sm.stall));
    }
    if (!result.chip.empty()) chip.push_back(result.chip);
    launch.push_back({{"blocks", std::uint64_t{result.grid[0]} * result.grid[1] * result.grid[2]}});
  }

  const Units& of(CounterScope scope) const {
    switch (scope) {
      case CounterScope::kSm: return sms;
      case CounterScope::kTpc: return tpcs;
      case CounterScope::kPartition: return partitions;
      case CounterScope::kChip: return chip;
      default: return launch;
    }
  }
  /// "sm.issued": the sum over the SMs; of the first `sms_counted` and `tpcs_counted` alone.
  std::uint64_t value(const std::string& name, std::size_t sms_counted = ~std::size_t{0},
                      std::size_t tpcs_counted = ~std::size_t{0}) const {
    const std::size_t dot = name.find('.');
    for (const CounterScope scope : {kSm, kTpc, kPartition, CounterScope::kChip, kLaunch}) {
      if (dot == std::string::npos || name.compare(0, dot, scope_name(scope)) != 0) continue;
      const Units& units = of(scope);
      const std::size_t most = scope == kSm ? sms_counted : scope == kTpc ? tpcs_counted : units.size();
      std::uint64_t sum = 0;
      for (std::size_t unit = 0; unit < std::min(most, units.size()); ++unit)
        sum += value_in(units[unit], name.substr(dot + 1));
      return sum;
    }
    throw std::invalid_argument(fmt::format("'{}' is not a unit", name));
  }
};

std::string sentence(const CounterLaw& law, const std::string& where, std::uint64_t left, std::uint64_t right) {
  return fmt::format("{}{}: {} against {}", where, law.text, left, right);
}

}  // namespace

std::string_view scope_name(CounterScope scope) {
  static constexpr std::string_view kNames[] = {"sm", "tpc", "partition", "chip", "memory", "launch"};
  return kNames[static_cast<std::size_t>(scope)];
}

std::string_view scope_title(CounterScope scope) {
  static constexpr std::string_view kTitles[] = {"each SM",  "each TPC",   "each memory partition",
                                                 "the chip", "all memory", "a launch"};
  return kTitles[static_cast<std::size_t>(scope)];
}

const std::vector<Counter>& counters() {
  static const std::vector<Counter> table = {
#define G80_SM_MEMBER(member, name, unit, module, source, meaning) {kSm, name, unit, module, "", meaning},
#define G80_SM_COUNTER(name, unit, module, source, meaning) {kSm, #name, unit, module, "", meaning},
#define G80_TPC_COUNTER(name, unit, module, source, meaning) {kTpc, #name, unit, module, "", meaning},
#define G80_PARTITION_COUNTER(name, unit, module, source, meaning) {kPartition, #name, unit, module, "", meaning},
#define G80_CHIP_COUNTER(name, unit, module, source, meaning) {CounterScope::kChip, #name, unit, module, "", meaning},
#define G80_MEMORY_SUM(name, unit, formula, meaning) {CounterScope::kMemory, #name, unit, "", formula, meaning},
#include "tb/record/counters.def"
  };
  return table;
}

std::vector<NamedCount> counters_of(const SmCounters& sm) {
  std::vector<NamedCount> list = {
#define G80_SM_MEMBER(member, name, unit, module, source, meaning) {name, sm.member},
#include "tb/record/counters.def"
  };
  list.insert(list.end(), sm.other.begin(), sm.other.end());
  return list;
}

std::vector<NamedCount> memory_counters(const LaunchResult& launch) {
  const LaunchCounts counts(launch);
  std::vector<NamedCount> list;
  for (const Counter& counter : counters()) {
    if (counter.scope != CounterScope::kMemory) continue;
    list.emplace_back(counter.name, CounterFormula(counter.formula).value([&](const std::string& name) {
      return counts.value(name);
    }));
  }
  return list;
}

const std::vector<CounterLaw>& counter_laws() {
  static const std::vector<CounterLaw> table = {
#define G80_LAW(scope, when, text, meaning) {scope, when, text, meaning},
#include "tb/record/counters.def"
  };
  return table;
}

std::vector<std::string> broken_laws(const LaunchResult& launch) {
  std::vector<std::string> broken;
  if (launch.chip.empty()) return broken;
  const LaunchCounts counts(launch);
  for (const CounterLaw& law : counter_laws()) {
    if (law.finished && launch.end != LaunchEnd::kFinished) continue;
    const CounterStatement statement(law.text);
    const auto check = [&](const std::string& where, const auto& value_of) {
      const std::uint64_t left = statement.left().value(value_of), right = statement.right().value(value_of);
      if (!statement.holds(left, right)) broken.push_back(sentence(law, where, left, right));
    };
    if (law.scope == kLaunch) {
      check("", [&](const std::string& name) { return counts.value(name); });
      continue;
    }
    const Units& units = counts.of(law.scope);
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
      check(fmt::format("{} {}: ", scope_name(law.scope), unit),
            [&](const std::string& name) { return value_in(units[unit], name); });
    }
  }
  return broken;
}

const std::vector<ProfilerCounter>& profiler_counters() {
  static const std::vector<ProfilerCounter> table = {
#define G80_PROFILER(name, scope, capabilities, formula, remark) \
  {#name, scope, capabilities.from, capabilities.to, formula, remark},
#include "tb/record/counters.def"
  };
  return table;
}

std::vector<ProfilerValue> profiler_values(const LaunchResult& launch, unsigned compute_minor) {
  std::vector<ProfilerValue> values;
  if (launch.chip.empty()) return values;
  const LaunchCounts counts(launch);
  for (const ProfilerCounter& counter : profiler_counters()) {
    if (compute_minor < counter.from_minor || compute_minor > counter.to_minor) continue;
    const CounterFormula formula(counter.formula);
    const std::size_t sms = counter.scope == kSm ? 1 : counts.sms.size() / counts.tpcs.size();
    values.push_back({&counter, formula.value([&](const std::string& name) { return counts.value(name, sms, 1); }),
                      formula.value([&](const std::string& name) { return counts.value(name); })});
  }
  return values;
}

}  // namespace g80
