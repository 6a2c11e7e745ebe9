// SPDX-License-Identifier: Apache-2.0
#include "hw/dram/burst_window.h"

#include "hw/common/check.h"

namespace g80 {
namespace {

BurstMask bit(unsigned position) { return BurstMask{1} << position; }

}  // namespace

void BurstWindow::insert(const DramRequest& request, const DramLocation& at, bool row_open) {
  CHECK(count_ < kMaxWindow, "a window of {} bursts overflowed", kMaxWindow);
  if (end_ == kMaxWindow) close_gaps();
  const unsigned position = end_++;
  bool first_of_sector = true;
  const bool alone = bursts_to_[sector_number(at)]++ == 0;
  for (BurstMask same_bank = alone ? 0 : of_bank_[at.bank]; same_bank != 0; same_bank &= same_bank - 1) {
    Burst& older = bursts_[oldest(same_bank)];
    if (older.at.local != at.local || older.followed) continue;
    older.followed = true;
    older.follower = static_cast<std::uint8_t>(position);
    first_of_sector = false;
    break;
  }
  Burst& burst = bursts_[position];
  burst.request = request;
  burst.at = at;
  burst.activated = burst.precharged = burst.followed = false;
  ++count_;
  const BurstMask here = bit(position);
  all_ |= here;
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
  const BurstMask here = bit(position);
  CHECK((all_ & here) != 0, "no burst at position {}", position);
  const Burst& burst = bursts_[position];
  if (burst.followed) ordered_ |= bit(burst.follower);
  if (burst.request.write) --num_writes_;
  --bursts_to_[sector_number(burst.at)];
  for (BurstMask* mask : {&all_, &row_hits_, &ordered_, &writes_, &of_bank_[burst.at.bank]}) *mask &= ~here;
  if (of_bank_[burst.at.bank] == 0) wanted_banks_ &= ~(1u << burst.at.bank);
  if (--count_ == 0) end_ = 0;
}

void BurstWindow::close_gaps() {
  std::array<std::uint8_t, kMaxWindow> to{};
  end_ = 0;
  for (BurstMask left = all_; left != 0; left &= left - 1) {
    const unsigned position = oldest(left);
    to[position] = static_cast<std::uint8_t>(end_);
    bursts_[end_++] = bursts_[position];
  }
  for (unsigned i = 0; i < end_; ++i) bursts_[i].follower = to[bursts_[i].follower];
  const auto close = [&](BurstMask& mask) {
    BurstMask closed = 0;
    for (; mask != 0; mask &= mask - 1) closed |= bit(to[oldest(mask)]);
    mask = closed;
  };
  for (BurstMask* mask : {&all_, &row_hits_, &ordered_, &writes_}) close(*mask);
  for (BurstMask& mask : of_bank_) close(mask);
}

void BurstWindow::row_opened(unsigned bank, std::uint32_t row) {
  for (BurstMask left = of_bank_[bank]; left != 0; left &= left - 1) {
    const unsigned position = oldest(left);
    if (bursts_[position].at.row == row) row_hits_ |= bit(position);
  }
}

void BurstWindow::row_closed(unsigned bank) { row_hits_ &= ~of_bank_[bank]; }

}  // namespace g80
