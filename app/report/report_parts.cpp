// SPDX-License-Identifier: Apache-2.0
#include "app/report/report_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/report/counters.h"
#include "app/report/html_page.h"
#include "toolchain/cubin/source_text.h"

namespace g80 {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kHotRows = 16;
constexpr unsigned kLatencyBins = 60;

std::uint64_t count_of(const std::vector<NamedCount>& counts, const std::string& name) {
  for (const NamedCount& count : counts) {
    if (count.first == name) return count.second;
  }
  return 0;
}

Json plot(const char* id, const char* title, const char* note, const char* type, const Json& x, const Json& y,
          const Json& series) {
  return {{"kind", "plot"}, {"id", id}, {"title", title}, {"note", note},
          {"type", type},   {"x", x},   {"y", y},         {"series", series}};
}

/// The increase of one of the series in each interval.
std::vector<double> growth(const TimeSeries& series, const std::string& name) {
  const auto found = std::find(series.names.begin(), series.names.end(), name);
  if (found == series.names.end()) return {};
  const std::vector<std::uint64_t>& values = series.values[static_cast<std::size_t>(found - series.names.begin())];
  std::vector<double> out;
  for (std::size_t k = 1; k < values.size(); ++k) out.push_back(static_cast<double>(values[k] - values[k - 1]));
  return out;
}
/// Bytes that the data buses moved in each interval. A burst counts at its command, so a short interval may count more
/// bytes than the buses can move in it: the rest moves in the next one.
struct BusBytes {
  std::vector<double> read, written;
};
BusBytes bus_bytes(const TimeSeries& series, double most_per_cycle) {
  BusBytes bytes{growth(series, "dram_read_bytes"), growth(series, "dram_write_bytes")};
  double read = 0, written = 0;  // counted, but not moved yet
  for (std::size_t k = 0; k < bytes.read.size(); ++k) {
    read += bytes.read[k], written += bytes.written[k];
    const double most = most_per_cycle * static_cast<double>(series.cycles[k + 1] - series.cycles[k]);
    const double part = std::min(1.0, ratio(most, read + written));
    bytes.read[k] = read * part, bytes.written[k] = written * part;
    read -= bytes.read[k], written -= bytes.written[k];
  }
  return bytes;
}
/// The middle of each interval.
Json middles(const TimeSeries& series) {
  Json list = Json::array();
  for (std::size_t k = 1; k < series.cycles.size(); ++k) list.push_back((series.cycles[k - 1] + series.cycles[k]) / 2);
  return list;
}
Json time_axis(const TimeSeries& series) {
  return {{"label", "shader cycles since the launch began"}, {"unit", "cycles"}, {"values", middles(series)}};
}

template <class Value>
Json list_of(std::size_t count, const Value& value) {
  Json list = Json::array();
  for (std::size_t k = 0; k < count; ++k) list.push_back(value(k));
  return list;
}

Json names(const char* unit, std::size_t count) {
  return list_of(count, [&](std::size_t k) { return fmt::format("{}{}", unit, k); });
}

Json stall_over_time(const TimeSeries& history) {
  Json series = Json::array();
  std::vector<std::pair<std::string, std::vector<double>>> reasons = {{"issued", growth(history, "issued")}};
  for (const std::string& name : history.names) {
    if (name.rfind("stall.", 0) == 0) reasons.emplace_back(name.substr(6), growth(history, name));
  }
  std::vector<double> all(reasons[0].second.size());
  for (const auto& reason : reasons) {
    for (std::size_t k = 0; k < all.size(); ++k) all[k] += reason.second[k];
  }
  for (const auto& [name, cycles] : reasons) {
    if (std::all_of(cycles.begin(), cycles.end(), [](double value) { return value == 0; })) continue;
    const Json y = list_of(all.size(),
                           [&, &cycles = cycles](std::size_t k) { return hundredths(100 * ratio(cycles[k], all[k])); });
    series.push_back({{"name", name}, {"colour", reason_colour(name)}, {"y", y}});
  }
  Json item =
      plot("stall-over-time", "Issue and stalls over time", "Scheduler cycles of all SMs. Drag to zoom.", "area",
           time_axis(history), {{"label", "scheduler cycles"}, {"percent", true}, {"most", 100}}, series);
  item["stacked"] = true;
  item["wide"] = true;
  return item;
}

Json latency_plot(const std::vector<LatencyHistogram>& latencies) {
  std::uint64_t longest = 0;
  for (const LatencyHistogram& histogram : latencies) longest = std::max(longest, histogram.count.rbegin()->first);
  const std::uint64_t width = longest / kLatencyBins + 1;
  const std::size_t bins = longest / width + 1;
  Json series = Json::array();
  for (const LatencyHistogram& histogram : latencies) {
    std::vector<std::uint64_t> y(bins);
    for (const auto& [cycles, count] : histogram.count) y[cycles / width] += count;
    series.push_back({{"name", histogram.of}, {"y", y}});
  }
  Json item = plot("latency", "Load latency",
                   "Warp instructions, from issue to the cycle in which the loaded value is available.", "bars",
                   {{"label", "shader cycles"},
                    {"unit", "cycles"},
                    {"values", list_of(bins + 1, [&](std::size_t k) { return k * width; })}},
                   {{"label", "warp loads"}}, series);
  item["stacked"] = true;
  return item;
}

Json partition_plot(const LaunchResult& launch) {
  const auto& units = launch.partitions;
  const auto bytes = [&](const char* name) {
    return list_of(units.size(), [&](std::size_t k) { return count_of(units[k], name); });
  };
  Json item = plot("partitions", "Partition balance", "Bytes that each partition's DRAM moved.", "bars",
                   {{"label", "memory partition"}, {"categories", names("", units.size())}}, {{"label", "bytes"}},
                   {{{"name", "read"}, {"colour", 2}, {"y", bytes("dram_bytes_read")}},
                    {{"name", "written"}, {"colour", 4}, {"y", bytes("dram_bytes_written")}}});
  item["stacked"] = true;
  return item;
}

Json coalescing_plot(const LaunchResult& launch) {
  const auto classes = [&](const std::string& what) {
    return Json{sum_over_sms(launch, what + "_32b"), sum_over_sms(launch, what + "_64b"),
                sum_over_sms(launch, what + "_128b")};
  };
  Json item = plot(
      "coalescing", "Transactions of global memory", "By size. Half-warps that coalesce need few large transactions.",
      "bars", {{"label", "bytes of the transaction"}, {"categories", {"32", "64", "128"}}}, {{"label", "transactions"}},
      {{{"name", "loads"}, {"colour", 2}, {"y", classes("gld")}},
       {{"name", "stores"}, {"colour", 4}, {"y", classes("gst")}}});
  item["stacked"] = true;
  return item;
}

}  // namespace

double hundredths(double value) { return std::round(value * 100) / 100; }

unsigned reason_colour(const std::string& reason) {
  static constexpr std::pair<std::string_view, unsigned> kColours[] = {
      {"issued", 0}, {"no_warp", 1}, {"fetch", 2}, {"control", 3},   {"alu", 7},
      {"memory", 5}, {"barrier", 4}, {"drain", 8}, {"unit_busy", 6}, {"memory_queue", 9}};
  for (const auto& [name, colour] : kColours) {
    if (name == reason) return colour;
  }
  return 1;
}

Peaks peaks_of(const Json& config) {
  const auto value = [&](const char* pointer) {
    return config.value(nlohmann::json_pointer<std::string>(pointer), 0.0);
  };
  Peaks peaks;
  peaks.shader_mhz = value("/clock/shader_mhz");
  peaks.tpcs = value("/gpu/num_tpcs");
  peaks.sms = peaks.tpcs * value("/gpu/sms_per_tpc");
  peaks.partitions = value("/gpu/num_partitions");
  peaks.issue = peaks.sms / 2;
  peaks.lanes = peaks.sms * 8;
  peaks.dram_gbs = peaks.partitions * ratio(value("/dram/burst_bytes"), value("/dram/burst_cycles")) *
                   value("/clock/dram_mhz") / 1000;
  return peaks;
}

double gigabytes_per_second(double bytes, double cycles, const Peaks& peaks) {
  return ratio(bytes, cycles) * peaks.shader_mhz / 1000;
}

std::uint64_t sum_over_sms(const LaunchResult& launch, const std::string& counter) {
  std::uint64_t sum = 0;
  for (const SmCounters& sm : launch.sms) sum += count_of(counters_of(sm), counter);
  return sum;
}

std::uint64_t memory_sum(const LaunchResult& launch, const std::string& counter) {
  return count_of(memory_counters(launch), counter);
}

Items stall_items(const LaunchResult& launch) {
  Items items = Json::array();
  if (launch.series.cycles.size() > 2) items.push_back(stall_over_time(launch.series));
  Json series = Json::array();
  const auto share = [&](const std::string& name, const auto& cycles) {
    const Json y = list_of(launch.sms.size(), [&](std::size_t k) {
      return hundredths(
          100 * ratio(static_cast<double>(cycles(launch.sms[k])), static_cast<double>(launch.sms[k].scheduler_cycles)));
    });
    if (std::any_of(y.begin(), y.end(), [](const Json& value) { return value != 0; })) {
      series.push_back({{"name", name}, {"colour", reason_colour(name)}, {"y", y}});
    }
  };
  share("issued", [](const SmCounters& sm) { return sm.issued; });
  for (const NamedCount& reason : launch.sms.front().stall) {
    share(reason.first, [&](const SmCounters& sm) { return count_of(sm.stall, reason.first); });
  }
  Json item =
      plot("stall-per-sm", "Issue and stalls per SM", "Every scheduler cycle of an SM issues or has one reason.",
           "bars", {{"label", "SM"}, {"categories", names("", launch.sms.size())}},
           {{"label", "scheduler cycles"}, {"percent", true}, {"most", 100}}, series);
  item["stacked"] = true;
  item["wide"] = launch.sms.size() > 8;
  items.push_back(item);
  return items;
}

Items lane_items(const LaunchResult& launch) {
  static const char* const classes[] = {"32", "24 to 31", "16 to 23", "8 to 15", "0 to 7"};
  std::array<std::uint64_t, 5> lanes{};
  for (const SmCounters& sm : launch.sms) {
    for (std::size_t k = 0; k < lanes.size(); ++k) lanes[k] += sm.active_lanes[k];
  }
  return Json::array(
      {plot("lanes", "Active lanes", "Warp instructions by the number of lanes in which they executed.", "bars",
            {{"label", "lanes of 32"}, {"categories", classes}}, {{"label", "warp instructions"}},
            {{{"name", "warp instructions"}, {"colour", 0}, {"y", lanes}}})});
}

Items occupancy_items(const LaunchResult& launch, const Peaks& peaks) {
  const LaunchOccupancy& fits = launch.occupancy;
  const std::uint64_t blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  const double room = peaks.sms * fits.blocks;
  Json tiles = {
      {{"label", "resident warps per SM"},
       {"value", fits.warps},
       {"note", fmt::format("of {}", fits.most_warps)},
       {"part", ratio(fits.warps, fits.most_warps)}},
      // clang-format off
                {{"label", "limited by"}, {"value", fits.limit}, {"note", fmt::format("{} blocks per SM", fits.blocks)}},
                {{"label", "registers per thread"}, {"value", fits.registers_per_thread}},
                {{"label", "shared memory per block"}, {"value", fits.shared_bytes}, {"unit", "bytes"}},
                {{"label", "blocks of the grid"}, {"value", blocks}, {"note", fmt::format("{} fit on the chip at the same time", room)}}};
  // clang-format on
  Json rows = Json::array();
  for (const auto& [resource, count] : fits.blocks_by) rows.push_back(Json::array({resource, count}));
  return {{{"kind", "tiles"}, {"tiles", tiles}},
          {{"kind", "table"},
           {"title", "Blocks per SM that each resource allows"},
           {"wide", false},
           {"columns", {{{"name", "Resource"}}, number_column("Blocks")}},
           {"rows", rows}}};
}

Items memory_items(const LaunchResult& launch, const Peaks& peaks) {
  Items items = Json::array();
  const TimeSeries& history = launch.series;
  if (history.cycles.size() > 2) {
    const BusBytes moved = bus_bytes(history, ratio(peaks.dram_gbs * 1000, peaks.shader_mhz));
    const std::vector<double> hits = growth(history, "dram_row_hits"), bursts = growth(history, "dram_bursts");
    const auto bandwidth = [&](const std::vector<double>& bytes) {
      return list_of(bytes.size(), [&](std::size_t k) {
        return hundredths(
            gigabytes_per_second(bytes[k], static_cast<double>(history.cycles[k + 1] - history.cycles[k]), peaks));
      });
    };
    Json item = plot("bandwidth", "DRAM bandwidth over time", "", "area", time_axis(history),
                     {{"label", "GB/s"}, {"most", hundredths(peaks.dram_gbs)}},
                     {{{"name", "read"}, {"colour", 2}, {"y", bandwidth(moved.read)}},
                      {{"name", "written"}, {"colour", 4}, {"y", bandwidth(moved.written)}}});
    item["note"] = fmt::format("All partitions; the data buses can move {:.1f} GB/s.", peaks.dram_gbs);
    item["stacked"] = true;
    item["wide"] = true;
    items.push_back(item);
    const Json rate = list_of(hits.size(), [&](std::size_t k) {
      return bursts[k] == 0 ? Json() : Json(hundredths(100 * hits[k] / bursts[k]));
    });
    items.push_back(plot("row-hits", "Row hits over time", "Bursts whose row was open, of all bursts.", "lines",
                         time_axis(history), {{"label", "row hits"}, {"percent", true}, {"most", 100}},
                         {{{"name", "row hits"}, {"colour", 6}, {"y", rate}}}));
  }
  if (!launch.latencies.empty()) items.push_back(latency_plot(launch.latencies));
  items.push_back(coalescing_plot(launch));
  if (!launch.partitions.empty()) items.push_back(partition_plot(launch));
  Json rows = Json::array();
  for (const auto& [name, coherent, incoherent] : {std::tuple("loads", "gld_coherent", "gld_incoherent"),
                                                   std::tuple("stores", "gst_coherent", "gst_incoherent")}) {
    const std::uint64_t good = sum_over_sms(launch, coherent), bad = sum_over_sms(launch, incoherent);
    rows.push_back({fmt::format("global {}", name), good, bad,
                    hundredths(100 * ratio(static_cast<double>(good), static_cast<double>(good + bad)))});
  }
  for (const auto& [name, counter] : {std::pair("local loads", "local_load"), std::pair("local stores", "local_store"),
                                      std::pair("atomics", "atomics")}) {
    rows.push_back({name, nullptr, sum_over_sms(launch, counter), nullptr});
  }
  items.push_back(
      {{"kind", "table"},
       // clang-format off
                   {"title", "Half-warps"},
                   {"wide", false},
                   {"columns", {{{"name", "Access"}}, number_column("coalesced"), number_column("others"), number_column("coalesced, %")}},
       // clang-format on
       {"rows", rows}});
  return items;
}

Items hot_items(const HotKernel& kernel, const std::string& prefix) {
  std::uint64_t total = 0;
  for (const HotRow& row : kernel.instructions) total += row.waited;
  SourceText source;
  const auto text_of = [&](const PcCounters& counters) {
    const std::string place =
        counters.line != 0
            ? fmt::format("{}:{}", std::filesystem::path(counters.file).filename().string(), counters.line)
            : "";
    const auto line = counters.line != 0 ? source.line({counters.file, counters.line}) : std::nullopt;
    return fmt::format("{}{}{}", place, line ? "  " : "", line.value_or(""));
  };
  const auto anchor = [&](const PcCounters& counters) { return fmt::format("{}pc-{:04x}", prefix, counters.pc); };
  const auto row_of = [&](const HotRow& row, bool link) {
    const PcCounters& sum = row.sum;
    const double share = ratio(static_cast<double>(row.waited), static_cast<double>(total));
    Json place = {{"text", fmt::format("{:04x}", sum.pc)}};
    if (link) place["href"] = "#" + anchor(sum);
    return Json{{{"text", hundredths(100 * share)}, {"part", share}},
                row.waited,
                row.waited != 0 ? main_reasons(row) : "",
                sum.issued,
                hundredths(ratio(static_cast<double>(sum.lanes), static_cast<double>(sum.issued))),
                sum.transactions,
                sum.bank_conflict_passes,
                place,
                sum.text,
                text_of(sum)};
  };
  const Json columns = {number_column("%"),
                        number_column("Waited"),
                        {{"name", "For"}},
                        number_column("Issued"),
                        number_column("Lanes"),
                        number_column("Transactions"),
                        number_column("Conflicts"),
                        number_column("pc"),
                        {{"name", "Instruction"}, {"kind", "code"}},
                        {{"name", "Source"}, {"kind", "source"}}};
  std::vector<HotRow> sorted = kernel.instructions;
  std::stable_sort(sorted.begin(), sorted.end(), [](const HotRow& a, const HotRow& b) { return a.waited > b.waited; });
  Json hot = Json::array(), listing = Json::array(), anchors = Json::array();
  for (std::size_t k = 0; k < sorted.size() && k < kHotRows && sorted[k].waited != 0; ++k)
    hot.push_back(row_of(sorted[k], true));
  for (const HotRow& row : kernel.instructions) {
    listing.push_back(row_of(row, false));
    anchors.push_back(anchor(row.sum));
  }
  return {{{"kind", "table"},
           // clang-format off
           {"title", "Instructions at which warps waited longest"},
           {"note", "Scheduler cycles without an issue, charged to the instruction that the waiting warp issues next. Click on a pc to see the listing."},
           {"columns", columns},
           {"rows", hot}},
          {{"kind", "table"}, {"title", fmt::format("Listing of all {} instructions", listing.size())}, {"folded", true}, {"columns", columns}, {"rows", listing}, {"row_ids", anchors}}};
  // clang-format on
}

}  // namespace g80
