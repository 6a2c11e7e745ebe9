// SPDX-License-Identifier: Apache-2.0
// The list of counters: meaning, module, unit, and the laws between counters. counters.def has the rows;
// `g80 list counters` prints them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tb/scenario/run_result.h"

namespace g80 {

enum class CounterScope : std::uint8_t { kSm, kTpc, kPartition, kChip, kMemory, kLaunch };
/// "sm", "tpc", ...: prefix of a counter's name in a formula over a whole launch.
std::string_view scope_name(CounterScope scope);

/// "each SM", "the chip", ...
std::string_view scope_title(CounterScope scope);

struct Counter {
  CounterScope scope;
  std::string name, unit;
  std::string module;   // header below hw/; empty: computed from other counters
  std::string formula;  // over other counters; empty: counted by a module
  std::string meaning;
};
/// Every counter, in the order of statistics files.
const std::vector<Counter>& counters();

/// All counters of one SM, without stall reasons.
std::vector<NamedCount> counters_of(const SmCounters& sm);
/// The sums under the names of `memory`.
std::vector<NamedCount> memory_counters(const LaunchResult& launch);

struct CounterLaw {
  CounterScope scope;  // kLaunch: of the sums over units
  bool finished;       // only of launches that finished
  std::string text, meaning;
};
const std::vector<CounterLaw>& counter_laws();
/// One sentence for each law that the launch breaks, with the values. A launch of the reference has no units to check.
std::vector<std::string> broken_laws(const LaunchResult& launch);

/// A counter of CUDA's profiler for compute capability 1.x.
struct ProfilerCounter {
  std::string name;
  CounterScope scope;             // kSm: the tool counts the first SM alone; kTpc: the SMs of the first TPC
  unsigned from_minor, to_minor;  // compute capabilities 1.from to 1.to
  std::string formula, remark;
};
const std::vector<ProfilerCounter>& profiler_counters();
struct ProfilerValue {
  const ProfilerCounter* counter;
  std::uint64_t unit;  // of the unit that the tool would count
  std::uint64_t chip;  // of all units
};
/// Of the counters that a device of this capability has.
std::vector<ProfilerValue> profiler_values(const LaunchResult& launch, unsigned compute_minor);

/// `g80 list counters`: the counters of each unit, the laws between them, the names of CUDA's profiler.
std::string counter_list();

}  // namespace g80
