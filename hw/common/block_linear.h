// SPDX-License-Identifier: Apache-2.0
// Where a byte of a block-linear surface lies (docs/texture.md, section 2): in a row of blocks, whose number and whose
// bytes take products as those of a pitch do, at an offset that is put together from bits of x, y and z.
#pragma once
#include <cstdint>

#include "hw/common/field_list.h"

namespace g80 {

/// A block: GOBs of 64 bytes by 4 lines, `1 << height` of them one below the other, in each of `1 << depth` slices.
struct BlockShape {
  std::uint8_t height = 0, depth = 0;

  static constexpr unsigned kGobWidthBits = 6, kGobLineBits = 2, kMostBits = 5;
  unsigned line_bits() const { return kGobLineBits + height; }                      // of a line's number in the block
  unsigned slice_bits() const { return kGobWidthBits + line_bits(); }               // of an offset in one slice
  unsigned bits() const { return slice_bits() + depth; }                            // of an offset in the block
  static constexpr std::uint32_t low(unsigned count) { return (1u << count) - 1; }  // a mask

  /// Of a surface `width` bytes wide and `height` lines high: the bytes of a row of blocks, and the rows of a layer.
  std::uint32_t row_bytes(std::uint32_t width) const { return (width + low(kGobWidthBits)) >> kGobWidthBits << bits(); }
  std::uint32_t rows(std::uint32_t lines) const { return (lines + low(line_bits())) >> line_bits(); }
  /// The row of blocks that holds line y of slice z, counted from the surface's first one.
  std::uint32_t row_of(std::uint32_t y, std::uint32_t z, std::uint32_t rows_of_layer) const {
    return (z >> depth) * rows_of_layer + (y >> line_bits());
  }
  /// From the beginning of that row: the block's number, the slice in it, the line in that, the byte in the line. The
  /// GOBs of a slice follow each other, so lines do too.
  std::uint32_t offset_in_row(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    return x >> kGobWidthBits << bits() | (z & low(depth)) << slice_bits() | (y & low(line_bits())) << kGobWidthBits |
           (x & low(kGobWidthBits));
  }
  G80_FIELDS((height, 3), (depth, 3));
};

}  // namespace g80
