// SPDX-License-Identifier: Apache-2.0
#include "validation/free_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "hw/config/config.h"
#include "hw/config/config_keys.h"
#include "hw/config/data_folder.h"
#include "input/input_error.h"
#include "toolchain/cubin/module.h"
#include "validation/rows.h"
#include "validation/sensitivity.h"

namespace g80::silicon {
namespace {

constexpr const char* kSevenTimes = "seven measured times";
constexpr const char* kStatus[] = {"published", "derived", "fitted", "assumed"};

struct Chip {
  std::string name;
  ConfigDetails details;
};
std::vector<Chip> real_chips() {
  std::vector<Chip> list;
  for (const std::string& name : preset_names()) {
    Chip chip{name, load_config_details(name)};
    if (chip.details.origins[*find_config_key("device.name")].status == "published") list.push_back(chip);
  }
  return list;
}

std::string file_of(const ConfigOrigin& origin) {
  const std::size_t slash = origin.where.rfind('/');
  return origin.where.substr(slash + 1, origin.where.find(':', slash) - slash - 1);
}

/// How the numbers of each file are known. A number of common.toml that a chip replaces counts there too.
std::string status_rows(const std::vector<Chip>& chips) {
  std::map<std::string, std::map<std::string, std::set<std::string>>> keys;  // of a file, by status
  for (const Chip& chip : chips) {
    for (std::size_t i = 0; i < config_keys().size(); ++i) {
      const ConfigOrigin& origin = chip.details.origins[i];
      keys[file_of(origin)][origin.status].insert(config_keys()[i].full_name());
    }
  }
  std::string text = fmt::format("  {:<20}{:>6}", "file in configs/", "keys");
  for (const char* status : kStatus) text += fmt::format("{:>11}", status);
  const auto row = [&](const std::string& file) {
    std::size_t all = 0;
    std::string cells;
    for (const char* status : kStatus) {
      all += keys[file][status].size();
      cells += fmt::format("{:>11}", keys[file][status].size());
    }
    text += fmt::format("\n  {:<20}{:>6}{}", file, all, cells);
  };
  row("common.toml");
  for (const Chip& chip : chips) row(chip.name + ".toml");
  return text + "\n";
}

struct Fitted {
  std::string key, chips, value, source;
  bool to_seven_times = false;
};
std::vector<Fitted> fitted_numbers(const std::vector<Chip>& chips) {
  std::vector<Fitted> list;
  for (std::size_t i = 0; i < config_keys().size(); ++i) {
    const ConfigKey& key = config_keys()[i];
    std::set<std::string> places;
    for (const Chip& chip : chips) {
      const ConfigOrigin& origin = chip.details.origins[i];
      if (origin.status != "fitted" || !places.insert(origin.where).second) continue;
      list.push_back({key.full_name(), file_of(origin) == "common.toml" ? "all" : chip.name,
                      quote_config_value(key.load(chip.details.config)), origin.source,
                      origin.source.find(kSevenTimes) != std::string::npos});
    }
  }
  return list;
}

/// Assumed keys that move a row by at least `percent` if they are a quarter smaller or larger, and all that have
/// another legal value there.
std::pair<std::size_t, std::size_t> sensitive_keys(double percent) {
  const std::string path = data_path("validation/sensitivity.tsv");
  std::set<std::string> all, moving;
  for (const Effect& effect : read_effects(read_text_file(path), path)) {
    all.insert(effect.key);
    if (std::any_of(effect.rows.begin(), effect.rows.end(),
                    [&](const Effect::Row& row) { return row.percent && std::fabs(*row.percent) >= percent; }))
      moving.insert(effect.key);
  }
  return {moving.size(), all.size()};
}

Times measured_times() {
  Times times{};
  for (unsigned trial = 0; trial < kTrials; ++trial) times[trial] = trial_rows()[trial].low;
  return times;
}

std::string left_out_rows(const std::vector<FitRun>& runs) {
  std::vector<std::string> keys;
  for (const FitRun& run : runs) {
    if (!run.key.empty() && std::find(keys.begin(), keys.end(), run.key) == keys.end()) keys.push_back(run.key);
  }
  std::string text = fmt::format("  {:<30}{:<16}", "key", "values tried");
  for (unsigned trial = 1; trial <= kTrials; ++trial) text += fmt::format("{:>15}", trial);
  text += "\n";
  for (const std::string& key : keys) {
    std::string tried;
    for (const FitRun& run : runs) {
      if (run.key == key) tried += (tried.empty() ? "" : ", ") + run.value;
    }
    text += fmt::format("  {:<30}{:<16}", key, tried);
    for (const LeftOut& one : leave_one_out(runs, key, measured_times()))
      text +=
          fmt::format("{:>15}", fmt::format("{}: {:+.1f} %", one.value.empty() ? "as is" : one.value, 100 * one.error));
    text += "\n";
  }
  return text;
}

}  // namespace

std::vector<FitRun> read_fit_runs(const std::string& text, const std::string& name) {
  std::vector<FitRun> runs;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream stream(line);
    FitRun run;
    bool good = std::getline(stream, run.key, '\t') && std::getline(stream, run.value, '\t');
    for (double& ms : run.ms) good = good && stream >> ms;
    if (std::string more; !good || stream >> more)
      throw InputError(fmt::format("{}: a line has key, value and {} times, not '{}'", name, kTrials, line));
    runs.push_back(run);
  }
  return runs;
}

std::vector<LeftOut> leave_one_out(const std::vector<FitRun>& runs, const std::string& key, const Times& measured) {
  std::vector<LeftOut> list;
  for (unsigned out = 0; out < kTrials; ++out) {
    double best = 0;
    const FitRun* chosen = nullptr;
    for (const FitRun& run : runs) {
      if (!run.key.empty() && run.key != key) continue;
      double squares = 0;
      for (unsigned trial = 0; trial < kTrials; ++trial) {
        if (trial != out) squares += std::pow(run.ms[trial] / measured[trial] - 1, 2);
      }
      if (chosen == nullptr || squares < best) {
        best = squares;
        chosen = &run;
      }
    }
    if (chosen != nullptr) list.push_back({out + 1, chosen->value, chosen->ms[out] / measured[out] - 1});
  }
  return list;
}

std::string free_numbers_text() {
  const std::vector<Chip> chips = real_chips();
  const std::vector<Fitted> fitted = fitted_numbers(chips);
  const auto to_seven =
      std::count_if(fitted.begin(), fitted.end(), [](const Fitted& number) { return number.to_seven_times; });
  const auto [moving, assumed] = sensitive_keys(10);
  std::string text = "numbers of the configuration, by how they are known:\n" + status_rows(chips) +
                     "fitted numbers: chips, value, source:\n";
  for (const Fitted& number : fitted)
    text += fmt::format("  {:<30}{:<9}{:>5}  {}\n", number.key, number.chips, number.value, number.source);
  text += fmt::format(
      "measurements, and the numbers fitted to them:\n"
      "  {} times of square_array: {} numbers; {} others: {} numbers\n"
      "  of {} assumed numbers with another legal value within a quarter, {} then move a row by 10 % or more\n",
      kTrials, to_seven, micro_rows().size(), static_cast<std::ptrdiff_t>(fitted.size()) - to_seven, assumed, moving);
  const std::string path = data_path("validation/leave_one_out.tsv");
  return text +
         "one of the seven times left out: the value that fits the six others best, and its error for the seventh:\n" +
         left_out_rows(read_fit_runs(read_text_file(path), path));
}

}  // namespace g80::silicon
