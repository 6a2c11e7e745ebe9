// SPDX-License-Identifier: Apache-2.0
// The cells of one partition's DRAM chips: flat bytes, committed by the host only where they were touched.
//
// The controller reads and writes here at its RD and WR commands; the testbench's memory images go through
// DeviceMemory. Fresh cells read as zero.
#pragma once
#include <cstdint>

namespace g80 {

class DramStorage {
 public:
  explicit DramStorage(std::uint64_t bytes);
  ~DramStorage();
  DramStorage(const DramStorage&) = delete;
  DramStorage& operator=(const DramStorage&) = delete;

  std::uint64_t bytes() const { return bytes_; }
  /// `size` cells from `address`; the range lies inside the storage.
  void read(std::uint64_t address, void* to, std::uint64_t size) const;
  void write(std::uint64_t address, const void* from, std::uint64_t size);
  /// One burst of up to 64 bytes: bit i of `enable` writes byte i (the data mask pins).
  void write_masked(std::uint64_t address, const void* from, std::uint64_t size, std::uint64_t enable);
  /// Sets all cells to zero and frees the host's memory.
  void clear();

 private:
  void require_inside(std::uint64_t address, std::uint64_t size) const;

  std::uint64_t bytes_;
  std::uint8_t* cells_;
};

}  // namespace g80
