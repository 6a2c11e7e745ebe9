// SPDX-License-Identifier: Apache-2.0
// The text that the CUDA SDK's deviceQuery prints for a device.
#pragma once
#include <string>

#include "hw/config/config.h"

namespace g80 {

/// From "There is 1 device supporting CUDA" to "Test PASSED", ending in a newline.
std::string device_query_text(const Config& config);

}  // namespace g80
