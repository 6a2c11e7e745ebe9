// SPDX-License-Identifier: Apache-2.0
// The effects of changing assumed numbers, as lines of a file and as a table.
#include "validation/sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "hw/common/input_error.h"

namespace g80::silicon {

std::string effects_text(const std::vector<Effect>& effects) {
  std::string text;
  for (const Effect& effect : effects) {
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{:.7g}\t{}\n", effect.key, effect.device, effect.value, effect.changed,
                        effect.row, effect.base, effect.model ? fmt::format("{:.7g}", *effect.model) : "-");
  }
  return text;
}

std::vector<Effect> read_effects(const std::string& text, const std::string& name) {
  std::vector<Effect> effects;
  std::istringstream lines(text);
  std::string line;
  for (unsigned number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    Effect effect;
    std::string model, more;
    const bool whole = static_cast<bool>(words >> effect.key >> effect.device >> effect.value >> effect.changed >>
                                         effect.row >> effect.base >> model);
    std::istringstream last(model);
    double value = 0;
    const bool number_or_none = model == "-" || (last >> value && last.eof());
    if (model != "-") effect.model = value;
    if (!whole || words >> more || !number_or_none || effect.base == 0) {
      throw InputError(
          fmt::format("{}:{}: seven columns are expected: key, device, value, changed value, row, the "
                      "row's value, its value with the change",
                      name, number));
    }
    effects.push_back(effect);
  }
  return effects;
}

namespace {

constexpr const char* kDevices[] = {"8600gts", "8800gtx", "gtx280"};

/// A list of keys with their devices. A key of all devices is listed without a device.
class KeyList {
 public:
  void add(const std::string& key, const std::string& device) { devices_[key].push_back(device); }
  std::string text() const {
    std::string text;
    for (const auto& [key, devices] : devices_) {
      text += fmt::format("{}`{}`", text.empty() ? "" : ", ", key);
      if (devices.size() < std::size(kDevices)) text += fmt::format(" ({})", fmt::join(devices, ", "));
    }
    return text.empty() ? "none" : text;
  }

 private:
  std::map<std::string, std::vector<std::string>> devices_;
};

constexpr std::size_t kNamed = 6;  // rows of a line, the others are counted

/// "`coalesced_32` -4.0 %, `trial2` +1.2 % and 3 more", the largest first.
std::string moved_text(std::vector<Effect> effects) {
  effects.erase(std::remove_if(effects.begin(), effects.end(),
                               [](const Effect& effect) { return std::fabs(effect.percent()) < kShown; }),
                effects.end());
  std::sort(effects.begin(), effects.end(), [](const Effect& a, const Effect& b) {
    const double left = std::fabs(a.percent()), right = std::fabs(b.percent());
    return left != right ? left > right : a.row < b.row;
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, effects.size()); ++i)
    text += fmt::format("{}`{}` {:+.1f} %", i == 0 ? "" : ", ", effects[i].row, effects[i].percent());
  return effects.size() <= kNamed ? text : text + fmt::format(" and {} more", effects.size() - kNamed);
}

bool is_taken(const std::vector<Effect>& effects) {
  return std::any_of(effects.begin(), effects.end(), [](const Effect& effect) { return effect.model.has_value(); });
}

/// Names the rows whose value has changed since the effects were measured.
std::string since_text(const std::vector<Effect>& effects, const std::vector<Result>& now) {
  std::string text;
  for (const Result& result : now) {
    const auto effect = std::find_if(effects.begin(), effects.end(),
                                     [&](const Effect& effect) { return effect.row == result.row->id; });
    if (effect == effects.end() || std::fabs(100 * (result.model / effect->base - 1)) < kShown) continue;
    text += fmt::format("{}`{}` {}", text.empty() ? "" : ", ", effect->row, model_text(effect->base));
  }
  return text.empty() ? "" : fmt::format("Rows that had another value at this measurement: {}.\n\n", text);
}

}  // namespace

std::string sensitivity_section(const std::vector<Effect>& effects, const std::vector<Result>& now) {
  std::set<std::string> rows;
  using Number = std::pair<std::string, std::string>;                 // key and device
  std::map<Number, std::map<double, std::vector<Effect>>> by_number;  // and by changed value
  for (const Effect& effect : effects) {
    rows.insert(effect.row);
    by_number[{effect.key, effect.device}][std::stod(effect.changed)].push_back(effect);
  }
  std::string text = "| Key | Device | Value | Changed to | Rows that change |\n|---|---|---|---|---|\n";
  KeyList still, fixed, missing;
  for (const auto& [number, changes] : by_number) {
    bool moves = false, taken = false;
    for (const auto& [changed, of_change] : changes) {
      taken |= is_taken(of_change);
      const std::string moved = moved_text(of_change);
      if (moved.empty()) continue;
      moves = true;
      text += fmt::format("| `{}` | {} | {} | {} | {} |\n", number.first, number.second, of_change.front().value,
                          of_change.front().changed, moved);
    }
    if (!moves) (taken ? still : fixed).add(number.first, number.second);
  }
  for (const char* device : kDevices) {
    for (const AssumedNumber& number : assumed_numbers(device)) {
      if (by_number.count({number.key, device}) == 0)
        (number.changed.empty() ? fixed : missing).add(number.key, device);
    }
  }
  const bool all = std::all_of(now.begin(), now.end(), [&](const Result& r) { return rows.count(r.row->id) != 0; });
  return fmt::format(
      "Rows measured: {}. The table lists changes of at least {:g} %.\n\n{}{}\nIf a list names no device, it means all "
      "three.\n\nKeys that change none of these rows: {}.\n\nKeys without another legal value within a quarter: "
      "{}.\n\nNot measured: {}.\n",
      all ? "all" : fmt::format("`{}`", fmt::join(rows, "`, `")), kShown, since_text(effects, now), text, still.text(),
      fixed.text(), missing.text());
}

std::vector<std::string> stale_effects(const std::vector<Effect>& effects) {
  std::map<std::string, std::string> devices;  // of the rows
  for (const std::vector<Row>& part : {trial_rows(), micro_rows()}) {
    for (const Row& row : part) devices[row.id] = row.device;
  }
  std::map<std::pair<std::string, std::string>, AssumedNumber> numbers;
  for (const char* device : kDevices) {
    for (const AssumedNumber& number : assumed_numbers(device)) numbers[{device, number.key}] = number;
  }
  std::vector<std::string> wrong;
  std::map<std::string, double> bases;
  std::set<std::string> seen;
  const auto name_of = [](const std::string& key, const std::string& device, const std::string& changed,
                          const std::string& row) {
    return fmt::format("{} of {} = {}, {}", key, device, changed, row);
  };
  for (const Effect& effect : effects) {
    const std::string name = name_of(effect.key, effect.device, effect.changed, effect.row);
    if (!seen.insert(name).second) wrong.push_back(name + ": a second line");
    if (devices[effect.row] != effect.device) wrong.push_back(name + ": the device has no such row");
    const AssumedNumber& number = numbers[{effect.device, effect.key}];
    if (number.value != effect.value)
      wrong.push_back(fmt::format("{}: the number was {}, now it is {}", name, effect.value,
                                  number.value.empty() ? "no assumed one" : number.value));
    else if (std::count(number.changed.begin(), number.changed.end(), effect.changed) == 0)
      wrong.push_back(name + ": not a quarter smaller or larger");
    if (bases.emplace(effect.row, effect.base).first->second != effect.base)
      wrong.push_back(name + ": lines of this row are of two states of the model");
  }
  for (const auto& [row, base] : bases) {
    for (const auto& [device_and_key, number] : numbers) {
      if (devices[row] != device_and_key.first) continue;
      for (const std::string& changed : number.changed) {
        const std::string name = name_of(number.key, device_and_key.first, changed, row);
        if (seen.count(name) == 0) wrong.push_back(name + ": no line");
      }
    }
  }
  return wrong;
}

}  // namespace g80::silicon
