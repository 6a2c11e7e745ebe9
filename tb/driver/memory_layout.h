// SPDX-License-Identifier: Apache-2.0
// Placement of allocations, and the shape of copies inside device memory.
#pragma once
#include <cstdint>

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

/// `count` lines of `bytes` bytes, `pitch` apart.
struct Lines {
  std::uint32_t address = 0;  // of the first line
  std::uint32_t bytes = 0;
  std::uint32_t count = 1;
  std::uint32_t pitch = 0;
  /// From the first byte to the last one.
  std::uint64_t extent() const { return count == 0 ? 0 : std::uint64_t{count - 1} * pitch + bytes; }
};

constexpr std::uint32_t lowest_address(Placement placement) {
  return placement == Placement::kHeap ? kHeapStart : placement == Placement::kLast ? kLastStart : 0;
}

}  // namespace g80
