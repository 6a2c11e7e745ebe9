// SPDX-License-Identifier: Apache-2.0
// g80 silicon and g80 seeds: compare the model with measurements of real chips.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <sstream>

#include "app/command/commands.h"
#include "app/run/terminal.h"
#include "hw/common/input_error.h"
#include "tb/scenario/memory_image.h"
#include "tb/scenario/run_result.h"
#include "validation/rows.h"
#include "validation/seed_rows.h"
#include "validation/sensitivity.h"

namespace g80 {
namespace {

using silicon::Result;
using silicon::Row;

bool is_asked_for(const Row& row, const std::string& prefix) { return std::string(row.id).rfind(prefix, 0) == 0; }

/// "2/3" of --part.
silicon::Share share_of(const std::string& text) {
  if (text.empty()) return {};
  silicon::Share share;
  std::istringstream in(text);
  char slash = 0, more = 0;
  const bool read = in >> share.part >> slash >> share.parts && slash == '/' && !(in >> more);
  if (!read || text.find('-') != std::string::npos || share.part == 0 || share.part > share.parts)
    throw InputError(fmt::format("--part {}: allowed are 1/2 and 2/2", text));
  return share;
}

int write_sensitivity(const SiliconCommand& options) {
  const silicon::Share share = share_of(options.part);
  check_writable("--sensitivity", options.sensitivity);
  std::vector<Row> rows;
  for (const std::vector<Row>& part : {silicon::trial_rows(), silicon::micro_rows()}) {
    for (const Row& row : part) {
      if (!row.chance && is_asked_for(row, options.row)) rows.push_back(row);
    }
  }
  if (rows.empty())
    throw InputError(fmt::format("--row {}: no row's name starts with this; g80 silicon prints them all", options.row));
  silicon::measure_sensitivity(rows, options.sensitivity, share, [](const std::string& line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
  });
  return kExitPass;
}

}  // namespace

int silicon_command(const SiliconCommand& options) {
  if (!options.sensitivity.empty()) return write_sensitivity(options);
  if (!options.json.empty()) check_writable("--json", options.json);
  if (!options.report.empty()) check_writable("--report", options.report);
  silicon::Silicon machine(options.sets);
  std::vector<Result> results;
  for (const Row& row : silicon::micro_rows()) {
    if (is_asked_for(row, options.row)) results.push_back(machine.measure(row));
  }
  if (results.empty())
    throw InputError(fmt::format("--row {}: no row's name starts with this; g80 silicon prints them all", options.row));
  fmt::print("{}", fold_lines(silicon::results_text(results), 21, terminal_width(STDOUT_FILENO)));
  if (!options.json.empty()) write_file(options.json, silicon::results_json(results));
  if (!options.report.empty()) write_file(options.report, silicon::silicon_page(results));
  return kExitPass;
}

int seeds_command(const SeedsCommand& options) {
  if (!options.json.empty()) check_writable("--json", options.json);
  if (!options.report.empty()) check_writable("--report", options.report);
  const std::vector<silicon::SeedRow> rows = silicon::seed_rows();
  silicon::SeedRuns runs(options.sets, options.full);
  std::vector<silicon::SeedResult> results;
  bool within = true;
  for (const silicon::SeedRow& row : rows) {
    if (std::string(row.id).rfind(options.row, 0) != 0) continue;
    results.push_back(silicon::measure(row, runs));
    within &= results.back().verdict() != silicon::Verdict::kOut;
  }
  if (results.empty())
    throw InputError(fmt::format("--row {}: no row's name starts with this; g80 seeds prints them all", options.row));
  fmt::print("{}", fold_lines(silicon::seeds_text(results), 20, terminal_width(STDOUT_FILENO)));
  if (!options.json.empty()) write_file(options.json, silicon::seeds_json(results));
  if (!options.report.empty()) write_file(options.report, silicon::seeds_page(results, runs));
  return within ? kExitPass : kExitDiffers;
}

}  // namespace g80
