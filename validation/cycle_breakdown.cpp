// SPDX-License-Identifier: Apache-2.0
#include "validation/cycle_breakdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/report/report_parts.h"

namespace g80::silicon {
namespace {

double share(std::uint64_t part, double whole) { return ratio(static_cast<double>(part), whole); }

}  // namespace

std::vector<std::pair<std::string, double>> CycleBreakdown::parts() const {
  std::vector<std::pair<std::string, double>> parts = {
      {"issued", share(issued, static_cast<double>(scheduler_cycles))}};
  for (const auto& [reason, count] : stalls) {
    if (count != 0) parts.emplace_back(reason, share(count, static_cast<double>(scheduler_cycles)));
  }
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return parts;
}

double CycleBreakdown::hit_rate() const { return share(row_hits, static_cast<double>(row_hits + row_misses)); }

double CycleBreakdown::bus() const { return share(bus_cycles, dram_cycles); }

double CycleBreakdown::busiest() const {
  if (partition_bytes.empty()) return 0;
  const std::uint64_t all = std::accumulate(partition_bytes.begin(), partition_bytes.end(), std::uint64_t{0});
  return share(*std::max_element(partition_bytes.begin(), partition_bytes.end()) * partition_bytes.size(),
               static_cast<double>(all));
}

CycleBreakdown where_of(const LaunchResult& launch, const Config& config) {
  CycleBreakdown where;
  where.cycles = launch.shader_cycles;
  where.executing = launch.executing_cycles;
  for (const SmCounters& sm : launch.sms) {
    if (sm.issued == 0) continue;
    where.scheduler_cycles += sm.scheduler_cycles;
    where.issued += sm.issued;
    where.divergent_branches += sm.divergent_branches;
    where.conflict_passes += sm.bank_conflict_passes;
    where.stalls.resize(sm.stall.size());
    for (std::size_t i = 0; i < sm.stall.size(); ++i)
      where.stalls[i] = {sm.stall[i].first, where.stalls[i].second + sm.stall[i].second};
  }
  where.row_hits = memory_sum(launch, "dram_row_hits");
  where.row_misses = memory_sum(launch, "dram_row_misses");
  where.turnarounds = memory_sum(launch, "dram_turnarounds");
  where.refreshes = memory_sum(launch, "dram_refreshes");
  where.bus_cycles = memory_sum(launch, "dram_data_bus_cycles");
  where.dram_cycles = static_cast<double>(launch.shader_cycles * launch.partitions.size()) * config.clock.dram_mhz /
                      config.clock.shader_mhz;
  for (const UnitCounters& partition : launch.partitions) {
    std::uint64_t bytes = 0;
    for (const auto& [name, count] : partition) {
      if (name == "dram_bytes_read" || name == "dram_bytes_written") bytes += count;
    }
    where.partition_bytes.push_back(bytes);
  }
  return where;
}

CycleBreakdown beyond(const CycleBreakdown& more, const CycleBreakdown& less) {
  const auto take = [](std::uint64_t& count, std::uint64_t other) { count -= std::min(count, other); };
  CycleBreakdown where = more;
  take(where.cycles, less.cycles);
  take(where.executing, less.executing);
  take(where.issued, less.issued);
  // A reason may also decrease from one length to the other. Only increases count as additional time.
  where.scheduler_cycles = where.issued;
  for (std::size_t i = 0; i < where.stalls.size(); ++i) {
    if (i < less.stalls.size()) take(where.stalls[i].second, less.stalls[i].second);
    where.scheduler_cycles += where.stalls[i].second;
  }
  take(where.row_hits, less.row_hits);
  take(where.row_misses, less.row_misses);
  take(where.turnarounds, less.turnarounds);
  take(where.refreshes, less.refreshes);
  take(where.bus_cycles, less.bus_cycles);
  where.dram_cycles -= std::min(where.dram_cycles, less.dram_cycles);
  for (std::size_t i = 0; i < where.partition_bytes.size() && i < less.partition_bytes.size(); ++i)
    take(where.partition_bytes[i], less.partition_bytes[i]);
  take(where.divergent_branches, less.divergent_branches);
  take(where.conflict_passes, less.conflict_passes);
  return where;
}

std::string cycles_text(const CycleBreakdown& where) {
  if (where.cycles == 0) return "";
  std::string text;
  for (const auto& [name, part] : where.parts()) {
    if (part >= 0.01) text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", name, 100 * part);
  }
  return text;
}

std::string dram_text(const CycleBreakdown& where) {
  return fmt::format("{:.0f} % row hits, {} turnarounds, bus {:.0f} %, busiest partition {:.2f}",
                     100 * where.hit_rate(), where.turnarounds, 100 * where.bus(), where.busiest());
}

nlohmann::ordered_json where_json(const CycleBreakdown& where) {
  nlohmann::ordered_json parts = nlohmann::ordered_json::object();
  for (const auto& [name, part] : where.parts()) parts[name] = part;
  return {{"shader_cycles", where.cycles},
          {"executing_cycles", where.executing},
          {"scheduler_cycles", parts},
          {"dram_row_hits", where.row_hits},
          {"dram_row_misses", where.row_misses},
          {"dram_turnarounds", where.turnarounds},
          {"dram_refreshes", where.refreshes},
          {"dram_bus", where.bus()},
          {"partition_bytes", where.partition_bytes},
          {"divergent_branches", where.divergent_branches},
          {"bank_conflict_passes", where.conflict_passes}};
}

}  // namespace g80::silicon
