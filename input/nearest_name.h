// SPDX-License-Identifier: Apache-2.0
// What the user may have meant by a name that is none.
#pragma once
#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace g80 {

/// Insertions, removals, replacements and swaps of neighbours that make `a` into `b`.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

/// The candidate with the smallest edit distance; the first of equals, empty without candidates.
inline std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  const auto best = std::min_element(
      candidates.begin(), candidates.end(),
      [name](const std::string& a, const std::string& b) { return edit_distance(name, a) < edit_distance(name, b); });
  return best == candidates.end() ? std::string() : *best;
}

/// "; did you mean X?" of the nearest candidate that has something in common with the name, or nothing.
inline std::string did_you_mean(std::string_view name, std::vector<std::string> candidates, const char* quote = "") {
  const auto is_far = [name](const std::string& one) {
    const bool is_part = name.size() > 2 && one.find(name) != std::string::npos;
    return !is_part && 2 * edit_distance(name, one) > name.size() + 1;
  };
  candidates.erase(std::remove_if(candidates.begin(), candidates.end(), is_far), candidates.end());
  return candidates.empty() ? "" : "; did you mean " + (quote + nearest_name(name, candidates)) + quote + "?";
}

}  // namespace g80
