// SPDX-License-Identifier: Apache-2.0
// Finds the scenario for the argument of `g80 run`.
#pragma once
#include <string>
#include <vector>

#include "app/command/commands.h"
#include "tb/scenario/scenario.h"

namespace g80 {

/// A kernel folder (or the name of one of the project's), a scenario file, or a bare .sasm, .cubin, .ptx or .cu with
/// the launch on the command line.
Scenario locate_scenario(const RunCommand& options);

/// Scenario files of the project's kernels, sorted.
std::vector<std::string> kernel_scenarios();

}  // namespace g80
