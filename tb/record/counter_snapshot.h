// SPDX-License-Identifier: Apache-2.0
// The machine's counters at one moment; the difference of two snapshots gives the counters of a launch.
#pragma once
#include <vector>

#include "hw/gpu/gpu.h"
#include "tb/record/stall_cycles.h"
#include "tb/scenario/run_result.h"

namespace g80 {

struct CounterSnapshot {
  using Values = std::vector<std::uint64_t>;  // in the order of tb/record/counters.def
  std::vector<StallCycles> stall;             // of each SM
  std::vector<Values> sm, tpc, partition;
  Values chip;
};

CounterSnapshot take_counters(Gpu& gpu);

/// A launch begins: executing_cycles() counts from its first issue.
void begin_launch(Gpu& gpu);
/// Shader cycles from the first issue of the launch on any SM to the last retirement so far; 0 without an issue.
std::uint64_t executing_cycles(Gpu& gpu);

/// What happened between two snapshots. `shader_cycles` of the launch: cycles outside it, in which no warp is resident,
/// are subtracted from the "no warp" stalls, so that each SM's columns add up to the launch's scheduler cycles.
void fill_counters(const CounterSnapshot& before, const CounterSnapshot& after, std::uint64_t shader_cycles,
                   bool segment_rule, LaunchResult& result);

}  // namespace g80
