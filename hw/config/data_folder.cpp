// SPDX-License-Identifier: Apache-2.0
#include "hw/config/data_folder.h"

#include <fmt/format.h>

#include <cstdlib>

#include "input/input_error.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;

fs::path beside_program() { return program_folder() / "../share/g80"; }

}  // namespace

fs::path program_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

std::optional<fs::path> find_data_folder() {
  const char* const set = std::getenv("G80_DATA_DIR");
  const fs::path folder = set != nullptr && *set != '\0' ? fs::path(set) : beside_program();
  std::error_code error;
  if (!fs::is_directory(folder, error)) return std::nullopt;
  return fs::canonical(folder);
}

fs::path data_path(const fs::path& name) {
  if (const std::optional<fs::path> folder = find_data_folder()) return *folder / name;
  const char* const set = std::getenv("G80_DATA_DIR");
  if (set != nullptr && *set != '\0') throw InputError(fmt::format("G80_DATA_DIR={}: there is no such folder", set));
  throw InputError(
      fmt::format("{}: there is no such folder; set G80_DATA_DIR to the folder share/g80 of an installation",
                  beside_program().lexically_normal().string()));
}

}  // namespace g80
