// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <unordered_set>

#include "app/run/common_options.h"
#include "app/run/program_source.h"
#include "app/run/terminal.h"
#include "hw/config/config_keys.h"
#include "hw/config/config_override.h"
#include "input/input_error.h"
#include "tb/scenario/arguments.h"
#include "tb/scenario/expression.h"
#include "tb/scenario/memory_image.h"
#include "tb/scenario/toml_reader.h"
#include "tb/waves/number.h"
#include "toolchain/cubin/module.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostSweepRuns = 1'000'000, kMostAxisValues = 100'000;

using Values = std::vector<std::string>;
using Axes = std::vector<std::pair<std::string, Values>>;

std::string value_text(const TomlTable& table, const toml::node& node, const std::string& key) {
  if (const auto flag = node.value_exact<bool>()) return *flag ? "true" : "false";
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto whole = node.value_exact<std::int64_t>()) return std::to_string(*whole);
  if (const auto real = node.value_exact<double>(); real && std::isfinite(*real)) return fmt::format("{}", *real);
  table.wrong(node, key, "a string, a number, true or false");
}

bool is_range(const toml::table& table) { return table.contains("from"); }

/// { from = 1, to = 9, step = 2 } or { from = 1, to = 64, factor = 2 }
Values range_values(const TomlTable& outer, const toml::table& table, const std::string& key) {
  const TomlTable range(table, outer.file(), key);
  range.allow_only({"from", "to", "step", "factor"});
  const auto number = [&](const char* name, double fallback) {
    const toml::node* const node = range.find(name);
    if (node == nullptr) return fallback;
    const auto value = node->value<double>();
    if (!value || !std::isfinite(*value)) range.wrong(*node, name, "a number");
    return *value;
  };
  if (!range.has("to")) throw InputError(fmt::format("{}: a range needs 'to'", range.where()));
  const bool factors = range.has("factor");
  if (factors && range.has("step"))
    throw InputError(fmt::format("{}: 'step' and 'factor' exclude each other", range.where()));
  const double from = number("from", 0), to = number("to", 0), step = number(factors ? "factor" : "step", 1);
  if (to < from || (factors ? step <= 1 || from <= 0 : step <= 0))
    throw InputError(
        fmt::format("{}: the range is empty or endless: from {} to {} in steps of {}", range.where(), from, to, step));
  const double count =
      factors ? std::floor(std::log(to / from) / std::log(step) + 1e-9) : std::floor((to - from) / step + 1e-9);
  if (count >= static_cast<double>(kMostAxisValues))
    throw InputError(fmt::format("{}: the range has more than {} values", range.where(), kMostAxisValues));
  Values values;
  for (std::uint64_t k = 0; k <= static_cast<std::uint64_t>(count); ++k) {
    const double at = static_cast<double>(k), value = factors ? from * std::pow(step, at) : from + at * step;
    // A sum of decimal fractions is not exact: 12 digits name the value that was meant.
    values.push_back(value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                                          : fmt::format("{:.12g}", value));
  }
  return values;
}

/// A value, a list of values and ranges, or a range.
Values values_of(const TomlTable& table, const toml::node& node, const std::string& key) {
  Values values;
  const auto add = [&](const toml::node& one) {
    const toml::table* const range = one.as_table();
    if (range == nullptr) {
      values.push_back(value_text(table, one, key));
      return;
    }
    if (!is_range(*range)) table.wrong(one, key, "a value, a list, or a range with 'from' and 'to'");
    const Values more = range_values(table, *range, key);
    values.insert(values.end(), more.begin(), more.end());
  };
  if (const toml::array* const list = node.as_array()) {
    for (const toml::node& one : *list) add(one);
  } else {
    add(node);
  }
  if (values.empty()) table.wrong(node, key, "at least one value");
  std::unordered_set<std::string> seen;
  for (const std::string& value : values) {
    if (!seen.insert(value).second)
      throw InputError(fmt::format("{}: the value {} is given twice", table.where(node, key), value));
  }
  return values;
}

/// The keys below a table, in the order of the file: dotted names and nested tables are the same.
void list_axes(const TomlTable& top, const toml::table& table, const std::string& prefix,
               std::vector<std::pair<toml::source_position, std::pair<std::string, Values>>>& axes) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix.empty() ? std::string(name.str()) : fmt::format("{}.{}", prefix, name.str());
    const toml::table* const inner = node.as_table();
    if (inner != nullptr && !is_range(*inner)) {
      list_axes(top, *inner, key, axes);
    } else {
      axes.push_back({name.source().begin, {key, values_of(top, node, key)}});
    }
  }
}

Axes axes_of(const TomlTable& top, const toml::table& table) {
  std::vector<std::pair<toml::source_position, std::pair<std::string, Values>>> found;
  list_axes(top, table, "", found);
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.line, a.first.column) < std::pair(b.first.line, b.first.column);
  });
  Axes axes;
  for (auto& [at, axis] : found) axes.push_back(std::move(axis));
  return axes;
}

const toml::table* table_at(const TomlTable& top, const char* key) {
  const toml::node* const node = top.find(key);
  if (node == nullptr) return nullptr;
  if (node->as_table() == nullptr) top.wrong(*node, key, "a table");
  return node->as_table();
}

/// The names of a constraint: configuration keys, choices on the other side of ==, and seed.
class KeyNames : public ExpressionNames {
 public:
  bool holds(char c, bool first) const override { return c == '.' && !first; }
  Operand name(const std::string& name, std::optional<std::uint32_t> partner) override {
    if (name == "seed") return {false, static_cast<std::uint32_t>(config_keys().size()), 0};
    if (const auto index = find_config_key(name)) {
      const ConfigKey& key = config_keys()[*index];
      if (key.type == "text") throw InputError(fmt::format("{} is a text, which constraints cannot compare", name));
      return {false, static_cast<std::uint32_t>(*index), 0};
    }
    if (partner && *partner < config_keys().size()) {
      const auto& choices = config_keys()[*partner].choices;
      const auto found = std::find(choices.begin(), choices.end(), name);
      if (found != choices.end()) return {true, 0, found - choices.begin()};
    }
    throw InputError(fmt::format("there is no key '{}'; did you mean {}?", name, nearest_config_key(name)));
  }
  std::uint32_t call(const std::string&, const std::string&) override { return 0; }
};

Value constraint_value(const ConfigKey& key, const Config& config) {
  const ConfigValue value = key.load(config);
  if (const auto* const flag = std::get_if<bool>(&value)) return Value::of(*flag ? 1 : 0);
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return Value::of(*whole);
  if (const auto* const real = std::get_if<double>(&value)) return Value::of_real(*real);
  const auto found = std::find(key.choices.begin(), key.choices.end(), std::get<std::string>(value));
  return Value::of(found == key.choices.end() ? -1 : found - key.choices.begin());
}

struct Constraint {
  std::string where;
  Expression condition;
};

std::vector<Constraint> constraints_of(const TomlTable& top) {
  std::vector<Constraint> constraints;
  if (!top.has("constraints")) return constraints;
  for (const ScenarioText& text : top.expressions("constraints", 0, 1000)) {
    KeyNames names;
    try {
      constraints.push_back({text.where, Expression::compile(text.text, names)});
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", text.where, error.what()));
    }
  }
  return constraints;
}

/// The conditions of one [[exclude]]; all must hold.
using Exclusion = Assignments;

bool is_excluded(const std::vector<Exclusion>& exclusions, const SweepPlan& plan, const SweepPoint& point) {
  const auto value_of = [&](const std::string& name) -> std::string {
    if (name == "kernel") return plan.kernels[point.kernel].name;
    if (name == "device") return plan.device_of(point);
    if (name == "seed") return std::to_string(point.seed);
    for (const Assignments* const list : {&point.keys, &point.args}) {
      for (const auto& [key, value] : *list) {
        if (key == name) return value;
      }
    }
    return {};
  };
  return std::any_of(exclusions.begin(), exclusions.end(), [&](const Exclusion& one) {
    return std::all_of(one.begin(), one.end(),
                       [&](const auto& condition) { return value_of(condition.first) == condition.second; });
  });
}

/// Reads everything but the points.
class Reader {
 public:
  Reader(const TomlTable& top, SweepPlan& plan, const FindKernel& find_kernel)
      : top_(top), plan_(plan), find_kernel_(find_kernel), folder_(fs::path(plan.file).parent_path()) {}

  void read() {
    top_.allow_only({"name", "kernels", "devices", "seeds", "options", "limit_s", "constraints", "exclude", "keys",
                     "args", "report"});
    plan_.name = top_.text_or("name", fs::path(plan_.file).stem().string());
    if (plan_.name.empty()) throw InputError(fmt::format("{}: 'name' is empty", plan_.file));
    plan_.limit_s = top_.integer_or("limit_s", 0, 1, 1u << 30);
    read_options();
    if (!top_.has("kernels")) throw InputError(fmt::format("{}: 'kernels' is missing (a list of kernels)", plan_.file));
    for (const std::string& name : list("kernels")) plan_.kernels.push_back(kernel(name));
    plan_.devices = top_.has("devices") ? list("devices") : Values{""};
    for (std::string& device : plan_.devices) check_device(device);
    for (const std::string& seed : top_.has("seeds") ? list("seeds") : Values{"1"}) {
      std::uint64_t value = 0;
      if (!parse_number(seed, value)) top_.wrong(*top_.find("seeds"), "seeds", "whole numbers or ranges of them");
      plan_.seeds.push_back(value);
    }
    if (const toml::table* const keys = table_at(top_, "keys")) plan_.keys = axes_of(top_, *keys);
    for (const auto& [key, values] : plan_.keys) check_key(key, values);
    read_args();
    read_report();
  }
  const std::map<std::string, Axes>& args() const { return args_; }
  std::vector<Exclusion> exclusions() const {
    std::vector<Exclusion> exclusions;
    for (const TomlTable& one : top_.array("exclude")) {
      exclusions.emplace_back();
      for (const auto& [name, values] : axes_of(top_, one.table())) {
        exclusions.back().emplace_back(name, one_of(axis_values(name, one.where()), name, values, one.where()));
      }
      if (exclusions.back().empty()) throw InputError(fmt::format("{}: it names nothing", one.where()));
    }
    return exclusions;
  }

 private:
  Values list(const char* key) const { return values_of(top_, *top_.find(key), key); }

  void read_options() {
    plan_.options = top_.text_or("options", "");
    plan_.common = parse_common_options(plan_.options, fmt::format("{}: options", plan_.file));
    const CommonRunOptions& common = plan_.common;
    const SimulationOptions& sim = common.simulation;
    const char* const file = !common.stats.empty()   ? "--stats"
                             : !sim.report.empty()   ? "--report"
                             : !sim.wave.empty()     ? "--wave"
                             : !sim.timeline.empty() ? "--timeline"
                             : !sim.coverage.empty() ? "--coverage"
                                                     : nullptr;
    const auto refuse = [&](const std::string& why) {
      throw InputError(fmt::format("{}: {}", top_.where(*top_.find("options"), "options"), why));
    };
    if (file) refuse(fmt::format("{} names one file, but there are many runs", file));
    if (common.hot != 0) refuse("--hot lists one run: g80 run X --hot N");
    if (!common.device.empty()) refuse("--device: list the devices in 'devices'");
    if (common.seed != CommonRunOptions{}.seed) refuse("--seed: list the seeds in 'seeds'");
    if (common.model != "gpu") refuse(fmt::format("--model {}: this model has no cycles to compare", common.model));
  }

  SweepKernel kernel(const std::string& name) const {
    SweepKernel kernel;
    try {
      kernel = find_kernel_(name, folder_.string());
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", top_.where(*top_.find("kernels"), "kernels"), error.what()));
    }
    return kernel;
  }

  /// A preset, or the path of a configuration file from the root: each run has a working folder of its own.
  std::string device_name(const std::string& device) const {
    if (fs::path(device).extension() != ".toml") return device;
    return fs::absolute(folder_ / device).lexically_normal().string();
  }

  void check_device(std::string& device) const {
    if (device.empty()) return;
    device = device_name(device);
    load_config_with(device, {}, top_.where(*top_.find("devices"), "devices") + ": ");
  }

  void check_key(const std::string& key, const Values& values) const {
    const toml::node& node = *top_.find("keys");
    const auto index = find_config_key(key);
    if (!index)
      throw InputError(fmt::format("{}: there is no key '{}'; did you mean '{}'?", top_.where(node, "keys"), key,
                                   nearest_config_key(key)));
    const ConfigKey& entry = config_keys()[*index];
    for (const std::string& value : values) {
      Config scratch;
      if (!entry.store(scratch, entry, parse_config_value(entry, value)))
        throw InputError(
            fmt::format("{}: {} = {}: allowed is {}", top_.where(node, "keys"), key, value, entry.allowed()));
    }
  }

  void read_args() {
    const toml::table* const table = table_at(top_, "args");
    if (table == nullptr) return;
    for (const auto& [name, node] : *table) {
      const std::string kernel(name.str());
      const auto found = std::find_if(plan_.kernels.begin(), plan_.kernels.end(),
                                      [&](const SweepKernel& one) { return one.name == kernel; });
      if (found == plan_.kernels.end())
        throw InputError(fmt::format("{}: '{}' is not in 'kernels'", top_.where(node, "args"), kernel));
      const toml::table* const own = node.as_table();
      if (own == nullptr) top_.wrong(node, "args." + kernel, "a table of arguments");
      args_[kernel] = axes_of(top_, *own);
      for (const auto& [argument, values] : args_[kernel]) {
        for (const std::string& value : values) {
          try {
            resolve_arguments(found->scenario, {{argument, value}});
          } catch (const InputError& error) {
            // A condition between arguments may hold only for some of their combinations: the run will say so.
            if (args_[kernel].size() == 1)
              throw InputError(fmt::format("{}: {}", top_.where(node, "args"), error.what()));
          }
        }
      }
    }
  }

  /// The values that runs of this file have for a name; a device is also that of a scenario.
  Values axis_values(const std::string& name, const std::string& where) const {
    Values all;
    const auto add = [&](const Values& values) {
      for (const std::string& value : values) {
        if (std::find(all.begin(), all.end(), value) == all.end()) all.push_back(value);
      }
    };
    const auto add_axis = [&](const Axes& axes) {
      for (const auto& [axis, values] : axes) {
        if (axis == name) add(values);
      }
    };
    if (name == "kernel") {
      for (const SweepKernel& kernel : plan_.kernels) add({kernel.name});
    } else if (name == "device" && !top_.has("devices")) {
      for (const SweepKernel& kernel : plan_.kernels) add({kernel.scenario.device});
    } else if (name == "device") {
      add(plan_.devices);
    } else if (name == "seed") {
      for (const std::uint64_t seed : plan_.seeds) add({std::to_string(seed)});
    }
    add_axis(plan_.keys);
    for (const auto& [kernel, axes] : args_) add_axis(axes);
    if (all.empty())
      throw InputError(fmt::format("{}: '{}' is none of kernel, device, seed, and the keys and arguments of this file",
                                   where, name));
    return all;
  }
  /// The value in `values`, as the axis has it.
  std::string one_of(const Values& known, const std::string& name, const Values& values,
                     const std::string& where) const {
    const auto of_axis = [&](const std::string& value) { return name == "device" ? device_name(value) : value; };
    if (values.size() != 1 || std::find(known.begin(), known.end(), of_axis(values[0])) == known.end())
      throw InputError(fmt::format("{}: {} must be one of {}", where, name, fmt::join(known, ", ")));
    return of_axis(values[0]);
  }

  void read_report() {
    const toml::table* const table = table_at(top_, "report");
    if (table == nullptr) return;
    const TomlTable report(*table, plan_.file, "report");
    report.allow_only({"metric", "heat", "pareto", "baseline"});
    plan_.report.metric = report.text_or("metric", plan_.report.metric);
    for (const auto& [name, target] :
         {std::pair("heat", &plan_.report.heat), std::pair("pareto", &plan_.report.pareto)}) {
      if (!report.has(name)) continue;
      *target = values_of(report, *report.find(name), name);
      if (target->size() != 2) report.wrong(*report.find(name), name, "two names");
    }
    for (const std::string& name : plan_.report.heat) {
      if (name != "device") check_is_key(name, report.where());
    }
    if (const toml::table* const baseline = table_at(report, "baseline")) {
      for (const auto& [name, values] : axes_of(report, *baseline)) {
        if (name != "device") check_is_key(name, report.where());
        const Values* known = &plan_.devices;
        for (const auto& [key, choices] : plan_.keys) {
          if (key == name) known = &choices;
        }
        plan_.report.baseline.emplace_back(name, one_of(*known, name, values, report.where() + ": baseline"));
      }
    }
  }
  void check_is_key(const std::string& name, const std::string& where) const {
    if (std::none_of(plan_.keys.begin(), plan_.keys.end(), [&](const auto& axis) { return axis.first == name; }))
      throw InputError(fmt::format("{}: '{}' is none of device and the keys of this file", where, name));
  }

  const TomlTable& top_;
  SweepPlan& plan_;
  const FindKernel& find_kernel_;
  fs::path folder_;
  std::map<std::string, Axes> args_;
};

/// Calls `each(choice)` with every combination of values, the last axis first.
template <class Each>
void combine(const Axes& axes, Assignments& chosen, const Each& each) {
  if (chosen.size() == axes.size()) {
    each();
    return;
  }
  const auto& [name, values] = axes[chosen.size()];
  for (const std::string& value : values) {
    chosen.emplace_back(name, value);
    combine(axes, chosen, each);
    chosen.pop_back();
  }
}

std::uint64_t combinations(const Axes& axes) {
  std::uint64_t count = 1;
  for (const auto& [name, values] : axes) count = std::min<std::uint64_t>(count * values.size(), 1ull << 40);
  return count;
}

/// Names what a run reads of its kernel: the scenario, the files of its buffers, and the program, whose source may
/// include files from anywhere.
std::string kernel_fingerprint(const Scenario& scenario, unsigned compute_minor) {
  std::string contents = file_fingerprint(scenario.path);
  const auto add = [&](const ScenarioText& file) {
    const fs::path path = fs::path(scenario.folder) / file.text;
    contents += fs::exists(path) ? " " + file_fingerprint(path.string()) : " absent";
  };
  for (const BufferDecl& buffer : scenario.buffers) {
    if (buffer.init == InitKind::kFile) add(buffer.init_text);
    if (buffer.golden_file) add(*buffer.golden_file);
  }
  try {
    contents += " " + kernel_hash(load_program(scenario, compute_minor));
  } catch (const InputError& error) {  // each run says it
    contents += error.what();
  } catch (const SourceError& error) {
    contents += error.what();
  }
  return text_fingerprint(contents);
}

void list_points(SweepPlan& plan, const std::map<std::string, Axes>& args, const std::vector<Constraint>& constraints,
                 const std::vector<Exclusion>& exclusions, const std::string& program) {
  const auto args_of = [&](const SweepKernel& kernel) {
    const auto found = args.find(kernel.name);
    return found == args.end() ? Axes{} : found->second;
  };
  std::uint64_t total = 0;
  for (const SweepKernel& kernel : plan.kernels)
    total += combinations(args_of(kernel)) * combinations(plan.keys) * plan.devices.size() * plan.seeds.size();
  if (total > kMostSweepRuns)
    throw InputError(fmt::format("{}: {} runs; at most {} are possible", plan.file, total, kMostSweepRuns));
  const auto holds = [&](const SweepPoint& point, const Config& base) {
    if (constraints.empty()) return true;
    Config config = base;
    for (const auto& [name, value] : point.keys) {
      const ConfigKey& key = config_keys()[*find_config_key(name)];
      key.store(config, key, parse_config_value(key, value));
    }
    std::vector<Value> slots;
    for (const ConfigKey& key : config_keys()) slots.push_back(constraint_value(key, config));
    slots.push_back(Value::of(static_cast<std::int64_t>(point.seed)));
    EvaluationContext context;
    context.slots = &slots;
    return std::all_of(constraints.begin(), constraints.end(), [&](const Constraint& one) {
      try {
        return one.condition.evaluate(context).truth();
      } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", one.where, error.what()));
      }
    });
  };
  for (std::uint32_t k = 0; k < plan.kernels.size(); ++k) {
    const SweepKernel& kernel = plan.kernels[k];
    SweepPoint point;
    point.kernel = k;
    std::vector<Config> bases;
    std::map<unsigned, std::string> fingerprints;  // by the compute capability
    for (const std::string& device : plan.devices) {
      bases.push_back(scenario_config(kernel.scenario, device, plan.common.sets));
      std::string& fingerprint = fingerprints[bases.back().device.compute_minor];
      if (fingerprint.empty()) fingerprint = kernel_fingerprint(kernel.scenario, bases.back().device.compute_minor);
    }
    combine(args_of(kernel), point.args, [&] {
      for (std::size_t d = 0; d < plan.devices.size(); ++d) {
        point.device = plan.devices[d];
        const Config& base = bases[d];
        const std::string inputs = fmt::format("{} {} {} {}\n", program, fingerprints.at(base.device.compute_minor),
                                               config_hash(base), plan.options);
        combine(plan.keys, point.keys, [&] {
          for (const std::uint64_t seed : plan.seeds) {
            point.seed = seed;
            if (is_excluded(exclusions, plan, point) || !holds(point, base)) {
              ++plan.left_out;
              continue;
            }
            plan.points.push_back(point);
            plan.points.back().id = text_fingerprint(inputs + plan.label(point));
          }
        });
      }
    });
  }
  if (plan.points.empty()) throw InputError(fmt::format("{}: constraints and exclusions leave no run", plan.file));
}

}  // namespace

std::string text_fingerprint(std::string_view text) {
  // Eight bytes at a time, for the program has 50 MB. A product spreads the bits upwards, the shift downwards.
  std::uint64_t hash = 0xcbf29ce484222325 ^ text.size();
  for (; !text.empty(); text.remove_prefix(std::min<std::size_t>(8, text.size()))) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), std::min<std::size_t>(8, text.size()));
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  }
  return fmt::format("{:016x}", hash);
}

std::string file_fingerprint(const std::string& path) { return text_fingerprint(read_file(path)); }

const std::string& SweepPlan::device_of(const SweepPoint& point) const {
  return point.device.empty() ? kernels[point.kernel].scenario.device : point.device;
}

std::string SweepPlan::configuration(const SweepPoint& point) const {
  std::string text = device_of(point);
  for (const auto& [key, value] : point.keys) text += fmt::format(", {}={}", key, value);
  return text;
}

std::string SweepPlan::label(const SweepPoint& point) const {
  std::string text = kernels[point.kernel].name;
  for (const auto& [name, value] : point.args) text += fmt::format(" {}={}", name, value);
  text += fmt::format(" on {}", configuration(point));
  if (seeds.size() > 1 || point.seed != 1) text += fmt::format(", seed={}", point.seed);
  return text;
}

std::string SweepPlan::command(const SweepPoint& point) const {
  std::string text = fmt::format("g80 run {}", shell_word(kernels[point.kernel].target));
  if (!point.device.empty()) text += fmt::format(" --device {}", shell_word(point.device));
  for (const auto& [name, value] : point.args) text += fmt::format(" --arg {}", shell_word(name + "=" + value));
  if (point.seed != 1) text += fmt::format(" --seed {}", point.seed);
  if (!options.empty()) text += " " + options;
  for (const auto& [key, value] : point.keys) text += fmt::format(" --set {}", shell_word(key + "=" + value));
  return text;
}

SweepPlan read_sweep(const std::string& file, const std::string& program, const FindKernel& find_kernel) {
  SweepPlan plan;
  plan.file = file;
  const toml::table table = read_toml(file);
  const TomlTable top(table, file, "");
  Reader reader(top, plan, find_kernel);
  reader.read();
  list_points(plan, reader.args(), constraints_of(top), reader.exclusions(), program);
  return plan;
}

}  // namespace g80
