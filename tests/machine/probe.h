// SPDX-License-Identifier: Apache-2.0
// Short launches on the smallest machine: of a kernel of the project, or of assembly in a string.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tb/machine/gpu_backend.h"
#include "tb/scenario/golden_backend.h"
#include "tb/scenario/run_scenario.h"
#include "tests/machine/machine_run.h"
#include "toolchain/assembler/assembler.h"

namespace g80::testing {

/// One launch of a kernel with the parameter `out`, a buffer of 256 bytes, on the smallest machine.
inline RunResult launch(const std::string& body, std::array<std::uint32_t, 3> grid, std::array<std::uint32_t, 3> block,
                        std::uint32_t offset = 0, std::uint64_t max_cycles = 0,
                        const std::vector<std::string>& sets = {}) {
  const Module module = assemble(".arch sm_11\n.kernel probe\n.param ptr out\n" + body, "probe.sasm");
  GpuBackend gpu(load_config("tiny", sets), MachineOptions());
  gpu.load(module);
  const std::uint32_t out = gpu.allocate(256, "out");
  RunResult result;
  result.launches.push_back(
      gpu.launch({gpu.config(), module.kernels.front(), grid, block, {out + offset}, 0, max_cycles}));
  return result;
}

/// A launch of two blocks of two warps under a watchdog that suspects a kernel after 4000 cycles.
inline LaunchResult suspected(const std::string& body, std::uint64_t max_cycles = 4'000'000) {
  return launch(".local 16\n.shared word u32 4\n" + body, {2, 1, 1}, {64, 1, 1}, 0, max_cycles,
                {"gpu.hang_cycles=1000"})
      .launches[0];
}

/// The same on the reference, which compares states after a million instructions without a change.
inline LaunchResult launch_on_reference(const std::string& body, unsigned threads = 512) {
  const Module module =
      assemble(".arch sm_11\n.kernel probe\n.param ptr out\n.local 16\n.shared word u32 4\n" + body, "probe.sasm");
  GoldenBackend reference(load_config("8600gts"));
  reference.load(module);
  const std::uint32_t out = reference.allocate(256, "out");
  return reference.launch(
      {reference.config(), module.kernels.front(), {1, 1, 1}, {threads, 1, 1}, {out}, 0, 20'000'000});
}

struct Launched {
  LaunchResult last;
  Cycle first_accepted = 0;  // shader edge of the first doorbell
};

/// A kernel on the smallest machine, with `faults` planted.
inline Launched launch_all(const std::string& kernel, const Assignments& args, const std::vector<std::string>& sets,
                           const std::vector<std::string>& faults = {}, bool lockstep = false) {
  const Scenario scenario = scenario_of(kernel);
  const Module module = load_module(scenario);
  const Config config = scenario_config(scenario, "tiny", sets);
  MachineOptions machine;
  machine.lockstep = lockstep;
  machine.faults = faults;
  GpuBackend backend(config, machine);
  RunOptions options;
  options.args = args;
  options.max_cycles = 50'000'000;
  Launched launched;
  launched.last = run_scenario(scenario, module, config, options, backend).launches.back();
  const Cycle accepted_edge = backend.gpu().command_processor.launches().front().accepted_edge;
  launched.first_accepted = backend.gpu().shader.last_edge_by(backend.gpu().core.edge_time(accepted_edge));
  return launched;
}

}  // namespace g80::testing
