// SPDX-License-Identifier: Apache-2.0
// Additional runs of the same scenario, for example to find the cycle of an event. They print and write nothing else.
#pragma once
#include <cstdint>
#include <optional>

#include "app/run/run_options.h"
#include "hw/config/config.h"
#include "tb/events/event.h"
#include "tb/scenario/run_scenario.h"
#include "tb/scenario/scenario.h"
#include "toolchain/cubin/module.h"

namespace g80 {

/// The options of such a run: no waves, traces, timelines, progress or shell.
CommonRunOptions silent(CommonRunOptions common);
RunOptions silent(RunOptions options);

/// The shader cycle at which the event happens first; nothing if the run ends without it.
std::optional<std::uint64_t> find_event(const Event& event, const Scenario& scenario, const Module& module,
                                        const Config& config, const CommonRunOptions& common,
                                        const RunOptions& options);

}  // namespace g80
