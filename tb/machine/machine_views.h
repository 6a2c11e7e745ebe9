// SPDX-License-Identifier: Apache-2.0
// Generates the GTKWave views of the waves/ folder from a machine.
#pragma once
#include <string>
#include <vector>

#include "hw/common/types.h"
#include "hw/config/config.h"

namespace g80 {

class GpuBackend;

/// Folder of the views' filters for a GTKWave started in the project's root.
inline constexpr const char* kViewFilters = "waves/filters";

/// Builds the machine and writes its standard views, with the filters they need, into `dir`. Returns the files. Throws
/// WaveError if a view names a block or signal that the machine does not have.
std::vector<std::string> write_machine_views(const Config& config, const std::string& dir);

/// One view for a wave of that machine: the overview, opened from `start` to `end` with the marker at `marker`. `lines`
/// is the filter file of its source lines.
void write_failure_view(const GpuBackend& machine, const std::string& file, const std::string& filters,
                        const std::string& lines, Picoseconds start, Picoseconds marker, Picoseconds end);

}  // namespace g80
