// SPDX-License-Identifier: Apache-2.0
// Mistakes, broken checks and signals to messages and exit codes: in one place for every program that runs the machine.
#pragma once
#include <string_view>

namespace g80 {

/// Prints a message on standard error, as much of it as is fit to print; returns the code.
int report_failure(std::string_view what, int code);

/// Inside a catch block: prints what happened and returns the exit code for it.
int report_exception();

}  // namespace g80
