// SPDX-License-Identifier: Apache-2.0
// Recorded buffer contents: a text file with one section per buffer, readable in a diff.
//
//   g80-golden 1
//   buffer c f32 1000
//   3f800000 40000000 ...        (elements as hexadecimal bits, eight to a line)
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tb/scenario/buffer_data.h"

namespace g80 {

void write_recorded_golden(const std::string& path, const std::vector<Buffer>& buffers);

/// Bytes by buffer name. Throws InputError naming file and line.
std::map<std::string, std::vector<std::uint8_t>> read_recorded_golden(const std::string& path);

}  // namespace g80
