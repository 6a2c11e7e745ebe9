// SPDX-License-Identifier: Apache-2.0
// Checks a JSON document against a schema, as far as the project's own schema goes; a keyword that is not known here is
// an error.
#pragma once
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace g80::test {

class JsonSchema {
 public:
  using Json = nlohmann::ordered_json;
  explicit JsonSchema(Json root) : root_(std::move(root)) {}

  /// One line for each place that breaks the schema.
  std::vector<std::string> errors(const Json& document) const {
    std::vector<std::string> list;
    check(root_, document, "$", list);
    return list;
  }

 private:
  static bool has_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "integer") return value.is_number_integer();
    return type == "number" && value.is_number();
  }

  void check(const Json& schema, const Json& value, const std::string& path, std::vector<std::string>& list) const {
    const auto fail = [&](const std::string& text) { list.push_back(path + ": " + text); };
    for (const auto& [keyword, rule] : schema.items()) {
      if (keyword == "$schema" || keyword == "$defs" || keyword == "title" || keyword == "description" ||
          keyword == "then")
        continue;
      if (keyword == "$ref") {
        check(root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), value, path, list);
      } else if (keyword == "type") {
        if (!has_type(value, rule)) fail("is no " + rule.get<std::string>());
      } else if (keyword == "const") {
        if (value != rule) fail("is not " + rule.dump());
      } else if (keyword == "enum") {
        if (std::find(rule.begin(), rule.end(), value) == rule.end()) fail("is not one of " + rule.dump());
      } else if (keyword == "minimum") {
        if (value.is_number() && value < rule) fail("is less than " + rule.dump());
      } else if (keyword == "minItems" || keyword == "maxItems") {
        if (value.is_array() && (keyword == "minItems" ? value.size() < rule : value.size() > rule))
          fail("has " + std::to_string(value.size()) + " items");
      } else if (keyword == "required") {
        for (const Json& name : rule) {
          if (value.is_object() && !value.contains(name.get<std::string>())) fail("lacks " + name.get<std::string>());
        }
      } else if (keyword == "dependentRequired") {
        for (const auto& [name, needed] : rule.items()) {
          if (value.contains(name)) check({{"required", needed}}, value, path, list);
        }
      } else if (keyword == "properties") {
        for (const auto& [name, sub] : rule.items()) {
          if (value.is_object() && value.contains(name)) check(sub, value.at(name), path + "." + name, list);
        }
      } else if (keyword == "additionalProperties") {
        if (!value.is_object()) continue;
        for (const auto& [name, member] : value.items()) {
          if (schema.contains("properties") && schema.at("properties").contains(name)) continue;
          rule.is_boolean() ? void(rule ? void() : fail("has an unknown key " + name))
                            : check(rule, member, path + "." + name, list);
        }
      } else if (keyword == "items") {
        for (std::size_t k = 0; value.is_array() && k < value.size(); ++k)
          check(rule, value[k], path + "[" + std::to_string(k) + "]", list);
      } else if (keyword == "if") {
        std::vector<std::string> condition;
        check(rule, value, path, condition);
        if (condition.empty()) check(schema.at("then"), value, path, list);
      } else {
        fail("the schema has a keyword that this check does not know: " + keyword);
      }
    }
  }

  const Json root_;
};

}  // namespace g80::test
