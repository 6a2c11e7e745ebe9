// SPDX-License-Identifier: Apache-2.0
// Creates the machine for a run.
#pragma once
#include <memory>

#include "app/run/run_options.h"
#include "hw/config/config.h"
#include "tb/scenario/backend.h"

namespace g80 {

class Debugger;

/// Throws InputError if the chosen model does not support an option.
void check_model_options(const CommonRunOptions& common);

std::unique_ptr<Backend> make_backend(const CommonRunOptions& common, const Config& config,
                                      Debugger* debugger = nullptr);

}  // namespace g80
