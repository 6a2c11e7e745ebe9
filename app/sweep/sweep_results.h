// SPDX-License-Identifier: Apache-2.0
// The results of a sweep as one table, and the files made of it.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/report/comparison.h"
#include "app/sweep/sweep_plan.h"
#include "app/sweep/sweep_store.h"

namespace g80 {

struct SweepRow {
  const SweepPoint* point = nullptr;
  bool missing = true;  // has no result; the rest means nothing
  bool ended = false, as_expected = false;
  int code = 0;
  double seconds = 0;
  std::string verdict, log, contents;
  std::vector<double> numbers;  // one for each column; NaN: the run has none

  /// It finished with the right result. The times of other runs, an expected hang's too, are those of a limit.
  bool has_time() const { return !missing && as_expected && code == kExitPass; }
};

struct SweepResults {
  std::vector<std::string> columns;  // names of numbers
  std::vector<SweepRow> rows;        // in the order of the plan

  std::optional<std::size_t> column(const std::string& name) const;
  std::uint64_t missing() const;
  std::uint64_t as_expected() const;
  /// The exit code: the largest of the runs; a run that was refused or is missing counts as 1, a signal as 4.
  int code() const;
};

SweepResults collect_results(const SweepPlan& plan, const SweepStore& store);

/// results.json, results.csv, junit.xml, report.html. Equal results give equal bytes, but junit.xml has times.
std::string sweep_json(const SweepPlan& plan, const SweepResults& results);
std::string sweep_csv(const SweepPlan& plan, const SweepResults& results);
std::string sweep_junit(const SweepPlan& plan, const SweepResults& results);
std::string sweep_page(const SweepPlan& plan, const SweepResults& results, const std::string& command);

/// A configuration (device and keys) compared with the baseline over kernels, arguments and seeds.
struct SweepChoice {
  std::string name;
  const SweepPoint* point = nullptr;  // one of its runs
  double speed_up =
      std::numeric_limits<double>::quiet_NaN();  // geometric mean of baseline/this; NaN: nothing to compare
  std::uint64_t compared = 0;                    // runs in that mean
  std::vector<double> by_kernel;                 // the same, for each of the plan's kernels
  std::vector<std::size_t> rows;
};
/// All configurations, the baseline first, the others in the order of the plan. Throws InputError if no run has the
/// metric.
std::vector<SweepChoice> sweep_choices(const SweepPlan& plan, const SweepResults& results);

/// The comparison with the results.json of another sweep.
struct SweepAgainst {
  std::vector<std::string> sentences;  // what differs, or breaks a gate
  std::uint64_t both = 0, differ = 0, only_here = 0, only_there = 0;
  bool passes = true;
};
/// Without gates, results and all numbers must be equal; with gates, the gates must hold and results be equal.
SweepAgainst compare_sweeps(const SweepPlan& plan, const SweepResults& results, const std::string& file,
                            const std::vector<Gate>& gates);

}  // namespace g80
