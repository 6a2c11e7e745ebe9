// SPDX-License-Identifier: Apache-2.0
#include "hw/config/config_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>
#include <unordered_map>

namespace g80 {
namespace {

// One overload per type a member of Config can have. A number fits when it is in range; a real never fits an integer.
template <class Number>
bool store_value(Number& slot, const ConfigKey& key, const ConfigValue& value) {
  double number = 0;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    number = static_cast<double>(*integer);
  } else if (const auto* real = std::get_if<double>(&value); real != nullptr && std::is_floating_point_v<Number>) {
    number = *real;
  } else {
    return false;
  }
  if (!(number >= key.min && number <= key.max)) return false;  // written so that NaN fails
  slot = static_cast<Number>(number);
  return true;
}
bool store_value(bool& slot, const ConfigKey&, const ConfigValue& value) {
  const auto* flag = std::get_if<bool>(&value);
  if (flag != nullptr) slot = *flag;
  return flag != nullptr;
}
bool store_value(std::string& slot, const ConfigKey&, const ConfigValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  const auto printable = [](char c) { return c >= ' ' && c <= '~'; };
  if (text == nullptr || text->empty() || !std::all_of(text->begin(), text->end(), printable)) return false;
  slot = *text;
  return true;
}
template <class Enum>
bool store_choice(Enum& slot, const ConfigValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  const std::optional<Enum> choice = text != nullptr ? from_text<Enum>(*text) : std::nullopt;
  if (choice) slot = *choice;
  return choice.has_value();
}

ConfigValue load_value(bool value) { return value; }
ConfigValue load_value(double value) { return value; }
ConfigValue load_value(const std::string& value) { return value; }
ConfigValue load_value(std::uint32_t value) { return static_cast<std::int64_t>(value); }
ConfigValue load_value(std::uint64_t value) { return static_cast<std::int64_t>(value); }

template <class Enum>
std::vector<std::string_view> spellings() {
  std::vector<std::string_view> texts;
  for (const Choice<Enum>& choice : choices(Enum{})) texts.push_back(choice.text);
  return texts;
}

std::vector<ConfigKey> make_keys() {
  std::vector<ConfigKey> keys;
#define BEGIN(section)
#define END(section)
#define TEXT(section, name, doc)                                                       \
  keys.push_back({#section,                                                            \
                  #name,                                                               \
                  "text",                                                              \
                  "",                                                                  \
                  doc,                                                                 \
                  0,                                                                   \
                  0,                                                                   \
                  {},                                                                  \
                  [](Config& config, const ConfigKey& key, const ConfigValue& value) { \
                    return store_value(config.section.name, key, value);               \
                  },                                                                   \
                  [](const Config& config) { return load_value(config.section.name); }});
#define KEY(section, name, type, unit, min, max, doc)                                  \
  static_assert(min <= max, "empty range");                                            \
  keys.push_back({#section,                                                            \
                  #name,                                                               \
                  #type,                                                               \
                  unit,                                                                \
                  doc,                                                                 \
                  min,                                                                 \
                  max,                                                                 \
                  {},                                                                  \
                  [](Config& config, const ConfigKey& key, const ConfigValue& value) { \
                    return store_value(config.section.name, key, value);               \
                  },                                                                   \
                  [](const Config& config) { return load_value(config.section.name); }});
#define ENUM(section, name, type, doc)                                             \
  keys.push_back({#section, #name, "choice", "", doc, 0, 0, spellings<type>(),     \
                  [](Config& config, const ConfigKey&, const ConfigValue& value) { \
                    return store_choice(config.section.name, value);               \
                  },                                                               \
                  [](const Config& config) { return load_value(std::string(to_text(config.section.name))); }});
#include "hw/config/config.def"
#include "input/nearest_name.h"
#undef BEGIN
#undef END
#undef TEXT
#undef KEY
#undef ENUM
  return keys;
}

std::string_view after_dot(std::string_view full_name) {
  const std::size_t dot = full_name.find('.');
  return dot == std::string_view::npos ? full_name : full_name.substr(dot + 1);
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  if (hex) text.remove_prefix(2);
  if (text.empty() || text.front() == '-') return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, hex ? 16 : 10);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return negative ? -number : number;
}

std::optional<double> parse_real(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string ConfigKey::full_name() const { return fmt::format("{}.{}", section, name); }

std::string ConfigKey::allowed() const {
  if (type == "boolean") return "true or false";
  if (type == "text") return "a text of printable characters";
  if (type == "choice") return fmt::format("one of {}", fmt::join(choices, ", "));
  const std::string suffix = unit.empty() ? "" : fmt::format(" ({})", unit);
  if (min == max) return fmt::format("{:.0f}{}", min, suffix);
  return fmt::format("{} from {:.0f} to {:.0f}{}", type == "f64" ? "a number" : "an integer", min, max, suffix);
}

const std::vector<ConfigKey>& config_keys() {
  static const std::vector<ConfigKey> keys = make_keys();
  return keys;
}

std::optional<std::size_t> find_config_key(std::string_view full_name) {
  static const std::unordered_map<std::string, std::size_t> positions = [] {
    std::unordered_map<std::string, std::size_t> map;
    for (std::size_t i = 0; i < config_keys().size(); ++i) map.emplace(config_keys()[i].full_name(), i);
    return map;
  }();
  const auto found = positions.find(std::string(full_name));
  if (found == positions.end()) return std::nullopt;
  return found->second;
}

std::string nearest_config_key(std::string_view full_name) {
  // If the part after the dot is a key of another section, only the section is wrong: "sm.t_rcd" means dram.t_rcd.
  std::vector<std::string> candidates;
  for (const ConfigKey& key : config_keys()) {
    if (key.name == after_dot(full_name)) candidates.push_back(key.full_name());
  }
  if (candidates.empty()) {
    for (const ConfigKey& key : config_keys()) candidates.push_back(key.full_name());
  }
  return nearest_name(full_name, candidates);
}

ConfigValue parse_config_value(const ConfigKey& key, const std::string& text) {
  if (key.type == "boolean") {
    if (text == "true" || text == "1") return true;
    if (text == "false" || text == "0") return false;
  } else if (key.type == "f64") {
    // A larger number, which fits no key, would be shown with other digits than it is written with.
    if (const auto number = parse_real(text); number && !(std::abs(*number) > 0x1p53)) return *number;
  } else if (key.type == "u32" || key.type == "u64") {
    if (const auto number = parse_integer(text)) return *number;
  }
  return text;
}

std::string quote_config_value(const ConfigValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return fmt::format("'{}'", *text);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  return fmt::format("{}", std::get<std::int64_t>(value));
}

}  // namespace g80
