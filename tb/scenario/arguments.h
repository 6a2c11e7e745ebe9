// SPDX-License-Identifier: Apache-2.0
// Evaluates the declared arguments and `--arg name=value`.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "tb/scenario/scenario.h"

namespace g80 {

struct ArgumentValue {
  std::string name;
  ElementType type = ElementType::kU32;
  Value value;
};

/// Resolves every argument in order: the given value, or the default. Checks names, types, ranges and the scenario's
/// conditions. Throws InputError naming argument, value and what is allowed.
std::vector<ArgumentValue> resolve_arguments(const Scenario& scenario,
                                             const std::vector<std::pair<std::string, std::string>>& given);

/// "trial=3" -> {"trial", "3"}.
std::pair<std::string, std::string> split_assignment(const std::string& text, const std::string& option);

/// The names and values as evaluation slots.
struct NameTable {
  std::vector<std::string> names;
  std::vector<Value> values;
  void add(const std::string& name, Value value) {
    names.push_back(name);
    values.push_back(value);
  }
};
NameTable name_table(const std::vector<ArgumentValue>& arguments);

/// Compiles `text` with the names `names`; messages contain its position in the file.
Expression compile_at(const ScenarioText& text, const std::vector<std::string>& names);
/// Evaluates `text` to an integer from min to max; messages contain its position in the file.
std::int64_t integer_at(const ScenarioText& text, const NameTable& names, std::int64_t min, std::int64_t max);
Value value_at(const ScenarioText& text, const NameTable& names);

}  // namespace g80
