// SPDX-License-Identifier: Apache-2.0
// Fills and copies of lines in the reference's memory.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>

#include <vector>

#include "tb/driver/memory_layout.h"
#include "tb/golden/block_linear.h"
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

/// Calls visit(line, first, address, count) for each part of the lines that lies together in memory: `count` bytes from
/// byte `first` of the line on.
template <class Visit>
void for_each_part(const Lines& lines, const Visit& visit) {
  constexpr std::uint32_t kTogether = 64;  // bytes in a line of a block-linear surface
  for (std::uint32_t line = 0; line < lines.count; ++line) {
    if (!lines.surface) {
      visit(line, 0, lines.address + line * lines.pitch, lines.bytes);
      continue;
    }
    const auto& [shape, x, y, z] = *lines.surface;
    const golden::BlockLinearSurface surface{shape.width, shape.height, 1u << shape.block.height,
                                             1u << shape.block.depth};
    for (std::uint32_t first = 0; first < lines.bytes;) {
      const std::uint32_t count = std::min(lines.bytes - first, kTogether - (x + first) % kTogether);
      visit(line, first, static_cast<std::uint32_t>(lines.address + surface.offset(x + first, y + line, z)), count);
      first += count;
    }
  }
}

/// From and to lines of the host that are `pitch` bytes apart.
inline void put_lines(golden::MemoryImage& image, const Lines& to, const void* bytes, std::size_t pitch) {
  for_each_part(to, [&](std::uint32_t line, std::uint32_t first, std::uint32_t address, std::uint32_t count) {
    std::memcpy(image.at(address), static_cast<const std::uint8_t*>(bytes) + line * pitch + first, count);
  });
}
inline void get_lines(golden::MemoryImage& image, const Lines& from, void* bytes, std::size_t pitch) {
  for_each_part(from, [&](std::uint32_t line, std::uint32_t first, std::uint32_t address, std::uint32_t count) {
    std::memcpy(static_cast<std::uint8_t*>(bytes) + line * pitch + first, image.at(address), count);
  });
}

/// Between lines of equal number and length that do not overlap.
inline void copy_lines(golden::MemoryImage& image, const Lines& to, const Lines& from) {
  const auto one_of = [](const Lines& lines, std::uint32_t line) {
    Lines one = lines;
    one.count = 1;
    (one.surface ? one.surface->y : one.address) += one.surface ? line : line * lines.pitch;
    return one;
  };
  std::vector<std::uint8_t> bytes(from.bytes);
  for (std::uint32_t line = 0; line < to.count; ++line) {
    get_lines(image, one_of(from, line), bytes.data(), 0);
    put_lines(image, one_of(to, line), bytes.data(), 0);
  }
}

}  // namespace g80
