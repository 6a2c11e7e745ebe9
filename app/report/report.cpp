// SPDX-License-Identifier: Apache-2.0
#include "app/report/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/report/comparison.h"
#include "app/report/counters.h"
#include "app/report/html_page.h"
#include "app/report/report_parts.h"
#include "app/report/statistics.h"
#include "app/report/summary_table.h"
#include "hw/common/version.h"
#include "tb/scenario/memory_image.h"
#include "toolchain/cubin/kernel_name.h"

namespace g80 {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostLaunches = 200;  // rows of the table of launches
constexpr std::size_t kMostKernels = 8;     // kernels with sections of their own

double real(std::uint64_t count) { return static_cast<double>(count); }

Json tile(const char* label, const Json& value, const std::string& note = {}) {
  Json json = {{"label", label}, {"value", value}};
  if (!note.empty()) json["note"] = note;
  return json;
}
Json tile(const char* label, double value, const char* unit, const std::string& note, double part) {
  return {{"label", label}, {"value", value}, {"unit", unit}, {"note", note}, {"part", part}};
}

/// The longest launch of each kernel, the longest first.
std::vector<const LaunchResult*> longest_launches(const RunResult& result) {
  std::vector<const LaunchResult*> longest;
  for (const LaunchResult& launch : result.launches) {
    const auto same = std::find_if(longest.begin(), longest.end(),
                                   [&](const LaunchResult* other) { return other->kernel == launch.kernel; });
    if (same == longest.end()) {
      longest.push_back(&launch);
    } else if (launch.shader_cycles > (*same)->shader_cycles) {
      *same = &launch;
    }
  }
  std::stable_sort(longest.begin(), longest.end(),
                   [](const LaunchResult* a, const LaunchResult* b) { return a->shader_cycles > b->shader_cycles; });
  return longest;
}

/// Bytes that a launch has moved, and the shader cycles in which it has: its last stores move after its end, where the
/// samples end.
std::uint64_t memory_bytes(const LaunchResult& launch) {
  return memory_sum(launch, "dram_read_bytes") + memory_sum(launch, "dram_write_bytes");
}
std::uint64_t memory_cycles(const LaunchResult& launch) {
  return launch.series.cycles.empty() ? launch.shader_cycles
                                      : std::max(launch.shader_cycles, launch.series.cycles.back());
}

struct MemoryTotals {
  std::uint64_t bytes = 0, cycles = 0, hits = 0, misses = 0;
};
MemoryTotals memory_totals(const RunResult& result) {
  MemoryTotals sum;
  for (const LaunchResult& launch : result.launches) {
    sum.bytes += memory_bytes(launch);
    sum.cycles += memory_cycles(launch);
    sum.hits += memory_sum(launch, "dram_row_hits");
    sum.misses += memory_sum(launch, "dram_row_misses");
  }
  return sum;
}

Json summary(const RunResult& result, const Peaks& peaks) {
  const RunTotals sum = totals(result);
  const MemoryTotals memory = memory_totals(result);
  const double cycles = real(sum.shader_cycles);
  const double bandwidth = gigabytes_per_second(real(memory.bytes), real(memory.cycles), peaks);
  std::vector<std::string> broken;
  for (const LaunchResult& launch : result.launches) {
    for (const std::string& law : broken_laws(launch)) broken.push_back(law);
  }
  Json end = tile("result", verdict(result));
  end["class"] = verdict_class(as_expected(result), verdict(result));
  Json laws = tile("counter laws", broken.empty() ? "hold" : fmt::format("{} broken", broken.size()),
                   fmt::format("{} for each launch", counter_laws().size()));
  laws["class"] = broken.empty() ? "good" : "bad";
  const double stalled = real(sum.scheduler_cycles - sum.issued);
  std::uint64_t main = 0;
  for (const NamedCount& reason : sum.stall) {
    if (reason.first == sum.main_stall()) main = reason.second;
  }
  Json items = {
      {{"kind", "tiles"},
       {"tiles",
        {end,
         tile("shader cycles", sum.shader_cycles,
              fmt::format("{} {}", result.launches.size(), result.launches.size() == 1 ? "launch" : "launches")),
         tile("executing cycles", sum.executing_cycles, "", "from the first issue to the last retirement",
              ratio(real(sum.executing_cycles), cycles)),
         tile("milliseconds", cycles / (result.shader_mhz * 1000), fmt::format("at {:.0f} MHz", result.shader_mhz)),
         tile("IPC", sum.ipc(), "", fmt::format("warp instructions per cycle; at most {}", peaks.issue),
              ratio(sum.ipc(), peaks.issue)),
         tile("busy lanes", 100 * ratio(real(sum.thread_instructions), cycles * peaks.lanes), "%",
              fmt::format("of the {} that the SPs have per cycle", peaks.lanes),
              ratio(real(sum.thread_instructions), cycles * peaks.lanes)),
         tile("active lanes", ratio(real(sum.thread_instructions), real(sum.warp_instructions)), "",
              "of 32, mean over the warp instructions",
              ratio(real(sum.thread_instructions), 32 * real(sum.warp_instructions))),
         tile("DRAM bandwidth", bandwidth, "GB/s", fmt::format("of {:.1f} at most", peaks.dram_gbs),
              ratio(bandwidth, peaks.dram_gbs)),
         tile("row hits", 100 * ratio(real(memory.hits), real(memory.hits + memory.misses)), "%",
              fmt::format("of {} bursts", memory.hits + memory.misses),
              ratio(real(memory.hits), real(memory.hits + memory.misses))),
         tile("main stall", sum.main_stall(),
              fmt::format("{:.0f} % of the cycles without an issue", 100 * ratio(real(main), stalled))),
         laws}}}};
  for (const std::string& law : broken) items.push_back({{"kind", "text"}, {"text", "Broken: " + law}});
  for (const LaunchResult& launch : result.launches) {
    if (!launch.message.empty())
      items.push_back({{"kind", "text"}, {"text", demangled_name(launch.kernel) + ": " + launch.message}});
  }
  return {{"id", "summary"}, {"title", "Summary"}, {"items", items}};
}

Json launches(const RunResult& result, const Peaks& peaks) {
  Json rows = Json::array();
  for (const LaunchResult& launch : result.launches) {
    if (rows.size() == kMostLaunches) break;
    const double cycles = real(launch.shader_cycles);
    const std::uint64_t issued = sum_over_sms(launch, "issued");
    const double bandwidth = gigabytes_per_second(real(memory_bytes(launch)), real(memory_cycles(launch)), peaks);
    rows.push_back({rows.size(), demangled_name(launch.kernel), fmt::format("{},{}", launch.grid[0], launch.grid[1]),
                    fmt::format("{},{},{}", launch.block[0], launch.block[1], launch.block[2]),
                    launch_end_name(launch.end), launch.shader_cycles, launch.executing_cycles, issued,
                    ratio(real(issued), cycles), bandwidth});
  }
  Json table = {{"kind", "table"},
                // clang-format off
                {"title", "Launches"},
                {"columns", {number_column("#"), {{"name", "Kernel"}}, {{"name", "Grid"}}, {{"name", "Block"}}, {{"name", "End"}}, number_column("Shader cycles"), number_column("Executing"), number_column("Warp instructions"), number_column("IPC"), number_column("DRAM GB/s")}},
                {"rows", rows}};
  // clang-format on
  if (rows.size() < result.launches.size())
    table["note"] = fmt::format("The first {} of {}.", rows.size(), result.launches.size());
  return {{"id", "launches"}, {"title", "Launches"}, {"items", {table}}};
}

/// The roofline plot: work against traffic, the chip's limit, and a point for each kernel.
Json roofline(const RunResult& result, const Peaks& peaks) {
  const double most = peaks.lanes * peaks.shader_mhz / 1000;  // G lanes/s
  const double knee = ratio(most, peaks.dram_gbs);
  double least_x = knee / 30, most_x = knee * 30;
  Json series = Json::array();
  for (const LaunchResult* longest : longest_launches(result)) {
    double lanes = 0, bytes = 0, cycles = 0;
    for (const LaunchResult& launch : result.launches) {
      if (launch.kernel != longest->kernel) continue;
      lanes += real(sum_over_sms(launch, "thread_instructions"));
      bytes += real(memory_bytes(launch));
      cycles += real(memory_cycles(launch));
    }
    if (lanes == 0 || bytes == 0 || cycles == 0 || series.size() == kMostKernels) continue;
    const std::string name = demangled_name(longest->kernel);
    least_x = std::min(least_x, lanes / bytes / 2), most_x = std::max(most_x, lanes / bytes * 2);
    series.push_back(
        {{"name", name},
         {"colour", 4 + series.size()},
         {"points", {{lanes / bytes, lanes / cycles * peaks.shader_mhz / 1000, name.substr(0, name.find('('))}}}});
  }
  const Json limit = {{"name", "the chip's limit"},
                      {"colour", 2},
                      {"line", true},
                      {"points", {{least_x, least_x * peaks.dram_gbs}, {knee, most}, {most_x, most}}}};
  series.insert(series.begin(), limit);
  Json plot = {{"kind", "plot"},
               // clang-format off
               {"id", "roofline-plot"},
               {"title", "Roofline"},
               {"note", fmt::format("Thread instructions against DRAM traffic. At most {:.1f} G per second, one per SP and shader cycle, and {:.1f} GB/s.", most, peaks.dram_gbs)},
               {"type", "scatter"},
               {"wide", true},
               {"height", 300},
               {"x", {{"label", "thread instructions per byte of DRAM traffic"}, {"log", true}}},
               {"y", {{"label", "G thread instructions / s"}, {"log", true}}},
               {"series", series}};
  // clang-format on
  return {{"id", "roofline"}, {"title", "Roofline"}, {"items", {plot}}};
}

Json provenance(const RunResult& result, const Json& config) {
  const RunManifest& manifest = result.manifest;
  Json rows = Json::array();
  const auto row = [&](const std::string& name, const std::string& value) {
    rows.push_back(Json::array({name, value}));
  };
  row("command", manifest.command);
  row("version", kVersion);
  row("git id", manifest.git_id);
  row("device", manifest.device);
  row("kernel file", manifest.kernel_file);
  if (!manifest.kernel_hash.empty()) row("kernel hash", manifest.kernel_hash);
  row("seed", std::to_string(manifest.seed));
  row("configuration hash", manifest.config_hash);
  for (const ArgumentText& argument : result.arguments) row("argument " + argument.name, argument.value);
  for (const InjectedFault& fault : manifest.faults)
    row("injected fault", fmt::format("{}: {} changes of {}", fault.text, fault.changes, fault.field));
  Json keys = Json::array();
  for (const auto& [key, value] : flat_configuration(config)) keys.push_back(Json::array({key, value}));
  const Json columns = {{{"name", "What"}}, {{"name", "Value"}, {"kind", "code"}}};
  return {{"id", "provenance"},
          {"title", "Configuration and provenance"},
          {"items",
           {{{"kind", "table"}, {"title", "How to repeat this run"}, {"columns", columns}, {"rows", rows}},
            {{"kind", "table"},
             {"title", fmt::format("All {} configuration keys", keys.size())},
             {"folded", true},
             {"columns", {{{"name", "Key"}}, {{"name", "Value"}, {"kind", "code"}}}},
             {"rows", keys}}}}};
}

/// Adds the sections of one kernel: its longest launch, and its instructions in all launches.
void add_kernel(const LaunchResult& launch, const std::vector<HotKernel>& hot, bool only, std::size_t number,
                const Peaks& peaks, Json& sections) {
  const std::string name = demangled_name(launch.kernel), start = only ? "" : name.substr(0, name.find('(')) + ": ";
  const std::string id = only ? "" : fmt::format("k{}-", number);
  const auto add = [&](const char* anchor, const char* title, const char* text, Json items) {
    for (Json& item : items) {
      if (item.contains("id")) item["id"] = id + item["id"].get<std::string>();
    }
    sections.push_back({{"id", id + anchor}, {"title", start + title}, {"text", text}, {"items", std::move(items)}});
  };
  if (launch.sms.front().scheduler_cycles != 0) {
    Json issue = stall_items(launch);
    for (Json& item : lane_items(launch)) issue.push_back(std::move(item));
    add("issue", "Issue", "", std::move(issue));
    add("occupancy", "Occupancy", "", occupancy_items(launch, peaks));
  }
  const auto rows =
      std::find_if(hot.begin(), hot.end(), [&](const HotKernel& kernel) { return kernel.name == launch.kernel; });
  if (rows != hot.end()) add("hot", "Hot instructions", "", hot_items(*rows, id));
  add("memory", "Memory", "", memory_items(launch, peaks));
}

}  // namespace

Json report_page(const RunResult& result) {
  const Json config = result.manifest.config_json.empty() ? Json::object() : Json::parse(result.manifest.config_json);
  const Peaks peaks = peaks_of(config);
  std::string arguments;
  for (const ArgumentText& argument : result.arguments)
    arguments += fmt::format(" {}={}", argument.name, argument.value);
  Json page = {{"title", result.scenario + arguments},
               {"subtitle", fmt::format("{} SMs, {} memory partitions ({}); g80 {}, git {}", peaks.sms,
                                        peaks.partitions, result.manifest.device, kVersion, result.manifest.git_id)},
               {"footer",
                "Made by g80. All numbers are from the simulated machine. `g80 list counters` defines the counters, "
                "docs/limits.md lists what the model does not contain."}};
  Json& sections = page["sections"] = Json::array();
  sections.push_back(summary(result, peaks));
  if (result.launches.size() > 1) sections.push_back(launches(result, peaks));
  const std::vector<const LaunchResult*> longest = longest_launches(result);
  const std::vector<HotKernel> hot = hot_kernels(result);
  for (std::size_t k = 0; k < longest.size() && k < kMostKernels; ++k)
    add_kernel(*longest[k], hot, longest.size() == 1, k, peaks, sections);
  if (peaks.dram_gbs > 0 && !longest.empty()) sections.push_back(roofline(result, peaks));
  sections.push_back(provenance(result, config));
  Json statistics = statistics_document({result})["runs"][0];
  for (Json& launch : statistics["launches"]) launch.erase("pcs");
  statistics["manifest"].erase("config");
  page["statistics"] = std::move(statistics);
  return page;
}

void write_report(const std::string& path, const RunResult& result) {
  write_file(path, html_page(report_page(result)));
}

void keep_longest_history(std::vector<LaunchResult>& launches) {
  if (launches.empty() || launches.back().series.cycles.empty()) return;
  LaunchResult& last = launches.back();
  for (LaunchResult& launch : launches) {
    if (&launch == &last || launch.kernel != last.kernel || launch.series.cycles.empty()) continue;
    LaunchResult& shorter = launch.shader_cycles >= last.shader_cycles ? last : launch;
    shorter.series = {};
    shorter.latencies.clear();
    return;  // one earlier launch at most had it
  }
}

}  // namespace g80
