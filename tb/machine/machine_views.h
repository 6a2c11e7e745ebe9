// SPDX-License-Identifier: Apache-2.0
// Generates the GTKWave views of the waves/ folder from a machine.
#pragma once
#include <string>
#include <vector>

#include "hw/config/config.h"

namespace g80 {

/// Folder of the views' filters for a GTKWave started in the project's root.
inline constexpr const char* kViewFilters = "waves/filters";

/// Builds the machine and writes its standard views, with the filters they need, into `dir`. Returns the files. Throws
/// WaveError if a view names a block or signal that the machine does not have.
std::vector<std::string> write_machine_views(const Config& config, const std::string& dir);

}  // namespace g80
