// SPDX-License-Identifier: Apache-2.0
// Values that override a configuration file, and their origin for messages.
#pragma once
#include <string>
#include <vector>

#include "hw/config/config.h"

namespace g80 {

struct ConfigOverride {
  std::string text;   // "dram.t_rcd=12"
  std::string where;  // for messages: "--set dram.t_rcd=12", "scenario.toml:7: config.dram.t_rcd"
};

/// load_config() with overrides from several places, applied in order. A message that there is no such preset says in
/// front of its name where it was given.
Config load_config_with(const std::string& preset_or_file, const std::vector<ConfigOverride>& overrides,
                        const std::string& given_as = "--device ");

}  // namespace g80
