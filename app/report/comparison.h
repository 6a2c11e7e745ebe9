// SPDX-License-Identifier: Apache-2.0
// Compares two statistics files: results, cycles, counters. It shows the effect of a change of the architecture, a
// kernel or the model.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace g80 {

/// One number of a run in both files; counters of SMs and launches are summed.
struct MetricPair {
  std::string name;  // shader_cycles, stall.memory, dram_row_hits, ...
  double a = 0, b = 0;
  /// In percent of a; 0 if both are equal, infinite if only a is 0.
  double change() const;
};

/// A configuration key whose values differ.
struct KeyPair {
  std::string key, a, b;
};

struct RunComparison {
  std::string run;                       // scenario and arguments
  std::vector<std::string> differences;  // one sentence per differing result; empty if all are equal
  std::string order_dependent;           // why results may differ, or empty
  std::vector<MetricPair> metrics;       // every metric of either file
  std::vector<KeyPair> keys;
  bool only_rtl_differs = false;  // the runs have the same configuration and faults, but other blocks were RTL
  /// Cycles and counters must be equal, and are not.
  bool rtl_changes_a_metric() const;
  bool results_stay() const { return differences.empty() || !order_dependent.empty(); }
};

struct Comparison {
  std::vector<RunComparison> runs;  // in both files, in the order of the first
  std::vector<std::string> only_a, only_b;
};

/// "vec_add n=1000 block=256", of a run in a document of docs/stats.md.
std::string run_name(const nlohmann::ordered_json& run);
/// The keys of a configuration, as in gpu.num_tpcs, and their values.
std::vector<std::pair<std::string, std::string>> flat_configuration(const nlohmann::ordered_json& config);
/// A change in percent: "+3.10 %", "=" or "new".
std::string change_text(double percent);
/// The run's own numbers, then what its launches add, summed over SMs and launches: counters that the run has already
/// are the same sums. Those outside the SMs are named tpc.X, partition.X, chip.X; stall reasons stall.X.
std::vector<std::pair<std::string, double>> summed_counters(const nlohmann::ordered_json& run);

/// `a` and `b` are documents of docs/stats.md. Throws InputError, naming the file, at anything else.
Comparison compare_statistics(const nlohmann::ordered_json& a, const std::string& a_name,
                              const nlohmann::ordered_json& b, const std::string& b_name);

/// "cycles<=+1%": metric, relation (<=, >=, ==), allowed change from A to B, in percent or as a number. `cycles` is
/// shader_cycles.
struct Gate {
  std::string text, metric, relation;
  double bound = 0;
  bool percent = false;
};
/// Throws InputError.
Gate parse_gate(const std::string& text);
/// One sentence for each run in which the gate does not hold. Throws InputError if no run has the metric.
std::vector<std::string> broken(const Gate& gate, const Comparison& comparison);

/// Results, changed keys, then the metrics that changed (`all`: every one), side by side.
std::string comparison_text(const Comparison& comparison, bool all);

}  // namespace g80
