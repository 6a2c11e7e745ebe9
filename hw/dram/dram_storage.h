// SPDX-License-Identifier: Apache-2.0
// The cells of one partition's DRAM chips, by bank, row and column; committed by the host only where they were touched.
//
// The chips read and write here as their pins say; the testbench's memory images go through DeviceMemory. Fresh cells
// read as zero.
#pragma once
#include <cstdint>

#include "hw/config/config.h"

namespace g80 {

/// A byte of the chips.
struct DramCell {
  unsigned bank = 0;
  std::uint32_t row = 0, column = 0;
};

class DramStorage {
 public:
  /// With so many rows in each bank (AddressMap::rows()).
  DramStorage(const Config& config, std::uint32_t rows);
  ~DramStorage();
  DramStorage(const DramStorage&) = delete;
  DramStorage& operator=(const DramStorage&) = delete;

  std::uint32_t rows() const { return rows_; }
  /// `size` cells of one row from `at`; throws ModelError if they lie outside.
  void read(const DramCell& at, void* to, unsigned size) const;
  void write(const DramCell& at, const void* from, unsigned size);
  /// Up to 64 bytes: bit i of `enable` writes byte i.
  void write_masked(const DramCell& at, const void* from, unsigned size, std::uint64_t enable);
  /// For observers: masked writes that left other values than were there.
  std::uint64_t changes() const { return changes_; }
  /// Sets all cells to zero and frees the host's memory.
  void clear();

 private:
  std::uint8_t* cells(const DramCell& at, unsigned size) const;

  const unsigned banks_, row_bytes_;
  const std::uint32_t rows_;  // of each bank
  const std::uint64_t bytes_;
  std::uint8_t* cells_;
  std::uint64_t changes_ = 0;
};

}  // namespace g80
