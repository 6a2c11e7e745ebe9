// SPDX-License-Identifier: Apache-2.0
// Statistics files: every counter of a run, as JSON or CSV. docs/stats.md documents the keys. Equal runs give equal
// bytes.
#pragma once
#include <string>
#include <vector>

#include "tb/scenario/run_result.h"

namespace g80 {

/// `format` of the files.
inline constexpr const char* kStatisticsFormat = "g80-stats 2";

std::string statistics_json(const std::vector<RunResult>& results);
/// One line per counter: run,launch,sm,counter,value,version; those outside the SMs as tpc0_NAME, partition0_NAME,
/// chip_NAME.
std::string statistics_csv(const std::vector<RunResult>& results);

/// The JSON Schema of these files: docs/stats.schema.json.
std::string statistics_schema();

/// Writes the format of the file name's suffix. Throws InputError if it is neither .json nor .csv.
void write_statistics(const std::string& path, const std::vector<RunResult>& results);
/// Throws InputError like write_statistics, but before the run.
void check_statistics_name(const std::string& path);

}  // namespace g80
