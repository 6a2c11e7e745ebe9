// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/sweep_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "app/report/statistics.h"
#include "hw/common/version.h"
#include "input/input_error.h"
#include "tb/scenario/memory_image.h"

namespace g80 {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSweepFormat = "g80-sweep 1";
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::string exact(double value) {
  if (std::isnan(value)) return "";
  return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

std::string xml(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t')
      out += c;
  }
  return out;
}

std::string state(const SweepRow& row) { return row.missing ? "no result" : row.verdict; }

/// Names of arguments that some run has, in order of appearance.
std::vector<std::string> argument_names(const SweepPlan& plan) {
  std::vector<std::string> names;
  for (const SweepPoint& point : plan.points) {
    for (const auto& [name, value] : point.args) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

std::string value_of(const Assignments& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.first == name; });
  return found == list.end() ? "" : found->second;
}

}  // namespace

std::optional<std::size_t> SweepResults::column(const std::string& name) const {
  const auto found = std::find(columns.begin(), columns.end(), name == "cycles" ? "shader_cycles" : name);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

std::uint64_t SweepResults::missing() const {
  return static_cast<std::uint64_t>(
      std::count_if(rows.begin(), rows.end(), [](const SweepRow& row) { return row.missing; }));
}
std::uint64_t SweepResults::as_expected() const {
  return static_cast<std::uint64_t>(
      std::count_if(rows.begin(), rows.end(), [](const SweepRow& row) { return !row.missing && row.as_expected; }));
}

int SweepResults::code() const {
  int code = kExitPass;
  for (const SweepRow& row : rows) {
    const int own = row.missing || row.code == kExitInput ? kExitDiffers
                    : row.as_expected                     ? kExitPass
                    : row.code >= 128                     ? kExitModel
                                                          : std::max<int>(row.code, kExitDiffers);
    code = std::max(code, own);
  }
  return code;
}

SweepResults collect_results(const SweepPlan& plan, const SweepStore& store) {
  SweepResults results;
  results.rows.reserve(plan.points.size());
  std::unordered_map<std::string, std::size_t> columns;
  for (const SweepPoint& point : plan.points) {
    SweepRow row;
    row.point = &point;
    if (auto outcome = store.read(point.id)) {
      row.missing = false;
      row.ended = outcome->ended;
      row.as_expected = outcome->as_expected;
      row.code = outcome->code;
      row.seconds = outcome->seconds;
      row.verdict = std::move(outcome->verdict);
      row.log = std::move(outcome->log);
      row.contents = std::move(outcome->contents);
      row.numbers.assign(results.columns.size(), kNone);
      std::size_t expected = 0;  // runs have the same names in the same order, but for a few
      for (auto& [name, value] : outcome->numbers) {
        if (expected >= results.columns.size() || results.columns[expected] != name) {
          const auto [found, fresh] = columns.emplace(name, results.columns.size());
          if (fresh) {
            results.columns.push_back(name);
            row.numbers.push_back(kNone);
          }
          expected = found->second;
        }
        row.numbers[expected++] = value;
      }
    }
    results.rows.push_back(std::move(row));
  }
  for (SweepRow& row : results.rows) row.numbers.resize(results.columns.size(), kNone);
  return results;
}

std::string sweep_json(const SweepPlan& plan, const SweepResults& results) {
  // Run by run: the whole document of 10^5 runs would take gigabytes.
  const auto text = [](const std::string& word) {
    return Json(word).dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  const auto object = [&](const Assignments& list) {
    std::string out = "{";
    for (const auto& [name, value] : list)
      out += fmt::format("{}{}: {}", out.size() == 1 ? "" : ", ", text(name), text(value));
    return out + "}";
  };
  std::string out =
      fmt::format("{{\n\"format\": \"{}\",\n\"name\": {},\n\"version\": \"{}\",\n\"git_id\": \"{}\",\n\"runs\": [\n",
                  kSweepFormat, text(plan.name), kVersion, kGitId);
  const auto end = std::back_inserter(out);
  for (std::size_t r = 0; r < results.rows.size(); ++r) {
    const SweepRow& row = results.rows[r];
    const SweepPoint& point = *row.point;
    fmt::format_to(
        end,
        "{}{{\"run\": {}, \"id\": \"{}\", \"kernel\": {}, \"device\": {}, \"args\": {}, \"keys\": {}, \"seed\": {}",
        r == 0 ? "" : ",\n", text(plan.label(point)), point.id, text(plan.kernels[point.kernel].name),
        text(plan.device_of(point)), object(point.args), object(point.keys), point.seed);
    fmt::format_to(end, ", \"verdict\": {}, \"command\": {}", text(state(row)), text(plan.command(point)));
    if (!row.log.empty()) fmt::format_to(end, ", \"log\": {}", text(row.log));
    if (!row.missing) {
      fmt::format_to(end, ", \"code\": {}, \"as_expected\": {}, \"contents\": \"{}\", \"numbers\": {{", row.code,
                     row.as_expected, row.contents);
      bool first = true;
      for (std::size_t c = 0; c < row.numbers.size(); ++c) {
        if (std::isnan(row.numbers[c])) continue;
        fmt::format_to(end, "{}\"{}\": {}", first ? "" : ", ", results.columns[c], exact(row.numbers[c]));
        first = false;
      }
      out += '}';
    }
    out += '}';
  }
  return out + "\n]\n}\n";
}

std::string sweep_csv(const SweepPlan& plan, const SweepResults& results) {
  const std::vector<std::string> arguments = argument_names(plan);
  std::string out = "kernel,device";
  for (const std::string& name : arguments) out += "," + csv_field(name);
  for (const auto& [key, values] : plan.keys) out += "," + csv_field(key);
  out += ",seed,verdict,code,as_expected";
  for (const std::string& name : results.columns) out += "," + name;
  out += '\n';
  for (const SweepRow& row : results.rows) {
    const SweepPoint& point = *row.point;
    out += csv_field(plan.kernels[point.kernel].name) + "," + csv_field(plan.device_of(point));
    for (const std::string& name : arguments) out += "," + csv_field(value_of(point.args, name));
    for (const auto& [key, value] : point.keys) out += "," + csv_field(value);
    fmt::format_to(std::back_inserter(out), ",{},{}", point.seed, csv_field(state(row)));
    out += row.missing ? ",," : fmt::format(",{},{}", row.code, row.as_expected ? 1 : 0);
    for (std::size_t c = 0; c < results.columns.size(); ++c)
      out += "," + (row.missing ? std::string() : exact(row.numbers[c]));
    out += '\n';
  }
  return out;
}

std::string sweep_junit(const SweepPlan& plan, const SweepResults& results) {
  std::map<std::uint32_t, std::vector<const SweepRow*>> by_kernel;
  for (const SweepRow& row : results.rows) by_kernel[row.point->kernel].push_back(&row);
  std::string out =
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\">\n", xml(plan.name));
  for (const auto& [kernel, rows] : by_kernel) {
    std::uint64_t failures = 0, errors = 0, skipped = 0;
    double seconds = 0;
    std::string cases;
    for (const SweepRow* const row : rows) {
      const SweepPoint& point = *row->point;
      cases += fmt::format("    <testcase classname=\"{}.{}\" name=\"{}\" time=\"{:.3f}\"", xml(plan.name),
                           xml(plan.kernels[kernel].name), xml(plan.label(point)), row->missing ? 0 : row->seconds);
      seconds += row->missing ? 0 : row->seconds;
      const std::string body = fmt::format("{}{}", plan.command(point), row->log.empty() ? "" : "\nlog: " + row->log);
      if (row->missing) {
        ++skipped;
        cases += "><skipped message=\"no result\"/></testcase>\n";
      } else if (row->as_expected) {
        cases += "/>\n";
      } else {
        ++(row->ended ? failures : errors);
        const char* const kind = row->ended ? "failure" : "error";
        cases += fmt::format("><{0} message=\"{1}\">{2}</{0}></testcase>\n", kind, xml(row->verdict), xml(body));
      }
    }
    out += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n{}  "
        "</testsuite>\n",
        xml(plan.kernels[kernel].name), rows.size(), failures, errors, skipped, seconds, cases);
  }
  return out + "</testsuites>\n";
}

std::vector<SweepChoice> sweep_choices(const SweepPlan& plan, const SweepResults& results) {
  const std::string& metric = plan.report.metric;
  const auto column = results.column(metric);
  const bool any =
      std::any_of(results.rows.begin(), results.rows.end(), [](const SweepRow& row) { return !row.numbers.empty(); });
  if (!column && any) throw InputError(fmt::format("{}: report.metric: no run has a number '{}'", plan.file, metric));

  // What is the same in the runs that are compared: kernel, arguments, seed.
  const auto problem = [&](const SweepPoint& point) {
    std::string text = fmt::format("{} {}", point.kernel, point.seed);
    for (const auto& [name, value] : point.args) text += fmt::format(" {}={}", name, value);
    return text;
  };
  Assignments baseline = plan.report.baseline;
  const auto add_first = [&](const std::string& name, const std::string& value) {
    if (value_of(baseline, name).empty()) baseline.emplace_back(name, value);
  };
  add_first("device", plan.devices.front());
  for (const auto& [key, values] : plan.keys) add_first(key, values.front());
  const auto is_baseline = [&](const SweepPoint& point) {
    return point.device == value_of(baseline, "device") &&
           std::all_of(point.keys.begin(), point.keys.end(),
                       [&](const auto& key) { return value_of(baseline, key.first) == key.second; });
  };

  const auto number = [&](const SweepRow& row) {
    return row.numbers.empty() || !row.has_time() ? kNone : row.numbers[*column];
  };
  std::unordered_map<std::string, double> reference;
  for (const SweepRow& row : results.rows) {
    if (is_baseline(*row.point)) reference[problem(*row.point)] = number(row);
  }
  std::vector<SweepChoice> choices;
  std::unordered_map<std::string, std::size_t> by_name;
  struct Sum {
    double logarithm = 0;
    std::uint64_t count = 0;
    double mean() const { return count == 0 ? kNone : std::exp(logarithm / static_cast<double>(count)); }
  };
  std::vector<std::vector<Sum>> sums;
  for (std::size_t r = 0; r < results.rows.size(); ++r) {
    const SweepRow& row = results.rows[r];
    // Scenarios may have devices of their own: without a device in the file, these are one configuration.
    SweepPoint named = *row.point;
    std::string name;
    if (!named.device.empty() && (plan.devices.size() > 1 || plan.keys.empty())) name = named.device;
    for (const auto& [key, value] : named.keys) name += fmt::format("{}{}={}", name.empty() ? "" : ", ", key, value);
    if (name.empty()) name = "the scenarios' devices";
    const auto [found, fresh] = by_name.emplace(name, choices.size());
    if (fresh) {
      choices.emplace_back();
      choices.back().name = name;
      choices.back().point = row.point;
      sums.emplace_back(plan.kernels.size());
    }
    choices[found->second].rows.push_back(r);
    if (row.missing || !column) continue;
    const auto base = reference.find(problem(*row.point));
    const double value = number(row);
    if (base == reference.end() || !(base->second > 0) || !(value > 0)) continue;
    Sum& sum = sums[found->second][row.point->kernel];
    sum.logarithm += std::log(base->second / value);
    ++sum.count;
  }
  for (std::size_t c = 0; c < choices.size(); ++c) {
    Sum all;  // kernels count alike, however many runs each has
    for (const Sum& sum : sums[c]) {
      choices[c].by_kernel.push_back(sum.mean());
      choices[c].compared += sum.count;
      if (sum.count == 0) continue;
      all.logarithm += sum.logarithm / static_cast<double>(sum.count);
      ++all.count;
    }
    choices[c].speed_up = all.mean();
  }
  std::stable_partition(choices.begin(), choices.end(),
                        [&](const SweepChoice& choice) { return is_baseline(*choice.point); });
  return choices;
}

SweepAgainst compare_sweeps(const SweepPlan& plan, const SweepResults& results, const std::string& file,
                            const std::vector<Gate>& gates) {
  constexpr std::size_t kMostSentences = 50;
  const Json document = Json::parse(read_file(file), nullptr, false);
  const auto refuse = [&] {
    return InputError(fmt::format("--against {}: this is not the results.json of a sweep", file));
  };
  if (document.is_discarded() || !document.is_object() || document.value("format", "") != kSweepFormat) throw refuse();
  SweepAgainst against;
  const auto say = [&](const std::string& sentence) {
    against.passes = false;
    if (against.sentences.size() < kMostSentences) against.sentences.push_back(sentence);
  };
  try {
    std::unordered_map<std::string, const Json*> there;
    for (const Json& run : document.at("runs")) {
      if (run.contains("numbers")) there[run.at("run")] = &run;
    }
    Comparison comparison;
    std::set<std::size_t> gated;
    for (const Gate& gate : gates) {
      if (const auto c = results.column(gate.metric)) gated.insert(*c);
    }
    for (const SweepRow& row : results.rows) {
      if (row.missing) continue;
      const std::string label = plan.label(*row.point);
      const auto found = there.find(label);
      if (found == there.end()) {
        ++against.only_here;
        continue;
      }
      const Json& other = *found->second;
      const Json& numbers = other.at("numbers");
      ++against.both;
      bool differs = false;
      if (other.at("verdict") != row.verdict) {
        differs = true;
        say(fmt::format("{}: '{}' -> '{}'", label, other.at("verdict").get<std::string>(), row.verdict));
      } else if (other.at("contents") != row.contents &&
                 plan.kernels[row.point->kernel].scenario.order_dependent.empty()) {
        differs = true;
        say(fmt::format("{}: the results have different contents", label));
      }
      const auto pair_of = [&](std::size_t c) {
        return MetricPair{results.columns[c], numbers.value(results.columns[c], 0.0),
                          std::isnan(row.numbers[c]) ? 0 : row.numbers[c]};
      };
      std::string first;
      for (std::size_t c = 0; c < results.columns.size(); ++c) {
        const MetricPair pair = pair_of(c);
        if (pair.a == pair.b) continue;
        differs = true;
        if (first.empty())
          first =
              fmt::format("{}: {} {} -> {} ({:+.2f} %)", label, pair.name, exact(pair.a), exact(pair.b), pair.change());
      }
      if (gates.empty() && !first.empty()) say(first);
      if (!gates.empty()) {
        comparison.runs.emplace_back();
        comparison.runs.back().run = label;
        for (const std::size_t c : gated) comparison.runs.back().metrics.push_back(pair_of(c));
      }
      against.differ += differs ? 1 : 0;
      there.erase(found);
    }
    against.only_there = there.size();
    if (against.both == 0) throw InputError(fmt::format("--against {}: no run is in both sweeps", file));
    for (const Gate& gate : gates) {
      for (const std::string& sentence : broken(gate, comparison)) say(sentence);
    }
  } catch (const nlohmann::json::exception&) {
    throw refuse();
  }
  return against;
}

}  // namespace g80
