// SPDX-License-Identifier: Apache-2.0
// The bursts a DRAM controller may reorder, kept in order of arrival.
//
// A younger burst has a higher position. The scheduler works on masks over positions, so a pick needs no scan. A burst
// that is removed leaves a gap; when the last position is taken, insert() closes all of them. Bursts of one sector form
// a chain: only the oldest of a chain is `ordered`, that is, may be served, so that accesses to a sector happen in the
// order in which they arrived.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/dram_bundles.h"
#include "hw/common/limits.h"
#include "hw/mem/address_map.h"

namespace g80 {

__extension__ using BurstMask = unsigned __int128;  // bit i = position i

inline constexpr unsigned kMaxWindow = 128;

/// Position of the oldest burst in a mask that is not empty.
inline unsigned oldest(BurstMask mask) {
  const auto low = static_cast<std::uint64_t>(mask);
  return low != 0 ? static_cast<unsigned>(__builtin_ctzll(low))
                  : 64 + static_cast<unsigned>(__builtin_ctzll(static_cast<std::uint64_t>(mask >> 64)));
}

class BurstWindow {
 public:
  struct Burst {
    DramRequest request;
    DramLocation at;
    bool activated = false;     // an ACT was made for this burst
    bool precharged = false;    // a PRE was made for this burst
    std::uint8_t follower = 0;  // position of the next younger burst of the same sector
    bool followed = false;
  };

  unsigned size() const { return count_; }
  Burst& at(unsigned position) { return bursts_[position]; }
  const Burst& at(unsigned position) const { return bursts_[position]; }

  BurstMask all() const { return all_; }
  BurstMask row_hits() const { return row_hits_; }  // the wanted row is open
  BurstMask ordered() const { return ordered_; }
  BurstMask writes() const { return writes_; }
  unsigned num_writes() const { return num_writes_; }
  BurstMask of_bank(unsigned bank) const { return of_bank_[bank]; }
  /// Bit b: at least one burst needs bank b.
  unsigned wanted_banks() const { return wanted_banks_; }

  /// Adds the youngest burst. `row_open`: its bank has its row open.
  void insert(const DramRequest& request, const DramLocation& at, bool row_open);
  void remove(unsigned position);
  void row_opened(unsigned bank, std::uint32_t row);
  void row_closed(unsigned bank);
  void clear() { *this = BurstWindow{}; }

 private:
  /// Bursts to one sector, and few others, have the same number.
  static unsigned sector_number(const DramLocation& at) {
    return at.local / kSectorBytes * 0x9e3779b1u >> (32 - kSectorNumberBits);
  }
  static constexpr unsigned kSectorNumberBits = 10;

  unsigned youngest_of(const DramLocation& at) const;
  void close_gaps();

  unsigned count_ = 0, num_writes_ = 0;
  unsigned end_ = 0;  // behind the youngest
  unsigned wanted_banks_ = 0;
  BurstMask all_ = 0, row_hits_ = 0, ordered_ = 0, writes_ = 0;
  std::array<BurstMask, kMaxDramBanks> of_bank_{};
  struct OfNumber {
    std::uint8_t bursts = 0;  // in the window
    std::uint8_t newest = 0;  // the position of the last one that came, then
  };
  std::array<OfNumber, 1u << kSectorNumberBits> of_number_{};
  std::array<Burst, kMaxWindow> bursts_{};
};

}  // namespace g80
