// SPDX-License-Identifier: Apache-2.0
// Resolution of scenario arguments.
#include "tb/scenario/arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "input/input_error.h"

namespace g80 {
namespace {

/// Rounds a value to the argument's type. Refuses a value that does not fit.
Value fit(const ArgumentDecl& decl, const Value& value) {
  element_bits(decl.type, value, fmt::format("argument '{}'", decl.name));
  if (!is_floating(decl.type)) return value;
  const double real = value.as_real();
  return Value::of_real(decl.type == ElementType::kF32 ? static_cast<float>(real) : real);
}

void check_range(const Scenario& scenario, const ArgumentDecl& decl, const Value& value, const NameTable& names) {
  const auto limit = [&](const std::optional<ScenarioText>& text) { return text ? value_at(*text, names) : value; };
  const Value low = limit(decl.min), high = limit(decl.max);
  if (value.as_real() >= low.as_real() && value.as_real() <= high.as_real()) return;
  std::string allowed = decl.min && decl.max ? fmt::format("{} to {}", low.text(), high.text())
                        : decl.min           ? fmt::format("{} or more", low.text())
                                             : fmt::format("at most {}", high.text());
  throw InputError(
      fmt::format("{}: argument '{}' is {}; allowed is {}", scenario.path, decl.name, value.text(), allowed));
}

}  // namespace

std::pair<std::string, std::string> split_assignment(const std::string& text, const std::string& option) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw InputError(fmt::format("{} '{}': the form is {} NAME=VALUE", option, text, option));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

Expression compile_at(const ScenarioText& text, const std::vector<std::string>& names) {
  try {
    return Expression::compile(text.text, names);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", text.where, error.what()));
  }
}

Value value_at(const ScenarioText& text, const NameTable& names) {
  const Expression expression = compile_at(text, names.names);
  try {
    return expression.evaluate({&names.values, 0, 0});
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", text.where, error.what()));
  }
}

std::int64_t integer_at(const ScenarioText& text, const NameTable& names, std::int64_t min, std::int64_t max) {
  const Value value = value_at(text, names);
  if (value.is_float || value.integer < min || value.integer > max) {
    throw InputError(fmt::format("{} is {}{} (from '{}'); allowed is an integer from {} to {}", text.where,
                                 value.text(), value.is_float ? ", a real number" : "", text.text, min, max));
  }
  return value.integer;
}

NameTable name_table(const std::vector<ArgumentValue>& arguments) {
  NameTable table;
  for (const ArgumentValue& argument : arguments) table.add(argument.name, argument.value);
  return table;
}

std::vector<ArgumentValue> resolve_arguments(const Scenario& scenario,
                                             const std::vector<std::pair<std::string, std::string>>& given) {
  for (const auto& [name, text] : given) {
    const auto known = std::find_if(scenario.args.begin(), scenario.args.end(),
                                    [&name = name](const ArgumentDecl& a) { return a.name == name; });
    if (known != scenario.args.end()) continue;
    std::vector<std::string> names;
    for (const ArgumentDecl& decl : scenario.args) names.push_back(decl.name);
    throw InputError(fmt::format("--arg {}={}: {} has no argument '{}'; it has {}", name, text, scenario.path, name,
                                 names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
  std::vector<ArgumentValue> values;
  NameTable table;
  for (const ArgumentDecl& decl : scenario.args) {
    ScenarioText text = decl.default_value;
    for (const auto& [name, value] : given) {  // the last one given counts
      if (name == decl.name) text = {value, fmt::format("--arg {}", name)};
    }
    const Value value = fit(decl, value_at(text, table));
    check_range(scenario, decl, value, table);
    values.push_back({decl.name, decl.type, value});
    table.add(decl.name, value);
  }
  for (const RequireDecl& require : scenario.require) {
    if (!value_at(require.condition, table).truth()) {
      throw InputError(
          fmt::format("{}: {} ('{}' does not hold)", require.condition.where, require.message, require.condition.text));
    }
  }
  return values;
}

}  // namespace g80
