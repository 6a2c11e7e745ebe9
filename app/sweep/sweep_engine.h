// SPDX-License-Identifier: Apache-2.0
// Runs the points of a sweep, each as a process of its own: on this host, or as a job array of Slurm.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/sweep/sweep_plan.h"
#include "app/sweep/sweep_progress.h"
#include "app/sweep/sweep_store.h"

namespace g80 {

using RunPoint = std::function<RunResult(const SweepPoint&)>;

/// Runs `points` in at most `processes` processes; each result is in the store before its run counts as done. Returns
/// 0, or the number of the signal that stopped the sweep.
int run_here(const SweepPlan& plan, const SweepStore& store, const std::vector<const SweepPoint*>& points,
             unsigned processes, const RunPoint& run, SweepProgress& progress);

struct SlurmOptions {
  std::string sbatch;   // further options of sbatch
  std::string program;  // the command that runs a part: `g80 sweep FILE --out DIR`, quoted for a shell
};

/// Submits the points as a job array and waits until each has a result; what a killed job leaves is submitted again,
/// three times at most. Goes on waiting for jobs that an earlier call has submitted. Returns 0, or the signal.
int run_on_slurm(const SweepPlan& plan, const SweepStore& store, const std::vector<const SweepPoint*>& points,
                 const SlurmOptions& options, SweepProgress& progress);

/// The runs of one task of such an array: ids in the line of the file that the task's number names. Throws InputError.
std::vector<std::string> slurm_task(const std::string& file);

/// The first signal that asks to stop during its lifetime: SIGINT, SIGTERM, SIGHUP.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;
  static int seen();
  /// In a new process: signals act as they did before.
  static void restore();
};

}  // namespace g80
