// SPDX-License-Identifier: Apache-2.0
// The views of the waves/ folder: questions about the machine, and the signals that answer them, in pipeline order.
#pragma once
#include <vector>

#include "tb/waves/wave_view.h"

namespace g80 {

/// In the order of waves/README.md.
std::vector<ViewSpec> standard_views();

}  // namespace g80
