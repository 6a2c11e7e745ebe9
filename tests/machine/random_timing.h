// SPDX-License-Identifier: Apache-2.0
// Random timing of a machine: clocks, latencies, rates and sizes of queues, anywhere in what their keys allow.
#pragma once
#include <cmath>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "hw/config/config_keys.h"

namespace g80::testing {

/// The keys that change when things happen, and nothing else.
inline bool is_timing(const ConfigKey& key) {
  static constexpr std::string_view kNames[] = {"clock.shader_mhz",
                                                "clock.core_mhz",
                                                "clock.dram_mhz",
                                                "clock.crossing_edges",
                                                "gpu.cta_launch_cycles",
                                                "sm.smem_latency",
                                                "sm.const_latency",
                                                "sm.address_latency",
                                                "sm.return_latency",
                                                "sm.branch_latency",
                                                "sm.load_table_entries",
                                                "sm.address_queue",
                                                "icache.l1_latency",
                                                "ccache.l2_latency",
                                                "ccache.l3_latency",
                                                "ccache.mshrs",
                                                "tex.l2_latency",
                                                "tex.l2_mshrs",
                                                "tex.pipeline_latency",
                                                "tex.mshrs",
                                                "tex.queue",
                                                "tlb.entries",
                                                "tlb.walkers",
                                                "tlb.hit_latency",
                                                "tlb.l2_latency",
                                                "coalescer.cycles_per_transaction",
                                                "coalescer.queue",
                                                "xbar.request_latency",
                                                "xbar.reply_latency",
                                                "xbar.queue",
                                                "partition.queue",
                                                "partition.cycles_per_transaction",
                                                "partition.atomic_cycles",
                                                "dram.window",
                                                "dram.t_rcd",
                                                "dram.cl",
                                                "dram.wl",
                                                "dram.t_wr",
                                                "dram.t_rtp",
                                                "dram.t_wtr",
                                                "dram.t_rfc",
                                                "host.launch_cycles",
                                                "host.copy_reads"};
  const std::string name = key.full_name();
  for (const std::string_view each : kNames) {
    if (each == name) return true;
  }
  return false;
}

/// Settings for `base`: each timing key keeps its value or gets one drawn from its range, small ones as often as large
/// ones. A value that breaks a rule between keys is left out.
inline std::vector<std::string> random_timing(std::mt19937& random, const std::string& base) {
  constexpr double kSlowestMhz = 30, kFastestMhz = 3000;  // all pairs are within the factor that the rules allow
  std::vector<std::string> sets;
  for (const ConfigKey& key : config_keys()) {
    if (!is_timing(key) || random() % 3 == 0) continue;
    const bool clock = key.type == "f64";
    const double low = clock ? kSlowestMhz : key.min, high = clock ? kFastestMhz : key.max;
    const double drawn = low - 1 + std::exp(std::log(high - low + 2) * (random() % 1001) / 1000.0);
    const double value = std::min(high, std::max(low, clock ? drawn : std::floor(drawn)));
    std::vector<std::string> more = sets;
    more.push_back(clock ? fmt::format("{}={:.3f}", key.full_name(), value)
                         : fmt::format("{}={:.0f}", key.full_name(), value));
    try {
      load_config(base, more);
      sets = more;
    } catch (const ConfigError&) {
    }
  }
  return sets;
}

}  // namespace g80::testing
