// SPDX-License-Identifier: Apache-2.0
#include "tb/driver/address_space.h"

#include <algorithm>

namespace g80 {
namespace {

using namespace page_table;
constexpr std::uint32_t kVirtualPages = std::uint32_t{1} << (32 - kPageShift);
constexpr std::uint32_t guard_pages(Placement placement) { return placement == Placement::kHeap ? 0 : 1; }

}  // namespace

AddressSpace::AddressSpace(std::uint64_t memory_bytes)
    : num_pages_(static_cast<std::uint32_t>(memory_bytes >> kPageShift)),
      physical_(0, num_pages_),
      virtual_(1, kVirtualPages - 1) {  // address 0 stays unmapped
  directory_physical_ = physical_.take(1).value() << kPageShift;
}

bool AddressSpace::provide_tables(std::uint32_t first_page, std::uint32_t pages) {
  const std::uint32_t last = (first_page + pages - 1) / kTableEntries;
  for (std::uint32_t t = first_page / kTableEntries; t <= last; ++t) {
    if (table_[t] != nullptr) continue;
    const auto page = physical_.take(kTableBytes / kPageBytes);
    if (!page) return false;
    table_[t] = std::make_unique<Table>();
    table_[t]->physical = *page << kPageShift;
    directory_[t] = encode_directory_entry({true, table_[t]->physical});
    directory_changed_ = true;
  }
  return true;
}

void AddressSpace::set_page(std::uint32_t page, const Entry& entry) {
  Table& table = *table_[page / kTableEntries];
  const std::uint32_t index = page % kTableEntries;
  table.entry[index] = encode_page_entry(entry);
  table.first_changed = std::min(table.first_changed, index);
  table.end_changed = std::max(table.end_changed, index + 1);
}

std::optional<Mapping> AddressSpace::map(std::uint64_t bytes, Placement placement) {
  const std::uint64_t wanted = (bytes + kPageBytes - 1) >> kPageShift;
  if (wanted >= kVirtualPages) return std::nullopt;
  const auto pages = static_cast<std::uint32_t>(wanted);
  const std::uint32_t reserved = pages + guard_pages(placement);
  const auto first = virtual_.take(reserved, lowest_address(placement) >> kPageShift);
  if (!first) return std::nullopt;
  const std::uint32_t lowest = placement == Placement::kLast && pages < num_pages_ ? num_pages_ - pages : 0;
  const auto frame = provide_tables(*first, pages) ? physical_.take(pages, lowest) : std::nullopt;
  if (!frame) {
    virtual_.give_back(*first, reserved);
    return std::nullopt;
  }
  for (std::uint32_t i = 0; i < pages; ++i) set_page(*first + i, {true, std::uint64_t{*frame + i} << kPageShift});
  return Mapping{*first << kPageShift, *frame << kPageShift, pages << kPageShift, placement, 0};
}

std::optional<Mapping> AddressSpace::map_host(std::uint64_t bus, std::uint32_t bytes) {
  const std::uint32_t pages = ((bytes - 1) >> kPageShift) + 1, reserved = pages + guard_pages(Placement::kGuarded);
  const auto first = virtual_.take(reserved);
  if (!first) return std::nullopt;
  if (!provide_tables(*first, pages)) {
    virtual_.give_back(*first, reserved);
    return std::nullopt;
  }
  for (std::uint32_t i = 0; i < pages; ++i) set_page(*first + i, {true, bus + (std::uint64_t{i} << kPageShift), true});
  return Mapping{*first << kPageShift, 0, pages << kPageShift, Placement::kGuarded, bus};
}

void AddressSpace::unmap(const Mapping& mapping) {
  const std::uint32_t first = mapping.address >> kPageShift, pages = mapping.bytes >> kPageShift;
  for (std::uint32_t i = 0; i < pages; ++i) set_page(first + i, {});
  virtual_.give_back(first, pages + guard_pages(mapping.placement));
  if (mapping.bus == 0) physical_.give_back(mapping.physical >> kPageShift, pages);
}

std::vector<TableChange> AddressSpace::changes() {
  std::vector<TableChange> list;
  for (const auto& table : table_) {
    if (table == nullptr || table->first_changed >= table->end_changed) continue;
    list.push_back({table->physical + table->first_changed * kEntryBytes, &table->entry[table->first_changed],
                    table->end_changed - table->first_changed});
    table->first_changed = kTableEntries;
    table->end_changed = 0;
  }
  if (directory_changed_) list.push_back({directory_physical_, directory_.data(), kDirectoryUsed});
  directory_changed_ = false;
  return list;
}

}  // namespace g80
