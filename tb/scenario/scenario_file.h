// Reads scenario.toml (docs/scenario.md). Unknown keys, wrong types and values out of range are InputErrors with file,
// line and key.
#pragma once
#include <string>

#include "tb/scenario/scenario.h"

namespace g80 {

/// Reads the scenario file at `path`. Expressions are kept as text; their syntax is checked when arguments are known.
Scenario read_scenario(const std::string& path);

}  // namespace g80
