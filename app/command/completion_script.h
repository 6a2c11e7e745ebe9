// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace CLI {
class App;
}

namespace g80 {

/// A script for bash that completes commands, options, their choices and files: the same options as --help has.
std::string completion_script(const CLI::App& program);

}  // namespace g80
