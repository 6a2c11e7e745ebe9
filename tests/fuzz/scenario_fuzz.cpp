// SPDX-License-Identifier: Apache-2.0
// Any text is a scenario or an InputError, and so are its expressions.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "input/input_error.h"
#include "tb/scenario/arguments.h"
#include "tb/scenario/scenario_file.h"

namespace {

const std::string& input_file() {
  static const std::string file =
      (std::filesystem::temp_directory_path() / ("g80_scenario_fuzz." + std::to_string(::getpid()) + ".toml")).string();
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::ofstream(input_file(), std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    const g80::Scenario scenario = g80::read_scenario(input_file());
    g80::NameTable names = g80::name_table(g80::resolve_arguments(scenario, {}));
    for (const g80::BufferDecl& buffer : scenario.buffers) g80::integer_at(buffer.count, names, 1, INT64_MAX);
    names.add("i", g80::Value::of(7));
    for (const g80::BufferDecl& buffer : scenario.buffers) {
      if (buffer.init == g80::InitKind::kExpression) g80::value_at(buffer.init_text, names);
    }
  } catch (const g80::InputError&) {
  }
  std::remove(input_file().c_str());
  return 0;
}
