// SPDX-License-Identifier: Apache-2.0
// The testbench's view of device memory by physical address: memory images, results, injected faults.
//
// The machine does not use it. It reads and writes the DRAM cells; writes that are still queued in a partition are
// not visible, so the testbench reads results when the machine is idle.
#pragma once
#include <cstdint>
#include <vector>

#include "hw/dram/dram_storage.h"
#include "hw/mem/address_map.h"

namespace g80 {

class DeviceMemory {
 public:
  /// `storages[p]` are the cells of partition p.
  DeviceMemory(const AddressMap& map, std::vector<DramStorage*> storages);

  std::uint64_t bytes() const { return map_.memory_bytes; }
  void read(std::uint64_t physical, void* to, std::uint64_t size) const;
  void write(std::uint64_t physical, const void* from, std::uint64_t size);
  /// Flips the bits of `mask` in one byte.
  void flip_bits(std::uint64_t physical, std::uint8_t mask);
  void clear();

 private:
  /// Calls piece(storage, cell, offset, size) for every part that lies in one row.
  template <class Piece>
  void for_each_piece(std::uint64_t physical, std::uint64_t size, Piece piece) const;

  AddressMap map_;
  std::vector<DramStorage*> storages_;
};

}  // namespace g80
