// SPDX-License-Identifier: Apache-2.0
// The rows of the documents as an HTML page: a table, and plots of the experiments with more than one number.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/report/html_page.h"
#include "validation/page_parts.h"
#include "validation/rows.h"
#include "validation/seed_rows.h"

namespace g80::silicon {
namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned kDigits = 6;

bool is_time(const SeedResult& result) { return std::string(result.row->id).rfind("1.3.time", 0) == 0; }

bool has_band(const SeedResult& result) {
  return result.verdict() != Verdict::kNotMeasured && result.row->low != result.row->high;
}

/// The position of each value in its band: -100 % is the lower end.
Json bands_plot(const std::vector<SeedResult>& results) {
  BandedBars bars;
  for (const SeedResult& result : results) {
    const SeedRow& row = *result.row;
    if (!has_band(result)) continue;
    bars.add(row.id, std::round(200 * (result.found.value - (row.low + row.high) / 2) / (row.high - row.low)),
             result.verdict() == Verdict::kHolds, {-100, 100});
  }
  return bars.plot({"bands", "Place of the model's value in its band",
                    "0 is the middle of the band, -100 and 100 % are its ends.", "row", "from the middle of the band"});
}

Json rows_that_are_out(const std::vector<SeedResult>& results) {
  std::vector<OutRow> rows;
  for (const SeedResult& result : results) {
    const SeedRow& row = *result.row;
    if (result.verdict() != Verdict::kOut) continue;
    rows.push_back(
        {row.id, row.what, {row.said, band_text(row), value_text(result.found.value), row.unit}, result.where});
  }
  return out_table(rows, {{{"name", "Document says"}},
                          number_column("Band"),
                          number_column("Model"),
                          {{"name", "Unit"}, {"kind", "word"}}});
}

Json overview(const std::vector<SeedResult>& results) {
  std::array<unsigned, 3> count{};
  for (const SeedResult& result : results) ++count[static_cast<std::size_t>(result.verdict())];
  Json tiles = {{{"label", "rows that hold"}, {"value", count[0]}, {"class", count[0] != 0 ? "good" : ""}},
                {{"label", "rows out of their band"}, {"value", count[1]}, {"class", count[1] == 0 ? "good" : "bad"}},
                {{"label", "rows not measured"}, {"value", count[2]}, {"note", "each row gives the reason"}}};
  Json items = {{{"kind", "tiles"}, {"tiles", tiles}}};
  if (count[1] != 0) items.push_back(rows_that_are_out(results));
  return {{"id", "overview"},
          {"title", "Verdict"},
          {"text",
           "Five documents describe chips of the GeForce 8 series in numbers: limits, counts, orders, times. Each "
           "number is a row here. "
           "The model ran for each row; no value is recorded. A row holds if the model's value is in its "
           "band."},
          {"items", items}};
}

Json bands(const std::vector<SeedResult>& results) {
  return {{"id", "bands"},
          {"title", "Rows with a band"},
          {"text",
           "A document that says \"400 to 600\" or \"several\" gives a band, and a measured time one of 10 % to either "
           "side. Every other number must be exact."},
          {"items", {bands_plot(results)}}};
}

Json times(const std::vector<SeedResult>& results) {
  Json names = Json::array(), silicon = Json::array(), model = Json::array(), table = Json::array();
  BandedBars errors;
  std::vector<NamedBreakdown> causes;
  for (const SeedResult& result : results) {
    if (!is_time(result)) continue;
    const unsigned trial = static_cast<unsigned>(std::string(result.row->id).back() - '0');
    const double measured = trial_rows().at(trial - 1).low, ours = result.found.value, error = ours / measured - 1;
    const bool holds = result.verdict() == Verdict::kHolds;
    names.push_back(fmt::format("trial {}", trial));
    silicon.push_back(measured);
    model.push_back(significant(ours, kDigits));
    errors.add(names.back(), std::round(1000 * error) / 10, holds,
               {significant(100 * (result.row->low / measured - 1), kDigits),
                significant(100 * (result.row->high / measured - 1), kDigits)});
    table.push_back({names.back(),
                     result.row->what,
                     measured,
                     value_text(ours),
                     percent_text(error),
                     {{"text", verdict_text(result.verdict())}, {"class", holds ? "good" : "bad"}},
                     trial_rows().at(trial - 1).decided});
    causes.push_back({names.back(), result.where});
  }
  Json both = {
      {"kind", "plot"},
      {"id", "times-plot"},
      {"title", "Execution time"},
      {"note", "2^25 elements on a GeForce 8600 GTS; the document's means of 1000 runs"},
      {"type", "bars"},
      {"x", {{"label", ""}, {"categories", names}}},
      {"y", {{"label", "ms"}}},
      {"series",
       {{{"name", "silicon"}, {"y", silicon}, {"colour", 4}}, {{"name", "model"}, {"y", model}, {"colour", 2}}}}};
  Json numbers = {{"kind", "table"},
                  {"title", "Times"},
                  {"columns",
                   {{{"name", "Row"}, {"kind", "word"}},
                    {{"name", "Shape"}, {"kind", "prose"}},
                    number_column("Silicon, ms"),
                    number_column("Model, ms"),
                    number_column("Error"),
                    {{"name", "Verdict"}, {"kind", "word"}},
                    {{"name", "Decided by"}, {"kind", "prose"}}}},
                  {"rows", table}};
  Json items = {both,
                errors.plot({"times-errors", "Error of the model", "The stripe is the band, 10 % to either side.", "",
                             "model / silicon - 1", false}),
                numbers};
  for (const Json& item : breakdown_items(causes, "times-causes")) items.push_back(item);
  return {{"id", "times"},
          {"title", "Seven times of square_array"},
          {"text",
           "Stride, offset and groups of threads decide how many transactions a load needs and which threads go "
           "together. Some latencies and the DRAM's "
           "window were fitted to these seven times together; docs/accuracy.md lists them."},
          {"items", items}};
}

Json hiding(SeedRuns& runs) {
  Json warps = Json::array(), used = Json::array();
  for (const HidingPoint& point : runs.hiding()) {
    warps.push_back(point.warps);
    used.push_back(significant(100 * point.used, kDigits));
  }
  Json plot = {{"kind", "plot"},
               {"title", "Issue cycles in use"},
               {"note",
                "each warp loads a word, waits for it and computes: a round is 12 instructions on the port of the SPs, "
                "which count as use, and a branch beside them"},
               {"type", "lines"},
               {"wide", true},
               {"x", {{"label", "warps on the SM"}, {"unit", "warps"}, {"values", warps}}},
               {"y", {{"label", "of the issue cycles"}, {"percent", true}, {"most", 100}}},
               {"series", {{{"name", "in use"}, {"y", used}}}}};
  return {{"id", "hiding"},
          {"title", "Warps hide latency"},
          {"text",
           "One warp leaves the SM idle while it waits. With enough of them one is always ready, up to the 24 that an "
           "SM holds."},
          {"items", {plot}}};
}

Json figure(SeedRuns& runs) {
  const Timeline38& timeline = runs.timeline();
  constexpr unsigned kWarps = 2;
  Json series = Json::array(), rows = Json::array();
  const auto lane = [](unsigned block, unsigned warp) { return 6.0 - (block * kWarps + warp); };  // the first on top
  for (const Timeline38::Wait& wait : timeline.waits) {
    series.push_back({{"name", "waits"},
                      {"legend", series.empty()},
                      {"line", true},
                      {"colour", 1},
                      {"points", {{wait.from, lane(wait.block, wait.warp)}, {wait.to, lane(wait.block, wait.warp)}}}});
    rows.push_back(
        {fmt::format("TB{} W{}", wait.block + 1, wait.warp + 1), wait.number, wait.from, wait.to, wait.others});
  }
  for (unsigned block = 0; block < 3; ++block) {
    for (unsigned warp = 0; warp < kWarps; ++warp) {
      Json points = Json::array();
      for (const Timeline38::Issue& issue : timeline.issues) {
        if (issue.block != block || issue.warp != warp) continue;
        const bool named = std::any_of(timeline.waits.begin(), timeline.waits.end(), [&](const Timeline38::Wait& wait) {
          return wait.block == block && wait.warp == warp && wait.to == issue.cycle;
        });
        points.push_back({issue.cycle, lane(block, warp)});
        if (named) points.back().push_back(fmt::format("{}", issue.number));
      }
      series.push_back({{"name", fmt::format("TB{}", block + 1)},
                        {"legend", warp == 0},
                        {"points", points},
                        {"colour", block == 0   ? 0
                                   : block == 1 ? 4
                                                : 2}});
    }
  }
  Json plot = {
      {"kind", "plot"},
      {"title", "Instructions that each warp issues"},
      {"type", "scatter"},
      {"wide", true},
      {"height", 300},
      {"note", "A point is an instruction, a line a wait; the number is that of the instruction which needs the load."},
      {"x", {{"label", "shader cycles"}}},
      {"y", {{"label", ""}, {"names", {"TB3 W2", "TB3 W1", "TB2 W2", "TB2 W1", "TB1 W2", "TB1 W1"}}}},
      {"series", series}};
  Json table = {{"kind", "table"},
                {"title", "Waits"},
                {"columns",
                 {{{"name", "Warp"}, {"kind", "word"}},
                  {{"name", "Waits at instruction"}, {"kind", "number"}},
                  {{"name", "From"}, {"kind", "number"}},
                  {{"name", "To"}, {"kind", "number"}},
                  {{"name", "Instructions of others meanwhile"}, {"kind", "number"}}}},
                {"rows", rows}};
  return {{"id", "figure"},
          {"title", "Figure 3.8: one warp waits, others continue"},
          {"text",
           "Three blocks of two warps on one SM. Block 1 needs its load at instruction 7, block 2 at instruction 3, "
           "block 3 at instruction 9. The scheduler is "
           "round robin among ready warps, where the textbook's figure lets a warp continue until it waits."},
          {"items", {plot, table}}};
}

Json barriers(SeedRuns& runs) {
  Json names = Json::array(), lost = Json::array(), used = Json::array();
  for (const BarrierPoint& point : runs.barriers()) {
    names.push_back(fmt::format("{}", point.blocks));
    lost.push_back(std::max(0.0, significant(point.lost, kDigits)));
    used.push_back(significant(100 * point.used, kDigits));
  }
  Json cost = {{"kind", "plot"},
               {"title", "Cycles lost in a round"},
               {"type", "bars"},
               {"x", {{"label", "blocks, of 16 warps together"}, {"categories", names}}},
               {"y", {{"label", "cycles"}}},
               {"series", {{{"name", "lost"}, {"y", lost}, {"colour", 5}}}}};
  Json share = {{"kind", "plot"},
                {"title", "Issue cycles in use"},
                {"type", "bars"},
                {"x", {{"label", "blocks, of 16 warps together"}, {"categories", names}}},
                {"y", {{"label", "of the issue cycles"}, {"percent", true}, {"most", 100}}},
                {"series", {{{"name", "in use"}, {"y", used}}}}};
  return {
      {"id", "barriers"},
      {"title", "What a barrier costs"},
      {"text",
       "16 warps compute, load a word and meet. A warp enters a barrier only when nothing of it is in flight, the load "
       "included; with more blocks on the SM the others "
       "compute meanwhile."},
      {"items", {cost, share}}};
}

Json histogram(SeedRuns& runs) {
  Json items = Json::array();
  for (const auto& [reduction, title] : {std::pair{"reduction_sequential", "Shrinking strides: warps stay whole"},
                                         {"reduction_interleaved", "Growing strides: every warp diverges"}}) {
    Json shares = Json::array();
    for (std::size_t i = 0; i < 5; ++i) {
      shares.push_back(significant(100 * runs.histogram(reduction).share(i), kDigits));
    }
    items.push_back({{"kind", "plot"},
                     {"title", title},
                     {"type", "bars"},
                     {"x", {{"label", "active threads"}, {"categories", {"32", "24-31", "16-23", "8-15", "1-7"}}}},
                     {"y", {{"label", "warp instructions"}, {"percent", true}, {"most", 100}}},
                     {"series", {{{"name", "of the instructions"}, {"y", shares}}}}});
  }
  return {{"id", "utilisation"},
          {"title", "Active threads of a warp"},
          {"text",
           "Both reductions of the lecture with 32 warps of 32 threads on one SM of a GeForce GTX 280, round robin."},
          {"items", items}};
}

Json all_rows(const std::vector<SeedResult>& results) {
  Json items = Json::array();
  for (const char* document : {kThreadsBlocks, kTeachingKit, kNewConcepts, kTextbook, kLearningLog}) {
    Json rows = Json::array(), ids = Json::array();
    for (const SeedResult& result : results) {
      const SeedRow& row = *result.row;
      if (std::string(row.document) != document) continue;
      const Verdict verdict = result.verdict();
      const std::string model = verdict == Verdict::kNotMeasured ? "" : value_text(result.found.value);
      rows.push_back({row.id,
                      row.what,
                      row.said,
                      band_text(row),
                      model,
                      row.unit,
                      {{"text", verdict_text(verdict)},
                       {"class", verdict == Verdict::kHolds ? "good"
                                 : verdict == Verdict::kOut ? "bad"
                                                            : ""}},
                      row.decided,
                      result.found.note});
      ids.push_back(row.id);
    }
    if (rows.empty()) continue;
    items.push_back({{"kind", "table"},
                     {"title", document},
                     {"row_ids", ids},
                     {"columns",
                      {{{"name", "Row"}, {"kind", "word"}},
                       {{"name", "What"}, {"kind", "prose"}},
                       {{"name", "Document says"}},
                       number_column("Band"),
                       number_column("Model"),
                       {{"name", "Unit"}, {"kind", "word"}},
                       {{"name", "Verdict"}, {"kind", "word"}},
                       {{"name", "Decided by"}, {"kind", "prose"}},
                       {{"name", "Remark"}, {"kind", "prose"}}}},
                     {"rows", rows}});
  }
  return {{"id", "rows"}, {"title", "All rows"}, {"items", items}};
}

}  // namespace

std::string seeds_page(const std::vector<SeedResult>& results, SeedRuns& runs) {
  const auto has = [&](const char* prefix) {
    return std::any_of(results.begin(), results.end(),
                       [&](const SeedResult& result) { return std::string(result.row->id).rfind(prefix, 0) == 0; });
  };
  Json sections = {overview(results)};
  if (std::any_of(results.begin(), results.end(), is_time)) sections.push_back(times(results));
  if (std::any_of(results.begin(), results.end(), has_band)) sections.push_back(bands(results));
  if (has("W6.")) sections.push_back(hiding(runs));
  if (has("F3.8.")) sections.push_back(figure(runs));
  if (has("B2.lost")) sections.push_back(barriers(runs));
  if (has("W7.")) sections.push_back(histogram(runs));
  sections.push_back(causes(results));
  sections.push_back(all_rows(results));
  return html_page({{"title", "Five documents and the model"},
                    {"subtitle", "g80 seeds: every number that the documents state, beside what the machine does"},
                    {"footer",
                     "Written by g80 seeds --report. Bands, sources and what decides a row: validation/. Fitted "
                     "numbers: docs/accuracy.md."},
                    {"sections", sections}});
}

}  // namespace g80::silicon
