// SPDX-License-Identifier: Apache-2.0
#include "docs/parameter_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "hw/common/input_error.h"
#include "hw/config/config.h"
#include "hw/config/config_keys.h"
#include "source_dir.h"

namespace g80 {
namespace {

constexpr Times kMeasured = {14.5, 14.7, 86, 93.5, 14.4, 22.1, 85.5};  // GeForce 8600 GTS; docs/accuracy.md
constexpr const char* kSevenTimes = "seven measured times";
constexpr const char* kStatus[] = {"published", "derived", "fitted", "assumed"};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::vector<std::vector<std::string>> read_fields(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw InputError(path + ": cannot be read");
  std::vector<std::vector<std::string>> lines;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string>& fields = lines.emplace_back();
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  }
  return lines;
}

struct Product {
  std::string name;
  ConfigDetails details;
};
std::vector<Product> products() {
  std::vector<Product> list;
  for (const std::string& name : preset_names()) {
    Product product{name, load_config_details(name)};
    if (product.details.origins[*find_config_key("device.name")].status == "published") list.push_back(product);
  }
  return list;
}

std::string file_of(const ConfigOrigin& origin) {
  const std::size_t slash = origin.where.rfind('/');
  return origin.where.substr(slash + 1, origin.where.find(':', slash) - slash - 1);
}

/// How the numbers of each file are known. A number of common.toml that a chip replaces counts there too.
std::string status_rows(const std::vector<Product>& chips) {
  std::map<std::string, std::map<std::string, std::set<std::string>>> keys;  // of a file, by status
  for (const Product& chip : chips) {
    for (std::size_t i = 0; i < config_keys().size(); ++i) {
      const ConfigOrigin& origin = chip.details.origins[i];
      keys[file_of(origin)][origin.status].insert(config_keys()[i].full_name());
    }
  }
  std::string text = "| File | Keys |";
  for (const char* status : kStatus) text += fmt::format(" {} |", status);
  text += "\n|---|---|---|---|---|---|\n";
  const auto row = [&](const std::string& file) {
    std::size_t all = 0;
    std::string cells;
    for (const char* status : kStatus) {
      all += keys[file][status].size();
      cells += fmt::format(" {} |", keys[file][status].size());
    }
    text += fmt::format("| `configs/{}` | {} |{}\n", file, all, cells);
  };
  row("common.toml");
  for (const Product& chip : chips) row(chip.name + ".toml");
  return text;
}

struct Fitted {
  std::string key, chips, value, source;
  bool to_seven_times = false;
};
std::vector<Fitted> fitted_numbers(const std::vector<Product>& chips) {
  std::vector<Fitted> list;
  for (std::size_t i = 0; i < config_keys().size(); ++i) {
    const ConfigKey& key = config_keys()[i];
    std::set<std::string> places;
    for (const Product& chip : chips) {
      const ConfigOrigin& origin = chip.details.origins[i];
      if (origin.status != "fitted" || !places.insert(origin.where).second) continue;
      list.push_back({key.full_name(), file_of(origin) == "common.toml" ? "all" : chip.name,
                      quote_config_value(key.load(chip.details.config)), origin.source,
                      contains(origin.source, kSevenTimes)});
    }
  }
  return list;
}

/// Assumed keys of docs/sensitivity.tsv that move a measured row by at least `share` if they are a quarter smaller or
/// larger, and all assumed keys there.
std::pair<std::size_t, std::size_t> sensitive_keys(double share) {
  std::set<std::string> all, moving;
  for (const auto& fields : read_fields(G80_SOURCE_DIR "/docs/sensitivity.tsv")) {
    if (fields.size() != 7) throw InputError("docs/sensitivity.tsv: a line has seven fields");
    if (fields[6] == "-") continue;  // no legal value
    const double base = std::stod(fields[5]), changed = std::stod(fields[6]);
    all.insert(fields[0]);
    if (std::abs(changed - base) >= share * std::abs(base)) moving.insert(fields[0]);
  }
  return {moving.size(), all.size()};
}

std::string left_out_rows(const std::vector<FitRun>& runs) {
  std::vector<std::string> keys;
  for (const FitRun& run : runs) {
    if (!run.key.empty() && std::find(keys.begin(), keys.end(), run.key) == keys.end()) keys.push_back(run.key);
  }
  std::string text = "| Key | Values tried |";
  for (unsigned trial = 1; trial <= kTrials; ++trial) text += fmt::format(" {} left out |", trial);
  text += "\n|---|---|";
  for (unsigned trial = 0; trial < kTrials; ++trial) text += "---|";
  text += "\n";
  for (const std::string& key : keys) {
    std::string tried;
    for (const FitRun& run : runs) {
      if (run.key == key) tried += (tried.empty() ? "" : ", ") + run.value;
    }
    text += fmt::format("| `{}` | {} |", key, tried);
    for (const LeftOut& one : leave_one_out(runs, key, kMeasured))
      text += fmt::format(" {} {:+.1f} % |", one.value.empty() ? "as it is:" : one.value + ":", 100 * one.error);
    text += "\n";
  }
  return text;
}

}  // namespace

std::vector<FitRun> read_fit_runs(const std::string& path) {
  std::vector<FitRun> runs;
  for (const auto& fields : read_fields(path)) {
    if (fields.size() != 2 + kTrials)
      throw InputError(
          fmt::format("{}: a line has key, value and {} times, not {} fields", path, kTrials, fields.size()));
    FitRun run{fields[0], fields[1], {}};
    for (unsigned trial = 0; trial < kTrials; ++trial) run.ms[trial] = std::stod(fields[2 + trial]);
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

std::string parameters_page() {
  const std::vector<Product> chips = products();
  const std::vector<Fitted> fitted = fitted_numbers(chips);
  const auto to_seven = static_cast<std::size_t>(
      std::count_if(fitted.begin(), fitted.end(), [](const Fitted& number) { return number.to_seven_times; }));
  const std::size_t rows = read_fields(G80_SOURCE_DIR "/tests/validation/errors.tsv").size();
  const auto [moving, assumed] = sensitive_keys(0.1);
  std::string text =
      "# The numbers of the model, and how many are free\n\n"
      "`timing_doc parameters` prints this page from `configs/*.toml`, [leave-one-out.tsv](leave-one-out.tsv),\n"
      "[sensitivity.tsv](sensitivity.tsv) and `tests/validation/errors.tsv`. Do not edit it. [timing.md](timing.md) "
      "has "
      "every number with its source.\n\n"
      "`configs/common.toml` has what all chips share. The file of a chip has what its data sheet, its board or a "
      "measurement of this chip\n"
      "says; a number in both files is another one on this chip. **fitted**: chosen so that the model agrees with a "
      "measured time; the source\n"
      "names it. timing.md explains the other words.\n\n";
  text += status_rows(chips);
  text += "\n## Fitted numbers\n\n| Key | Chips | Value | Source |\n|---|---|---|---|\n";
  for (const Fitted& number : fitted)
    text += fmt::format("| `{}` | {} | {} | {} |\n", number.key, number.chips, number.value, number.source);
  text += fmt::format(
      "\n## Degrees of freedom\n\n"
      "| Measurements | Rows of [accuracy.md](accuracy.md) | Numbers fitted to them |\n|---|---|---|\n"
      "| seven times of square_array | {} | {} |\n| all others | {} | {} |\n\n"
      "So the seven times alone prove little: {} numbers for {} times. Assumed numbers are free too, as far as a row "
      "depends on them. Of the {} assumed\n"
      "numbers that have another legal value within a quarter, {} change a row by 10 % or more, its allowed error, if "
      "they are a quarter "
      "smaller or larger\n"
      "([which rows](accuracy.md#what-the-assumed-numbers-change)).\n",
      kTrials, to_seven, rows - kTrials, fitted.size() - to_seven, to_seven, kTrials, assumed, moving);
  text +=
      "\n## One trial left out\n\n"
      "For each number that was fitted to the seven times: without one trial, the value with the smallest mean square "
      "error of the six others\n"
      "is chosen among the present one and those tried, and predicts the seventh. Shown are the chosen value and the "
      "error of its prediction. The\n"
      "other fitted numbers keep their present values. A number is well determined if the same value is chosen each "
      "time.\n"
      "`node validation/leave_one_out.mjs` measures what is missing in the file, a quarter of an hour of processor "
      "time "
      "for all.\n\n";
  text += left_out_rows(read_fit_runs(G80_SOURCE_DIR "/docs/leave-one-out.tsv"));
  return text;
}

}  // namespace g80
