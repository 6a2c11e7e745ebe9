// SPDX-License-Identifier: Apache-2.0
// The folder of a sweep: runs/ab/ID.json has the result of a run, failed/ID/ the log and files of one that failed.
//
// A result is written under another name, flushed to the disk and then renamed: a file with the name of a result is
// complete, whenever the program or the host stops.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/sweep/sweep_plan.h"
#include "tb/scenario/run_result.h"

namespace g80 {

/// What is kept of a run.
struct SweepOutcome {
  std::string verdict;  // of the table; of a failed run what ended it
  int code = 0;         // exit code of the same `g80 run`; 128 + signal
  bool as_expected = false;
  bool ended = true;  // false: the run gave no result (bad input, a check of the model, a signal)
  double seconds = 0;
  std::string log;                                      // file, if the run is not as expected
  std::string contents;                                 // names the buffers' contents
  std::vector<std::pair<std::string, double>> numbers;  // summed_counters()
};

class SweepStore {
 public:
  /// Creates the folder. Throws InputError.
  explicit SweepStore(std::string folder);

  const std::string& folder() const { return folder_; }
  std::string failed_folder(const std::string& id) const { return folder_ + "/failed/" + id; }
  void write(const SweepPlan& plan, const SweepPoint& point, const SweepOutcome& outcome) const;
  /// The result of a run; none if there is no complete one.
  std::optional<SweepOutcome> read(const std::string& id) const;
  bool has(const std::string& id) const;
  /// The runs that have a result.
  std::vector<std::string> ids() const;
  /// Removes a result that is to be repeated, and what unfinished writing left behind.
  void forget(const std::string& id) const;
  void remove_unfinished() const;

 private:
  std::string file_of(const std::string& id) const;
  std::string folder_;
};

SweepOutcome sweep_outcome(const RunResult& result);

/// Writes a file as a result is written. Throws InputError.
void write_atomically(const std::string& path, std::string_view contents);

}  // namespace g80
