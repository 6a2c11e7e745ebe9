// What each assumed number of the configuration changes: every row again with the number a quarter smaller and a
// quarter larger.
#pragma once
#include <string>
#include <vector>

#include "tb/silicon/rows.h"

namespace g80::silicon {

struct Effect {
  std::string key, device;
  std::string value, changed;  // as --set has them
  std::string row;
  double percent = 0;  // by which the row's value changes
};

/// Numbers of a preset that are assumed, with those of value - 25 % and value + 25 % that differ from it and are
/// allowed.
struct AssumedNumber {
  std::string key, value;
  std::vector<std::string> changed;
};
std::vector<AssumedNumber> assumed_numbers(const std::string& device);

/// Measures `rows` with each change of their devices' numbers. Takes minutes to hours.
std::vector<Effect> sensitivity(const std::vector<Row>& rows);

/// One line each, tab separated: key, device, value, changed value, row, percent.
std::string effects_text(const std::vector<Effect>& effects);
/// Lines of effects_text(); lines that begin with # are remarks. Throws InputError at anything else.
std::vector<Effect> read_effects(const std::string& text, const std::string& name);
/// The tables of docs/accuracy.md.
std::string sensitivity_section(const std::vector<Effect>& effects);

}  // namespace g80::silicon
