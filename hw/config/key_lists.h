// SPDX-License-Identifier: Apache-2.0
// What `g80 list` prints of a configuration: keys with their values and sources, what takes their cycles, and the
// quantities that are no keys, because they follow from lanes, stages and keys.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "hw/config/config.h"

namespace g80 {

/// Each key: value on the device, meaning and range; how the value is known.
std::string key_list(const std::string& device);
/// Each key that adds cycles: value on the device, form in the model, hardware, where; how the value is known.
std::string delay_list(const std::string& device);

struct Quantity {
  std::string_view what, follows_from;
  std::string value;
};
std::vector<Quantity> quantities(const Config& config);
std::string quantity_list(const std::string& device);

}  // namespace g80
