// Where the conformance vectors and real kernels lie. They are data of others and not part of the project: a test that
// needs them skips when they are absent.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

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

}  // namespace g80::test
