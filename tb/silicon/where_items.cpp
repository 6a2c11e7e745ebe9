// Where cycles went, as a plot and a table of an HTML page.
#include <cmath>
#include <nlohmann/json.hpp>

#include "tb/silicon/where.h"

namespace g80::silicon {
namespace {

using Json = nlohmann::ordered_json;

double rounded(double value) { return std::round(value * 100) / 100; }

/// Colours as in the report of a run.
constexpr std::pair<const char*, unsigned> kReasons[] = {
    {"issued", 0},  {"unit_busy", 6}, {"alu", 7},   {"memory", 5}, {"memory_queue", 9},
    {"barrier", 4}, {"control", 3},   {"fetch", 2}, {"drain", 8},  {"no_warp", 1}};

double part_of(const Where& where, const std::string& reason) {
  for (const auto& [name, part] : where.parts()) {
    if (name == reason) return part;
  }
  return 0;
}

}  // namespace

Json where_items(const std::vector<NamedWhere>& all) {
  std::vector<NamedWhere> rows;
  for (const NamedWhere& row : all) {
    if (row.where.cycles != 0) rows.push_back(row);
  }
  Json names = Json::array(), series = Json::array(), table = Json::array();
  for (const NamedWhere& row : rows) names.push_back(row.name);
  for (const auto& [reason, colour] : kReasons) {
    Json y = Json::array();
    bool any = false;
    for (const NamedWhere& row : rows) {
      y.push_back(rounded(100 * part_of(row.where, reason)));
      any |= y.back() != 0;
    }
    if (any) series.push_back({{"name", reason}, {"colour", colour}, {"y", y}});
  }
  for (const auto& [name, where] : rows) {
    Json dram = {nullptr, nullptr, nullptr, nullptr};
    if (where.uses_dram())
      dram = {rounded(100 * where.hit_rate()), where.turnarounds, rounded(100 * where.bus()), rounded(where.busiest())};
    table.push_back({name, where.cycles, cycles_text(where), dram[0], dram[1], dram[2], dram[3],
                     where.divergent_branches, where.conflict_passes});
  }
  const auto number = [](const char* name) { return Json{{"name", name}, {"kind", "number"}}; };
  Json plot = {{"kind", "plot"},
               {"id", "causes-plot"},
               {"title", "Scheduler cycles"},
               {"note", "Of the SMs that had a block."},
               {"type", "bars"},
               {"stacked", true},
               {"wide", true},
               {"height", 320},
               {"x", {{"label", ""}, {"categories", names}}},
               {"y", {{"label", "scheduler cycles"}, {"percent", true}, {"most", 100}}},
               {"series", series}};
  return Json::array({plot,
                      {{"kind", "table"},
                       {"title", "Cycles and DRAM"},
                       {"note", "DRAM is left out where the data buses did nothing but serve the launch."},
                       {"columns",
                        {{{"name", "Row"}},
                         number("Shader cycles"),
                         {{"name", "Scheduler cycles"}},
                         number("Row hits, %"),
                         number("Turnarounds"),
                         number("Data buses, %"),
                         number("Busiest partition"),
                         number("Divergent branches"),
                         number("Conflict passes")}},
                       {"rows", table}}});
}

}  // namespace g80::silicon
