// SPDX-License-Identifier: Apache-2.0
// Selects the RTL blocks of a machine: the options --rtl and --rtl-check.
#pragma once
#include <string>

#include "hw/common/blocks.h"

namespace g80 {

/// Whether this program was built with RTL.
bool has_twins();

/// Makes the blocks named in `list` (comma separated; "sm": those of a multiprocessor, as one model; "all"; empty:
/// none) RTL, and puts their twins beside those named in `beside`. Throws InputError with the allowed names, or at a
/// block that is chosen twice.
TwinTable select_twins(const std::string& list, const std::string& beside = {});

}  // namespace g80
