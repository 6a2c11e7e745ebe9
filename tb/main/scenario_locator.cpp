// Finding and making scenarios.
#include "tb/main/scenario_locator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "hw/config/config_keys.h"
#include "source_dir.h"
#include "tb/main/program_source.h"
#include "tb/scenario/arguments.h"
#include "tb/scenario/input_error.h"
#include "tb/scenario/scenario_file.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;

fs::path kernels_folder() { return fs::path(G80_SOURCE_DIR) / "kernels"; }

std::vector<ScenarioText> split_shape(const std::string& text, const char* option, std::size_t max) {
  std::vector<ScenarioText> list;
  std::size_t at = 0;
  do {
    const std::size_t comma = std::min(text.find_first_of(",x", at), text.size());
    list.push_back({text.substr(at, comma - at), option});
    at = comma + 1;
  } while (at <= text.size());
  if (list.size() > max) throw InputError(fmt::format("{} {}: at most {} numbers", option, text, max));
  return list;
}

/// "TYPE:rest" -> type and rest, if the first part is a type.
bool take_type(std::string& text, ElementType& type) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return false;
  const auto parsed = parse_element_type(text.substr(0, colon));
  if (!parsed) return false;
  type = *parsed;
  text.erase(0, colon + 1);
  return true;
}

BufferDecl bare_buffer(const std::string& text) {
  auto [name, rest] = split_assignment(text, "--buffer");
  BufferDecl decl;
  decl.name = name;
  check_name(name, fmt::format("--buffer {}", text));
  const std::string option = fmt::format("--buffer {}", text);
  if (!take_type(rest, decl.type)) {
    throw InputError(fmt::format("{}: the form is NAME=TYPE:COUNT[:INIT]; types are {}", option, element_type_list()));
  }
  const std::size_t colon = rest.find(':');
  decl.count = {rest.substr(0, colon), option};
  decl.init_text = {colon == std::string::npos ? "0" : rest.substr(colon + 1), option};
  return decl;
}

Scenario bare_scenario(const fs::path& file, const RunCommand& options) {
  if (options.grid.empty() || options.block.empty()) {
    throw InputError(
        fmt::format("{}: a bare kernel file says nothing about its launch: give --grid and --block (parameters with "
                    "--param, memory with --buffer)",
                    file.string()));
  }
  Scenario scenario;
  scenario.name = file.stem().string();
  scenario.path = file.string();
  scenario.folder = file.parent_path().string();
  scenario.kernel_file = file.filename().string();
  for (const std::string& text : options.buffers) scenario.buffers.push_back(bare_buffer(text));
  LaunchDecl launch;
  check_unique(scenario);
  launch.kernel = options.kernel;
  launch.where = scenario.path;
  launch.grid = split_shape(options.grid, "--grid", 2);
  launch.block = split_shape(options.block, "--block", 3);
  for (const std::string& text : options.params) {
    ParamDecl param;
    param.value = {text, fmt::format("--param {}", text)};
    param.typed = take_type(param.value.text, param.type);
    launch.params.push_back(param);
  }
  if (options.dynamic_shared != 0) launch.dynamic_shared = {std::to_string(options.dynamic_shared), "--dynamic-shared"};
  scenario.launches.push_back(launch);
  return scenario;
}

void refuse_bare_options(const Scenario& scenario, const RunCommand& options) {
  const char* given = !options.grid.empty()      ? "--grid"
                      : !options.block.empty()   ? "--block"
                      : !options.params.empty()  ? "--param"
                      : !options.buffers.empty() ? "--buffer"
                      : !options.kernel.empty()  ? "--kernel"
                      : options.dynamic_shared   ? "--dynamic-shared"
                                                 : nullptr;
  if (given)
    throw InputError(fmt::format("{} is for bare kernel files; {} describes its own launch (--arg changes it)", given,
                                 scenario.path));
}

}  // namespace

std::vector<std::string> kernel_scenarios() {
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(kernels_folder())) {
    const fs::path file = entry.path() / "scenario.toml";
    if (fs::is_regular_file(file)) files.push_back(file.string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Scenario locate_scenario(const RunCommand& options) {
  fs::path path = options.target;
  if (path.empty()) throw InputError("run: X is empty; allowed are a kernel folder, its name, a scenario .toml, .sasm, .cubin, .ptx and .cu");
  if (!fs::exists(path) && fs::is_directory(kernels_folder() / path)) path = kernels_folder() / path;
  if (!fs::exists(path)) {
    std::vector<std::string> names;
    for (const std::string& file : kernel_scenarios())
      names.push_back(fs::path(file).parent_path().filename().string());
    throw InputError(fmt::format("{}: there is no such file or kernel; did you mean {}? (`g80 list kernels`)",
                                 options.target, nearest_name(path.filename().string(), names)));
  }
  if (fs::is_directory(path)) {
    path = path / "scenario.toml";
    if (!fs::exists(path)) throw InputError(fmt::format("{}: this folder has no scenario.toml", options.target));
  }
  const std::string suffix = path.extension().string();
  if (suffix == ".sasm" || suffix == ".cubin" || is_program_source(path.string())) return bare_scenario(path, options);
  if (suffix != ".toml") {
    throw InputError(
        fmt::format("{}: allowed are a kernel folder, a scenario .toml, .sasm, .cubin, .ptx and .cu", options.target));
  }
  Scenario scenario = read_scenario(path.lexically_normal().string());
  refuse_bare_options(scenario, options);
  return scenario;
}

}  // namespace g80
