// SPDX-License-Identifier: Apache-2.0
// The rows of g80 silicon as an HTML page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/report/html_page.h"
#include "validation/page_parts.h"
#include "validation/rows.h"

namespace g80::silicon {
namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned kDigits = 4;

/// A plot of each row's error relative to its tolerance.
Json errors_plot(const std::vector<Result>& results) {
  BandedBars bars;
  for (const Result& result : results) {
    if (std::fabs(result.error()) < 0.005) continue;
    const double allowed = significant(100 * result.row->allowed, kDigits);
    bars.add(result.row->id, std::round(1000 * result.error()) / 10, result.holds(), {-allowed, allowed});
  }
  return bars.plot({"errors", "Error of each row",
                    fmt::format("The {} rows that differ by half a percent or more, of {}; of a range the nearer end "
                                "counts. The stripe is what is allowed.",
                                bars.size(), results.size()),
                    "row", "model / silicon - 1"});
}

Json rows_that_are_out(const std::vector<Result>& results) {
  std::vector<OutRow> rows;
  for (const Result& result : results) {
    const Row& row = *result.row;
    if (result.holds()) continue;
    rows.push_back({row.id,
                    row.what,
                    {published_text(row), model_text(result.model), row.unit, percent_text(result.error())},
                    result.where});
  }
  return out_table(
      rows,
      {number_column("Silicon"), number_column("Model"), {{"name", "Unit"}, {"kind", "word"}}, number_column("Error")},
      "The causes stand in docs/accuracy.md.");
}

Json overview(const std::vector<Result>& results) {
  const auto held = std::count_if(results.begin(), results.end(), [](const Result& result) { return result.holds(); });
  const auto out = static_cast<std::ptrdiff_t>(results.size()) - held;
  Json items = {{{"kind", "tiles"},
                 {"tiles",
                  {{{"label", "rows that hold"}, {"value", held}, {"class", held != 0 ? "good" : ""}},
                   {{"label", "rows that are out"}, {"value", out}, {"class", out == 0 ? "good" : "bad"}}}}}};
  Json errors = errors_plot(results);
  if (!errors["x"]["categories"].empty()) items.push_back(errors);
  if (out != 0) items.push_back(rows_that_are_out(results));
  return {{"id", "overview"},
          {"title", "Verdict"},
          {"text",
           "Published figures of real chips beside what the model does. No number of the machine was fitted to a row "
           "of this page."},
          {"items", items}};
}

Json ladder(const std::vector<Result>& results) {
  Json silicon = Json::array(), model = Json::array();
  for (const Result& result : results) {
    const std::string id = result.row->id;
    if (id.size() != 7 || id.rfind("reduce", 0) != 0) continue;
    const int step = id.back() - '0';
    silicon.push_back({step, result.row->low});
    model.push_back({step, significant(result.model, kDigits)});
  }
  Json plot = {{"kind", "plot"},
               {"id", "ladder"},
               {"title", "Time of a sum of 2^22 integers"},
               {"type", "scatter"},
               {"wide", true},
               {"note", "The axis of time is logarithmic."},
               {"x", {{"label", "kernel"}, {"whole", true}}},
               {"y", {{"label", "ms"}, {"log", true}}},
               {"series",
                {{{"name", "silicon"}, {"points", silicon}, {"line", true}, {"marks", true}, {"colour", 4}},
                 {{"name", "model"}, {"points", model}, {"line", true}, {"marks", true}, {"colour", 2}}}}};
  return {{"id", "reductions"}, {"title", "Seven reductions on a GeForce 8800 GTX"}, {"items", {plot}}};
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
  Json table = {{"kind", "table"},
                {"title", "Rows"},
                {"row_ids", ids},
                {"columns",
                 {{{"name", "Row"}, {"kind", "word"}},
                  {{"name", "Device"}, {"kind", "word"}},
                  {{"name", "What"}, {"kind", "prose"}},
                  number_column("Silicon"),
                  number_column("Model"),
                  {{"name", "Unit"}, {"kind", "word"}},
                  number_column("Error"),
                  {{"name", "Verdict"}, {"kind", "word"}},
                  {{"name", "Decided by"}, {"kind", "prose"}},
                  {{"name", "Source"}, {"kind", "prose"}}}},
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
