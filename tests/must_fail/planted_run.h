// SPDX-License-Identifier: Apache-2.0
// One run of a kernel on the smallest machine with faults planted in it.
#pragma once
#include <string>
#include <vector>

#include "source_dir.h"
#include "tb/machine/gpu_backend.h"
#include "tb/scenario/run_scenario.h"
#include "tb/scenario/scenario_file.h"

namespace g80::must_fail {

/// How a run with faults in it ended.
struct Outcome {
  bool right = false;    // finished with the golden's result
  bool refused = false;  // lock-step, the watchdog or a fault reported by the machine stopped it
  std::string message;
  std::uint64_t changes = 0;  // values that the faults changed; 0 for a refused run
};

/// A tree sum over shared memory: loads, stores, conflicts, divergence and barriers in one kernel.
inline Outcome run_planted(const std::vector<std::string>& faults, const std::string& kernel = "reduction_sequential",
                           const Assignments& args = {{"block", "128"}, {"blocks", "4"}}, bool lockstep = true) {
  const Scenario scenario = read_scenario(std::string(G80_SOURCE_DIR) + "/kernels/" + kernel + "/scenario.toml");
  const Module module = load_module(scenario);
  const Config config = scenario_config(scenario, "tiny", {"gpu.hang_cycles=5000"});
  MachineOptions machine;
  machine.faults = faults;
  machine.lockstep = lockstep;
  RunOptions options;
  options.args = args;
  options.max_cycles = 400'000;
  Outcome outcome;
  try {
    GpuBackend backend(config, machine);
    const RunResult result = run_scenario(scenario, module, config, options, backend);
    outcome.right = exit_code(result) == kExitPass && result.compared;
    for (const LaunchResult& launch : result.launches) {
      // A wrong address may look like the kernel's own fault: the reference cannot tell while it waits for memory.
      outcome.refused |= launch.end != LaunchEnd::kFinished;
      outcome.message += launch.message;
    }
    for (const BufferCheck& check : result.checks) outcome.message += check.first_difference;
    for (const InjectedFault& fault : backend.injected_faults()) outcome.changes += fault.changes;
  } catch (const ModelError& error) {
    outcome.refused = true;
    outcome.message = error.what();
  }
  return outcome;
}

}  // namespace g80::must_fail
