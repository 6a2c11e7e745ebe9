// SPDX-License-Identifier: Apache-2.0
// Reads scenario.toml (docs/scenario.md). Unknown keys, wrong types and values out of range are InputErrors with file,
// line and key.
#pragma once
#include <string>

#include "tb/scenario/scenario.h"

namespace g80 {

/// Reads the scenario file at `path`. Expressions are kept as text; their syntax is checked when arguments are known.
Scenario read_scenario(const std::string& path);

/// Check rules for scenario files and the command line: the name of an argument or buffer must be usable in an
/// expression and unique. Throw InputError.
void check_name(const std::string& name, const std::string& where);
void check_unique(const Scenario& scenario);

}  // namespace g80
