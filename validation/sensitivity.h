// SPDX-License-Identifier: Apache-2.0
// The effect of each assumed number of the configuration: measures every row with the number a quarter smaller and a
// quarter larger. All measurements take almost an hour, so the result is a file that grows line by line:
// validation/sensitivity.tsv.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "validation/rows.h"

namespace g80::silicon {

/// What one change of a number does to the rows of its device: a line of the file. Lines are independent: several files
/// may be joined, in any order.
struct Effect {
  struct Row {
    std::string id;
    std::optional<double> percent;  // nothing if the machine or a launch does not take the changed number
  };
  std::string key, device;
  std::string value, changed;  // as --set has them
  std::string inputs;          // rows_hash() of the device's rows with the number as it is
  std::vector<Row> rows;       // that move by kShown or more, the largest first, or are refused
};

/// Numbers of a preset that are assumed, with those of value - 25 % and value + 25 % that differ from it and are
/// allowed.
struct AssumedNumber {
  std::string key, value;
  std::vector<std::string> changed;
};
std::vector<AssumedNumber> assumed_numbers(const std::string& device);

constexpr double kShown = 0.5;  // percent: less is the noise of a launch's end

/// Names and values of the device's rows among `results` as a short hexadecimal number.
std::string rows_hash(const std::vector<Result>& results, const std::string& device);

/// Every `parts`-th change of a number, from the `part`-th on: for several processes.
struct Share {
  unsigned part = 1, parts = 1;
};

/// Measures `rows` with each change of their devices' numbers and appends the lines to the file, change by change. What
/// the file has stays, if the number and the device's rows are still what they were; other lines of the device are
/// removed. `say` gets a line for each change.
void measure_sensitivity(const std::vector<Row>& rows, const std::string& path, Share share,
                         const std::function<void(const std::string&)>& say);

/// One line each, tab separated: key, device, value, changed value, hash of the rows, the rows as "trial2 +1.5" or
/// "trial2 refused", with commas ("-" if there is none).
std::string effects_text(const std::vector<Effect>& effects);
/// Lines of effects_text(); lines that begin with # are remarks. Throws InputError at anything else.
std::vector<Effect> read_effects(const std::string& text, const std::string& name);
/// What is wrong with lines that should be of the present configuration and rows, one sentence each.
std::vector<std::string> stale_effects(const std::vector<Effect>& effects);

}  // namespace g80::silicon
