// SPDX-License-Identifier: Apache-2.0
// One run of a kernel of the project on the cycle model: how it ended, its counters, and every buffer byte for byte.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/report/counters.h"
#include "app/report/statistics.h"
#include "app/report/summary_table.h"
#include "hw/gpu/gpu.h"
#include "source_dir.h"
#include "tb/check/lockstep.h"
#include "tb/machine/gpu_backend.h"
#include "tb/scenario/run_scenario.h"
#include "tb/scenario/scenario_file.h"

namespace g80::testing {

/// The folder of a kernel of the project; a path stays what it is.
inline std::string kernel_path(const std::string& kernel) {
  return kernel.find('/') == std::string::npos ? std::string(G80_SOURCE_DIR) + "/kernels/" + kernel : kernel;
}
inline Scenario scenario_of(const std::string& kernel) { return read_scenario(kernel_path(kernel) + "/scenario.toml"); }

/// Every kernel of the project, sorted.
inline std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(G80_SOURCE_DIR) + "/kernels")) {
    if (std::filesystem::exists(entry.path() / "scenario.toml")) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

inline std::string contents_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The contents of every buffer after the run.
using Buffers = std::map<std::string, std::string>;

/// The first byte that differs, as text; empty if none.
inline std::string first_difference(const Buffers& seen, const Buffers& expected) {
  if (seen.size() != expected.size()) return fmt::format("{} buffers instead of {}", seen.size(), expected.size());
  for (const auto& [name, bytes] : expected) {
    const auto found = seen.find(name);
    if (found == seen.end() || found->second.size() != bytes.size()) return name + " has another size";
    const auto [a, b] = std::mismatch(found->second.begin(), found->second.end(), bytes.begin());
    if (b == bytes.end()) continue;
    return fmt::format("byte {} of {} is {:02x}, was {:02x}", b - bytes.begin(), name, static_cast<unsigned char>(*a),
                       static_cast<unsigned char>(*b));
  }
  return {};
}

struct MachineRun {
  std::string kernel;
  std::string device{};  // empty: the scenario's own
  Assignments args{};
  std::vector<std::string> sets{};  // --set
  MachineOptions machine{};
  std::uint64_t max_cycles = 0;  // 0: the scenario's own
};

struct MachineOutcome {
  RunResult result;
  Buffers buffers;  // of a run that is meant to finish
};

inline MachineOutcome execute(const MachineRun& run) {
  const Scenario scenario = scenario_of(run.kernel);
  const Module module = load_module(scenario);
  const Config config = scenario_config(scenario, run.device, run.sets);
  GpuBackend gpu(config, run.machine);
  RunOptions options;
  options.args = run.args;
  options.max_cycles = run.max_cycles;
  if (scenario.expect == Expectation::kPass) {
    for (const BufferDecl& buffer : scenario.buffers) {
      options.dump.emplace_back(buffer.name,
                                fmt::format("{}g80_{}_{}.bin", ::testing::TempDir(), getpid(), buffer.name));
    }
  }
  MachineOutcome outcome;
  outcome.result = run_scenario(scenario, module, config, options, gpu);
  for (const auto& [name, file] : options.dump) {
    outcome.buffers[name] = contents_of(file);
    std::filesystem::remove(file);
  }
  for (const std::string& warning : gpu.finish()) ADD_FAILURE() << warning;
  if (run.machine.lockstep) {
    // In a run that is stopped the reference may still wait for memory, with all that a warp has issued since.
    const std::uint64_t stepped = gpu.lockstep()->counters().instructions,
                        issued = totals(outcome.result).warp_instructions;
    EXPECT_LE(stepped, issued);
    if (outcome.result.launches.back().end == LaunchEnd::kFinished) {
      EXPECT_EQ(stepped, issued) << "the reference stepped what the model issued";
    }
  }
  return outcome;
}

/// The laws of the counter registry hold, and an SM accounts for each scheduler cycle of a launch.
inline void expect_counters_add_up(const RunResult& result) {
  for (const LaunchResult& launch : result.launches) {
    EXPECT_THAT(broken_laws(launch), ::testing::IsEmpty()) << launch.kernel;
    if (launch.end != LaunchEnd::kFinished) continue;
    EXPECT_LT(launch.executing_cycles, launch.shader_cycles) << launch.kernel;
    EXPECT_GT(launch.executing_cycles, 0u) << launch.kernel;
    for (const SmCounters& sm : launch.sms)
      EXPECT_EQ(sm.scheduler_cycles, (launch.shader_cycles + 1) / 2) << launch.kernel;
  }
}

}  // namespace g80::testing
