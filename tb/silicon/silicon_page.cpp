// The rows of g80 silicon as a page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tb/report/html_page.h"
#include "tb/silicon/rows.h"

namespace g80::silicon {
namespace {

using Json = nlohmann::ordered_json;

double rounded(double value) { return std::stod(fmt::format("{:.4g}", value)); }

Json overview(const std::vector<Result>& results) {
  const auto held = std::count_if(results.begin(), results.end(), [](const Result& result) { return result.holds(); });
  const auto out = static_cast<std::ptrdiff_t>(results.size()) - held;
  Json names = Json::array(), errors = Json::array();
  for (const Result& result : results) {
    if (std::fabs(result.error()) < 0.005) continue;
    names.push_back(result.row->id);
    errors.push_back(rounded(100 + 100 * result.error()));
  }
  Json tiles = {{{"label", "rows that hold"}, {"value", held}, {"class", "good"}},
                {{"label", "rows that are out"}, {"value", out}, {"class", out == 0 ? "good" : "bad"}}};
  Json plot = {{"kind", "plot"},
               {"id", "errors"},
               {"title", "Model as a part of silicon"},
               {"note", "Rows that differ by half a percent or more; of a range the nearer end counts."},
               {"type", "bars"},
               {"wide", true},
               {"x", {{"label", ""}, {"categories", names}}},
               {"y", {{"label", "model / silicon"}, {"percent", true}}},
               {"series", {{{"name", "model / silicon"}, {"y", errors}}}}};
  return {{"id", "overview"},
          {"title", "Verdict"},
          {"text",
           "Published figures of real chips beside what the model does. No number of the machine was fitted to a row "
           "of this page."},
          {"items", {{{"kind", "tiles"}, {"tiles", tiles}}, plot}}};
}

Json ladder(const std::vector<Result>& results) {
  Json silicon = Json::array(), model = Json::array();
  for (const Result& result : results) {
    const std::string id = result.row->id;
    if (id.size() != 7 || id.rfind("reduce", 0) != 0) continue;
    const int step = id.back() - '0';
    silicon.push_back({step, result.row->low});
    model.push_back({step, rounded(result.model)});
  }
  Json plot = {{"kind", "plot"},
               {"id", "ladder"},
               {"title", "Time of a sum of 2^22 integers"},
               {"type", "scatter"},
               {"wide", true},
               {"x", {{"label", "kernel"}}},
               {"y", {{"label", "ms"}, {"log", true}}},
               {"series",
                {{{"name", "silicon"}, {"points", silicon}, {"line", true}, {"colour", 5}},
                 {{"name", "model"}, {"points", model}, {"line", true}, {"colour", 2}}}}};
  return {{"id", "reductions"}, {"title", "Seven reductions on a GeForce 8800 GTX"}, {"items", {plot}}};
}

Json causes(const std::vector<Result>& results) {
  std::vector<NamedWhere> rows;
  for (const Result& result : results) rows.push_back({result.row->id, result.where});
  return {{"id", "causes"},
          {"title", "Where the cycles went"},
          {"text",
           "Of the longest launch behind each row, or of what a longer one took beyond a shorter one. What each reason "
           "means: docs/counters.md."},
          {"items", where_items(rows)}};
}

Json all_rows(const std::vector<Result>& results) {
  Json rows = Json::array(), ids = Json::array();
  for (const Result& result : results) {
    const Row& row = *result.row;
    rows.push_back({row.id,
                    row.device,
                    row.what,
                    published_text(row),
                    model_text(result.model),
                    row.unit,
                    percent_text(result.error()),
                    {{"text", result.holds() ? "holds" : "OUT"}, {"class", result.holds() ? "good" : "bad"}},
                    row.decided,
                    row.source});
    ids.push_back(row.id);
  }
  const auto number = [](const char* name) { return Json{{"name", name}, {"kind", "number"}}; };
  Json table = {{"kind", "table"},
                {"title", "Rows"},
                {"row_ids", ids},
                {"columns",
                 {{{"name", "Row"}},
                  {{"name", "Device"}},
                  {{"name", "What"}},
                  {{"name", "Silicon"}},
                  number("Model"),
                  {{"name", "Unit"}},
                  number("Error"),
                  {{"name", "Verdict"}},
                  {{"name", "Decided by"}},
                  {{"name", "Source"}}}},
                {"rows", rows}};
  return {{"id", "rows"}, {"title", "All rows"}, {"items", {table}}};
}

}  // namespace

std::string silicon_page(const std::vector<Result>& results) {
  Json sections = {overview(results)};
  if (std::any_of(results.begin(), results.end(), [](const Result& result) { return result.row->section == 'C'; }))
    sections.push_back(ladder(results));
  sections.push_back(causes(results));
  sections.push_back(all_rows(results));
  return html_page(
      {{"title", "Silicon and the model"},
       {"subtitle", "g80 silicon: published figures of real chips, beside what the machine does"},
       {"footer", "Written by g80 silicon --report. Why rows are out, and what was fitted: docs/accuracy.md."},
       {"sections", sections}});
}

}  // namespace g80::silicon
