// SPDX-License-Identifier: Apache-2.0
#include "hw/dram/burst_window.h"

#include <cstring>

#include "hw/common/check.h"

namespace g80 {
namespace {

BurstMask bit(unsigned position) { return BurstMask{1} << position; }

// The mask without `position`: younger positions move down by one.
BurstMask without(BurstMask mask, unsigned position) {
  const BurstMask older = bit(position) - 1;
  return (mask & older) | ((mask >> 1) & ~older);
}

}  // namespace

void BurstWindow::insert(const DramRequest& request, const DramLocation& at, bool row_open) {
  CHECK(count_ < kMaxWindow, "a window of {} bursts overflowed", kMaxWindow);
  const unsigned place = oldest(free_places_);
  free_places_ &= ~bit(place);
  bool first_of_sector = true;
  const bool alone = bursts_to_[sector_number(at)]++ == 0;
  for (BurstMask same_bank = alone ? 0 : of_bank_[at.bank]; same_bank != 0; same_bank &= same_bank - 1) {
    Burst& older = bursts_[place_[oldest(same_bank)]];
    if (older.at.local != at.local || older.followed) continue;
    older.followed = true;
    older.follower = static_cast<std::uint8_t>(place);
    first_of_sector = false;
    break;
  }
  Burst& burst = bursts_[place];
  burst.request = request;
  burst.at = at;
  burst.activated = burst.precharged = burst.followed = false;
  const BurstMask here = bit(count_);
  place_[count_++] = static_cast<std::uint8_t>(place);
  of_bank_[at.bank] |= here;
  wanted_banks_ |= 1u << at.bank;
  if (request.write) {
    writes_ |= here;
    ++num_writes_;
  }
  if (row_open) row_hits_ |= here;
  if (first_of_sector) ordered_ |= here;
}

void BurstWindow::remove(unsigned position) {
  CHECK(position < count_, "no burst at position {} of {}", position, count_);
  const unsigned place = place_[position];
  const Burst& burst = bursts_[place];
  if (burst.followed) {
    const void* found = std::memchr(place_.data(), burst.follower, count_);
    CHECK(found != nullptr, "the next burst of the sector at {:#x} is not in the window", burst.at.local);
    ordered_ |= bit(static_cast<unsigned>(static_cast<const std::uint8_t*>(found) - place_.data()));
  }
  if (burst.request.write) --num_writes_;
  --bursts_to_[sector_number(burst.at)];
  free_places_ |= bit(place);
  std::memmove(&place_[position], &place_[position + 1], count_ - position - 1);
  --count_;
  row_hits_ = without(row_hits_, position);
  ordered_ = without(ordered_, position);
  writes_ = without(writes_, position);
  for (unsigned left = wanted_banks_; left != 0; left &= left - 1) {
    const unsigned bank = static_cast<unsigned>(__builtin_ctz(left));
    of_bank_[bank] = without(of_bank_[bank], position);
    if (of_bank_[bank] == 0) wanted_banks_ &= ~(1u << bank);
  }
}

void BurstWindow::row_opened(unsigned bank, std::uint32_t row) {
  for (BurstMask left = of_bank_[bank]; left != 0; left &= left - 1) {
    const unsigned position = oldest(left);
    if (bursts_[place_[position]].at.row == row) row_hits_ |= bit(position);
  }
}

void BurstWindow::row_closed(unsigned bank) { row_hits_ &= ~of_bank_[bank]; }

}  // namespace g80
