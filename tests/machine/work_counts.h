// SPDX-License-Identifier: Apache-2.0
// The counters that say what a run executed, as against how long it took: machines of any shape agree on them.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "tb/scenario/run_result.h"
#include "tests/machine/variations.h"

namespace g80::testing {

using Counts = std::map<std::string, std::uint64_t>;

/// Counters that say what was executed, over all launches and SMs.
inline Counts work_of(const RunResult& result, Keeps keeps) {
  Counts counts;
  for (std::size_t k = 0; k < result.launches.size(); ++k) {
    for (const SmCounters& sm : result.launches[k].sms) {
      const auto add = [&](const std::string& name, std::uint64_t value) {
        counts[fmt::format("launch {}: {}", k, name)] += value;
      };
      add("warp_instructions", sm.warp_instructions);
      add("thread_instructions", sm.thread_instructions);
      add("branches", sm.branches);
      add("divergent_branches", sm.divergent_branches);
      add("barriers", sm.barriers);
      add("blocks", sm.blocks);
      for (std::size_t bucket = 0; bucket < sm.active_lanes.size(); ++bucket) {
        add(fmt::format("active_lanes_{}", kActiveLaneBuckets[bucket]), sm.active_lanes[bucket]);
      }
      if (keeps < Keeps::kWork) continue;
      add("shared_passes", sm.shared_passes);
      add("bank_conflict_passes", sm.bank_conflict_passes);
      add("coalesced_transactions", sm.coalesced_transactions);
      add("uncoalesced_transactions", sm.uncoalesced_transactions);
      static const std::set<std::string> kMade = {"gld_coherent",
                                                  "gld_incoherent",
                                                  "gst_coherent",
                                                  "gst_incoherent",
                                                  "local_load",
                                                  "local_store",
                                                  "atomics",
                                                  "barriers_by_part_of_a_warp",
                                                  "barriers_missed_by_ended_warps"};
      for (const auto& [name, value] : sm.other) {
        if (kMade.count(name) != 0) add(name, value);
      }
    }
  }
  return counts;
}

/// Counters of which the two runs have different numbers, as text.
inline std::string different_counts(const Counts& seen, const Counts& expected) {
  std::string out;
  for (const auto& [name, value] : expected) {
    const auto found = seen.find(name);
    if (found == seen.end() || found->second != value) {
      out += fmt::format("{} is {}, was {}\n", name, found == seen.end() ? 0 : found->second, value);
    }
  }
  return out;
}

}  // namespace g80::testing
