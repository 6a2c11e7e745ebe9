// SPDX-License-Identifier: Apache-2.0
// Manual pages and completion scripts, made of the same options as --help.
#pragma once
#include <string>

namespace CLI {
class App;
}

namespace g80 {

/// Writes the pages of the program and of each command into a folder, in the language of man(7). Throws InputError.
void write_manual_pages(const CLI::App& program, const std::string& folder);

/// A script for bash, zsh or fish that completes commands, options, their choices and files. `shell` is one of these.
std::string completion_script(const CLI::App& program, const std::string& shell);

}  // namespace g80
