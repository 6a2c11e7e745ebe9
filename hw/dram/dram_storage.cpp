// SPDX-License-Identifier: Apache-2.0
#include "hw/dram/dram_storage.h"

#include <sys/mman.h>

#include <cstring>

#include "hw/common/check.h"
#include "hw/common/set_bits.h"

namespace g80 {

DramStorage::DramStorage(std::uint64_t bytes) : bytes_(bytes) {
  void* region = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(region != MAP_FAILED, "the operating system refuses {} bytes of address space for DRAM", bytes);
  cells_ = static_cast<std::uint8_t*>(region);
}

DramStorage::~DramStorage() { munmap(cells_, bytes_); }

void DramStorage::require_inside(std::uint64_t address, std::uint64_t size) const {
  CHECK(address <= bytes_ && size <= bytes_ - address,
        "DRAM access of {} bytes at {:#x}, but the storage has {:#x} bytes", size, address, bytes_);
}

void DramStorage::read(std::uint64_t address, void* to, std::uint64_t size) const {
  require_inside(address, size);
  std::memcpy(to, cells_ + address, size);
}

void DramStorage::write(std::uint64_t address, const void* from, std::uint64_t size) {
  require_inside(address, size);
  std::memcpy(cells_ + address, from, size);
}

void DramStorage::write_masked(std::uint64_t address, const void* from, std::uint64_t size, std::uint64_t enable) {
  CHECK(size <= 64, "a masked write of {} bytes, but the mask has 64 bits", size);
  const std::uint64_t all = size == 64 ? ~0ull : (1ull << size) - 1;
  if ((enable & all) == all) {
    write(address, from, size);
    return;
  }
  require_inside(address, size);
  const auto* bytes = static_cast<const std::uint8_t*>(from);
  for (const unsigned i : set_bits(enable & all)) {
    cells_[address + i] = bytes[i];
  }
}

void DramStorage::clear() {
  // Private anonymous pages read as zero after they were dropped.
  CHECK(madvise(cells_, bytes_, MADV_DONTNEED) == 0, "the operating system refuses to drop {} bytes of DRAM", bytes_);
}

}  // namespace g80
