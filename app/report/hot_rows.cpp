// SPDX-License-Identifier: Apache-2.0
// Sums the per-instruction counters of a kernel's launches.
#include "app/report/hot_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "toolchain/cubin/line_table.h"

namespace g80 {
namespace {

std::uint64_t waited(const PcCounters& counters) {
  std::uint64_t cycles = 0;
  for (const NamedCount& reason : counters.stall) cycles += reason.second;
  return cycles;
}

void add(HotRow& row, const PcCounters& more) {
  PcCounters& sum = row.sum;
  sum.issued += more.issued, sum.lanes += more.lanes, sum.transactions += more.transactions;
  sum.bank_conflict_passes += more.bank_conflict_passes;
  for (const auto& [reason, cycles] : more.stall) {
    const auto same = [&name = reason](const NamedCount& s) { return s.first == name; };
    const auto found = std::find_if(sum.stall.begin(), sum.stall.end(), same);
    found == sum.stall.end() ? void(sum.stall.emplace_back(reason, cycles)) : void(found->second += cycles);
  }
  row.waited += waited(more);
}

}  // namespace

std::string place_of(const PcCounters& counters) {
  return counters.line != 0 ? to_text({counters.file, counters.line}) : std::string();
}

std::string main_reasons(const HotRow& row) {
  std::vector<NamedCount> sorted = row.sum.stall;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const NamedCount& a, const NamedCount& b) { return a.second > b.second; });
  std::string text;
  for (std::size_t k = 0; k < sorted.size() && k < 2; ++k) {
    const std::uint64_t percent = 100 * sorted[k].second / row.waited;
    if (k > 0 && percent < 10) break;
    text += fmt::format("{}{} {} %", text.empty() ? "" : ", ", sorted[k].first, percent);
  }
  return text;
}

std::vector<HotRow> hot_lines(const std::vector<HotRow>& instructions) {
  std::map<std::pair<std::string, std::uint32_t>, HotRow> lines;
  for (const HotRow& row : instructions) {
    HotRow& line = lines[{row.sum.file, row.sum.line}];
    line.sum.file = row.sum.file;
    line.sum.line = row.sum.line;
    add(line, row.sum);
  }
  std::vector<HotRow> rows;
  for (auto& entry : lines) rows.push_back(std::move(entry.second));
  return rows;
}

std::vector<HotKernel> hot_kernels(const RunResult& result) {
  std::vector<HotKernel> kernels;
  for (const LaunchResult& launch : result.launches) {
    if (launch.pcs.empty()) continue;
    auto kernel =
        std::find_if(kernels.begin(), kernels.end(), [&](const HotKernel& k) { return k.name == launch.kernel; });
    if (kernel == kernels.end()) kernel = kernels.insert(kernels.end(), {launch.kernel, {}});
    std::vector<HotRow>& rows = kernel->instructions;
    for (const PcCounters& counters : launch.pcs) {
      auto row = std::find_if(rows.begin(), rows.end(), [&](const HotRow& r) { return r.sum.pc == counters.pc; });
      if (row == rows.end()) {
        rows.push_back({counters, waited(counters)});
      } else {
        add(*row, counters);
      }
    }
  }
  return kernels;
}

}  // namespace g80
