// SPDX-License-Identifier: Apache-2.0
// Finding and making scenarios.
#include "app/command/scenario_locator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "app/command/bare_scenario.h"
#include "app/run/program_source.h"
#include "hw/config/config.h"
#include "hw/config/config_keys.h"
#include "hw/config/data_folder.h"
#include "input/input_error.h"
#include "input/nearest_name.h"
#include "tb/scenario/scenario_file.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;

/// The path of kernels/ for messages: relative to the current folder if that is shorter.
fs::path kernels_folder() {
  const fs::path folder = data_path("kernels"), near = fs::proximate(folder);
  return near.empty() || *near.begin() == ".." ? folder : near;
}

/// Names of the collection's kernels that `run` takes.
std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const std::string& file : kernel_scenarios()) names.push_back(fs::path(file).parent_path().filename().string());
  return names;
}

/// What the user may have meant by a name that is none: of a file the kernel of its name, or a file or folder with the
/// same suffix that lies in the same folder; of a plain word a device or a kernel.
std::string no_such_target(const std::string& target) {
  const fs::path path = target;
  const std::vector<std::string> kernels = kernel_names();
  if (!path.has_extension() && !path.has_parent_path()) {
    const std::vector<std::string> presets = preset_names();
    if (std::find(presets.begin(), presets.end(), target) != presets.end())
      return fmt::format("{0}: this is a device, and no kernel: `g80 run KERNEL --device {0}`", target);
    return fmt::format("{}: there is no such file or kernel{} (`g80 list kernels`)", target,
                       did_you_mean(target, kernels));
  }
  const std::string stem = path.stem().string();
  if (std::find(kernels.begin(), kernels.end(), stem) != kernels.end())
    return fmt::format("{}: there is no such file; did you mean the kernel {}?", target, stem);
  std::vector<std::string> names;
  std::error_code no_folder;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, no_folder)) {
    if (entry.path().extension() == path.extension() && entry.is_directory() != path.has_extension())
      names.push_back((path.parent_path() / entry.path().filename()).string());
  }
  std::sort(names.begin(), names.end());
  return fmt::format("{}: there is no such file{}", target, did_you_mean(target, names));
}

/// About a folder without scenario.toml; if it has a CUDA program of its name, what runs that.
std::string no_scenario_in(const fs::path& folder, const std::string& target) {
  const std::string name = folder.filename().string();
  const fs::path program = folder / (name + ".cu");
  const std::string text = fmt::format("{}: this folder has no scenario.toml", target);
  if (!fs::exists(program)) return text;
  return fmt::format("{0}; its program runs with `g80 cc {1} -o {2} && ./{2}`", text, program.string(), name);
}

void refuse_bare_options(const Scenario& scenario, const RunCommand& options) {
  const char* given = !options.grid.empty()     ? "--grid"
                      : !options.block.empty()  ? "--block"
                      : !options.kernel.empty() ? "--kernel"
                      : options.dynamic_shared  ? "--dynamic-shared"
                                                : nullptr;
  if (given)
    throw InputError(fmt::format("{} is for bare kernel files; {} describes its launch itself (change it with --arg)",
                                 given, scenario.path));
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
  if (!fs::exists(path) && fs::is_directory(kernels_folder() / path)) path = kernels_folder() / path;
  if (!fs::exists(path)) throw InputError(no_such_target(options.target));
  if (fs::is_directory(path)) {
    path = path / "scenario.toml";
    if (!fs::exists(path)) throw InputError(no_scenario_in(path.parent_path(), options.target));
  }
  const std::string suffix = path.extension().string();
  if (is_bare_kernel(path.string())) return bare_scenario(path.string(), options);
  if (suffix != ".toml") {
    throw InputError(
        fmt::format("{}: allowed are a kernel folder, a scenario .toml, .sasm, .cubin, .ptx and .cu", options.target));
  }
  Scenario scenario = read_scenario(path.lexically_normal().string());
  refuse_bare_options(scenario, options);
  return scenario;
}

}  // namespace g80
