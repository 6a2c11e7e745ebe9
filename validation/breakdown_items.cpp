// SPDX-License-Identifier: Apache-2.0
// Where cycles went, as a plot and tables of an HTML page.
#include <nlohmann/json.hpp>

#include "app/report/html_page.h"
#include "app/report/report_parts.h"
#include "validation/cycle_breakdown.h"

namespace g80::silicon {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::pair<const char*, const char*> kReasons[] = {
    {"issued", "an instruction left; the port takes one in every second scheduler cycle, so that 50 % is the most"},
    {"unit_busy", "a warp was ready, but its unit or the port was taken"},
    {"alu", "warps waited for a result of the pipeline"},
    {"memory", "warps waited for a result of device memory, a texture or a constant"},
    {"memory_queue", "a warp was ready, but the way to memory took no more"},
    {"barrier", "all warps waited at a barrier"},
    {"control", "warps waited for a branch, a join or an exit"},
    {"fetch", "warps waited for instructions"},
    {"drain", "a warp waited for its own instructions before a barrier"},
    {"no_warp", "the SM had no warp: before its first block, between blocks, after the last"}};

double part_of(const CycleBreakdown& where, const std::string& reason) {
  for (const auto& [name, part] : where.parts()) {
    if (name == reason) return part;
  }
  return 0;
}

/// What each reason means.
Json reasons_item() {
  Json rows = Json::array();
  for (const auto& [reason, meaning] : kReasons) rows.push_back({reason, meaning});
  return {{"kind", "table"},
          {"title", "What a scheduler cycle went to"},
          {"folded", true},
          {"columns", {{{"name", "Reason"}, {"kind", "word"}}, {{"name", "Meaning"}, {"kind", "prose"}}}},
          {"rows", rows}};
}

}  // namespace

std::string unbroken(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ' && i != 0 && text[i - 1] != ',') {
      result += "\u00a0";
    } else {
      result += text[i];
    }
  }
  return result;
}

Json breakdown_items(const std::vector<NamedBreakdown>& all, const std::string& id) {
  std::vector<NamedBreakdown> rows;
  for (const NamedBreakdown& row : all) {
    if (row.where.cycles != 0) rows.push_back(row);
  }
  Json names = Json::array(), series = Json::array(), table = Json::array();
  for (const NamedBreakdown& row : rows) names.push_back(row.name);
  for (const auto& [reason, meaning] : kReasons) {
    Json y = Json::array();
    bool any = false;
    for (const NamedBreakdown& row : rows) {
      y.push_back(hundredths(100 * part_of(row.where, reason)));
      any |= y.back() != 0;
    }
    if (any) series.push_back({{"name", reason}, {"colour", reason_colour(reason)}, {"y", y}});
  }
  for (const auto& [name, where] : rows) {
    Json dram = {nullptr, nullptr, nullptr, nullptr, nullptr};
    if (where.uses_dram())
      dram = {where.row_hits, where.row_misses, where.turnarounds, hundredths(100 * where.bus()),
              hundredths(where.busiest())};
    table.push_back({name, where.cycles, where.executing, unbroken(cycles_text(where)), dram[0], dram[1], dram[2],
                     dram[3], dram[4], where.divergent_branches, where.conflict_passes});
  }
  Json plot = {{"kind", "plot"},
               {"id", id},
               {"title", "Scheduler cycles"},
               {"note", "Of the SMs that issued anything. A name in the legend hides its part."},
               {"type", "bars"},
               {"across", true},
               {"stacked", true},
               {"wide", true},
               {"x", {{"label", "row"}, {"categories", names}}},
               {"y", {{"label", "part of the scheduler cycles"}, {"percent", true}, {"most", 100}}},
               {"series", series}};
  return Json::array(
      {plot,
       {{"kind", "table"},
        {"title", "Cycles and DRAM"},
        {"note",
         "DRAM is left out where the data buses did nothing but serve the launch. Row hits: bursts whose "
         "DRAM row was open. Turnarounds: "
         "changes between reading and writing. Busiest partition: its bytes beside the mean."},
        {"columns",
         {{{"name", "Row"}, {"kind", "word"}},
          number_column("Shader cycles"),
          number_column("Executing"),
          {{"name", "Scheduler cycles"}, {"kind", "prose"}},
          number_column("Row hits"),
          number_column("Row misses"),
          number_column("Turnarounds"),
          number_column("Data buses, %"),
          number_column("Busiest partition"),
          number_column("Divergent branches"),
          number_column("Conflict passes")}},
        {"rows", table}},
       reasons_item()});
}

}  // namespace g80::silicon
