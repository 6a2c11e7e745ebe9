// SPDX-License-Identifier: Apache-2.0
// All rows together: the runs that they share, verdicts, text and JSON.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/run/execute.h"
#include "hw/config/data_folder.h"
#include "input/input_error.h"
#include "tb/scenario/scenario_file.h"
#include "validation/rows.h"
#include "validation/seed_rows.h"

namespace g80::silicon {
namespace {

/// Rows that are not measured, each with the reason, so that the table has every statement of the documents.
std::vector<SeedRow> unmeasured_rows() {
  constexpr const char* kTests = "not measured: tests/tb and tests/runtime check it";
  return {
      {"G4.frozen", kTextbook, "dimensions of a running grid that can be changed", "dimensions", "none", 0, 0,
       "not measured: methods wait in the push buffer until the grid has ended (hw/host/command_processor.cpp), so "
       "it cannot be tested"},
      {"H2.launch", kThreadsBlocks, "launches that return before the kernel has ended (the other document: after)",
       "launches", "both", 1, 1, kTests},
      {"W4.stages", kNewConcepts, "stages of the ALU", "stages", "about 10, a guess", 8, 12,
       "not measured: programs cannot observe stages; M2.register_latency has the latency"},
      {"1.3.runs", kThreadsBlocks, "runs averaged", "runs", "1000", 1000, 1000,
       "not measured: runs do not differ (H1.repeat)"},
  };
}

}  // namespace

template <class T, class Measure>
const T& SeedRuns::once(std::map<std::string, Known<T>>& known, const std::string& name, const Measure& measure) {
  const auto found = known.find(name);
  if (found != known.end()) {
    runner_.note(found->second.where);
    return found->second.value;
  }
  Known<T>& fresh = known[name];
  runner_.note_only([&] {
    fresh.value = measure();
    return fresh.where = runner_.take();
  });
  return fresh.value;
}

const RunResult& SeedRuns::program(const std::string& kernel, const Assignments& args,
                                   const std::vector<std::string>& settings, const std::string& device) {
  std::string key = kernel + "\n" + device;
  for (const auto& [name, value] : args) key += "\n" + name + "=" + value;
  for (const std::string& set : settings) key += "\n" + set;
  return once(programs_, key, [&] {
    CommonRunOptions common;
    common.device = device;
    common.sets = settings;
    common.sets.insert(common.sets.end(), sets().begin(), sets().end());
    common.simulation.check = "off";
    common.simulation.check_given = true;
    RunOptions options;
    options.args = args;
    RunResult result = execute(read_scenario(data_path("kernels") / kernel / "scenario.toml"), common, options);
    const Config config = load_config(result.manifest.device, common.sets);
    for (const LaunchResult& launch : result.launches) runner_.note(where_of(launch, config));
    return result;
  });
}

double SeedRuns::micro(const char* id) {
  for (const Row& row : micro_rows()) {
    if (std::string(id) != row.id) continue;
    Bench bench = this->bench(row.device);
    return row.measure(bench);
  }
  throw InputError(fmt::format("g80 silicon has no row {}", id));
}
const Timeline38& SeedRuns::timeline() {
  return once(timeline_, "", [&] { return figure_38(runner_); });
}
const std::vector<HidingPoint>& SeedRuns::hiding() {
  return once(hiding_, "", [&] { return latency_hiding(runner_); });
}
const std::vector<BarrierPoint>& SeedRuns::barriers() {
  return once(barriers_, "", [&] { return barrier_costs(runner_); });
}
const Histogram& SeedRuns::histogram(const std::string& reduction) {
  return once(histograms_, reduction, [&] {
    // 32 warps on one SM need compute capability 1.2.
    const RunResult& run =
        program(reduction, {{"block", "512"}, {"blocks", "2"}}, {"gpu.num_tpcs=1", "gpu.sms_per_tpc=1"}, "gtx280");
    Histogram histogram;
    for (const SmCounters& sm : run.launches.front().sms) {
      for (std::size_t i = 0; i < sm.active_lanes.size(); ++i) histogram.issued[i] += sm.active_lanes[i];
      histogram.total += sm.warp_instructions;
    }
    return histogram;
  });
}
double SeedRuns::trial(unsigned number) {
  return once(trials_, std::to_string(number), [&] { return trial_milliseconds(number, full_, runner_); });
}

std::vector<SeedRow> seed_rows() {
  std::vector<SeedRow> all;
  for (const auto& part : {limit_rows(), residency_rows(), thread_rows(), memory_rows(), scheduling_rows(),
                           barrier_rows(), program_rows(), time_rows(), unmeasured_rows()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

Verdict SeedResult::verdict() const {
  if (row->measure == nullptr) return Verdict::kNotMeasured;
  const double slack = 1e-9 * std::fabs(row->high);
  return found.value >= row->low - slack && found.value <= row->high + slack ? Verdict::kHolds : Verdict::kOut;
}

SeedResult measure(const SeedRow& row, SeedRuns& runs) {
  SeedResult result{&row, {}, {}};
  if (row.measure == nullptr) return result;
  runs.take_where();
  result.found = row.measure(runs);
  result.where = runs.take_where();
  return result;
}

std::string verdict_text(Verdict verdict) {
  constexpr const char* kNames[] = {"holds", "OUT", "not measured"};
  return kNames[static_cast<unsigned>(verdict)];
}

std::string value_text(double value) {
  if (std::fabs(value - std::round(value)) < 1e-9 && std::fabs(value) < 1e10) return fmt::format("{:.0f}", value);
  return std::fabs(value) >= 1e7 ? fmt::format("{:.6g}", value) : fmt::format("{:.4g}", value);
}

std::string band_text(const SeedRow& row) {
  return row.low == row.high ? value_text(row.low) : fmt::format("{} to {}", value_text(row.low), value_text(row.high));
}

std::string seeds_text(const std::vector<SeedResult>& results) {
  std::string text = fmt::format("{:<19} {:>12} {:<13} {:<22} {:<20} {:<12}  {}\n", "row", "model", "unit",
                                 "document says", "band", "verdict", "what");
  std::array<unsigned, 3> count{};
  for (const SeedResult& result : results) {
    const SeedRow& row = *result.row;
    const Verdict verdict = result.verdict();
    ++count[static_cast<std::size_t>(verdict)];
    const std::string model = verdict == Verdict::kNotMeasured ? "-" : value_text(result.found.value);
    text += fmt::format("{:<19} {:>12} {:<13} {:<22} {:<20} {:<12}  {}\n", row.id, model, row.unit, row.said,
                        band_text(row), verdict_text(verdict), row.what);
    if (verdict == Verdict::kNotMeasured) text += fmt::format("{:>20}{}\n", "", row.decided);
    if (!result.found.note.empty()) text += fmt::format("{:>20}{}\n", "", result.found.note);
  }
  return text +
         fmt::format("{} rows hold, {} are out of their bands, {} are not measured\n", count[0], count[1], count[2]);
}

std::string seeds_json(const std::vector<SeedResult>& results) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const SeedResult& result : results) {
    const SeedRow& row = *result.row;
    nlohmann::ordered_json entry = {{"row", row.id},
                                    {"what", row.what},
                                    {"unit", row.unit},
                                    {"document", row.document},
                                    {"says", row.said},
                                    {"band", {row.low, row.high}},
                                    {"verdict", verdict_text(result.verdict())},
                                    {"decided_by", row.decided}};
    if (result.verdict() != Verdict::kNotMeasured) entry["model"] = result.found.value;
    if (!result.found.note.empty()) entry["note"] = result.found.note;
    if (result.where.cycles != 0) entry["where"] = where_json(result.where);
    list.push_back(entry);
  }
  return list.dump(1) + "\n";
}

}  // namespace g80::silicon
