// SPDX-License-Identifier: Apache-2.0
// The options of every simulation: of `g80 run`, `g80 suite` and the environment of a CUDA program.
#pragma once
#include <string>

#include "app/run/run_options.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace g80 {

void add_common_options(CLI::App& app, CommonRunOptions& common);

/// Describes an error of a command line; for an unknown option it suggests the most similar one.
std::string mistake_text(const CLI::App& app, const CLI::ParseError& error);
/// Throws if an argument is an empty word: a script's variable that has no value.
void check_arguments(const CLI::App& app);

/// Parses options in a text, split as a shell does; messages name the text's source `name`. Throws InputError.
CommonRunOptions parse_common_options(const std::string& text, const std::string& name);

}  // namespace g80
