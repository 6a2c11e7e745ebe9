// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace g80 {

/// Writes a whole file. Throws SourceError naming it if it cannot be written.
void write_output_file(const std::string& path, std::string_view content);

}  // namespace g80
