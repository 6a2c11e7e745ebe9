// SPDX-License-Identifier: Apache-2.0
// g80 silicon and g80 seeds: compare the model with measurements of real chips.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>

#include "app/command/commands.h"
#include "app/run/terminal.h"
#include "input/input_error.h"
#include "tb/scenario/memory_image.h"
#include "tb/scenario/run_result.h"
#include "validation/free_numbers.h"
#include "validation/rows.h"
#include "validation/seed_rows.h"
#include "validation/sensitivity.h"

namespace g80 {
namespace {

using silicon::Result;
using silicon::Row;

struct SiliconCommand {
  std::vector<std::string> rows;  // rows whose name starts with one of these; empty: every row
  std::vector<std::string> sets;  // key=value
  std::string json, report;
  std::string sensitivity;  // output file: only measure the effects of assumed numbers
  std::string part;         // part of these measurements: "1/2"; empty: all
};

struct SeedsCommand {
  bool full = false;              // all 1024 blocks of the trials instead of a slice
  std::vector<std::string> rows;  // as of silicon
  std::vector<std::string> sets;  // key=value
  std::string json, report;
};

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

AddedCommand add_silicon(CLI::App& app) {
  const auto options = std::make_shared<SiliconCommand>();
  CLI::App* const parser =
      app.add_subcommand("silicon", "run micro-benchmarks and compare with published figures of real chips");
  parser->add_option("--row", options->rows, "only rows whose name starts with one of these: reduce,mad_shared")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  CLI::Option* silicon_sets =
      parser
          ->add_option("--set", options->sets,
                       "set a configuration key for every run, repeatable: shows which rows depend on it")
          ->type_name("KEY=VALUE")
          ->allow_extra_args(false);
  CLI::Option* silicon_json = parser->add_option("--json", options->json, "write the results")->type_name("F.json");
  CLI::Option* silicon_report =
      parser->add_option("--report", options->report, "write a page with the rows, plots, and where the cycles went")
          ->type_name("F.html");
  CLI::Option* sensitivity =
      parser
          ->add_option("--sensitivity", options->sensitivity,
                       "measure instead the rows and the seven times with each assumed number 25 % smaller and larger, "
                       "and append missing lines to the file (almost an hour for all)")
          ->type_name("F.tsv")
          ->excludes(silicon_sets)
          ->excludes(silicon_json)
          ->excludes(silicon_report);
  parser->add_option("--part", options->part, "measure only a part of these changes: 1/2 or 2/2")
      ->type_name("K/N")
      ->needs(sensitivity);
  return {parser, [options] { return silicon_command(*options); }};
}

AddedCommand add_seeds(CLI::App& app) {
  const auto options = std::make_shared<SeedsCommand>();
  CLI::App* const parser = app.add_subcommand(
      "seeds", "measure every number of five documents about these chips, with the seven times of square_array");
  parser->add_flag("--full", options->full,
                   "run all 1024 blocks for the seven times, minutes each; default: extrapolate from slices");
  parser->add_option("--row", options->rows, "only rows whose name starts with one of these: D3,1.3.time1")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  parser
      ->add_option("--set", options->sets,
                   "set a configuration key for every run, repeatable: shows which rows depend on it")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  parser->add_option("--json", options->json, "write the results")->type_name("F.json");
  parser->add_option("--report", options->report, "write a page with all rows and plots")->type_name("F.html");
  return {parser, [options] { return seeds_command(*options); }};
}

[[maybe_unused]] const bool added = [] {
  AddedCommand::makers().insert(AddedCommand::makers().end(), {add_silicon, add_seeds});
  AddedCommand::numbers = silicon::free_numbers_text;
  return true;
}();

}  // namespace
}  // namespace g80
