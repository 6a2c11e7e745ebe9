// SPDX-License-Identifier: Apache-2.0
#include "hw/dram/dram_storage.h"

#include <sys/mman.h>

#include <cstring>

#include "hw/bundles/dram_pins.h"
#include "hw/common/check.h"
#include "hw/common/set_bits.h"

namespace g80 {
namespace {

/// Most often of a beat, which the host copies in one piece if it knows its size.
void copy(void* to, const void* from, unsigned size) {
  if (size == kDramBeatBytes) {
    std::memcpy(to, from, kDramBeatBytes);
  } else {
    std::memcpy(to, from, size);
  }
}
bool differ(const void* a, const void* b, unsigned size) {
  return (size == kDramBeatBytes ? std::memcmp(a, b, kDramBeatBytes) : std::memcmp(a, b, size)) != 0;
}

}  // namespace

DramStorage::DramStorage(const Config& config, std::uint32_t rows)
    : banks_(config.dram.num_banks),
      row_bytes_(config.dram.row_bytes),
      rows_(rows),
      bytes_(std::uint64_t{rows_} * banks_ * row_bytes_) {
  void* region = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(region != MAP_FAILED, "the operating system refuses {} bytes of address space for DRAM", bytes_);
  cells_ = static_cast<std::uint8_t*>(region);
}

DramStorage::~DramStorage() { munmap(cells_, bytes_); }

std::uint8_t* DramStorage::cells(const DramCell& at, unsigned size) const {
  CHECK(at.bank < banks_ && at.row < rows_ && at.column <= row_bytes_ && size <= row_bytes_ - at.column,
        "DRAM access of {} bytes at bank {}, row {:#x}, column {:#x}, but there are {} banks of {:#x} rows of {:#x} "
        "bytes",
        size, at.bank, at.row, at.column, banks_, rows_, row_bytes_);
  return cells_ + (std::uint64_t{at.row} * banks_ + at.bank) * row_bytes_ + at.column;
}

void DramStorage::read(const DramCell& at, void* to, unsigned size) const { copy(to, cells(at, size), size); }

void DramStorage::write(const DramCell& at, const void* from, unsigned size) { copy(cells(at, size), from, size); }

void DramStorage::write_masked(const DramCell& at, const void* from, unsigned size, std::uint64_t enable) {
  CHECK(size <= 64, "a masked write of {} bytes, but the mask has 64 bits", size);
  const std::uint64_t all = size == 64 ? ~0ull : (1ull << size) - 1;
  std::uint8_t* to = cells(at, size);
  if ((enable & all) == all) {
    changes_ += differ(to, from, size) ? 1 : 0;
    copy(to, from, size);
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

void DramStorage::clear() {
  // Private anonymous pages read as zero after they were dropped.
  CHECK(madvise(cells_, bytes_, MADV_DONTNEED) == 0, "the operating system refuses to drop {} bytes of DRAM", bytes_);
}

}  // namespace g80
