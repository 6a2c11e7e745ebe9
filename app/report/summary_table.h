// SPDX-License-Identifier: Apache-2.0
// The text table of results: one row per run.
#pragma once
#include <string>
#include <vector>

#include "tb/scenario/run_result.h"

namespace g80 {

/// Kernel, grid x block, cycles, milliseconds at the shader clock, warp instructions, IPC, divergent branches,
/// coalesced and uncoalesced transactions, main stall, golden. Numbers that an untimed model does not have are "-".
std::string summary_table(const std::vector<RunResult>& results);

/// "ok", "differs", "not compared", or how the run ended, with "(expected)" where the scenario wants that.
std::string verdict(const RunResult& result);

/// Everything about one run that is not in its row: how it ended, differences, the host's sum.
std::string run_details(const RunResult& result);

}  // namespace g80
