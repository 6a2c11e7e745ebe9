// SPDX-License-Identifier: Apache-2.0
// The page table in device memory, as the driver writes it and the TLB walks it.
//
// Two levels (envytools, g80 virtual memory): a page directory of 2048 entries of 8 bytes, each for 512 MB of virtual
// space, and page tables of 8192 entries of 8 bytes, each for a large page of 64 KB. The 32-bit virtual addresses of
// the compute class reach the first 8 directory entries. Entries are little-endian 64-bit words:
//   directory entry: bit 0 present, bits 39:12 physical address of the page table (4 KB aligned)
//   page table entry: bit 0 present, bits 5:4 target, bits 39:16 physical address of the page
// The target is 0 for device memory and 2 for memory of the host, with snooping of its caches; the address then is one
// of the bus. In the memory network addresses have 32 bits, and the uppermost is the target: below 2 GB is device
// memory, above is the first half of the bus addresses from kHostWindow on.
// All other bits are written as 0 and ignored. After changing an entry the driver flushes the TLBs.
#pragma once
#include <cstdint>

#include "hw/common/field_list.h"

namespace g80::page_table {

inline constexpr unsigned kEntryBytes = 8;
inline constexpr unsigned kPageShift = 16;
inline constexpr std::uint32_t kPageBytes = std::uint32_t{1} << kPageShift;
inline constexpr unsigned kDirectoryShift = 29;
inline constexpr unsigned kDirectoryEntries = 2048;
inline constexpr unsigned kTableEntries = 1u << (kDirectoryShift - kPageShift);
inline constexpr std::uint32_t kTableBytes = kTableEntries * kEntryBytes;
inline constexpr std::uint32_t kTableAlignment = 4096;

struct Entry {
  bool present = false;
  std::uint64_t address = 0;  // physical, of the page table or page
  bool host = false;          // a page in memory of the host
  G80_FIELDS(present, (address, 40), host);
};

inline constexpr std::uint64_t kPresent = 1;
inline constexpr std::uint64_t kHost = 2 << 4;
inline constexpr std::uint64_t kTableMask = 0xff'ffff'f000;
inline constexpr std::uint64_t kPageMask = 0xff'ffff'0000;

constexpr std::uint64_t encode_directory_entry(const Entry& e) {
  return (e.present ? kPresent : 0) | (e.address & kTableMask);
}
constexpr std::uint64_t encode_page_entry(const Entry& e) {
  return (e.present ? kPresent : 0) | (e.host ? kHost : 0) | (e.address & kPageMask);
}
constexpr Entry decode_directory_entry(std::uint64_t bits) { return {(bits & kPresent) != 0, bits & kTableMask}; }
constexpr Entry decode_page_entry(std::uint64_t bits) {
  return {(bits & kPresent) != 0, bits & kPageMask, (bits & kHost) != 0};
}

/// In the memory network.
inline constexpr std::uint32_t kHostBit = 1u << 31;
inline constexpr std::uint64_t kHostWindow = 0x1'0000'0000, kHostWindowBytes = kHostBit;
constexpr bool is_host(std::uint32_t physical) { return (physical & kHostBit) != 0; }
constexpr std::uint64_t bus_address(std::uint32_t physical) { return kHostWindow + (physical & ~kHostBit); }

/// Byte offset of the entry for `virtual_address` in the page directory and in its page table.
constexpr std::uint32_t directory_offset(std::uint32_t virtual_address) {
  return (virtual_address >> kDirectoryShift) * kEntryBytes;
}
constexpr std::uint32_t table_offset(std::uint32_t virtual_address) {
  return (virtual_address >> kPageShift & (kTableEntries - 1)) * kEntryBytes;
}

}  // namespace g80::page_table
