// SPDX-License-Identifier: Apache-2.0
#include "app/report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "input/input_error.h"

namespace g80 {
namespace {

using Json = nlohmann::ordered_json;
using Numbers = std::vector<std::pair<std::string, double>>;

void add(Numbers& numbers, const std::string& name, double value) {
  const auto found =
      std::find_if(numbers.begin(), numbers.end(), [&](const auto& number) { return number.first == name; });
  if (found == numbers.end()) {
    numbers.emplace_back(name, value);
  } else {
    found->second += value;
  }
}

void list_keys(const Json& config, const std::string& path, std::vector<std::pair<std::string, std::string>>& keys) {
  for (const auto& [name, value] : config.items()) {
    const std::string full = path.empty() ? name : path + "." + name;
    if (value.is_object()) {
      list_keys(value, full, keys);
    } else {
      keys.emplace_back(full, value.is_string() ? value.get<std::string>() : value.dump());
    }
  }
}

std::vector<KeyPair> differing_keys(const Json& a, const Json& b) {
  const auto keys_of = [](const Json& run) {
    const auto flat = flat_configuration(run.at("manifest").at("config"));
    return std::map<std::string, std::string>(flat.begin(), flat.end());
  };
  const std::map<std::string, std::string> in_a = keys_of(a), in_b = keys_of(b);
  std::vector<KeyPair> keys;
  for (const auto& [key, value] : in_a) {
    const auto other = in_b.find(key);
    if (other == in_b.end() || other->second != value)
      keys.push_back({key, value, other == in_b.end() ? "-" : other->second});
  }
  for (const auto& [key, value] : in_b) {
    if (in_a.count(key) == 0) keys.push_back({key, "-", value});
  }
  return keys;
}

std::vector<std::string> differing_results(const Json& a, const Json& b) {
  std::vector<std::string> differences;
  const std::string verdict_a = a.at("verdict"), verdict_b = b.at("verdict");
  if (verdict_a != verdict_b)
    differences.push_back(fmt::format("A ended with '{}', B with '{}'", verdict_a, verdict_b));
  const Json& in_a = a.at("contents");
  const Json& in_b = b.at("contents");
  for (const auto& [buffer, hash] : in_a.items()) {
    if (!in_b.contains(buffer)) {
      differences.push_back(fmt::format("only A has a buffer {}", buffer));
    } else if (in_b.at(buffer) != hash) {
      differences.push_back(fmt::format("buffer {} has different contents", buffer));
    }
  }
  for (const auto& [buffer, hash] : in_b.items()) {
    if (!in_a.contains(buffer)) differences.push_back(fmt::format("only B has a buffer {}", buffer));
  }
  return differences;
}

RunComparison compare_runs(const Json& a, const Json& b) {
  RunComparison comparison;
  comparison.run = run_name(a);
  comparison.differences = differing_results(a, b);
  comparison.order_dependent = a.value("order_dependent", std::string());
  const Numbers in_a = summed_counters(a), in_b = summed_counters(b);
  for (const auto& [name, value] : in_a) {
    const auto other =
        std::find_if(in_b.begin(), in_b.end(), [&, &key = name](const auto& number) { return number.first == key; });
    comparison.metrics.push_back({name, value, other == in_b.end() ? 0 : other->second});
  }
  for (const auto& [name, value] : in_b) {
    const bool known =
        std::any_of(in_a.begin(), in_a.end(), [&, &key = name](const auto& number) { return number.first == key; });
    if (!known) comparison.metrics.push_back({name, 0, value});
  }
  comparison.keys = differing_keys(a, b);
  const Json &by_a = a.at("manifest"), &by_b = b.at("manifest");
  const auto same = [&](const char* name) { return by_a.value(name, Json()) == by_b.value(name, Json()); };
  comparison.only_rtl_differs = !same("rtl") && same("injected_faults") && same("seed") && same("kernel_hash") &&
                                same("git_id") && comparison.keys.empty() && a.at("model") == b.at("model");
  return comparison;
}

/// The runs by name. Later runs of the same name get a suffix that counts them.
std::map<std::string, const Json*> by_name(const Json& document, const std::string& file,
                                           std::vector<std::string>& order) {
  std::map<std::string, const Json*> runs;
  try {
    if (document.at("format").get<std::string>().rfind("g80-stats ", 0) != 0)
      throw InputError(fmt::format("{}: this is not a statistics file of --stats", file));
    for (const Json& run : document.at("runs")) {
      const std::string base = run_name(run);
      std::string name = base;
      for (unsigned again = 2; runs.count(name) != 0; ++again) name = fmt::format("{} ({})", base, again);
      runs[name] = &run;
      order.push_back(name);
    }
  } catch (const nlohmann::json::exception&) {
    throw InputError(fmt::format("{}: this is not a statistics file of --stats", file));
  }
  return runs;
}

std::string number_text(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{:.6g}", value);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> flat_configuration(const Json& config) {
  std::vector<std::pair<std::string, std::string>> keys;
  list_keys(config, "", keys);
  return keys;
}

std::string change_text(double percent) {
  if (std::isinf(percent)) return "new";
  return percent == 0 ? "=" : fmt::format("{:+.2f} %", percent);
}

bool RunComparison::rtl_changes_a_metric() const {
  return only_rtl_differs &&
         std::any_of(metrics.begin(), metrics.end(), [](const MetricPair& metric) { return metric.a != metric.b; });
}

std::string run_name(const Json& run) {
  std::string name = run.at("scenario").get<std::string>();
  for (const auto& [argument, value] : run.at("arguments").items())
    name += fmt::format(" {}={}", argument, value.get<std::string>());
  return name;
}

std::vector<std::pair<std::string, double>> summed_counters(const Json& run) {
  Numbers own, sums;
  for (const auto& [name, value] : run.items()) {
    if (value.is_number() && name != "exit_code") own.emplace_back(name, value.get<double>());
  }
  if (run.contains("stall")) {
    for (const auto& [reason, cycles] : run.at("stall").items())
      own.emplace_back("stall." + reason, cycles.get<double>());
  }
  for (const Json& launch : run.at("launches")) {
    for (const Json& sm : launch.at("sms")) {
      for (const auto& [name, value] : sm.items()) {
        if (value.is_number()) add(sums, name, value.get<double>());
      }
    }
    for (const auto& [name, value] : launch.at("memory").items()) add(sums, name, value.get<double>());
    if (!launch.contains("chip")) continue;  // of the reference
    for (const auto& [units, prefix] : {std::pair("tpcs", "tpc."), std::pair("partitions", "partition.")}) {
      for (const Json& unit : launch.at(units)) {
        for (const auto& [name, value] : unit.items()) add(sums, prefix + name, value.get<double>());
      }
    }
    for (const auto& [name, value] : launch.at("chip").items()) add(sums, "chip." + name, value.get<double>());
  }
  for (const auto& sum : sums) {
    if (std::none_of(own.begin(), own.end(), [&](const auto& number) { return number.first == sum.first; }))
      own.push_back(sum);
  }
  return own;
}

double MetricPair::change() const {
  if (a == b) return 0;
  return a == 0 ? std::numeric_limits<double>::infinity() : (b - a) / std::abs(a) * 100;
}

Comparison compare_statistics(const Json& a, const std::string& a_name, const Json& b, const std::string& b_name) {
  Comparison comparison;
  std::vector<std::string> order_a, order_b;
  const auto runs_a = by_name(a, a_name, order_a), runs_b = by_name(b, b_name, order_b);
  for (const std::string& name : order_a) {
    const auto other = runs_b.find(name);
    if (other == runs_b.end()) {
      comparison.only_a.push_back(name);
      continue;
    }
    try {
      comparison.runs.push_back(compare_runs(*runs_a.at(name), *other->second));
    } catch (const nlohmann::json::exception& error) {
      throw InputError(fmt::format("{}, {}: run {}: {}", a_name, b_name, name, error.what()));
    }
    comparison.runs.back().run = name;
  }
  for (const std::string& name : order_b) {
    if (runs_a.count(name) == 0) comparison.only_b.push_back(name);
  }
  return comparison;
}

Gate parse_gate(const std::string& text) {
  const auto refuse = [&] {
    return InputError(
        fmt::format("--gate {}: the form is METRIC<=CHANGE, METRIC>=CHANGE or METRIC==CHANGE, as in cycles<=+1% or "
                    "dram_row_misses<=0",
                    text));
  };
  Gate gate;
  gate.text = text;
  const std::size_t at = text.find_first_of("<>=");
  if (at == std::string::npos || at == 0 || at + 1 >= text.size() || text[at + 1] != '=') throw refuse();
  gate.metric = text.substr(0, at);
  if (gate.metric == "cycles") gate.metric = "shader_cycles";
  gate.relation = text.substr(at, 2);
  std::string bound = text.substr(at + 2);
  gate.percent = !bound.empty() && bound.back() == '%';
  if (gate.percent) bound.pop_back();
  if (!bound.empty() && bound.front() == '+') bound.erase(0, 1);
  const auto [end, error] = std::from_chars(bound.data(), bound.data() + bound.size(), gate.bound);
  if (bound.empty() || error != std::errc{} || end != bound.data() + bound.size()) throw refuse();
  return gate;
}

std::vector<std::string> broken(const Gate& gate, const Comparison& comparison) {
  std::vector<std::string> sentences;
  // Without a run in both, the sentences about those in one say why nothing is compared.
  bool known = comparison.runs.empty() && !(comparison.only_a.empty() && comparison.only_b.empty());
  for (const RunComparison& run : comparison.runs) {
    for (const MetricPair& metric : run.metrics) {
      if (metric.name != gate.metric) continue;
      known = true;
      const double change = gate.percent ? metric.change() : metric.b - metric.a;
      const bool holds = gate.relation == "<="   ? change <= gate.bound
                         : gate.relation == ">=" ? change >= gate.bound
                                                 : change == gate.bound;
      if (holds) continue;
      sentences.push_back(fmt::format("gate {} failed for {}: {} -> {} ({})", gate.text, run.run, number_text(metric.a),
                                      number_text(metric.b), change_text(metric.change())));
    }
  }
  if (!known) throw InputError(fmt::format("--gate {}: no run has a value named {}", gate.text, gate.metric));
  return sentences;
}

std::string comparison_text(const Comparison& comparison, bool all) {
  std::string text;
  for (const RunComparison& run : comparison.runs) {
    std::string state = run.differences.empty()       ? "results equal"
                        : run.order_dependent.empty() ? "RESULTS DIFFER"
                                                      : "results differ, which this scenario allows";
    text += fmt::format("{}: {}\n", run.run, state);
    for (const std::string& difference : run.differences) text += fmt::format("    {}\n", difference);
    for (const KeyPair& key : run.keys) text += fmt::format("    {} = {} -> {}\n", key.key, key.a, key.b);
    std::size_t width = 0;
    std::vector<const MetricPair*> shown;
    for (const MetricPair& metric : run.metrics) {
      if (!all && metric.a == metric.b) continue;
      shown.push_back(&metric);
      width = std::max(width, metric.name.size());
    }
    for (const MetricPair* metric : shown) {
      text += fmt::format("    {:<{}}  {:>14}  {:>14}  {:>10}\n", metric->name, width, number_text(metric->a),
                          number_text(metric->b), change_text(metric->change()));
    }
    if (shown.empty()) text += "    all counters are equal\n";
  }
  for (const std::string& run : comparison.only_a) text += fmt::format("only in A: {}\n", run);
  for (const std::string& run : comparison.only_b) text += fmt::format("only in B: {}\n", run);
  return text;
}

}  // namespace g80
