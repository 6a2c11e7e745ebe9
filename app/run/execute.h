// SPDX-License-Identifier: Apache-2.0
// One run from scenario to result, on the machine the options name; shared by `run` and `suite`.
#pragma once
#include <optional>
#include <string>

#include "app/run/run_options.h"
#include "hw/config/config.h"
#include "tb/events/event.h"
#include "tb/scenario/run_result.h"
#include "tb/scenario/run_scenario.h"
#include "tb/scenario/scenario.h"

namespace g80 {

class Debugger;

/// Refuses options that the model does not have, and file names with a wrong suffix, before anything runs.
void check_options(const CommonRunOptions& common);

/// The event that an option names; nothing without a text. Throws InputError.
std::optional<Event> event_option(const char* option, const std::string& text);

/// What makes a run repeatable, without the kernel.
RunManifest make_manifest(const CommonRunOptions& common, const std::string& device, const Config& config);

/// Runs `scenario` and fills the manifest. Throws what `debugger` throws when it ends the run.
RunResult execute(const Scenario& scenario, const CommonRunOptions& common, const RunOptions& options,
                  Debugger* debugger = nullptr);

}  // namespace g80
