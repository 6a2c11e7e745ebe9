// SPDX-License-Identifier: Apache-2.0
// Common parts of the pages of `g80 seeds` and `g80 silicon`: values as bars with their bands, the rows
// that are out, and where the cycles of all rows went.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "validation/cycle_breakdown.h"

namespace g80::silicon {

/// A value rounded to this number of digits, because a browser prints all digits.
double significant(double value, unsigned digits);

/// Bars to both sides of 0: a stripe behind each is the band of its row, the colour says whether the row holds.
class BandedBars {
 public:
  void add(const std::string& name, double value, bool holds, const nlohmann::ordered_json& band);
  std::size_t size() const { return names_.size(); }

  struct Texts {
    const char *id, *title;
    std::string note;
    const char *x, *y;  // labels of the axes
    bool wide = true;
  };
  nlohmann::ordered_json plot(const Texts& texts) const;

 private:
  using List = std::vector<nlohmann::ordered_json>;
  List names_, holding_, out_, bands_;
};

/// The table of the rows that are out. `cells`, under `columns`, stand between what a row is and where its cycles went.
struct OutRow {
  const char *id, *what;
  nlohmann::ordered_json cells;
  const CycleBreakdown& where;
};
nlohmann::ordered_json out_table(const std::vector<OutRow>& rows, const nlohmann::ordered_json& columns,
                                 const char* note = nullptr);

/// The section about the cycles behind the rows.
nlohmann::ordered_json causes_section(const std::vector<NamedBreakdown>& rows);
template <class AnyResult>
nlohmann::ordered_json causes(const std::vector<AnyResult>& results) {
  std::vector<NamedBreakdown> rows;
  for (const AnyResult& result : results) rows.push_back({result.row->id, result.where});
  return causes_section(rows);
}

}  // namespace g80::silicon
