// SPDX-License-Identifier: Apache-2.0
#include "hw/dram/dram_storage.h"

#include <sys/mman.h>

namespace g80 {

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

void DramStorage::clear() {
  // Private anonymous pages read as zero after they were dropped.
  CHECK(madvise(cells_, bytes_, MADV_DONTNEED) == 0, "the operating system refuses to drop {} bytes of DRAM", bytes_);
}

}  // namespace g80
