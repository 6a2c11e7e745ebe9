// SPDX-License-Identifier: Apache-2.0
// scenario.toml to Scenario.
#include "tb/scenario/scenario_file.h"

#include <filesystem>
#include <unordered_set>

#include "tb/scenario/toml_reader.h"

namespace g80 {
namespace {

constexpr std::uint64_t kNoLimit = INT64_MAX;

ArgumentDecl read_argument(const std::string& name, const TomlTable& table) {
  table.allow_only({"type", "default", "min", "max", "doc"});
  check_name(name, table.where());
  ArgumentDecl decl;
  decl.name = name;
  decl.type = table.element_type("type");
  decl.default_value = table.expression("default");
  decl.min = table.optional_expression("min");
  decl.max = table.optional_expression("max");
  decl.doc = table.text("doc");
  return decl;
}

BufferDecl read_buffer(const std::string& name, const TomlTable& table) {
  table.allow_only({"type", "count", "init", "scratch", "ulp", "expect", "golden_file"});
  check_name(name, table.where());
  BufferDecl decl;
  decl.name = name;
  decl.type = table.element_type("type");
  decl.count = table.expression("count");
  decl.scratch = table.flag_or("scratch", false);
  decl.ulp = table.integer_or("ulp", 0, 0, 1u << 24);
  decl.expect = table.optional_expression("expect");
  if (table.has("golden_file"))
    decl.golden_file = {table.text("golden_file"), table.where(*table.find("golden_file"), "golden_file")};
  if (decl.expect && decl.golden_file) {
    throw InputError(fmt::format("{}: 'expect' and 'golden_file' exclude each other", table.where()));
  }
  if (const toml::node* init = table.find("init")) {
    if (init->is_array()) {
      decl.init = InitKind::kValues;
      decl.values = table.expressions("init", 1, 1u << 20);
    } else if (const toml::table* inner = init->as_table()) {
      const TomlTable file(*inner, table.file(), fmt::format("buffer.{}.init", name));
      file.allow_only({"file"});
      decl.init = InitKind::kFile;
      decl.init_text = {file.text("file"), file.where(*file.find("file"), "file")};
    } else {
      decl.init_text = table.expression("init");
    }
  } else {
    decl.init_text = {"0", table.where()};
  }
  return decl;
}

ConstantDecl read_constant(const std::string& name, const TomlTable& table) {
  table.allow_only({"type", "count", "init", "offset"});
  ConstantDecl decl;
  decl.name = name;
  decl.offset = static_cast<std::uint32_t>(table.integer_or("offset", 0, 0, 65535));
  decl.type = table.element_type("type");
  decl.count = table.expression("count");
  decl.init = table.expression("init");
  decl.where = table.where();
  return decl;
}

TextureDecl read_texture(const std::string& name, const TomlTable& table) {
  table.allow_only({"unit", "buffer", "texel", "channels", "dimensions", "linear_memory", "width", "height", "filter",
                    "wrap", "normalized"});
  TextureDecl decl;
  decl.name = name;
  decl.unit = static_cast<std::uint32_t>(table.integer_or("unit", 0, 0, 127));
  decl.buffer = table.text("buffer");
  decl.texel = static_cast<TexelElement>(table.choice(
      "texel", {"unorm8", "unorm16", "snorm8", "snorm16", "u8", "s8", "u16", "s16", "u32", "s32", "f16", "f32"},
      static_cast<std::size_t>(TexelElement::kF32)));
  decl.channels = static_cast<unsigned>(table.integer_or("channels", 1, 1, 4));
  if (decl.channels == 3) throw InputError(fmt::format("{}: channels is 3; allowed are 1, 2 and 4", table.where()));
  decl.dimensions = static_cast<unsigned>(table.integer_or("dimensions", 1, 1, 2));
  decl.linear_memory = table.flag_or("linear_memory", false);
  decl.width = table.expression("width");
  decl.height = table.has("height") ? table.expression("height") : ScenarioText{"1", table.where()};
  decl.filter = static_cast<TextureFilter>(table.choice("filter", {"point", "linear"}, 0));
  if (table.has("wrap")) {
    const std::vector<ScenarioText> wraps = table.expressions("wrap", 1, 2);
    const auto mode = [&](const ScenarioText& text) {
      if (text.text == "clamp") return TextureWrap::kClamp;
      if (text.text == "wrap") return TextureWrap::kWrap;
      throw InputError(fmt::format("{} is '{}'; allowed are clamp, wrap", text.where, text.text));
    };
    decl.wrap_x = mode(wraps.front());
    decl.wrap_y = mode(wraps.back());
  }
  decl.normalized = table.flag_or("normalized", false);
  if (decl.linear_memory && (decl.dimensions != 1 || decl.filter != TextureFilter::kPoint || decl.normalized)) {
    throw InputError(fmt::format("{}: linear_memory is one-dimensional, unfiltered and not normalized", table.where()));
  }
  decl.where = table.where();
  return decl;
}

LaunchDecl read_launch(const TomlTable& table) {
  table.allow_only({"kernel", "grid", "block", "params", "dynamic_shared", "repeat"});
  LaunchDecl decl;
  decl.kernel = table.text_or("kernel", "");
  decl.grid = table.expressions("grid", 1, 3);
  decl.block = table.expressions("block", 1, 3);
  decl.dynamic_shared = table.optional_expression("dynamic_shared");
  decl.repeat = table.optional_expression("repeat");
  decl.where = table.where();
  const toml::node* params = table.find("params");
  if (!params) return decl;
  const toml::array* array = params->as_array();
  if (!array) table.wrong(*params, "params", "a list");
  for (const toml::node& node : *array) {
    ParamDecl param;
    if (const toml::table* typed = node.as_table()) {  // { f32 = "0.5" }
      if (typed->size() != 1) table.wrong(node, "params", "a list of expressions and of tables like { f32 = \"0.5\" }");
      const auto entry = *typed->begin();
      param.type = TomlTable::element_type_of(std::string(entry.first.str()), table.where(node, "params"));
      param.value = table.expression_of(entry.second, "params");
    } else {
      param.value = table.expression_of(node, "params");
    }
    decl.params.push_back(param);
  }
  return decl;
}

std::string config_text(const TomlTable& table, const toml::node& node, std::string_view key) {
  if (const auto s = node.value_exact<std::string>()) return *s;
  if (const auto b = node.value_exact<bool>()) return *b ? "true" : "false";
  if (const auto i = node.value_exact<std::int64_t>()) return std::to_string(*i);
  if (const auto d = node.value_exact<double>()) return fmt::format("{}", *d);
  table.wrong(node, key, "a string, a number or a boolean");
}

void read_suite(const TomlTable& root, Scenario& scenario) {
  for (const TomlTable& entry : root.array("suite")) {
    std::map<std::string, std::string> arguments;
    for (const auto& [key, node] : entry.table()) {
      const auto known = std::any_of(scenario.args.begin(), scenario.args.end(),
                                     [&name = key](const ArgumentDecl& decl) { return decl.name == name.str(); });
      if (!known) throw InputError(fmt::format("{}: the scenario has no such argument", entry.where(node, key.str())));
      arguments[std::string(key.str())] = entry.expression_of(node, key.str()).text;
    }
    scenario.suite.push_back(arguments);
  }
}

void check_host_sum(const Scenario& scenario) {
  if (scenario.host_sum.empty()) return;
  for (const BufferDecl& decl : scenario.buffers) {
    if (decl.name == scenario.host_sum && decl.type == ElementType::kF32) return;
  }
  throw InputError(
      fmt::format("{}: host_sum is '{}'; it must name a buffer of type f32", scenario.path, scenario.host_sum));
}

Scenario from_table(const toml::table& table, const std::string& path) {
  const TomlTable root(table, path, "");
  if (root.has("kernels")) throw InputError(fmt::format("{0}: this is a sweep file; `g80 sweep {0}` runs it", path));
  root.allow_only({"kernel", "summary", "device", "golden", "host_sum", "expect", "order_dependent", "max_cycles",
                   "config", "args", "require", "buffer", "constant", "texture", "launch", "suite"});
  Scenario scenario;
  scenario.path = path;
  scenario.folder = std::filesystem::path(path).parent_path().string();
  scenario.name = std::filesystem::absolute(path).parent_path().filename().string();
  scenario.summary = root.text("summary");
  scenario.kernel_file = root.text("kernel");
  scenario.device = root.text_or("device", scenario.device);
  scenario.golden = root.text_or("golden", "");
  scenario.host_sum = root.text_or("host_sum", "");
  scenario.expect =
      static_cast<Expectation>(root.choice("expect", {"pass", "barrier_deadlock", "livelock", "fault"}, 0));
  scenario.order_dependent = root.text_or("order_dependent", "");
  scenario.max_cycles = root.integer_or("max_cycles", 0, 1, kNoLimit);
  for (const auto& [section, keys] : root.children("config")) {
    for (const auto& [key, node] : keys.table()) {
      scenario.config.push_back({fmt::format("{}.{}={}", section, key.str(), config_text(keys, node, key.str())),
                                 keys.where(node, key.str())});
    }
  }
  for (const auto& [name, child] : root.children("args")) scenario.args.push_back(read_argument(name, child));
  for (const TomlTable& entry : root.array("require")) {
    entry.allow_only({"condition", "message"});
    scenario.require.push_back({entry.expression("condition"), entry.text("message")});
  }
  for (const auto& [name, child] : root.children("buffer")) scenario.buffers.push_back(read_buffer(name, child));
  for (const auto& [name, child] : root.children("constant")) scenario.constants.push_back(read_constant(name, child));
  for (const auto& [name, child] : root.children("texture")) scenario.textures.push_back(read_texture(name, child));
  for (const TomlTable& entry : root.array("launch")) scenario.launches.push_back(read_launch(entry));
  if (scenario.launches.empty()) throw InputError(fmt::format("{}: [[launch]] is missing", path));
  read_suite(root, scenario);
  check_unique(scenario);
  check_host_sum(scenario);
  return scenario;
}

}  // namespace

void check_name(const std::string& name, const std::string& where) {
  const auto legal = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) ||
      !std::all_of(name.begin(), name.end(), legal) || name == "i") {
    throw InputError(fmt::format("{}: '{}' cannot be a name; a name consists of letters, digits and _, and is not 'i'",
                                 where, name));
  }
}

/// Names of arguments and buffers share one space: launch parameters may use both.
void check_unique(const Scenario& scenario) {
  std::unordered_set<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!names.insert(name).second)
      throw InputError(fmt::format("{}: the name '{}' is used twice", scenario.path, name));
  };
  for (const ArgumentDecl& decl : scenario.args) add(decl.name);
  for (const BufferDecl& decl : scenario.buffers) add(decl.name);
}

Scenario read_scenario(const std::string& path) { return from_table(read_toml(path), path); }

std::string_view expectation_name(Expectation expectation) {
  switch (expectation) {
    case Expectation::kPass: return "pass";
    case Expectation::kBarrierDeadlock: return "barrier_deadlock";
    case Expectation::kLivelock: return "livelock";
    case Expectation::kFault: return "fault";
  }
  return "";
}

}  // namespace g80
