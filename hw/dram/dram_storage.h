// SPDX-License-Identifier: Apache-2.0
// The cells of one partition's DRAM chips, by bank, row and column; committed by the host only where they were touched.
//
// The chips read and write here as their pins say; the testbench's memory images go through DeviceMemory. Fresh cells
// read as zero.
#pragma once
#include <cstdint>
#include <cstring>

#include "hw/common/check.h"
#include "hw/common/set_bits.h"
#include "hw/common/types.h"
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

// Most accesses are of a beat: inlined, where the host copies it in one piece because it knows its size.
G80_INLINE std::uint8_t* DramStorage::cells(const DramCell& at, unsigned size) const {
  CHECK(at.bank < banks_ && at.row < rows_ && at.column <= row_bytes_ && size <= row_bytes_ - at.column,
        "DRAM access of {} bytes at bank {}, row {:#x}, column {:#x}, but there are {} banks of {:#x} rows of {:#x} "
        "bytes",
        size, at.bank, at.row, at.column, banks_, rows_, row_bytes_);
  return cells_ + (std::uint64_t{at.row} * banks_ + at.bank) * row_bytes_ + at.column;
}

G80_INLINE void DramStorage::read(const DramCell& at, void* to, unsigned size) const {
  std::memcpy(to, cells(at, size), size);
}

G80_INLINE void DramStorage::write(const DramCell& at, const void* from, unsigned size) {
  std::memcpy(cells(at, size), from, size);
}

G80_INLINE void DramStorage::write_masked(const DramCell& at, const void* from, unsigned size, std::uint64_t enable) {
  CHECK(size <= 64, "a masked write of {} bytes, but the mask has 64 bits", size);
  const std::uint64_t all = size == 64 ? ~0ull : (1ull << size) - 1;
  std::uint8_t* to = cells(at, size);
  if ((enable & all) == all) {
    changes_ += std::memcmp(to, from, size) != 0 ? 1 : 0;
    std::memcpy(to, from, size);
    return;
  }
  const auto* bytes = static_cast<const std::uint8_t*>(from);
  bool changes = false;
  for (const unsigned i : set_bits(enable & all)) {
    changes |= to[i] != bytes[i];
    to[i] = bytes[i];
  }
  changes_ += changes ? 1 : 0;
}

}  // namespace g80
