// SPDX-License-Identifier: Apache-2.0
// Turns exceptions and signals into messages and exit codes, for every program that runs the machine.
#pragma once
#include <string_view>

namespace g80 {

/// Prints a message to standard error, with unprintable bytes escaped; returns the code.
int report_failure(std::string_view what, int code);

/// In a catch block: prints the exception's message and returns its exit code.
int report_exception();

}  // namespace g80
