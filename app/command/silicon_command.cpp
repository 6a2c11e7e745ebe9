// SPDX-License-Identifier: Apache-2.0
// g80 silicon and g80 seeds: compare the model with measurements of real chips.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <set>
#include <sstream>

#include "app/command/commands.h"
#include "app/run/terminal.h"
#include "input/input_error.h"
#include "tb/scenario/memory_image.h"
#include "tb/scenario/run_result.h"
#include "validation/rows.h"
#include "validation/seed_rows.h"
#include "validation/sensitivity.h"

namespace g80 {
namespace {

using silicon::Result;
using silicon::Row;

/// The rows whose names begin with one of `beginnings`. Throws InputError if a beginning is that of no row.
template <class AnyRow>
std::vector<const AnyRow*> chosen(const std::vector<AnyRow>& rows, const std::vector<std::string>& beginnings,
                                  const char* command) {
  std::set<std::string> found;
  std::vector<const AnyRow*> list;
  for (const AnyRow& row : rows) {
    bool wanted = beginnings.empty();
    for (const std::string& text : beginnings) {
      if (std::string(row.id).rfind(text, 0) != 0) continue;
      found.insert(text);
      wanted = true;
    }
    if (wanted) list.push_back(&row);
  }
  for (const std::string& text : beginnings) {
    if (found.count(text) == 0)
      throw InputError(fmt::format("--row {}: no row's name starts with this; g80 {} prints them all", text, command));
  }
  return list;
}

/// Says on standard error which row is measured, as minutes pass before the table: on a terminal in one line, which
/// disappears.
class RowProgress {
 public:
  explicit RowProgress(std::size_t rows) : rows_(rows), terminal_(::isatty(STDERR_FILENO) != 0) {}
  ~RowProgress() { clear(); }
  RowProgress(const RowProgress&) = delete;
  RowProgress& operator=(const RowProgress&) = delete;
  void next(const char* row) {
    clear();
    fmt::print(stderr, "row {} of {}: {}{}", ++row_, rows_, row, terminal_ ? "" : "\n");
    std::fflush(stderr);
  }

 private:
  void clear() const {
    if (terminal_) fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
  }
  std::size_t row_ = 0;
  const std::size_t rows_;
  const bool terminal_;
};

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
  std::vector<Row> all, rows;
  for (const std::vector<Row>& part : {silicon::trial_rows(), silicon::micro_rows()}) {
    std::copy_if(part.begin(), part.end(), std::back_inserter(all), [](const Row& row) { return !row.chance; });
  }
  for (const Row* const row : chosen(all, options.rows, "silicon")) rows.push_back(*row);
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
  const std::vector<const Row*> rows = chosen(silicon::micro_rows(), options.rows, "silicon");
  {
    RowProgress progress(rows.size());
    for (const Row* const row : rows) {
      progress.next(row->id);
      results.push_back(machine.measure(*row));
    }
  }
  fmt::print("{}", fold_lines(silicon::results_text(results), 21, terminal_width(STDOUT_FILENO)));
  if (!options.json.empty()) write_file(options.json, silicon::results_json(results));
  if (!options.report.empty()) write_file(options.report, silicon::silicon_page(results));
  return kExitPass;
}

int seeds_command(const SeedsCommand& options) {
  if (!options.json.empty()) check_writable("--json", options.json);
  if (!options.report.empty()) check_writable("--report", options.report);
  const std::vector<silicon::SeedRow> all = silicon::seed_rows();
  const std::vector<const silicon::SeedRow*> rows = chosen(all, options.rows, "seeds");
  silicon::SeedRuns runs(options.sets, options.full);
  std::vector<silicon::SeedResult> results;
  bool within = true;
  {
    RowProgress progress(rows.size());
    for (const silicon::SeedRow* const row : rows) {
      progress.next(row->id);
      results.push_back(silicon::measure(*row, runs));
      within &= results.back().verdict() != silicon::Verdict::kOut;
    }
  }
  fmt::print("{}", fold_lines(silicon::seeds_text(results), 20, terminal_width(STDOUT_FILENO)));
  if (!options.json.empty()) write_file(options.json, silicon::seeds_json(results));
  if (!options.report.empty()) write_file(options.report, silicon::seeds_page(results, runs));
  return within ? kExitPass : kExitDiffers;
}

}  // namespace g80
