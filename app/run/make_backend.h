// SPDX-License-Identifier: Apache-2.0
// Which machine a run gets.
#pragma once
#include <memory>

#include "app/run/run_options.h"
#include "hw/config/config.h"
#include "tb/scenario/backend.h"

namespace g80 {

class Debugger;

/// Throws InputError if an option is given that the chosen model does not have.
void check_model_options(const CommonRunOptions& common);

std::unique_ptr<Backend> make_backend(const CommonRunOptions& common, const Config& config,
                                      Debugger* debugger = nullptr);

}  // namespace g80
