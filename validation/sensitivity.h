// SPDX-License-Identifier: Apache-2.0
// The effect of each assumed number of the configuration: measures every row with the number a quarter smaller and a
// quarter larger. All measurements take almost an hour, so the result is a file that grows line by line.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "validation/rows.h"

namespace g80::silicon {

/// A line of the file. Lines are independent: several files may be joined, in any order.
struct Effect {
  std::string key, device;
  std::string value, changed;  // as --set has them
  std::string row;
  double base = 0;              // the row's value
  std::optional<double> model;  // with the changed number; nothing if the machine or a launch does not take it
  double percent() const { return model ? 100 * (*model / base - 1) : 0; }
};

/// Numbers of a preset that are assumed, with those of value - 25 % and value + 25 % that differ from it and are
/// allowed.
struct AssumedNumber {
  std::string key, value;
  std::vector<std::string> changed;
};
std::vector<AssumedNumber> assumed_numbers(const std::string& device);

constexpr double kShown = 0.5;  // percent: less is the noise of a launch's end

/// Every `parts`-th change of a number, from the `part`-th on: for several processes.
struct Share {
  unsigned part = 1, parts = 1;
};

/// Measures `rows` with each change of their devices' numbers and appends the lines to the file, change by change. What
/// the file has stays, if the number and the row are still what they were; other lines of these rows are removed.
/// `say` gets a line for each change.
void measure_sensitivity(const std::vector<Row>& rows, const std::string& path, Share share,
                         const std::function<void(const std::string&)>& say);

/// One line each, tab separated: key, device, value, changed value, row, the row's value, with the change ("-" if it
/// has none).
std::string effects_text(const std::vector<Effect>& effects);
/// Lines of effects_text(); lines that begin with # are remarks. Throws InputError at anything else.
std::vector<Effect> read_effects(const std::string& text, const std::string& name);
/// What is wrong with lines that should be of the present configuration and rows, one sentence each.
std::vector<std::string> stale_effects(const std::vector<Effect>& effects);
/// The tables of docs/accuracy.md; `now` are the rows as they are measured today.
std::string sensitivity_section(const std::vector<Effect>& effects, const std::vector<Result>& now);

}  // namespace g80::silicon
