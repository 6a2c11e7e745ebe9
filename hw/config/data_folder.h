// SPDX-License-Identifier: Apache-2.0
// Where the files lie that g80 reads while it runs: presets, kernels, CUDA headers, views of waves.
//
// The folder is $G80_DATA_DIR, else ../share/g80 as seen from the program: of an installation, or of a build folder,
// where it is a link to the sources. No program contains the path of the sources. A program that links the libraries
// and lies elsewhere still knows the presets: they are part of g80_config.
#pragma once
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace g80 {

/// The folder of the running program, links resolved.
std::filesystem::path program_folder();

/// The data folder; nothing if there is none.
std::optional<std::filesystem::path> find_data_folder();

/// A file or folder of the data folder, such as "kernels". Throws InputError if there is no data folder.
std::filesystem::path data_path(const std::filesystem::path& name);

/// A preset as it was when the libraries were built.
struct BuiltInPreset {
  std::string_view name, text;
};
const std::vector<BuiltInPreset>& built_in_presets();  // by name

}  // namespace g80
