// SPDX-License-Identifier: Apache-2.0
// One run, from scenario to result, on the machine that the options select; for `run` and `suite`.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/run/run_options.h"
#include "hw/config/config.h"
#include "tb/events/event.h"
#include "tb/scenario/run_result.h"
#include "tb/scenario/run_scenario.h"
#include "tb/scenario/scenario.h"

namespace g80 {

class Debugger;

/// Options and the files that they write; an empty name is none.
using Outputs = std::vector<std::pair<std::string, std::string>>;
Outputs outputs_of(const CommonRunOptions& common);
/// Throws InputError if a file cannot be written, or if two options name the same one.
void check_outputs(const Outputs& outputs);

/// Rejects options that the model does not support and file names with a wrong suffix, before the run.
void check_options(const CommonRunOptions& common);

/// The event in an option's value; none if the value is empty. Throws InputError.
std::optional<Event> event_option(const char* option, const std::string& text);

/// With --rtl, prints to standard error what nobody has compared. For a run that is not held against recorded cycles.
void print_rtl_note(const SimulationOptions& sim);

/// Prints the command that opens a wave with the project's views, from the current folder.
void print_viewer_command(const std::string& kernel, const std::string& wave);

/// The data needed to repeat the run, except the kernel.
RunManifest make_manifest(const CommonRunOptions& common, const std::string& device, const Config& config);

/// A run may take minutes: shows its progress if standard error is a terminal, unless it prints other lines meanwhile.
void show_progress(CommonRunOptions& common);

/// Runs `scenario` and fills the manifest. Passes on the exception with which `debugger` ends the run.
RunResult execute(const Scenario& scenario, const CommonRunOptions& common, const RunOptions& options,
                  Debugger* debugger = nullptr);

}  // namespace g80
