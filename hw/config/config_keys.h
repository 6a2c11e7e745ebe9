// SPDX-License-Identifier: Apache-2.0
// The keys of config.def as data: name, allowed values, and access to the value in a Config.
// The loader, the JSON manifest, `g80 list` and the documentation use this list.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hw/config/config.h"

namespace g80 {

/// A value before it is checked against its key.
using ConfigValue = std::variant<bool, std::int64_t, double, std::string>;

/// One key. Numbers have a range, named choices a list of spellings.
struct ConfigKey {
  std::string_view section;
  std::string_view name;
  std::string_view type;  // u32, u64, f64, boolean, text, choice
  std::string_view unit;
  std::string_view doc;
  double min = 0;
  double max = 0;
  std::vector<std::string_view> choices;

  /// Stores a value; false, and nothing stored, if the type or the range does not fit.
  bool (*store)(Config&, const ConfigKey&, const ConfigValue&) = nullptr;
  ConfigValue (*load)(const Config&) = nullptr;

  std::string full_name() const;  // "dram.t_rcd"
  std::string allowed() const;    // "an integer from 1 to 255 (cycles)"
};

/// Every key, in the order of config.def.
const std::vector<ConfigKey>& config_keys();

/// Position in config_keys() of "section.name".
std::optional<std::size_t> find_config_key(std::string_view full_name);

/// The key name most like `full_name`, for "did you mean".
std::string nearest_config_key(std::string_view full_name);

/// Reads command-line text as the key's type: "0x20", "1350", "true", "xor". Text that is none stays text.
ConfigValue parse_config_value(const ConfigKey& key, const std::string& text);

/// A value as it is quoted in messages: 24, 1.5, true, 'abc'.
std::string quote_config_value(const ConfigValue& value);

}  // namespace g80
