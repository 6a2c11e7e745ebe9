// SPDX-License-Identifier: Apache-2.0
// Statistics files: every counter of a run, as JSON or CSV. docs/stats.md documents the keys. Equal runs give equal
// bytes.
#pragma once
#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tb/scenario/run_result.h"

namespace g80 {

/// `format` of the files.
inline constexpr const char* kStatisticsFormat = "g80-stats 2";

nlohmann::ordered_json statistics_document(const std::vector<RunResult>& results);
std::string statistics_json(const std::vector<RunResult>& results);
/// One line per counter: run,launch,sm,counter,value,version; those outside the SMs as tpc0_NAME, partition0_NAME,
/// chip_NAME.
std::string statistics_csv(const std::vector<RunResult>& results);

/// The JSON Schema of these files: `g80 list schema`.
std::string statistics_schema();

/// A field of a CSV file: in quotes if it needs them.
std::string csv_field(const std::string& text);

/// The format that a file's name asks for: CSV for .csv, else JSON.
std::string statistics_text(const std::string& path, const std::vector<RunResult>& results);
/// Such texts as one, in their order.
std::string joined_statistics(const std::string& path, const std::vector<std::string>& texts);

/// Throws InputError if the name of a statistics file ends neither in .json nor in .csv, and is not "-".
void check_statistics_name(const std::string& path);

/// What --stats names. "-" is standard output, which is then for the statistics alone: whatever else the program prints
/// from the construction on goes to standard error.
class StatisticsFile {
 public:
  explicit StatisticsFile(std::string path);
  /// Does nothing if no file is named. Throws InputError.
  void write(const std::string& text) const;

 private:
  const std::string path_;
  std::FILE* output_ = nullptr;  // of "-"
};

}  // namespace g80
