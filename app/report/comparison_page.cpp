// SPDX-License-Identifier: Apache-2.0
#include "app/report/comparison_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "app/report/comparison.h"
#include "app/report/html_page.h"
#include "app/report/report_parts.h"
#include "hw/common/version.h"
#include "input/input_error.h"
#include "toolchain/cubin/source_text.h"

namespace g80 {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRuns = 12;  // with sections of their own
constexpr std::size_t kMostLines = 16;

/// One run in every document, in the documents' order.
struct Compared {
  std::string name;
  std::vector<const Json*> runs;
  std::vector<std::map<std::string, double>> counters;
};

std::vector<Compared> runs_in_all(const NamedStatistics& documents) {
  std::vector<Compared> all;
  for (const Json& run : documents.front().second.at("runs")) {
    Compared compared;
    compared.name = run_name(run);
    for (const auto& [label, document] : documents) {
      const Json& runs = document.at("runs");
      const auto same =
          std::find_if(runs.begin(), runs.end(), [&](const Json& other) { return run_name(other) == compared.name; });
      if (same == runs.end()) break;
      compared.runs.push_back(&*same);
      const auto counters = summed_counters(*same);
      compared.counters.emplace_back(counters.begin(), counters.end());
    }
    if (compared.runs.size() == documents.size()) all.push_back(std::move(compared));
  }
  return all;
}

double value_of(const std::map<std::string, double>& counters, const std::string& name) {
  const auto found = counters.find(name);
  return found == counters.end() ? 0 : found->second;
}

/// "+3.1 %", green if it is less and less is better.
Json change(double first, double other, bool less_is_better) {
  const double percent = MetricPair{"", first, other}.change();
  if (percent == 0 || std::isinf(percent)) return change_text(percent);
  return {{"text", change_text(percent)}, {"class", (percent < 0) == less_is_better ? "good" : "bad"}};
}

/// A table with a row for each quantity: its value in each document, and the change from the first.
Json side_by_side(const NamedStatistics& documents, const std::string& title, const std::string& first_column) {
  Json columns = Json::array({{{"name", first_column}}});
  for (std::size_t d = 0; d < documents.size(); ++d) {
    columns.push_back({{"name", documents[d].first}, {"kind", "number"}});
    if (d != 0) columns.push_back({{"name", "change"}, {"kind", "word"}});
  }
  return {{"kind", "table"}, {"title", title}, {"columns", columns}, {"rows", Json::array()}};
}
Json row_of(const std::string& name, const std::vector<double>& values, bool less_is_better) {
  Json row = Json::array({name});
  for (std::size_t d = 0; d < values.size(); ++d) {
    row.push_back(values[d]);
    if (d != 0) row.push_back(change(values.front(), values[d], less_is_better));
  }
  return row;
}

Json stacked_bars(const NamedStatistics& documents, const std::string& id, const std::string& title, const Json& y,
                  const Json& series) {
  Json labels = Json::array();
  for (const auto& document : documents) labels.push_back(document.first);
  return {{"kind", "plot"}, {"id", id},        {"title", title},
          {"type", "bars"}, {"stacked", true}, {"x", {{"label", "run"}, {"categories", labels}}},
          {"y", y},         {"series", series}};
}

Json cycles_plot(const NamedStatistics& documents, const Compared& compared, const std::string& id) {
  Json executing = Json::array(), launch = Json::array();
  for (const auto& counters : compared.counters) {
    const double inside = value_of(counters, "executing_cycles");
    executing.push_back(inside);
    launch.push_back(value_of(counters, "shader_cycles") - inside);
  }
  return stacked_bars(documents, id + "cycles", "Shader cycles", {{"label", "shader cycles"}},
                      {{{"name", "executing"}, {"colour", 0}, {"y", executing}},
                       {{"name", "launch and end"}, {"colour", 8}, {"y", launch}}});
}

Json stall_plot(const NamedStatistics& documents, const Compared& compared, const std::string& id) {
  std::vector<std::string> reasons = {"issued"};
  for (const Json* const run : compared.runs) {
    const Json stalls = run->value("stall", Json::object());
    for (const auto& [reason, cycles] : stalls.items()) {
      if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) reasons.push_back(reason);
    }
  }
  Json series = Json::array();
  for (const std::string& reason : reasons) {
    Json y = Json::array();
    double sum = 0;
    for (const auto& counters : compared.counters) {
      y.push_back(value_of(counters, reason == "issued" ? reason : "stall." + reason));
      sum += y.back().get<double>();
    }
    if (sum == 0) continue;
    series.push_back({{"name", reason}, {"colour", reason_colour(reason)}, {"y", y}});
  }
  return stacked_bars(documents, id + "stalls", "Scheduler cycles of all SMs", {{"label", "scheduler cycles"}}, series);
}

/// Instructions of one source line, or one instruction without a line.
Json hot_table(const NamedStatistics& documents, const Compared& compared) {
  std::map<std::string, std::vector<double>> waited;
  SourceText source;
  for (std::size_t d = 0; d < compared.runs.size(); ++d) {
    for (const Json& launch : compared.runs[d]->at("launches")) {
      for (const Json& pc : launch.value("pcs", Json::array())) {
        std::string place = fmt::format("{:04x}  {}", pc.at("pc").get<std::uint32_t>(), pc.value("instruction", ""));
        if (pc.contains("line")) {
          const std::string file = pc.at("file");
          const std::uint32_t line = pc.at("line");
          const auto text = source.line({file, line});
          std::string words(text.value_or(""));  // with the spaces of a table, but not of the file
          words.erase(std::unique(words.begin(), words.end(), [](char a, char b) { return a == ' ' && b == ' '; }),
                      words.end());
          place = fmt::format("{}:{}  {}", std::filesystem::path(file).filename().string(), line, words);
        }
        std::vector<double>& sums = waited[place];
        sums.resize(compared.runs.size());
        for (const auto& [reason, cycles] : pc.at("stall").items()) sums[d] += cycles.get<double>();
      }
    }
  }
  std::vector<std::pair<std::string, std::vector<double>>> sorted(waited.begin(), waited.end());
  const auto most = [](const auto& entry) { return *std::max_element(entry.second.begin(), entry.second.end()); };
  std::stable_sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) { return most(a) > most(b); });
  Json table = side_by_side(documents, "Source lines at which warps waited longest", "Line");
  table["note"] = "Scheduler cycles without an issue, charged to the line that the waiting warp executes next.";
  table["columns"][0]["kind"] = "source";
  for (std::size_t k = 0; k < sorted.size() && k < kMostLines && most(sorted[k]) > 0; ++k)
    table["rows"].push_back(row_of(sorted[k].first, sorted[k].second, true));
  return table;
}

Json section(const NamedStatistics& documents, const Compared& compared, const std::string& id) {
  const auto values = [&](const std::string& counter) {
    std::vector<double> list;
    for (const auto& counters : compared.counters) list.push_back(value_of(counters, counter));
    return list;
  };
  const auto filled = [&](Json table, const std::vector<std::tuple<const char*, const char*, bool>>& rows) {
    for (const auto& [name, counter, less_is_better] : rows)
      table["rows"].push_back(row_of(name, values(counter), less_is_better));
    return table;
  };
  Json items = {filled(side_by_side(documents, "Time", "Quantity"), {{"shader cycles", "shader_cycles", true},
                                                                     {"executing cycles", "executing_cycles", true},
                                                                     {"milliseconds", "milliseconds", true},
                                                                     {"IPC", "ipc", false},
                                                                     {"warp instructions", "warp_instructions", true}}),
                cycles_plot(documents, compared, id), stall_plot(documents, compared, id),
                filled(side_by_side(documents, "Memory", "Quantity"),
                       {{"coalesced transactions", "coalesced_transactions", true},
                        {"uncoalesced transactions", "uncoalesced_transactions", true},
                        {"bank conflict passes", "bank_conflict_passes", true},
                        {"DRAM bytes read", "dram_read_bytes", true},
                        {"DRAM bytes written", "dram_write_bytes", true},
                        {"DRAM row hits", "dram_row_hits", false},
                        {"DRAM row misses", "dram_row_misses", true}})};
  if (Json hot = hot_table(documents, compared); !hot["rows"].empty()) items.push_back(std::move(hot));
  return {{"id", id.substr(0, id.size() - 1)}, {"title", compared.name}, {"items", items}};
}

/// What the documents differ in: the commands, and the configuration keys of the first run.
Json provenance(const NamedStatistics& documents, const Compared& compared) {
  Json rows = Json::array(), keys = Json::array();
  for (std::size_t d = 0; d < documents.size(); ++d) {
    const Json& manifest = compared.runs[d]->at("manifest");
    rows.push_back({documents[d].first, manifest.value("device", ""), manifest.value("git_id", ""),
                    manifest.value("command", "")});
  }
  std::map<std::string, std::vector<std::string>> values;
  for (std::size_t d = 0; d < documents.size(); ++d) {
    for (const auto& [key, value] : flat_configuration(compared.runs[d]->at("manifest").at("config"))) {
      auto& list = values[key];
      list.resize(documents.size(), "-");
      list[d] = value;
    }
  }
  Json columns = Json::array({{{"name", "Key"}, {"kind", "code"}}});
  for (const auto& document : documents) columns.push_back({{"name", document.first}, {"kind", "code"}});
  for (const auto& [key, list] : values) {
    if (std::all_of(list.begin(), list.end(), [&](const std::string& value) { return value == list.front(); }))
      continue;
    Json row = Json::array({key});
    for (const std::string& value : list) row.push_back(value);
    keys.push_back(row);
  }
  Json items = {{{"kind", "table"},
                 {"title", "Runs"},
                 {"columns",
                  {{{"name", "Name"}},
                   {{"name", "Device"}, {"kind", "code"}},
                   {{"name", "Commit"}, {"kind", "code"}},
                   {{"name", "Command"}, {"kind", "code"}}}},
                 {"rows", rows}}};
  if (!keys.empty())
    items.push_back(
        {{"kind", "table"}, {"title", "Configuration keys that differ"}, {"columns", columns}, {"rows", keys}});
  return {{"id", "provenance"}, {"title", "What was compared"}, {"items", items}};
}

}  // namespace

std::string comparison_page(const NamedStatistics& documents, const std::string& command) {
  std::vector<Compared> all;
  Json sections = Json::array();
  try {
    all = runs_in_all(documents);
    if (all.empty()) throw InputError("--report: no run is in all of them");
    const auto times = [&](const char* title, const char* counter) {
      Json table = side_by_side(documents, title, "Run");
      for (const Compared& compared : all) {
        std::vector<double> cycles;
        for (const auto& counters : compared.counters) cycles.push_back(value_of(counters, counter));
        table["rows"].push_back(row_of(compared.name, cycles, true));
      }
      return table;
    };
    if (all.size() > 1) {
      sections.push_back({{"id", "all"},
                          {"title", "All runs"},
                          {"items", Json::array({times("Shader cycles", "shader_cycles"),
                                                 times("Executing cycles", "executing_cycles")})}});
    }
    for (std::size_t k = 0; k < all.size() && k < kMostRuns; ++k)
      sections.push_back(section(documents, all[k], fmt::format("r{}-", k)));
    sections.push_back(provenance(documents, all.front()));
  } catch (const nlohmann::json::exception&) {
    throw InputError("--report: a file is not a statistics file of --stats");
  }
  std::string title;
  for (const auto& document : documents) title += (title.empty() ? "" : ", ") + document.first;
  return html_page(
      {{"title", title},
       {"subtitle", command},
       {"footer", fmt::format("g80 {} ({}). The first column is what the others are compared with.", kVersion, kGitId)},
       {"sections", sections}});
}

}  // namespace g80
