// SPDX-License-Identifier: Apache-2.0
// report.html: speed-ups, a map of two keys, the best trade-offs, and every run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/report/html_page.h"
#include "app/report/summary_table.h"
#include "app/sweep/sweep_results.h"
#include "hw/common/version.h"
#include "hw/config/config_keys.h"

namespace g80 {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBars = 10, kMostChoices = 200, kMostPoints = 1000, kMostRuns = 1000, kMostFailures = 200;

Json null_or(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// A speed-up in a table: with the decimals in which configurations differ.
Json ratio_cell(double value) {
  return std::isfinite(value) ? Json{{"text", fmt::format("{:.4f}", value)}} : Json(nullptr);
}

/// The value of a key or "device" in a configuration; empty: it has none.
std::string value_in(const SweepPlan& plan, const SweepPoint& point, const std::string& name) {
  if (name == "device") return plan.device_of(point);
  for (const auto& [key, value] : point.keys) {
    if (key == name) return value;
  }
  return {};
}

bool is_number(const std::string& text, double& value) {
  char* end = nullptr;
  value = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && std::isfinite(value);
}

/// Keys with more than one value, and the device if there are several.
std::vector<std::string> varying(const SweepPlan& plan) {
  std::vector<std::string> names;
  for (const auto& [key, values] : plan.keys) {
    if (values.size() > 1) names.push_back(key);
  }
  if (plan.devices.size() > 1) names.push_back("device");
  return names;
}

Json summary(const SweepPlan& plan, const SweepResults& results, const std::vector<SweepChoice>& choices) {
  const std::uint64_t total = results.rows.size(), right = results.as_expected(), missing = results.missing();
  const bool all_good = std::all_of(results.rows.begin(), results.rows.end(), [](const SweepRow& row) {
    return std::string(verdict_class(row.as_expected, row.verdict)) == "good";
  });
  double seconds = 0;
  for (const SweepRow& row : results.rows) seconds += row.missing ? 0 : row.seconds;
  const auto best = std::max_element(choices.begin(), choices.end(), [](const SweepChoice& a, const SweepChoice& b) {
    return (std::isnan(a.speed_up) ? 0 : a.speed_up) < (std::isnan(b.speed_up) ? 0 : b.speed_up);
  });
  Json tiles = {{{"label", "runs"}, {"value", total}, {"note", fmt::format("{} left out", plan.left_out)}},
                {{"label", "as expected"},
                 {"value", right},
                 {"class", all_good         ? "good"
                           : right == total ? ""
                                            : "bad"},
                 {"note", fmt::format("{} without a result", missing)}},
                {{"label", "configurations"},
                 {"value", choices.size()},
                 {"note", fmt::format("of {} kernels", plan.kernels.size())}},
                {{"label", "processor time"}, {"value", seconds}, {"unit", "s"}}};
  if (best != choices.end() && std::isfinite(best->speed_up))
    tiles.push_back(
        {{"label", "best speed-up"}, {"value", fmt::format("{:.4f}", best->speed_up)}, {"note", best->name}});
  return {{"id", "summary"}, {"title", "Summary"}, {"items", {{{"kind", "tiles"}, {"tiles", tiles}}}}};
}

/// The best configurations, kernel by kernel, and all of them as a table.
Json speed_ups(const SweepPlan& plan, const std::vector<SweepChoice>& choices) {
  std::vector<const SweepChoice*> sorted;
  for (std::size_t c = 1; c < choices.size(); ++c) {
    if (std::isfinite(choices[c].speed_up)) sorted.push_back(&choices[c]);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto* a, const auto* b) { return a->speed_up > b->speed_up; });
  Json names = Json::array();
  for (const SweepKernel& kernel : plan.kernels) names.push_back(kernel.name);
  names.push_back("all");
  Json series = Json::array();
  for (std::size_t c = 0; c < sorted.size() && c < kMostBars; ++c) {
    Json y = Json::array();
    for (const double value : sorted[c]->by_kernel) y.push_back(null_or(value));
    y.push_back(null_or(sorted[c]->speed_up));
    series.push_back({{"name", sorted[c]->name}, {"colour", c}, {"y", y}});
  }
  Json items = Json::array();
  if (!sorted.empty()) {
    items.push_back(
        {{"kind", "plot"},
         {"id", "speed-up-bars"},
         {"title", "Speed-up over the baseline"},
         {"type", "bars"},
         {"wide", true},
         {"height", 320},
         {"note",
          sorted.size() > kMostBars ? fmt::format("The {} best of {} configurations.", kMostBars, sorted.size()) : ""},
         {"x", {{"label", "kernel"}, {"categories", names}}},
         {"y", {{"label", fmt::format("{} of the baseline / own", plan.report.metric)}}},
         {"series", series}});
  }
  Json columns = {{{"name", "Configuration"}, {"kind", "code"}}, number_column("Speed-up"), number_column("Runs")};
  for (const SweepKernel& kernel : plan.kernels) columns.push_back({{"name", kernel.name}, {"kind", "number"}});
  Json rows = Json::array();
  const auto add = [&](const SweepChoice& choice) {
    Json row = {choice.name, ratio_cell(choice.speed_up), choice.compared};
    for (const double value : choice.by_kernel) row.push_back(ratio_cell(value));
    rows.push_back(row);
  };
  add(choices.front());
  for (std::size_t c = 0; c < sorted.size() && c < kMostChoices; ++c) add(*sorted[c]);
  items.push_back(
      {{"kind", "table"},
       {"title", "Configurations, the best first"},
       {"columns", columns},
       {"rows", rows},
       {"note", sorted.size() > kMostChoices ? fmt::format("The first {} of {}.", kMostChoices, sorted.size()) : ""}});
  return {
      {"id", "speed-up"},
      {"title", "Speed-up"},
      {"items", items},
      {"text", fmt::format("The baseline is {}. A kernel's number is the geometric mean over its arguments and seeds, "
                           "the last one the geometric mean over the kernels. Runs that are not as expected or did not "
                           "finish do not count.",
                           choices.front().name)}};
}

Json heat_map(const SweepPlan& plan, const std::vector<SweepChoice>& choices) {
  std::vector<std::string> two = plan.report.heat;
  if (two.empty()) {
    two = varying(plan);
    if (two.size() < 2) return nullptr;
    two.resize(2);
  }
  const auto values = [&](const std::string& name) {
    if (name == "device") return plan.devices;
    for (const auto& [key, list] : plan.keys) {
      if (key == name) return list;
    }
    return std::vector<std::string>();
  };
  const std::vector<std::string> across = values(two[0]), up = values(two[1]);
  std::map<std::pair<std::string, std::string>, std::pair<double, unsigned>> cells;
  for (const SweepChoice& choice : choices) {
    if (!std::isfinite(choice.speed_up)) continue;
    auto& [sum, count] = cells[{value_in(plan, *choice.point, two[0]), value_in(plan, *choice.point, two[1])}];
    sum += std::log(choice.speed_up);
    ++count;
  }
  Json rows = Json::array();
  for (const std::string& y : up) {
    Json row = Json::array();
    for (const std::string& x : across) {
      const auto found = cells.find({x, y});
      row.push_back(found == cells.end() ? Json(nullptr) : Json(std::exp(found->second.first / found->second.second)));
    }
    rows.push_back(row);
  }
  return {{"id", "map"},
          {"title", "Map of two keys"},
          {"items",
           {{{"kind", "plot"},
             {"id", "heat-map"},
             {"title", fmt::format("Speed-up by {} and {}", two[0], two[1])},
             {"type", "heat"},
             {"wide", true},
             {"note",
              "The geometric mean over everything else. Green is faster than the baseline, red slower; an empty field "
              "was not run."},
             {"x", {{"label", two[0]}, {"categories", across}}},
             {"y", {{"label", two[1]}, {"names", up}}},
             {"cells", rows},
             {"series", Json::array()}}}}};
}

/// A configuration's place in the plot of trade-offs.
struct Place {
  double x, y;
  const SweepChoice* choice;
};

/// Those for which no other is better in one direction and not worse in the other, by x.
std::vector<Place> frontier(std::vector<Place> places) {
  std::sort(places.begin(), places.end(),
            [](const Place& a, const Place& b) { return std::pair(a.x, a.y) < std::pair(b.x, b.y); });
  std::vector<Place> best;
  for (const Place& place : places) {
    if (best.empty() || place.y < best.back().y) best.push_back(place);
  }
  return best;
}

Json trade_offs(const SweepPlan& plan, const SweepResults& results, const std::vector<SweepChoice>& choices) {
  std::vector<std::string> two = plan.report.pareto;
  if (two.empty()) {
    for (const auto& [key, values] : plan.keys) {
      double value = 0;
      if (two.empty() && values.size() > 1 &&
          std::all_of(values.begin(), values.end(), [&](const auto& text) { return is_number(text, value); }))
        two.push_back(key);
    }
    if (two.empty()) return nullptr;
    two.push_back(plan.report.metric);
  }
  // Of a number of the runs the geometric mean, so that long kernels do not hide short ones.
  const auto place = [&](const SweepChoice& choice, const std::string& name) -> double {
    double value = 0;
    if (is_number(value_in(plan, *choice.point, name), value)) return value;
    const auto column = results.column(name);
    if (!column) return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    std::uint64_t count = 0;
    for (const std::size_t r : choice.rows) {
      const SweepRow& row = results.rows[r];
      if (!row.has_time() || !(row.numbers[*column] > 0)) continue;
      sum += std::log(row.numbers[*column]);
      ++count;
    }
    return count == 0 ? std::numeric_limits<double>::quiet_NaN() : std::exp(sum / static_cast<double>(count));
  };
  std::vector<Place> places;
  for (const SweepChoice& choice : choices) {
    const Place at{place(choice, two[0]), place(choice, two[1]), &choice};
    if (std::isfinite(at.x) && std::isfinite(at.y)) places.push_back(at);
  }
  if (places.empty()) return nullptr;
  const std::vector<Place> best = frontier(places);
  Json others = Json::array(), line = Json::array(), rows = Json::array();
  const std::size_t step = places.size() / kMostPoints + 1;
  for (std::size_t i = 0; i < places.size(); i += step) others.push_back({places[i].x, places[i].y, ""});
  for (const Place& one : best) {
    line.push_back({one.x, one.y, ""});
    rows.push_back({one.x, one.y, one.choice->name});
  }
  return {
      {"id", "trade-offs"},
      {"title", "Trade-offs"},
      {"text", fmt::format("Each point is a configuration: {} and {}, the smaller the better. No configuration is "
                           "better in both than one on the line.",
                           two[0], two[1])},
      {"items",
       {{{"kind", "plot"},
         {"id", "pareto"},
         {"title", fmt::format("{} and {}", two[0], two[1])},
         {"type", "scatter"},
         {"wide", true},
         {"height", 320},
         {"note",
          step > 1 ? fmt::format("Every {}th of {} configurations, and all on the line.", step, places.size()) : ""},
         {"x", {{"label", two[0]}}},
         {"y", {{"label", two[1]}}},
         {"series",
          {{{"name", "configurations"}, {"colour", 2}, {"points", others}},
           {{"name", "best"}, {"colour", 5}, {"points", line}, {"line", true}, {"marks", true}}}}},
        {{"kind", "table"},
         {"title", "On the line"},
         {"columns",
          {number_column(two[0].c_str()),
           number_column(two[1].c_str()),
           {{"name", "Configuration"}, {"kind", "code"}}}},
         {"rows", rows}}}}};
}

Json runs(const SweepPlan& plan, const SweepResults& results) {
  const std::vector<std::string> wanted = {"shader_cycles", "executing_cycles", "milliseconds", "ipc"};
  Json columns = {{{"name", "Run"}, {"kind", "code"}}, {{"name", "Result"}, {"kind", "word"}}};
  std::vector<std::size_t> shown;
  std::vector<std::string> names = wanted;
  if (std::find(names.begin(), names.end(), plan.report.metric) == names.end()) names.push_back(plan.report.metric);
  for (const std::string& name : names) {
    if (const auto c = results.column(name)) {
      shown.push_back(*c);
      columns.push_back({{"name", results.columns[*c]}, {"kind", "number"}});
    }
  }
  Json rows = Json::array(), failures = Json::array();
  for (const SweepRow& row : results.rows) {
    const bool bad = row.missing || !row.as_expected;
    if (bad && failures.size() < kMostFailures)
      failures.push_back(
          {plan.label(*row.point), row.missing ? "no result" : row.verdict, plan.command(*row.point), row.log});
    if (rows.size() >= kMostRuns) continue;
    Json cells = {plan.label(*row.point),
                  {{"text", row.missing ? "no result" : row.verdict}, {"class", verdict_class(!bad, row.verdict)}}};
    for (const std::size_t c : shown) cells.push_back(row.missing ? Json(nullptr) : null_or(row.numbers[c]));
    rows.push_back(cells);
  }
  Json items = Json::array();
  if (!failures.empty()) {
    items.push_back({{"kind", "table"},
                     {"title", "Not as expected"},
                     {"columns",
                      {{{"name", "Run"}, {"kind", "code"}},
                       {{"name", "Result"}, {"kind", "word"}},
                       {{"name", "Command"}, {"kind", "code"}},
                       {{"name", "Log"}, {"kind", "code"}}}},
                     {"rows", failures}});
  }
  items.push_back({{"kind", "table"},
                   {"title", "Runs"},
                   {"folded", rows.size() > 50},
                   {"columns", columns},
                   {"rows", rows},
                   {"note", results.rows.size() > kMostRuns ? fmt::format("The first {} of {}; results.csv has all.",
                                                                          kMostRuns, results.rows.size())
                                                            : ""}});
  return {{"id", "runs"}, {"title", "Runs"}, {"items", items}};
}

}  // namespace

std::string sweep_page(const SweepPlan& plan, const SweepResults& results, const std::string& command) {
  const std::vector<SweepChoice> choices = sweep_choices(plan, results);
  Json sections = Json::array();
  sections.push_back(summary(plan, results, choices));
  if (choices.size() > 1) sections.push_back(speed_ups(plan, choices));
  for (const Json& section : {heat_map(plan, choices), trade_offs(plan, results, choices)}) {
    if (!section.is_null()) sections.push_back(section);
  }
  sections.push_back(runs(plan, results));
  return html_page({{"title", plan.name},
                    {"subtitle", command},
                    {"footer", fmt::format("g80 {} ({})", kVersion, kGitId)},
                    {"sections", sections}});
}

}  // namespace g80
