// SPDX-License-Identifier: Apache-2.0
// Block-linear surfaces, counted in tiles: the reference's own way to docs/texture.md, section 2.
#pragma once
#include <cstdint>

namespace g80::golden {

struct BlockLinearSurface {
  std::uint64_t width = 0, height = 1;           // bytes, lines
  std::uint64_t gobs_high = 1, slices_deep = 1;  // of a block

  /// Bytes from the first one of the surface to byte x of line y of slice z.
  std::uint64_t offset(std::uint64_t x, std::uint64_t y, std::uint64_t z) const {
    constexpr std::uint64_t kGobBytes = 64, kGobLines = 4;  // a GOB's width and height
    const std::uint64_t block_lines = kGobLines * gobs_high;
    const std::uint64_t blocks_across = (width + kGobBytes - 1) / kGobBytes;
    const std::uint64_t blocks_down = (height + block_lines - 1) / block_lines;
    const std::uint64_t block = (z / slices_deep * blocks_down + y / block_lines) * blocks_across + x / kGobBytes;
    const std::uint64_t gob = (block * slices_deep + z % slices_deep) * gobs_high + y % block_lines / kGobLines;
    return (gob * kGobLines + y % kGobLines) * kGobBytes + x % kGobBytes;
  }
};

}  // namespace g80::golden
