// SPDX-License-Identifier: Apache-2.0
// Rules between keys: reject combinations for which no hardware could be built or which the model does not support.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "hw/config/config.h"

namespace g80 {

/// Throws ConfigError at the first broken rule. `where` names the place a key's value came from.
void check_config_rules(const Config& config, const std::function<std::string(std::string_view full_name)>& where);

/// Between two commands to one bank of the DRAM, at least: the controller's choice takes them.
inline constexpr std::uint32_t kBankCommandClocks = 2;

/// DRAM clocks until a row is opened, has moved a burst, and is closed with all other rows: from the first ACT after a
/// refresh to the next REF, at most. Each PRE takes the command bus for a clock.
std::uint32_t longest_row_use(const Config& config);

}  // namespace g80
