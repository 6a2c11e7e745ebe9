// SPDX-License-Identifier: Apache-2.0
// The effects of changing assumed numbers, as lines of a file.
#include "validation/sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "hw/common/fnv.h"
#include "input/input_error.h"

namespace g80::silicon {
namespace {

std::string row_text(const Effect::Row& row) {
  return row.percent ? fmt::format("{} {:+.1f}", row.id, *row.percent) : row.id + " refused";
}

/// "trial2 +1.5" or "trial2 refused". No value of other text.
std::optional<Effect::Row> read_row(const std::string& text) {
  std::istringstream words(text);
  Effect::Row row;
  std::string effect, more;
  if (!(words >> row.id >> effect) || words >> more) return std::nullopt;
  if (effect == "refused") return row;
  std::istringstream number(effect);
  double percent = 0;
  if (!(number >> percent) || !number.eof()) return std::nullopt;
  row.percent = percent;
  return row;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

}  // namespace

std::string rows_hash(const std::vector<Result>& results, const std::string& device) {
  std::string text;
  for (const Result& result : results) {
    if (result.row->device == device) text += fmt::format("{}={:.7g}\n", result.row->id, result.model);
  }
  return fmt::format("{:08x}", fnv1a(text) >> 32);
}

std::string effects_text(const std::vector<Effect>& effects) {
  std::string text;
  for (const Effect& effect : effects) {
    std::string rows;
    for (const Effect::Row& row : effect.rows) rows += (rows.empty() ? "" : ", ") + row_text(row);
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", effect.key, effect.device, effect.value, effect.changed,
                        effect.inputs, rows.empty() ? "-" : rows);
  }
  return text;
}

std::vector<Effect> read_effects(const std::string& text, const std::string& name) {
  std::vector<Effect> effects;
  std::istringstream lines(text);
  std::string line;
  for (unsigned number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string> columns = split(line, '\t');
    bool good = columns.size() == 6;
    if (good) {
      Effect effect{columns[0], columns[1], columns[2], columns[3], columns[4], {}};
      for (const std::string& part : split(columns[5] == "-" ? "" : columns[5], ',')) {
        const std::optional<Effect::Row> row = read_row(part);
        good &= row.has_value();
        if (row) effect.rows.push_back(*row);
      }
      effects.push_back(effect);
    }
    if (!good) {
      throw InputError(
          fmt::format("{}:{}: six columns are expected: key, device, value, changed value, hash of the rows, the rows "
                      "that move",
                      name, number));
    }
  }
  return effects;
}

std::vector<std::string> stale_effects(const std::vector<Effect>& effects) {
  std::map<std::string, std::string> devices;  // of the rows
  for (const std::vector<Row>& part : {trial_rows(), micro_rows()}) {
    for (const Row& row : part) devices[row.id] = row.device;
  }
  std::map<std::string, std::vector<AssumedNumber>> numbers;
  std::map<std::string, std::string> inputs;  // of the devices
  for (const Effect& effect : effects) {
    if (inputs.emplace(effect.device, effect.inputs).second) numbers[effect.device] = assumed_numbers(effect.device);
  }
  const auto name_of = [](const std::string& key, const std::string& device, const std::string& changed) {
    return fmt::format("{} of {} = {}", key, device, changed);
  };
  std::vector<std::string> wrong;
  std::set<std::string> seen;
  for (const Effect& effect : effects) {
    const std::string name = name_of(effect.key, effect.device, effect.changed);
    if (!seen.insert(name).second) wrong.push_back(name + ": a second line");
    const std::vector<AssumedNumber>& of_device = numbers[effect.device];
    const auto number = std::find_if(of_device.begin(), of_device.end(),
                                     [&](const AssumedNumber& assumed) { return assumed.key == effect.key; });
    if (number == of_device.end() || number->value != effect.value)
      wrong.push_back(fmt::format("{}: the number was {}, now it is {}", name, effect.value,
                                  number == of_device.end() ? "no assumed one" : number->value));
    else if (std::count(number->changed.begin(), number->changed.end(), effect.changed) == 0)
      wrong.push_back(name + ": not a quarter smaller or larger");
    if (inputs[effect.device] != effect.inputs)
      wrong.push_back(name + ": lines of this device are of two states of the model");
    for (const Effect::Row& row : effect.rows) {
      if (devices[row.id] != effect.device)
        wrong.push_back(fmt::format("{}, {}: the device has no such row", name, row.id));
    }
  }
  for (const auto& [device, of_device] : numbers) {
    for (const AssumedNumber& number : of_device) {
      for (const std::string& changed : number.changed) {
        const std::string name = name_of(number.key, device, changed);
        if (seen.count(name) == 0) wrong.push_back(name + ": no line");
      }
    }
  }
  return wrong;
}

}  // namespace g80::silicon
