// SPDX-License-Identifier: Apache-2.0
// Comparison of the model with real chips: one row for each published figure.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "validation/bench.h"

namespace g80::silicon {

// Sources of several rows.
inline constexpr const char* kGuide = "CUDA Programming Guide 1.1, 5.1";
inline constexpr const char* kVolkov = "Volkov and Demmel, SC 2008";

struct Row {
  const char* id;
  char section;        // A seven times, B guide's cycles, C reductions, D pipeline and memory, E peaks and occupancy
  const char* device;  // preset
  const char* what;
  const char* unit;
  double low, high;  // the published value, or the ends of its range
  const char* source;
  const char* decided;  // the part of the machine that decides it
  double (*measure)(Bench&);
  double allowed = 0.10;  // allowed relative error: the measurements are not more accurate
  bool chance = false;    // the model's value depends on how long the SMs stay in step
};

/// The micro-benchmarks, by section.
const std::vector<Row>& micro_rows();
const std::vector<Row>& issue_rows();
const std::vector<Row>& bandwidth_rows();
const std::vector<Row>& reduction_rows();
const std::vector<Row>& atomic_rows();
const std::vector<Row>& published_rows();
const std::vector<Row>& matrix_rows();
/// The seven times of square_array, in milliseconds at full size, from a slice of it.
const std::vector<Row>& trial_rows();

/// Milliseconds of trial 1 to 7 for 1024 blocks: measured, or extrapolated from a slice of 64 blocks.
double trial_milliseconds(unsigned trial, bool full, ExperimentRunner& runner);

struct Result {
  const Row* row = nullptr;
  double model = 0;
  CycleBreakdown where{};  // of the longest launch behind the value
  /// Distance from the published value or range, relative; 0 inside a range, NaN of a value that is no number.
  double error() const;
  bool holds() const;  // no farther than allowed
};

/// Measures rows on machines changed by `sets`; runs that several rows need are made once.
class Silicon {
 public:
  explicit Silicon(std::vector<std::string> sets = {}) : runner_(std::move(sets)) {}
  Result measure(const Row& row);
  std::vector<Result> measure(const std::vector<Row>& rows);

 private:
  ExperimentRunner runner_;
  std::map<std::string, Bench> benches_;  // by device
};

/// "4", "400 to 600"
std::string published_text(const Row& row);
/// Three or four significant digits, the same on every host.
std::string model_text(double value);
/// "+1.5 %"
std::string percent_text(double error);
/// Aligned text, one line a row.
std::string results_text(const std::vector<Result>& results);
/// Tab separated, one line a row, with where its cycles went: validation/accuracy.tsv.
std::string results_tsv(const std::vector<Result>& results);
/// An array of objects.
std::string results_json(const std::vector<Result>& results);
/// Root of the mean square of the errors, relative.
double rms_error(const std::vector<Result>& results);
/// An HTML page: the error of each row, and where its cycles went.
std::string silicon_page(const std::vector<Result>& results);

}  // namespace g80::silicon
