// SPDX-License-Identifier: Apache-2.0
// The report of a run: one HTML file that shows where its time went (docs/report.md).
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "tb/scenario/run_result.h"

namespace g80 {

/// The page as html_page() takes it. Its key `statistics` is the run as --stats writes it, without instructions and
/// configuration.
nlohmann::ordered_json report_page(const RunResult& result);

void write_report(const std::string& path, const RunResult& result);

/// For programs with many launches: keeps the history of only the longest launch of each kernel.
void keep_longest_history(std::vector<LaunchResult>& launches);

}  // namespace g80
