// SPDX-License-Identifier: Apache-2.0
// The driver's view of memory: the mapped virtual pages, their physical pages, and the page tables.
//
// Virtual page 0 and one page after every guarded mapping are never mapped, so that a null pointer or an index past
// the end of a buffer faults. Mappings are physically contiguous. This class keeps the tables; the driver writes them:
// changes() lists the entries that must go to device memory.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "hw/bundles/page_table.h"
#include "tb/driver/memory_layout.h"
#include "tb/driver/range_allocator.h"

namespace g80 {

struct Mapping {
  std::uint32_t address = 0;  // virtual
  std::uint32_t physical = 0;
  std::uint32_t bytes = 0;  // whole pages
  Placement placement = Placement::kGuarded;
  std::uint64_t bus = 0;  // address of memory of the host; 0: device memory
};

/// Entries of a table that changed: `count` 8-byte entries at physical address `physical`.
struct TableChange {
  std::uint32_t physical = 0;
  const std::uint64_t* entries = nullptr;
  std::uint32_t count = 0;
};

class AddressSpace {
 public:
  explicit AddressSpace(std::uint64_t memory_bytes);

  std::uint32_t page_directory() const { return directory_physical_; }
  /// Maps at least `bytes` > 0 bytes; nothing if physical or virtual pages run out.
  std::optional<Mapping> map(std::uint64_t bytes, Placement placement = Placement::kGuarded);
  /// Maps the pages that hold `bytes` > 0 bytes of memory of the host, guarded. The bus address is that of a page.
  std::optional<Mapping> map_host(std::uint64_t bus, std::uint32_t bytes);
  void unmap(const Mapping& mapping);
  /// Physical pages without a use, in bytes.
  std::uint64_t free_bytes() const { return std::uint64_t{physical_.free_pages()} * page_table::kPageBytes; }

  /// Changes since the last call, directory last. Pointers hold until the next map or unmap.
  std::vector<TableChange> changes();

 private:
  struct Table {
    std::uint32_t physical = 0;
    std::array<std::uint64_t, page_table::kTableEntries> entry{};
    std::uint32_t first_changed = 0, end_changed = page_table::kTableEntries;  // a new table is written whole
  };
  static constexpr unsigned kDirectoryUsed = 8;  // entries that 32-bit addresses reach

  void set_page(std::uint32_t page, const page_table::Entry& entry);
  bool provide_tables(std::uint32_t first_page, std::uint32_t pages);

  const std::uint32_t num_pages_;
  RangeAllocator physical_, virtual_;
  std::uint32_t directory_physical_ = 0;
  std::array<std::uint64_t, kDirectoryUsed> directory_{};
  bool directory_changed_ = true;
  std::array<std::unique_ptr<Table>, kDirectoryUsed> table_;
};

}  // namespace g80
