// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cubin/line_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace g80 {

std::string to_text(const SourcePlace& place) { return fmt::format("{}:{}", place.file, place.line); }

void LineTable::add(std::uint32_t address, std::string_view file, std::uint32_t line) {
  if (line == 0 || file.empty()) {
    if (!runs_.empty() && runs_.back().line != 0) runs_.push_back({address, runs_.back().file, 0});
    return;
  }
  auto found = std::find(files_.begin(), files_.end(), file);
  if (found == files_.end()) found = files_.emplace(files_.end(), file);
  const Run run{address, static_cast<std::uint32_t>(found - files_.begin()), line};
  if (!runs_.empty() && runs_.back().line == line && runs_.back().file == run.file) return;
  runs_.push_back(run);
}

std::optional<SourcePlace> LineTable::find(std::uint32_t address) const {
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), address,
                                      [](std::uint32_t at, const Run& run) { return at < run.address; });
  if (after == runs_.begin() || (after - 1)->line == 0) return std::nullopt;
  return SourcePlace{files_[(after - 1)->file], (after - 1)->line};
}

std::string LineTable::remark(std::uint32_t address) const {
  const std::optional<SourcePlace> place = find(address);
  return place ? fmt::format(" ({})", to_text(*place)) : std::string();
}

}  // namespace g80
