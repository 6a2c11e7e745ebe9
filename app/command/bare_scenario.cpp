// SPDX-License-Identifier: Apache-2.0
#include "app/command/bare_scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "app/run/program_source.h"
#include "input/input_error.h"
#include "tb/scenario/run_scenario.h"
#include "tb/scenario/scenario_file.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;

constexpr const char* kForms = "the forms are EXPR, TYPE:EXPR and [out:]TYPE[COUNT][>FILE][=INIT]";

std::vector<ScenarioText> split_shape(const std::string& text, const char* option, std::size_t max) {
  std::vector<ScenarioText> list;
  std::size_t at = 0;
  do {
    const std::size_t comma = std::min(text.find_first_of(",x", at), text.size());
    if (comma == at) throw InputError(fmt::format("{} {}: a number is missing", option, text));
    list.push_back({text.substr(at, comma - at), option});
    at = comma + 1;
  } while (at <= text.size());
  if (list.size() > max) throw InputError(fmt::format("{} {}: at most {} numbers", option, text, max));
  return list;
}

bool take_prefix(std::string& text, std::string_view prefix) {
  if (text.compare(0, prefix.size(), prefix) != 0) return false;
  text.erase(0, prefix.size());
  return true;
}

/// True for "f32[1000] ...": a single word in front of '['. Expressions have no brackets.
bool is_buffer(const std::string& text) {
  const std::size_t bracket = text.find('[');
  return bracket != std::string::npos &&
         std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(bracket),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == ':' || c == '_'; });
}

struct BufferArgument {
  BufferDecl decl;
  bool print = false;
  std::string file;  // of ">FILE"
};

/// Random numbers: integers of the whole range, floats from -1 to 1.
std::string random_expression(ElementType type) {
  const unsigned bits = static_cast<unsigned>(element_bytes(type)) * 8;
  switch (type) {
    case ElementType::kF32:
    case ElementType::kF64: return "uniform(-1, 1)";
    case ElementType::kU64: return fmt::format("random(0, {})", INT64_MAX);
    case ElementType::kS8:
    case ElementType::kS16:
    case ElementType::kS32:
      return fmt::format("random({}, {})", -(std::int64_t{1} << (bits - 1)), (std::int64_t{1} << (bits - 1)) - 1);
    default: return fmt::format("random(0, {})", (std::int64_t{1} << bits) - 1);
  }
}

void set_contents(BufferDecl& decl, const std::string& init, const std::string& option) {
  constexpr std::string_view kRandom = "random:";
  decl.init_text = {init, option};
  if (init == "iota") {
    decl.init_text.text = "i";
  } else if (init == "random" || init.compare(0, kRandom.size(), kRandom) == 0) {
    decl.init_text.text = random_expression(decl.type);
    if (init == "random") return;
    const std::string seed = init.substr(kRandom.size());
    if (seed.empty() || seed.size() > 19 ||
        !std::all_of(seed.begin(), seed.end(), [](unsigned char c) { return std::isdigit(c) != 0; }))
      throw InputError(fmt::format("{}: the seed '{}' is not an integer from 0 to 9999999999999999999", option, seed));
    decl.seed = std::stoull(seed);
  } else if (!init.empty() && init[0] == '@') {
    decl.init = InitKind::kFile;
    decl.init_text.text = fs::absolute(init.substr(1)).string();  // not relative to the kernel's folder
  }
}

BufferArgument buffer_argument(std::string text, const std::string& option, std::size_t place) {
  BufferArgument argument;
  argument.print = take_prefix(text, "out:");
  argument.decl.name = fmt::format("arg{}", place);
  argument.decl.init_text = {"0", option};
  const std::size_t open = text.find('['), close = text.find(']');
  const auto type = parse_element_type(text.substr(0, open));
  if (!type)
    throw InputError(
        fmt::format("{}: '{}' is not a type; types are {}", option, text.substr(0, open), element_type_list()));
  if (close == std::string::npos) throw InputError(fmt::format("{}: ']' is missing; {}", option, kForms));
  argument.decl.type = *type;
  argument.decl.count = {text.substr(open + 1, close - open - 1), fmt::format("{}: the count", option)};
  std::string rest = text.substr(close + 1);
  if (take_prefix(rest, ">")) {
    const std::size_t end = std::min(rest.find('='), rest.size());
    argument.file = rest.substr(0, end);
    rest.erase(0, end);
    if (argument.file.empty()) throw InputError(fmt::format("{}: a file name is missing after '>'", option));
  }
  if (rest.empty()) return argument;
  if (rest.size() < 2 || rest[0] != '=')
    throw InputError(fmt::format("{}: '{}' is not understood; {}", option, rest, kForms));
  set_contents(argument.decl, rest.substr(1), option);
  return argument;
}

ParamDecl number_argument(std::string text, const std::string& option) {
  ParamDecl param;
  param.typed = false;
  if (const std::size_t colon = text.find(':'); colon != std::string::npos) {
    if (const auto type = parse_element_type(text.substr(0, colon))) {
      param.type = *type;
      param.typed = true;
      text.erase(0, colon + 1);
    }
  }
  param.value = {text, option};
  return param;
}

}  // namespace

bool is_bare_kernel(const std::string& path) {
  const std::string suffix = fs::path(path).extension().string();
  return suffix == ".sasm" || suffix == ".cubin" || is_program_source(path);
}

Scenario bare_scenario(const std::string& file, const RunCommand& options) {
  Scenario scenario;
  scenario.name = fs::path(file).stem().string();
  scenario.path = file;
  scenario.folder = fs::path(file).parent_path().string();
  scenario.kernel_file = fs::path(file).filename().string();
  if (options.grid.empty() || options.block.empty()) {
    if (!is_program_source(file)) load_module(scenario);  // what is wrong with the file comes first
    throw InputError(
        fmt::format("{}: a bare kernel file does not describe its launch: give --grid, --block and an --arg for "
                    "each parameter",
                    file));
  }
  LaunchDecl launch;
  launch.kernel = options.kernel;
  launch.where = scenario.path;
  launch.grid = split_shape(options.grid, "--grid", 2);
  launch.block = split_shape(options.block, "--block", 3);
  for (std::size_t k = 0; k < options.args.size(); ++k) {
    const std::string& text = options.args[k];
    const std::string option = fmt::format("--arg {}", text);
    if (!is_buffer(text)) {
      launch.params.push_back(number_argument(text, option));
      continue;
    }
    BufferArgument buffer = buffer_argument(text, option, k);
    if (buffer.print) scenario.print.push_back(buffer.decl.name);
    ParamDecl param;
    param.typed = false;
    param.value = {buffer.decl.name, option};
    launch.params.push_back(param);
    scenario.buffers.push_back(std::move(buffer.decl));
  }
  if (options.dynamic_shared != 0) launch.dynamic_shared = {std::to_string(options.dynamic_shared), "--dynamic-shared"};
  scenario.launches.push_back(launch);
  return scenario;
}

std::vector<std::string> argument_dumps(const RunCommand& options) {
  std::vector<std::string> dumps;
  for (std::size_t k = 0; k < options.args.size(); ++k) {
    if (!is_buffer(options.args[k])) continue;
    const BufferArgument buffer = buffer_argument(options.args[k], fmt::format("--arg {}", options.args[k]), k);
    if (!buffer.file.empty()) dumps.push_back(fmt::format("{}={}", buffer.decl.name, buffer.file));
  }
  return dumps;
}

}  // namespace g80
