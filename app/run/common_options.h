// SPDX-License-Identifier: Apache-2.0
// The options that every simulation has, whoever starts it: `g80 run`, `g80 suite`, a CUDA program's environment.
#pragma once
#include <string>

#include "app/run/run_options.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace g80 {

void add_common_options(CLI::App& app, CommonRunOptions& common);

/// What is wrong with a command line; of an option that does not exist, with the nearest that does.
std::string mistake_text(const CLI::App& app, const CLI::ParseError& error);

/// The options in a text as a shell would split it; `name` is where it comes from, for messages. Throws InputError.
CommonRunOptions parse_common_options(const std::string& text, const std::string& name);

}  // namespace g80
