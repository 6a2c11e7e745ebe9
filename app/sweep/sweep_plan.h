// SPDX-License-Identifier: Apache-2.0
// A sweep file (docs/sweep.md) and the runs that it asks for: kernels x arguments x devices x keys x seeds, without
// those that a constraint or an exclusion leaves out.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/run/run_options.h"
#include "tb/scenario/run_scenario.h"
#include "tb/scenario/scenario.h"

namespace g80 {

/// What runs of a kernel share.
struct SweepKernel {
  std::string name;    // as written in the file
  std::string target;  // as `g80 run` takes it from any folder
  Scenario scenario;
};

/// One run.
struct SweepPoint {
  std::uint32_t kernel = 0;  // index in SweepPlan::kernels
  std::string device;        // as written; empty: the scenario's
  Assignments args, keys;
  std::uint64_t seed = 1;
  std::string id;  // sixteen hexadecimal digits: program, kernel, device, arguments, keys, seed, options
};

/// How results are shown.
struct SweepReport {
  std::string metric = "milliseconds";  // smaller is better
  std::vector<std::string> heat;        // two keys; empty: the first two that vary
  std::vector<std::string> pareto;      // two keys or counters; empty: the first key of numbers, and the metric
  Assignments baseline;                 // "device" or a key, value; the first value of each other one
};

struct SweepPlan {
  std::string file, name;
  std::vector<SweepKernel> kernels;
  std::vector<std::string> devices;
  std::vector<std::pair<std::string, std::vector<std::string>>> keys;  // in the order of the file
  std::vector<std::uint64_t> seeds;
  std::string options;        // of `g80 run`, for every run
  CommonRunOptions common;    // the same, parsed
  std::uint64_t limit_s = 0;  // seconds of a run; 0: none
  SweepReport report;
  std::vector<SweepPoint> points;
  std::uint64_t left_out = 0;  // by constraints and exclusions

  const std::string& device_of(const SweepPoint& point) const;
  /// "vec_add n=1000 on 8600gts, sm.scheduler=oldest_first, seed=2": what names a run in every output.
  std::string label(const SweepPoint& point) const;
  /// The configuration without the kernel: "8600gts, sm.scheduler=oldest_first".
  std::string configuration(const SweepPoint& point) const;
  /// The command that repeats a run outside the sweep.
  std::string command(const SweepPoint& point) const;
};

/// Finds the kernel that a sweep file in `folder` names. Throws InputError.
using FindKernel = std::function<SweepKernel(const std::string& name, const std::string& folder)>;

/// Reads the file and lists its runs. `program` names the build. Throws InputError with file, line and key.
SweepPlan read_sweep(const std::string& file, const std::string& program, const FindKernel& find_kernel);

/// Sixteen hexadecimal digits that name a text, or the contents of a file.
std::string text_fingerprint(std::string_view text);
std::string file_fingerprint(const std::string& path);

}  // namespace g80
