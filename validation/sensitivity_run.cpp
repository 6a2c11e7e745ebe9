// SPDX-License-Identifier: Apache-2.0
// Measures the effects of changing assumed numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>

#include "hw/common/check.h"
#include "hw/config/config_keys.h"
#include "input/input_error.h"
#include "tb/scenario/memory_image.h"
#include "toolchain/cubin/module.h"
#include "validation/sensitivity.h"

namespace g80::silicon {
namespace {

constexpr double kQuarter = 0.25;

/// The value times `factor`, as an integer if it was one. No value if the preset does not accept it.
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

using Numbers = std::map<std::string, std::vector<AssumedNumber>>;          // by device
using Known = std::set<std::tuple<std::string, std::string, std::string>>;  // device, key, changed

/// Removes the devices' lines that were measured with another value of the number or of a row. Returns those that stay.
Known keep_lines(const std::string& path, const Numbers& numbers, const std::vector<Result>& base) {
  Known known;
  if (!std::filesystem::exists(path)) return known;
  std::string text = read_text_file(path);
  text.resize(text.rfind('\n') + 1);  // an aborted process may have left an incomplete line
  std::istringstream lines(text);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    const std::vector<Effect> effects = read_effects(line, path);
    const bool measured_again = !effects.empty() && numbers.count(effects[0].device) != 0;
    if (measured_again) {
      const Effect& effect = effects[0];
      const std::vector<AssumedNumber>& of_device = numbers.at(effect.device);
      const bool as_now = effect.inputs == rows_hash(base, effect.device) &&
                          std::any_of(of_device.begin(), of_device.end(), [&](const AssumedNumber& number) {
                            return number.key == effect.key && number.value == effect.value &&
                                   std::count(number.changed.begin(), number.changed.end(), effect.changed) != 0;
                          });
      if (!as_now || !known.insert({effect.device, effect.key, effect.changed}).second) continue;
    }
    kept += line + "\n";
  }
  const std::string fresh = path + ".new";
  write_file(fresh, kept);
  std::filesystem::rename(fresh, path);
  return known;
}

void append(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file << text << std::flush;
  if (!file) throw InputError(fmt::format("{}: cannot be written", path));
}

/// Percent by which the row moves with a change. No value, but the reason in `refusal`, if the machine or a launch
/// refuses it.
std::optional<double> moved(Silicon& machine, const Result& base, std::string& refusal) {
  try {
    return 100 * (machine.measure(*base.row).model / base.model - 1);
  } catch (const InputError& error) {  // the run hangs or is refused, because a resource is too small
    refusal = error.what();
  } catch (const ModelError& error) {
    refusal = error.what();
  }
  return std::nullopt;
}

/// The refused rows first, then those that move most.
bool moves_more(const Effect::Row& a, const Effect::Row& b) {
  const double left = a.percent ? std::fabs(*a.percent) : INFINITY,
               right = b.percent ? std::fabs(*b.percent) : INFINITY;
  return left != right ? left > right : a.id < b.id;
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

void measure_sensitivity(const std::vector<Row>& rows, const std::string& path, Share share,
                         const std::function<void(const std::string&)>& say) {
  CHECK(share.part >= 1 && share.part <= share.parts, "part {} of {}", share.part, share.parts);
  Numbers numbers;
  for (const Row& row : rows) {
    if (numbers.count(row.device) == 0) numbers[row.device] = assumed_numbers(row.device);
  }
  const std::vector<Result> base = Silicon().measure(rows);
  const Known known = keep_lines(path, numbers, base);
  unsigned count = 0;
  for (const auto& [device, of_device] : numbers) {
    for (const AssumedNumber& number : of_device) {
      for (const std::string& changed : number.changed) {
        if (count++ % share.parts != share.part - 1 || known.count({device, number.key, changed}) != 0) continue;
        Silicon machine({number.key + "=" + changed});
        Effect effect{number.key, device, number.value, changed, rows_hash(base, device), {}};
        std::string refusal;
        std::size_t measured = 0;
        for (const Result& result : base) {
          if (device != result.row->device) continue;
          ++measured;
          const std::optional<double> percent = moved(machine, result, refusal);
          if (!percent || std::fabs(*percent) >= kShown) effect.rows.push_back({result.row->id, percent});
        }
        std::sort(effect.rows.begin(), effect.rows.end(), moves_more);
        append(path, effects_text({effect}));
        const auto moving = std::count_if(effect.rows.begin(), effect.rows.end(),
                                          [](const Effect::Row& row) { return row.percent.has_value(); });
        say(fmt::format("{} {}: {} instead of {}: {} rows measured, {} moved by {:g} % or more{}{}", device, number.key,
                        changed, number.value, measured, moving, kShown, refusal.empty() ? "" : "; ", refusal));
      }
    }
  }
}

}  // namespace g80::silicon
