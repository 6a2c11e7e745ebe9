// SPDX-License-Identifier: Apache-2.0
// Selects the RTL blocks of a machine: the option --rtl.
#pragma once
#include <string>

#include "hw/common/blocks.h"

namespace g80 {

/// Makes the blocks named in `list` (comma separated, or "all"; empty: none) RTL. Throws InputError with the allowed
/// names.
TwinTable select_twins(const std::string& list);

}  // namespace g80
