// SPDX-License-Identifier: Apache-2.0
// A sparse flat 4 GB image of device memory with the map of valid allocations.
#pragma once
#include <cstdint>
#include <cstring>
#include <vector>

namespace g80::golden {

class MemoryImage {
 public:
  MemoryImage();  // all zero, nothing valid
  ~MemoryImage();
  MemoryImage(const MemoryImage&) = delete;
  MemoryImage& operator=(const MemoryImage&) = delete;

  /// Makes [address, address + bytes) valid. Ranges may touch and overlap; they are merged.
  void allow(std::uint32_t address, std::uint64_t bytes);
  /// Makes [address, address + bytes) invalid; the contents stay.
  void forbid(std::uint32_t address, std::uint64_t bytes);
  /// True if every byte of the range is valid.
  bool contains(std::uint32_t address, std::uint32_t bytes) const {
    const Range& r = ranges_[last_];
    if (address >= r.begin && address + std::uint64_t{bytes} <= r.end) return true;
    return find(address, bytes);
  }

  /// The bytes from `address` to the end of the 4 GB; contents of invalid ranges may be read and written too.
  std::uint8_t* at(std::uint32_t address) { return base_ + address; }
  const std::uint8_t* at(std::uint32_t address) const { return base_ + address; }
  std::uint32_t word(std::uint32_t address) const {
    std::uint32_t w;
    std::memcpy(&w, base_ + address, sizeof w);
    return w;
  }
  void set_word(std::uint32_t address, std::uint32_t value) { std::memcpy(base_ + address, &value, sizeof value); }

 private:
  struct Range {
    std::uint64_t begin, end;
  };
  bool find(std::uint32_t address, std::uint32_t bytes) const;

  std::uint8_t* base_;
  std::vector<Range> ranges_{{0, 0}};  // sorted, disjoint, never empty
  mutable std::size_t last_ = 0;       // range of the previous hit
};

}  // namespace g80::golden
