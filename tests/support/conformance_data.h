// Where the conformance data of others lie, and the tally that ./test prints: one line "N of M rows FILE" per data
// file. The data are no part of the project; a test that finds none says so with GTEST_SKIP.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace g80::test {

inline std::optional<std::filesystem::path> data_folder(const char* variable, const char* beside_the_project) {
  const char* chosen = std::getenv(variable);
  const std::filesystem::path folder = chosen != nullptr && *chosen != '\0'
                                           ? std::filesystem::path(chosen)
                                           : std::filesystem::path(G80_SOURCE_DIR) / ".." / beside_the_project;
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) return std::nullopt;
  return folder;
}

/// Encodings and bit-exact results: vectors.tsv, sem_*.tsv.
inline std::optional<std::filesystem::path> conformance_folder() {
  return data_folder("G80_CONFORMANCE_DIR", "shared/isa");
}
/// Real kernels and their runs: *.hex, *.dis, cases.jsonl.
inline std::optional<std::filesystem::path> binaries_folder() {
  return data_folder("G80_BINARIES_DIR", "shared/binaries");
}

/// Adds the outcome for one data file to the tally. One write, so that tests in parallel do not mix their lines.
inline void tally_rows(const std::string& file, std::size_t agreed, std::size_t total) {
  const std::string line = std::to_string(agreed) + " of " + std::to_string(total) + " rows " + file + "\n";
  std::ofstream(G80_CONFORMANCE_SUMMARY, std::ios::app) << line << std::flush;
}

}  // namespace g80::test
