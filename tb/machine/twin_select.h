// SPDX-License-Identifier: Apache-2.0
// Selects the RTL blocks of a machine: the option --rtl.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "hw/sm/block_factory.h"

namespace g80 {

struct TwinInfo {
  const char* name;     // as --rtl spells it
  const char* source;   // the twin
  const char* decides;  // one line
};
/// Every block that has a twin, by name.
const std::vector<TwinInfo>& twins();

/// Makes the blocks named in `list` (comma separated, or "all"; empty: none) as RTL, the others in SystemC. Throws
/// InputError with the allowed names.
std::unique_ptr<const BlockFactory> select_twins(const std::string& list);

}  // namespace g80
