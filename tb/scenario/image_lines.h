// SPDX-License-Identifier: Apache-2.0
// Fills and copies of lines in the reference's memory.
#pragma once
#include <cstring>

#include "tb/driver/memory_layout.h"
#include "tb/golden/memory_image.h"

namespace g80 {

/// Byte i of a line becomes byte (address mod 4) of `word`.
inline void fill_lines(golden::MemoryImage& image, const Lines& lines, std::uint32_t word) {
  for (std::uint32_t line = 0; line < lines.count; ++line) {
    const std::uint32_t address = lines.address + line * lines.pitch, misaligned = 8 * (address % 4);
    const std::uint32_t pattern = misaligned == 0 ? word : word >> misaligned | word << (32 - misaligned);
    std::uint8_t* const bytes = image.at(address);
    for (std::uint32_t i = 0; i < lines.bytes; i += 4)
      std::memcpy(bytes + i, &pattern, lines.bytes - i < 4 ? lines.bytes - i : 4);
  }
}

/// Between lines of equal number and length that do not overlap.
inline void copy_lines(golden::MemoryImage& image, const Lines& to, const Lines& from) {
  for (std::uint32_t line = 0; line < to.count; ++line)
    std::memcpy(image.at(to.address + line * to.pitch), image.at(from.address + line * from.pitch), to.bytes);
}

}  // namespace g80
