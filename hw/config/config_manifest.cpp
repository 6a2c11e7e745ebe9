// SPDX-License-Identifier: Apache-2.0
// The resolved configuration as text: what goes into every statistics and report file, and the hash that names it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "hw/common/fnv.h"
#include "hw/config/config.h"
#include "hw/config/config_keys.h"

namespace g80 {

std::string resolved_config_json(const Config& config) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const ConfigKey& key : config_keys()) {
    auto& slot = json[std::string(key.section)][std::string(key.name)];
    std::visit([&slot](const auto& value) { slot = value; }, key.load(config));
  }
  return json.dump(2);
}

std::string config_hash(const Config& config) { return fmt::format("{:016x}", fnv1a(resolved_config_json(config))); }

}  // namespace g80
