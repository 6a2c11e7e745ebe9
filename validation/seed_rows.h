// SPDX-License-Identifier: Apache-2.0
// One row for every number in the five documents about the 8-series chips, with the model's value.
// Each measurement runs the machine; rows contain no recorded results.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tb/scenario/run_result.h"
#include "tb/scenario/run_scenario.h"
#include "validation/bench.h"
#include "validation/experiment.h"
#include "validation/seed_experiments.h"

namespace g80::silicon {

// The documents.
inline constexpr const char* kThreadsBlocks = "Threads and Blocks in Detail in CUDA";
inline constexpr const char* kTeachingKit = "GPU Teaching Kit, warps";
inline constexpr const char* kNewConcepts = "New Concepts Behind CUDA, part 2";
inline constexpr const char* kTextbook = "CUDA Threads, chapter 3";
inline constexpr const char* kLearningLog = "Cuda Learning log, thread collaboration";

/// Runs that several rows read: each is made once, when the first row asks for it.
class SeedRuns {
 public:
  /// `sets` changes the machine of every run, as --set. With `full` a trial runs all 1024 blocks; else it is
  /// extrapolated from slices.
  explicit SeedRuns(std::vector<std::string> sets = {}, bool full = false) : runner_(std::move(sets)), full_(full) {}
  const std::vector<std::string>& sets() const { return runner_.sets(); }

  /// A kernel of the collection, without lock-step.
  const RunResult& program(const std::string& kernel, const Assignments& args = {},
                           const std::vector<std::string>& settings = {}, const std::string& device = "");
  const Timeline38& timeline();
  const std::vector<HidingPoint>& hiding();
  const std::vector<BarrierPoint>& barriers();
  const Histogram& histogram(const std::string& reduction);
  /// Milliseconds of trial 1 to 7.
  double trial(unsigned number);
  /// Runs an experiment on the machine as it is set.
  Observation run(Experiment experiment) { return runner_.run(std::move(experiment)); }
  /// A row of `g80 silicon`, by name.
  double micro(const char* id);
  Bench bench(const char* device) { return {device, runner_}; }
  /// What the longest launch since the last call spent its cycles with.
  CycleBreakdown take_where() { return runner_.take(); }

 private:
  template <class T>
  struct Known {
    T value{};
    CycleBreakdown where{};
  };
  /// Its value, measured at the first call; its cycle breakdown counts for every caller.
  template <class T, class Measure>
  const T& once(std::map<std::string, Known<T>>& known, const std::string& name, const Measure& measure);

  ExperimentRunner runner_;
  bool full_;
  std::map<std::string, Known<RunResult>> programs_;
  std::map<std::string, Known<double>> trials_;
  std::map<std::string, Known<Histogram>> histograms_;
  std::map<std::string, Known<std::vector<HidingPoint>>> hiding_;
  std::map<std::string, Known<std::vector<BarrierPoint>>> barriers_;
  std::map<std::string, Known<Timeline38>> timeline_;
};

struct Finding {
  double value = 0;
  std::string note{};  // additional remark; may be empty
};

struct SeedRow {
  const char* id;  // section of the feature list, and a name: "D3.12x64"
  const char* document;
  const char* what;
  const char* unit;
  const char* said;                         // as the document has it
  double low, high;                         // the band in which the model's value must lie
  const char* decided;                      // what decides it; for a row without measurement, the reason
  Finding (*measure)(SeedRuns&) = nullptr;  // null: not measured
};

/// All rows, by section; the seven trials are the last.
std::vector<SeedRow> seed_rows();
std::vector<SeedRow> limit_rows();
std::vector<SeedRow> residency_rows();
std::vector<SeedRow> thread_rows();
std::vector<SeedRow> memory_rows();
std::vector<SeedRow> scheduling_rows();
std::vector<SeedRow> barrier_rows();
std::vector<SeedRow> program_rows();
std::vector<SeedRow> time_rows();

enum class Verdict : std::uint8_t { kHolds, kOut, kNotMeasured };

struct SeedResult {
  const SeedRow* row = nullptr;
  Finding found;
  CycleBreakdown where{};  // of the longest launch behind the value
  Verdict verdict() const;
};
SeedResult measure(const SeedRow& row, SeedRuns& runs);

std::string verdict_text(Verdict verdict);
/// "3", "14.5", "400 to 600"
std::string band_text(const SeedRow& row);
std::string value_text(double value);

/// Aligned text, one line a row, and a line that counts.
std::string seeds_text(const std::vector<SeedResult>& results);
/// An HTML page with every row, and plots of the experiments behind those that are there.
std::string seeds_page(const std::vector<SeedResult>& results, SeedRuns& runs);
/// An array of objects.
std::string seeds_json(const std::vector<SeedResult>& results);

}  // namespace g80::silicon
