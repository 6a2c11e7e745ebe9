// SPDX-License-Identifier: Apache-2.0
#include "validation/page_parts.h"

#include <fmt/format.h>

namespace g80::silicon {

using Json = nlohmann::ordered_json;

double significant(double value, unsigned digits) { return std::stod(fmt::format("{:.{}g}", value, digits)); }

void BandedBars::add(const std::string& name, double value, bool holds, const Json& band) {
  names_.push_back(name);
  (holds ? holding_ : out_).push_back(value + 0.0);  // no -0
  (holds ? out_ : holding_).push_back(nullptr);
  bands_.push_back(band);
}

Json BandedBars::plot(const Texts& texts) const {
  Json item = {{"kind", "plot"},     {"id", texts.id}, {"title", texts.title},
               {"note", texts.note}, {"type", "bars"}, {"across", true}};
  if (texts.wide) item["wide"] = true;
  item["x"] = {{"label", texts.x}, {"categories", names_}};
  item["y"] = {{"label", texts.y}, {"percent", true}, {"signed", true}, {"bands", bands_}};
  item["series"] = {{{"name", "holds"}, {"y", holding_}, {"colour", 0}}, {{"name", "out"}, {"y", out_}, {"colour", 5}}};
  return item;
}

Json out_table(const std::vector<OutRow>& rows, const Json& columns, const char* note) {
  Json all = {{{"name", "Row"}, {"kind", "word"}}, {{"name", "What"}, {"kind", "prose"}}};
  all.insert(all.end(), columns.begin(), columns.end());
  all.push_back({{"name", "Where the cycles went"}, {"kind", "prose"}});
  Json lines = Json::array();
  for (const OutRow& row : rows) {
    Json line = {{{"text", row.id}, {"href", fmt::format("#{}", row.id)}}, row.what};
    line.insert(line.end(), row.cells.begin(), row.cells.end());
    line.push_back(unbroken(cycles_text(row.where)));
    lines.push_back(line);
  }
  Json item = {{"kind", "table"}, {"title", "Rows that are out"}};
  if (note != nullptr) item["note"] = note;
  item["columns"] = all;
  item["rows"] = lines;
  return item;
}

Json causes_section(const std::vector<NamedBreakdown>& rows) {
  return {{"id", "causes"},
          {"title", "Where the cycles went"},
          {"text",
           "Of the longest launch behind each row, or of what a longer one took beyond a shorter one. Every scheduler "
           "cycle issues an instruction or has one reason not to."},
          {"items", breakdown_items(rows, "causes-plot")}};
}

}  // namespace g80::silicon
