// SPDX-License-Identifier: Apache-2.0
// Placement of allocations, and the shape of what a copy moves in device memory.
#pragma once
#include <cstdint>
#include <optional>

#include "hw/common/block_linear.h"

namespace g80 {

enum class Placement : std::uint8_t {
  kGuarded,  // with unmapped addresses after it, so that an index past its end faults
  kHeap,     // directly after the previous one: from kHeapStart on, apart from code, constants and local memory
  kLast,     // guarded, at the end of device memory: the addresses of the others do not depend on it
};

/// Within the first page table, and above all that a program without huge variables has guarded.
inline constexpr std::uint32_t kHeapStart = 0x1000'0000;
/// Below the heap.
inline constexpr std::uint32_t kLastStart = 0x0c00'0000;

/// A block-linear surface (docs/texture.md, section 2).
struct SurfaceShape {
  std::uint32_t width = 0, height = 1, depth = 1;  // bytes, lines, slices
  BlockShape block = {};
  std::uint64_t bytes() const {
    const std::uint64_t layers = (depth + BlockShape::low(block.depth)) >> block.depth;
    return layers * block.rows(height) * block.row_bytes(width);
  }
};
/// A place in one.
struct SurfacePlace {
  SurfaceShape shape = {};
  std::uint32_t x = 0, y = 0, z = 0;  // byte, line, slice
};

/// `count` lines of `bytes` bytes, `pitch` apart, or one below the other in a slice of a block-linear surface.
struct Lines {
  std::uint32_t address = 0;  // of the first line, or of the surface
  std::uint32_t bytes = 0;
  std::uint32_t count = 1;
  std::uint32_t pitch = 0;
  std::optional<SurfacePlace> surface = {};  // where the first line begins
  /// From the first byte to the last one; of the whole surface.
  std::uint64_t extent() const {
    return count == 0 ? 0 : surface ? surface->shape.bytes() : std::uint64_t{count - 1} * pitch + bytes;
  }
};

constexpr std::uint32_t lowest_address(Placement placement) {
  return placement == Placement::kHeap ? kHeapStart : placement == Placement::kLast ? kLastStart : 0;
}

}  // namespace g80
