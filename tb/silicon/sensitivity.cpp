#include "tb/silicon/sensitivity.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "hw/config/config_keys.h"
#include "tb/scenario/input_error.h"

namespace g80::silicon {
namespace {

constexpr double kQuarter = 0.25;
constexpr double kShown = 0.1;  // percent: less is the noise of a launch's end

/// The value times `factor`, whole if it was; nothing if the preset would not take it.
std::optional<std::string> scaled(const ConfigKey& key, const std::string& device, const std::string& value,
                                  double factor) {
  const double number = std::stod(value) * factor;
  const std::string changed = key.type == "f64" ? fmt::format("{:g}", number) : fmt::format("{:.0f}", number);
  if (changed == value) return std::nullopt;
  try {
    load_config(device, {key.full_name() + "=" + changed});
  } catch (const ConfigError&) {
    return std::nullopt;
  }
  return changed;
}

}  // namespace

std::vector<AssumedNumber> assumed_numbers(const std::string& device) {
  const ConfigDetails details = load_config_details(device);
  std::vector<AssumedNumber> numbers;
  const std::vector<ConfigKey>& keys = config_keys();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (details.origins[i].status != "assumed") continue;
    if (keys[i].type != "u32" && keys[i].type != "u64" && keys[i].type != "f64") continue;
    AssumedNumber number{keys[i].full_name(), quote_config_value(keys[i].load(details.config)), {}};
    for (const double factor : {1 - kQuarter, 1 + kQuarter}) {
      if (const auto changed = scaled(keys[i], device, number.value, factor)) number.changed.push_back(*changed);
    }
    numbers.push_back(number);
  }
  return numbers;
}

std::vector<Effect> sensitivity(const std::vector<Row>& rows) {
  std::map<std::string, std::vector<Row>> by_device;
  for (const Row& row : rows) by_device[row.device].push_back(row);
  std::vector<Effect> effects;
  for (const auto& [device, of_device] : by_device) {
    const std::vector<Result> base = Silicon().measure(of_device);
    for (const AssumedNumber& number : assumed_numbers(device)) {
      for (const std::string& changed : number.changed) {
        std::vector<Result> moved;
        try {
          moved = Silicon({number.key + "=" + changed}).measure(of_device);
        } catch (const ConfigError&) {
          continue;  // a block of the machine does not take it: an odd latency, say
        }
        for (std::size_t i = 0; i < base.size(); ++i) {
          effects.push_back(
              {number.key, device, number.value, changed, base[i].row->id, 100 * (moved[i].model / base[i].model - 1)});
        }
      }
    }
  }
  return effects;
}

std::string effects_text(const std::vector<Effect>& effects) {
  std::string text;
  for (const Effect& effect : effects) {
    const double percent = std::fabs(effect.percent) < 0.05 ? 0 : effect.percent;
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{:.1f}\n", effect.key, effect.device, effect.value, effect.changed,
                        effect.row, percent);
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
    if (!(words >> effect.key >> effect.device >> effect.value >> effect.changed >> effect.row >> effect.percent)) {
      throw InputError(fmt::format("{}:{}: six columns are expected: key, device, value, changed value, row, percent",
                                   name, number));
    }
    effects.push_back(effect);
  }
  return effects;
}

namespace {

constexpr const char* kDevices[] = {"8600gts", "8800gtx", "gtx280"};

/// Keys and the devices they belong to; a key of all devices stands alone.
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

}  // namespace

std::string sensitivity_section(const std::vector<Effect>& effects) {
  std::set<std::string> rows;
  std::map<std::pair<std::string, std::string>, std::map<std::string, std::string>>
      by_number;  // key and device; changed value; what moves
  std::map<std::pair<std::string, std::string>, std::string> values;
  for (const Effect& effect : effects) {
    rows.insert(effect.row);
    std::string& moved = by_number[{effect.key, effect.device}][effect.changed];
    values[{effect.key, effect.device}] = effect.value;
    if (std::fabs(effect.percent) >= kShown)
      moved += fmt::format("{}`{}` {:+.1f} %", moved.empty() ? "" : ", ", effect.row, effect.percent);
  }
  std::string text = "| Key | Device | Value | Changed to | Rows that move |\n|---|---|---|---|---|\n";
  KeyList still, fixed, missing;
  for (const auto& [number, changes] : by_number) {
    bool moves = false;
    for (const auto& [changed, moved] : changes) {
      if (moved.empty()) continue;
      moves = true;
      text +=
          fmt::format("| `{}` | {} | {} | {} | {} |\n", number.first, number.second, values[number], changed, moved);
    }
    if (!moves) still.add(number.first, number.second);
  }
  std::string measured;
  for (const std::string& row : rows) measured += fmt::format("{}`{}`", measured.empty() ? "" : ", ", row);
  for (const char* device : kDevices) {
    for (const AssumedNumber& number : assumed_numbers(device)) {
      if (by_number.count({number.key, device}) == 0) (number.changed.empty() ? fixed : missing).add(number.key, device);
    }
  }
  return fmt::format(
      "Rows measured: {}.\n\n{}\nWhere a list names no device, all three are meant.\n\nMove none of these rows: {}.\n\n"
      "Have no other value within a quarter, or none that the machine takes: {}.\n\nNot measured: {}.\n",
      measured, text, still.text(), fixed.text(), missing.text());
}

}  // namespace g80::silicon
