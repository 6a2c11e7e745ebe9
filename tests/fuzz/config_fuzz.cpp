// SPDX-License-Identifier: Apache-2.0
// Any text is a configuration or a ConfigError; what loads has a report and a manifest. A line "#--set key=value" is an
// override, as on the command line.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "app/report/device_report.h"
#include "hw/config/config.h"
#include "hw/config/data_folder.h"

/// None: inputs name the presets of the data folder.
const std::vector<g80::BuiltInPreset>& g80::built_in_presets() {
  static const std::vector<BuiltInPreset> none;
  return none;
}

namespace {

const std::string& input_file() {
  static const std::string file =
      (std::filesystem::temp_directory_path() / ("g80_config_fuzz." + std::to_string(::getpid()) + ".toml")).string();
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::ofstream(input_file(), std::ios::binary) << text;
  std::vector<std::string> overrides;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, 7, "#--set ") == 0) overrides.push_back(line.substr(7));
  }
  try {
    const g80::Config config = g80::load_config(input_file(), overrides);
    g80::device_query_text(config);
    g80::resolved_config_json(config);
  } catch (const g80::ConfigError&) {
  }
  std::remove(input_file().c_str());
  return 0;
}
