// SPDX-License-Identifier: Apache-2.0
// Layout of the result table.
#include "app/report/summary_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "toolchain/cubin/kernel_name.h"

namespace g80 {
namespace {

constexpr const char* kNotCompared = "not compared";
constexpr std::size_t kColumns = 12;
using Row = std::array<std::string, kColumns>;
using Widths = std::array<std::size_t, kColumns>;
constexpr std::array<const char*, kColumns> kHeads = {"kernel",    "grid x block", "cycles",     "executing",
                                                      "ms",        "warp instr",   "IPC",        "div branch",
                                                      "coalesced", "uncoalesced",  "main stall", "golden"};
constexpr std::array<bool, kColumns> kLeft = {true,  true,  false, false, false, false,
                                              false, false, false, false, true,  true};

// Column widths that fit nearly every run. The first column, the kernel's name, is as wide as its longest entry.
constexpr Widths kUsual = {0, 23, 8, 9, 7, 10, 5, 10, 9, 11, 12, 6};

// The columns that a narrow terminal misses least, the first first.
constexpr std::array<std::size_t, 7> kLeastNeeded = {9, 8, 7, 4, 1, 5, 6};

std::string shape(const LaunchResult& launch) {
  const auto dims = [](const std::array<std::uint32_t, 3>& d) {
    std::string text = std::to_string(d[0]);
    if (d[1] != 1 || d[2] != 1) text += fmt::format(",{}", d[1]);
    if (d[2] != 1) text += fmt::format(",{}", d[2]);
    return text;
  };
  return fmt::format("{} x {}", dims(launch.grid), dims(launch.block));
}

Row row_of(const RunResult& result, std::string label) {
  const RunTotals sum = totals(result);
  const std::string none = "-";
  std::string shapes = result.launches.empty() ? none : shape(result.launches.front());
  if (result.launches.size() > 1) shapes += fmt::format(" ({} launches)", result.launches.size());
  const double ms = static_cast<double>(sum.shader_cycles) / (result.shader_mhz * 1000.0);
  return {std::move(label),
          shapes,
          sum.timed ? std::to_string(sum.shader_cycles) : none,
          sum.timed ? std::to_string(sum.executing_cycles) : none,
          sum.timed ? fmt::format("{:.4f}", ms) : none,
          std::to_string(sum.warp_instructions),
          sum.timed ? fmt::format("{:.3f}", sum.ipc()) : none,
          std::to_string(sum.divergent_branches),
          sum.timed ? std::to_string(sum.coalesced) : none,
          sum.timed ? std::to_string(sum.uncoalesced) : none,
          sum.main_stall(),
          verdict(result)};
}

using Shown = std::array<bool, kColumns>;
Shown shown_columns(const Widths& widths, std::size_t most) {
  Shown shown;
  shown.fill(true);
  std::size_t all = 2 * (kColumns - 1);
  for (const std::size_t width : widths) all += width;
  for (const std::size_t c : kLeastNeeded) {
    if (most == 0 || all <= most) break;
    shown[c] = false;
    all -= widths[c] + 2;
  }
  return shown;
}

std::string line_of(const Row& row, const Widths& width, const Shown& shown) {
  std::string line;
  for (std::size_t c = 0; c < kColumns; ++c) {
    if (!shown[c]) continue;
    line += kLeft[c] ? fmt::format("{:<{}}  ", row[c], width[c]) : fmt::format("{:>{}}  ", row[c], width[c]);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

Row heads() {
  Row row;
  std::copy(kHeads.begin(), kHeads.end(), row.begin());
  return row;
}

Widths widths(std::size_t label_width) {
  Widths width = kUsual;
  width[0] = std::max(label_width, std::string(kHeads[0]).size());
  return width;
}

}  // namespace

std::string summary_head(std::size_t label_width, std::size_t width) {
  const Widths columns = widths(label_width);
  return line_of(heads(), columns, shown_columns(columns, width));
}

std::string summary_row(const RunResult& result, const std::string& label, std::size_t label_width, std::size_t width) {
  const Widths columns = widths(label_width);
  return line_of(row_of(result, label), columns, shown_columns(columns, width));
}

std::string verdict(const RunResult& result) {
  for (const LaunchResult& launch : result.launches) {
    if (launch.end == LaunchEnd::kFinished) continue;
    return fmt::format("{}{}", launch_end_name(launch.end), as_expected(result) ? " (expected)" : "");
  }
  if (result.expectation != "pass") return fmt::format("finished, expected {}", result.expectation);
  if (!result.compared) return kNotCompared;
  return as_expected(result) ? "ok" : "differs";
}

const char* verdict_class(bool as_expected, const std::string& verdict) {
  return !as_expected ? "bad" : verdict == kNotCompared ? "" : "good";
}

std::string summary_table(const RunResult& result, std::size_t width) {
  const Row rows[] = {heads(), row_of(result, result.scenario)};
  Widths columns{};
  for (std::size_t c = 0; c < kColumns; ++c) columns[c] = std::max(rows[0][c].size(), rows[1][c].size());
  const Shown shown = shown_columns(columns, width);
  return line_of(rows[0], columns, shown) + line_of(rows[1], columns, shown);
}

std::string run_details(const RunResult& result) {
  std::string text;
  for (const InjectedFault& fault : result.manifest.faults) {
    text += fmt::format("injected fault: {} in {} changed {} values\n", fault.text, fault.field, fault.changes);
  }
  for (const LaunchResult& launch : result.launches) {
    if (launch.end != LaunchEnd::kFinished) {
      text += fmt::format("{}: {}: {}\n", demangled_name(launch.kernel), launch_end_name(launch.end), launch.message);
    } else if (!launch.message.empty()) {
      text += fmt::format("{}: {}\n", demangled_name(launch.kernel), launch.message);
    }
  }
  for (const BufferCheck& check : result.checks) {
    if (check.differing != 0) {
      text += fmt::format("buffer {}: {} of {} elements differ; {}\n", check.buffer, check.differing, check.elements,
                          check.first_difference);
    }
  }
  text += result.contents;
  if (!result.host_sum.empty()) text += fmt::format("host sum of {}\n", result.host_sum);
  if (!result.order_dependent.empty()) text += fmt::format("order dependent: {}\n", result.order_dependent);
  return text;
}

}  // namespace g80
