// SPDX-License-Identifier: Apache-2.0
// Runs a scenario on a backend: arguments, data, launches, comparison with what is expected.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/config/config.h"
#include "tb/scenario/backend.h"
#include "tb/scenario/run_result.h"
#include "tb/scenario/scenario.h"
#include "toolchain/cubin/module.h"

namespace g80 {

using Assignments = std::vector<std::pair<std::string, std::string>>;  // name, value

struct RunOptions {
  Assignments args;                // --arg
  Assignments load;                // --load buffer=file: replaces initial contents
  Assignments dump;                // --dump buffer=file: contents after the run
  std::string golden_file;         // --golden: recorded contents to compare with instead of the scenario's own golden
  std::string update_golden_file;  // where to record the contents; empty: do not
  std::uint64_t seed = 1;
  std::uint64_t max_cycles = 0;  // 0: the scenario's own limit
};

/// Loads the module of a scenario: .sasm is assembled, .cubin is read. Throws InputError or SourceError.
Module load_module(const Scenario& scenario);

/// The configuration of a run: preset or file, then the scenario's [config], then `sets` ("key=value").
Config scenario_config(const Scenario& scenario, const std::string& device, const std::vector<std::string>& sets);

/// True if the device can run code for `arch`.
bool has_capability(const Config& config, isa::Arch arch);
/// The presets that can, "gtx260 or gtx280", with a text in front of them; empty if there is none.
std::string devices_with_capability(isa::Arch arch, const std::string& before);

/// Everything from allocation to comparison. The manifest is left to the caller.
RunResult run_scenario(const Scenario& scenario, const Module& module, const Config& config, const RunOptions& options,
                       Backend& backend);

/// Sixteen hexadecimal digits that name the code and constants of a module.
std::string kernel_hash(const Module& module);

}  // namespace g80
