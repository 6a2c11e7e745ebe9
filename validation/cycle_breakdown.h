// SPDX-License-Identifier: Apache-2.0
// Where the cycles of a run went, and its DRAM activity: the cause of a row's value, from the counters of
// tb/record/counters.def.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "hw/config/config.h"
#include "tb/scenario/run_result.h"

namespace g80::silicon {

/// Counts of one launch, or those by which a longer launch exceeds a shorter one.
struct CycleBreakdown {
  std::uint64_t cycles = 0;            // shader cycles; 0: nothing ran
  std::uint64_t executing = 0;         // those from the first issue to the last retirement
  std::uint64_t scheduler_cycles = 0;  // of the SMs that had a block: those that issued, and the others by reason
  std::uint64_t issued = 0;
  std::vector<NamedCount> stalls;
  std::uint64_t row_hits = 0, row_misses = 0, turnarounds = 0, refreshes = 0;  // of DRAM, all partitions
  std::uint64_t bus_cycles = 0;
  double dram_cycles = 0;                      // that passed, for all data buses together
  std::vector<std::uint64_t> partition_bytes;  // moved by the DRAM of each
  std::uint64_t divergent_branches = 0, conflict_passes = 0;

  /// Parts of the scheduler cycles, those that issued among them, the largest first.
  std::vector<std::pair<std::string, double>> parts() const;
  /// Part of the bursts whose row was open.
  double hit_rate() const;
  /// Part of the time in which the data buses moved data.
  double bus() const;
  /// Bytes of the busiest partition beside the mean of all; 0 if none moved any.
  double busiest() const;
  /// The data buses did more than a launch itself needs.
  bool uses_dram() const { return bus() >= 0.02; }
};

CycleBreakdown where_of(const LaunchResult& launch, const Config& config);
/// What `more` counted beyond `less`; a count that is not larger leaves 0.
CycleBreakdown beyond(const CycleBreakdown& more, const CycleBreakdown& less);

/// "memory 61 %, issued 20 %, alu 19 %"; parts below 1 % are left out.
std::string cycles_text(const CycleBreakdown& where);
/// "97 % row hits, 1200 turnarounds, bus 68 %, busiest partition 1.02"
std::string dram_text(const CycleBreakdown& where);
nlohmann::ordered_json where_json(const CycleBreakdown& where);

/// Of an HTML page: a stacked bar for each row, a table with what the DRAM did, and one that says what each reason
/// means. Rows that ran nothing are left out. `id` is the plot's anchor.
struct NamedBreakdown {
  std::string name;
  CycleBreakdown where;
};
nlohmann::ordered_json breakdown_items(const std::vector<NamedBreakdown>& rows, const std::string& id);
/// Text with spaces at which no line ends, except behind a comma.
std::string unbroken(const std::string& text);

}  // namespace g80::silicon
