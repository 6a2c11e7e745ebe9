// SPDX-License-Identifier: Apache-2.0
// Stall cycles as reports show them: of a launch, over its time, and of each instruction. The SMs charge every
// scheduler cycle to one reason: hw/sm/stall_account.h.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "hw/bundles/sm_state.h"
#include "tb/scenario/run_result.h"

namespace g80 {

using StallCycles = decltype(SmCounterBank::stall);  // by reason; kIssued counts the issues

/// "memory_queue"
std::string stall_name(StallReason reason);
/// Each reason but kIssued, with its name.
std::vector<NamedCount> named_stalls(const StallCycles& cycles);
/// What was charged between two readings in a launch of so many scheduler cycles, of one SM or of several. More than
/// these are cycles outside of the launch, in which no warp is resident.
StallCycles stalls_of_launch(const StallCycles& before, const StallCycles& after, std::uint64_t scheduler_cycles);

}  // namespace g80
