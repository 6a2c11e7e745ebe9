// SPDX-License-Identifier: Apache-2.0
// Where the time of a run went: the instructions and the source lines at which warps waited longest.
#pragma once
#include <string>

#include "tb/scenario/run_result.h"

namespace g80 {

/// For each kernel the first `count` instructions, and lines, by scheduler cycles in which nothing issued because a
/// warp waited there. Launches of one kernel are summed. Empty without pc counters. A terminal of a small `width` gets
/// fewer columns; source lines may be longer than it.
std::string hot_listing(const RunResult& result, unsigned count, std::size_t width = 0);

}  // namespace g80
