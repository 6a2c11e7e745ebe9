// What real chips did, and what the model does: one row for each published figure.
#pragma once
#include <string>
#include <vector>

#include "tb/silicon/bench.h"

namespace g80::silicon {

struct Row {
  const char* id;
  char section;        // A seven times, B guide's cycles, D pipeline and memory, E peaks and occupancy
  const char* device;  // preset
  const char* what;
  const char* unit;
  double low, high;     // the published value, or the ends of its range
  const char* source;
  const char* decided;  // what in the machine decides it
  double (*measure)(const Bench&);
};

/// The micro-benchmarks: rows of sections B, D and E.
const std::vector<Row>& micro_rows();
/// The seven times of square_array, in milliseconds at full size, from a slice of it.
const std::vector<Row>& trial_rows();

/// Milliseconds of trial 1 to 7 for 1024 blocks: all of them, or carried on from two slices of twelve blocks.
double trial_milliseconds(unsigned trial, bool full, const std::vector<std::string>& sets = {});

struct Result {
  const Row* row = nullptr;
  double model = 0;
  /// Distance from the published value or range, relative; 0 inside a range.
  double error() const;
};
Result measure(const Row& row);

/// Aligned text, one line a row.
std::string results_text(const std::vector<Result>& results);
/// An array of objects.
std::string results_json(const std::vector<Result>& results);
/// Root of the mean square of the errors, relative.
double rms_error(const std::vector<Result>& results);
/// docs/accuracy.md.
std::string accuracy_page(const std::vector<Result>& trials, const std::vector<Result>& micro);

}  // namespace g80::silicon
