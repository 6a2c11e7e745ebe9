// SPDX-License-Identifier: Apache-2.0
#include "hw/gpu/device_memory.h"

#include <algorithm>
#include <utility>

#include "hw/common/check.h"

namespace g80 {

DeviceMemory::DeviceMemory(const AddressMap& map, std::vector<DramStorage*> storages)
    : map_(map), storages_(std::move(storages)) {
  CHECK(storages_.size() == map_.num_partitions, "{} DRAM storages for {} partitions", storages_.size(),
        map_.num_partitions);
}

template <class Piece>
void DeviceMemory::for_each_piece(std::uint64_t physical, std::uint64_t size, Piece piece) const {
  CHECK(physical <= bytes() && size <= bytes() - physical,
        "device memory access of {} bytes at {:#x}, but the device has {:#x} bytes", size, physical, bytes());
  const std::uint64_t block = 1ull << map_.interleave_log;
  for (std::uint64_t offset = 0; offset < size;) {
    const std::uint64_t address = physical + offset;
    const std::uint64_t part = std::min(size - offset, block - address % block);
    const DramLocation at = locate(map_, static_cast<std::uint32_t>(address));  // a block lies in one row
    piece(*storages_[at.partition], DramCell{at.bank, at.row, at.column}, offset, static_cast<unsigned>(part));
    offset += part;
  }
}

void DeviceMemory::read(std::uint64_t physical, void* to, std::uint64_t size) const {
  for_each_piece(physical, size,
                 [to](const DramStorage& storage, const DramCell& at, std::uint64_t offset, unsigned part) {
                   storage.read(at, static_cast<std::uint8_t*>(to) + offset, part);
                 });
}

void DeviceMemory::write(std::uint64_t physical, const void* from, std::uint64_t size) {
  for_each_piece(physical, size, [from](DramStorage& storage, const DramCell& at, std::uint64_t offset, unsigned part) {
    storage.write(at, static_cast<const std::uint8_t*>(from) + offset, part);
  });
}

void DeviceMemory::flip_bits(std::uint64_t physical, std::uint8_t mask) {
  std::uint8_t byte = 0;
  read(physical, &byte, sizeof byte);
  byte ^= mask;
  write(physical, &byte, sizeof byte);
}

void DeviceMemory::clear() {
  for (DramStorage* storage : storages_) storage->clear();
}

}  // namespace g80
