// SPDX-License-Identifier: Apache-2.0
// What must hold between keys: combinations that no hardware could be built for, or that the model would misread.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "hw/config/config.h"

namespace g80 {

/// Throws ConfigError at the first broken rule. `where` names the place a key's value came from.
void check_config_rules(const Config& config, const std::function<std::string(std::string_view full_name)>& where);

}  // namespace g80
