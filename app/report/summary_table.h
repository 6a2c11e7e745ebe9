// SPDX-License-Identifier: Apache-2.0
// The text table of results: one row per run.
#pragma once
#include <cstddef>
#include <string>

#include "tb/scenario/run_result.h"

namespace g80 {

/// Kernel, grid x block, cycles, those without launch and end, milliseconds at the shader clock, warp instructions,
/// IPC, divergent branches, coalesced and uncoalesced transactions, main stall, golden. Numbers that an untimed model
/// does not have are "-". Columns that `width` characters do not hold are left out; 0: none are.
std::string summary_table(const RunResult& result, std::size_t width = 0);

/// The same for many runs, one line as each ends; the column of names has `label_width` characters.
std::string summary_head(std::size_t label_width, std::size_t width = 0);
std::string summary_row(const RunResult& result, const std::string& label, std::size_t label_width,
                        std::size_t width = 0);

/// "ok", "differs", "not compared", or how the run ended, with "(expected)" if the scenario expects it.
std::string verdict(const RunResult& result);

/// Its colour on a page: "good", "bad", or none if nothing was compared.
const char* verdict_class(bool as_expected, const std::string& verdict);

/// Everything else about a run: how it ended, differences, the host's sum.
std::string run_details(const RunResult& result);

}  // namespace g80
