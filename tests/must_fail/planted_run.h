// SPDX-License-Identifier: Apache-2.0
// One run of a kernel on the smallest machine with faults planted in it.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "hw/gpu/gpu.h"
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

/// Faults whose cycle is "+N" are planted N shader cycles after the first issue, wherever copies and launch put it.
inline std::string from_first_issue(const std::string& fault, Cycle first_issue) {
  const std::size_t at = fault.find("@+");
  if (at == std::string::npos) return fault;
  std::size_t digits = 0;
  const std::uint64_t after = std::stoull(fault.substr(at + 2), &digits);
  return fmt::format("{}@{}{}", fault.substr(0, at), first_issue + after, fault.substr(at + 2 + digits));
}

/// A tree sum over shared memory: loads, stores, conflicts, divergence and barriers in one kernel.
inline Outcome run_planted(const std::vector<std::string>& faults, const std::string& kernel = "reduction_sequential",
                           const Assignments& args = {{"block", "128"}, {"blocks", "4"}}, bool lockstep = true) {
  const Scenario scenario = read_scenario(std::string(G80_SOURCE_DIR) + "/kernels/" + kernel + "/scenario.toml");
  const Module module = load_module(scenario);
  const Config config = scenario_config(
      scenario, "tiny",  // with room for one of the blocks, so that nothing hides what a fault delays
      {"gpu.hang_cycles=5000", "sm.max_warps=4", "sm.max_threads=128", "device.max_threads_per_block=128"});
  RunOptions options;
  options.args = args;
  options.max_cycles = 400'000;
  Cycle first_issue = 0;
  if (std::any_of(faults.begin(), faults.end(),
                  [](const std::string& fault) { return fault.find("@+") != std::string::npos; })) {
    GpuBackend backend(config, {});
    run_scenario(scenario, module, config, options, backend);
    first_issue = backend.gpu().sm(0).counters(backend.shader_cycle()).first_issue;
  }
  MachineOptions machine;
  for (const std::string& fault : faults) machine.faults.push_back(from_first_issue(fault, first_issue));
  machine.lockstep = lockstep;
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
