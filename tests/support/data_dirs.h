// SPDX-License-Identifier: Apache-2.0
// Where the conformance vectors and real kernels lie. They are data of others and not part of the project: a test that
// needs them skips when they are absent.
#pragma once
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "source_dir.h"

namespace g80::test {

/// The directory in the environment variable `name`, or `fallback` next to the project, if it exists.
inline std::optional<std::string> data_dir(const char* name, const char* fallback) {
  const char* const set = std::getenv(name);
  const std::filesystem::path path =
      set != nullptr ? std::filesystem::path(set) : std::filesystem::path(G80_SOURCE_DIR) / "../shared" / fallback;
  if (!std::filesystem::is_directory(path)) return std::nullopt;
  return path.string();
}

/// Decode and result vectors (vectors.tsv, sem_*.tsv).
inline std::optional<std::string> conformance_dir() { return data_dir("G80_CONFORMANCE_DIR", "isa"); }

/// Machine code of real kernels (*.hex, *.dis, *.cubin, cases.jsonl).
inline std::optional<std::string> binaries_dir() { return data_dir("G80_BINARIES_DIR", "binaries"); }

/// Adds a line "N of M THINGS WHERE" to the tally that ./test prints; the gate demands N of N for every data file at
/// hand. The line is one write, so that tests that run side by side do not mix theirs.
inline void tally(const std::string& things, std::size_t agreed, std::size_t total, const std::string& where) {
  const std::string line = std::to_string(agreed) + " of " + std::to_string(total) + " " + things + " " + where + "\n";
  std::ofstream(G80_CONFORMANCE_SUMMARY, std::ios::app) << line << std::flush;
  std::fputs(line.c_str(), stdout);
}
inline void tally_rows(const std::string& file, std::size_t agreed, std::size_t total) {
  tally("rows", agreed, total, file);
}

}  // namespace g80::test
