// One run from scenario to result, on the machine the options name; shared by `run` and `suite`.
#pragma once
#include "hw/config/config.h"
#include "tb/main/commands.h"
#include "tb/report/run_result.h"
#include "tb/scenario/run_scenario.h"
#include "tb/scenario/scenario.h"

namespace g80 {

/// Refuses options that the model does not have, and file names with a wrong suffix, before anything runs.
void check_options(const CommonRunOptions& common);

/// What makes a run repeatable, without the kernel.
RunManifest make_manifest(const CommonRunOptions& common, const std::string& device, const Config& config);

/// Runs `scenario` and fills the manifest.
RunResult execute(const Scenario& scenario, const CommonRunOptions& common, const RunOptions& options);

}  // namespace g80
