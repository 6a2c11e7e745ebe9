// SPDX-License-Identifier: Apache-2.0
// Checked access to one TOML table: every key must be read, every error names file, line and key.
// Included by the readers of scenario and sweep files only: toml++ is expensive to compile.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/config/toml.h"
#include "hw/config/toml_depth.h"
#include "input/input_error.h"
#include "tb/scenario/memory_image.h"
#include "tb/scenario/scenario.h"

namespace g80 {

/// A file as a table. Throws InputError with file and line.
inline toml::table read_toml(const std::string& path) {
  const std::string text = read_file(path);
  if (const unsigned line = line_of_too_deep_key(text); line != 0)
    throw InputError(fmt::format("{}:{}: a key has more than {} dots", path, line, kMaxKeyDots));
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}:{}: not TOML: {}", path, error.source().begin.line, error.description()));
  }
}

class TomlTable {
 public:
  TomlTable(const toml::table& table, std::string file, std::string prefix)
      : table_(&table), file_(std::move(file)), prefix_(std::move(prefix)) {}

  /// "file:12: launch.grid"
  std::string where(const toml::node& node, std::string_view key) const {
    return fmt::format("{}:{}: {}", file_, node.source().begin.line, full(key));
  }
  std::string where() const { return fmt::format("{}:{}: {}", file_, table_->source().begin.line, prefix_); }

  /// Every key must be one of these.
  void allow_only(std::initializer_list<std::string_view> keys) const {
    for (const auto& [key, node] : *table_) {
      if (std::find(keys.begin(), keys.end(), key.str()) == keys.end()) {
        throw InputError(fmt::format("{}: unknown key; allowed are {}", where(node, key.str()), fmt::join(keys, ", ")));
      }
    }
  }

  const toml::node* find(std::string_view key) const { return table_->get(key); }
  bool has(std::string_view key) const { return find(key) != nullptr; }

  std::string text(std::string_view key) const { return string_of(need(key, "a string"), key); }
  std::string text_or(std::string_view key, const std::string& fallback) const {
    return has(key) ? text(key) : fallback;
  }
  bool flag_or(std::string_view key, bool fallback) const {
    const toml::node* node = find(key);
    if (!node) return fallback;
    const auto value = node->value_exact<bool>();
    if (!value) wrong(*node, key, "true or false");
    return *value;
  }
  std::uint64_t integer_or(std::string_view key, std::uint64_t fallback, std::uint64_t min, std::uint64_t max) const {
    const toml::node* node = find(key);
    if (!node) return fallback;
    const auto value = node->value_exact<std::int64_t>();
    if (!value || *value < 0 || static_cast<std::uint64_t>(*value) < min || static_cast<std::uint64_t>(*value) > max) {
      wrong(*node, key, fmt::format("an integer from {} to {}", min, max));
    }
    return static_cast<std::uint64_t>(*value);
  }

  /// An expression: a string, or a number written as one.
  ScenarioText expression(std::string_view key) const { return expression_of(need(key, "an expression"), key); }
  std::optional<ScenarioText> optional_expression(std::string_view key) const {
    if (!has(key)) return std::nullopt;
    return expression(key);
  }
  ScenarioText expression_of(const toml::node& node, std::string_view key) const {
    ScenarioText text{{}, where(node, key)};
    if (const auto s = node.value_exact<std::string>())
      text.text = *s;
    else if (const auto i = node.value_exact<std::int64_t>())
      text.text = std::to_string(*i);
    else if (const auto d = node.value_exact<double>())
      text.text = fmt::format("{}", *d);
    else
      wrong(node, key, "an expression: a string or a number");
    if (const auto real = node.value_exact<double>(); real && !std::isfinite(*real))
      wrong(node, key, "a finite number");
    if (node.is_floating_point() && text.text.find_first_of(".e") == std::string::npos) text.text += ".0";
    return text;
  }
  std::vector<ScenarioText> expressions(std::string_view key, std::size_t min, std::size_t max) const {
    std::vector<ScenarioText> list;
    const toml::node& node = need(key, "a list of expressions");
    if (const toml::array* array = node.as_array()) {
      for (const toml::node& element : *array) list.push_back(expression_of(element, key));
    } else {
      list.push_back(expression_of(node, key));
    }
    if (list.size() < min || list.size() > max) {
      wrong(node, key, min == max ? fmt::format("{} values", min) : fmt::format("{} to {} values", min, max));
    }
    return list;
  }

  /// One of the names; the position is returned.
  std::size_t choice(std::string_view key, const std::vector<std::string_view>& names, std::size_t fallback) const {
    const toml::node* node = find(key);
    if (!node) return fallback;
    const std::string value = string_of(*node, key);
    const auto found = std::find(names.begin(), names.end(), value);
    if (found == names.end()) {
      throw InputError(fmt::format("{} is '{}'; allowed are {}", where(*node, key), value, fmt::join(names, ", ")));
    }
    return static_cast<std::size_t>(found - names.begin());
  }
  ElementType element_type(std::string_view key) const {
    const toml::node& node = need(key, "a type");
    return element_type_of(string_of(node, key), where(node, key));
  }
  static ElementType element_type_of(const std::string& name, const std::string& where) {
    const auto type = parse_element_type(name);
    if (!type) throw InputError(fmt::format("{} is '{}'; allowed are {}", where, name, element_type_list()));
    return *type;
  }

  /// Child tables by name, in file order: [buffer.a], [buffer.b].
  std::vector<std::pair<std::string, TomlTable>> children(std::string_view key) const {
    std::vector<std::pair<std::string, TomlTable>> list;
    const toml::node* node = find(key);
    if (!node) return list;
    const toml::table* parent = node->as_table();
    if (!parent) wrong(*node, key, "a table");
    for (const auto& [name, child] : *parent) {
      const std::string child_name = fmt::format("{}.{}", full(key), name.str());
      const toml::table* table = child.as_table();
      if (!table)
        throw InputError(fmt::format("{}:{}: {} must be a table", file_, child.source().begin.line, child_name));
      list.emplace_back(std::string(name.str()), TomlTable(*table, file_, child_name));
    }
    // toml++ sorts keys; arguments depend on the order in which they are written.
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.second.position() < b.second.position(); });
    return list;
  }
  /// The tables of an array of tables: [[launch]].
  std::vector<TomlTable> array(std::string_view key) const {
    std::vector<TomlTable> list;
    const toml::node* node = find(key);
    if (!node) return list;
    const toml::array* array = node->as_array();
    if (!array) wrong(*node, key, "a list of tables");
    for (const toml::node& element : *array) {
      const toml::table* table = element.as_table();
      if (!table) wrong(element, key, "a list of tables");
      list.emplace_back(*table, file_, full(key));
    }
    return list;
  }

  [[noreturn]] void wrong(const toml::node& node, std::string_view key, const std::string& needed) const {
    throw InputError(fmt::format("{} must be {}", where(node, key), needed));
  }
  std::string string_of(const toml::node& node, std::string_view key) const {
    const auto value = node.value_exact<std::string>();
    if (!value) wrong(node, key, "a string");
    return *value;
  }
  const toml::table& table() const { return *table_; }
  const std::string& file() const { return file_; }

 private:
  std::pair<std::uint32_t, std::uint32_t> position() const {
    return {table_->source().begin.line, table_->source().begin.column};
  }
  std::string full(std::string_view key) const {
    return prefix_.empty() ? std::string(key) : fmt::format("{}.{}", prefix_, key);
  }
  const toml::node& need(std::string_view key, const char* what) const {
    const toml::node* node = find(key);
    if (!node) {
      throw InputError(
          fmt::format("{}:{}: {} is missing ({})", file_, std::max(1u, table_->source().begin.line), full(key), what));
    }
    return *node;
  }

  const toml::table* table_;
  std::string file_;
  std::string prefix_;
};

}  // namespace g80
