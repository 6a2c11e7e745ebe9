// SPDX-License-Identifier: Apache-2.0
// Bundles between the two levels of the TLB: lookups with their answers, and the fills of page walks.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/page_table.h"
#include "hw/bundles/transaction.h"
#include "hw/common/fields.h"

namespace g80 {

/// The contents of a TLB entry: the pages of its reach.
struct TlbReach {
  static constexpr unsigned kMaxPages = 16;  // one 128-byte read of page table entries
  MemFault unreadable = MemFault::kNone;     // the walk itself failed
  std::array<page_table::Entry, kMaxPages> page{};
  G80_FIELDS((unreadable, 2), page);
};

/// From a first level to the second: a lookup of the reach of this address, or, with `fill`, an entry to store.
struct TlbQuestion {
  bool valid = false;
  bool fill = false;
  std::uint8_t flush = 0;   // low bits of the flushes that the first level has seen
  std::uint8_t walker = 0;  // of the first level, returned with the answer
  std::uint32_t virtual_address = 0;
  Origin origin;
  TlbReach reach;  // of a fill
  G80_FIELDS(valid, fill, flush, (walker, 4), virtual_address, origin, reach);
};

struct TlbAnswer {
  bool valid = false;
  bool hit = false;
  std::uint8_t walker = 0;
  std::uint32_t virtual_address = 0;
  Origin origin;
  TlbReach reach;  // of a hit
  G80_FIELDS(valid, hit, (walker, 4), virtual_address, origin, reach);
};

}  // namespace g80
