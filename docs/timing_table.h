// SPDX-License-Identifier: Apache-2.0
// docs/timing.md as text: every latency, rate and size of the real devices, with its source and how well it is known.
// docs/delays.md as text: what the keys that add cycles stand for, and how the machine builds them.
//
// Walks config_keys() and the origins of the presets, so a new key appears by itself. The committed page is what the
// program timing_doc prints; a test compares them.
#pragma once
#include <string>

#include "hw/config/config.h"
#include "hw/config/config_keys.h"

namespace g80 {

/// Whether a key is a time or a rate; the others are sizes and policies.
bool is_timing_key(const ConfigKey& key);

/// The whole page in Markdown.
std::string timing_page();
std::string delays_page();

}  // namespace g80
