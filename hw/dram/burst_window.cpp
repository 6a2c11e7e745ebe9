// SPDX-License-Identifier: Apache-2.0
#include "hw/dram/burst_window.h"

#include "hw/common/check.h"

namespace g80 {
namespace {

BurstMask bit(unsigned position) { return BurstMask{1} << position; }

/// Moves the bits of masks down into the gaps between the bits of `kept`, all those at once that move by the same power
/// of two.
class GapCloser {
 public:
  explicit GapCloser(BurstMask kept) {
    BurstMask gaps = ~kept << 1;  // a gap just below each position
    for (unsigned i = 0; i < moved_.size(); ++i) {
      BurstMask odd = gaps;  // an odd number of gaps below
      for (unsigned step = 1; step < kMaxWindow; step *= 2) odd ^= odd << step;
      moved_[i] = odd & kept;
      kept = move(kept, i);
      gaps &= ~odd;
    }
  }
  /// Of a mask of bits of `kept`.
  BurstMask operator()(BurstMask mask) const {
    for (unsigned i = 0; i < moved_.size(); ++i) mask = move(mask, i);
    return mask;
  }

 private:
  BurstMask move(BurstMask mask, unsigned i) const {
    const BurstMask moved = mask & moved_[i];
    return (mask ^ moved) | moved >> (1u << i);
  }
  std::array<BurstMask, 7> moved_;  // by 2^i
  static_assert(kMaxWindow == 1u << std::tuple_size_v<decltype(moved_)>);
};

}  // namespace

void BurstWindow::insert(const DramRequest& request, const DramLocation& at, bool row_open) {
  CHECK(count_ < kMaxWindow, "a window of {} bursts overflowed", kMaxWindow);
  if (end_ == kMaxWindow) close_gaps();
  const unsigned position = end_++;
  OfNumber& of_number = of_number_[sector_number(at)];
  const unsigned older = of_number.bursts++ == 0 ? kMaxWindow : youngest_of(at);
  if (older != kMaxWindow) {
    bursts_[older].followed = true;
    bursts_[older].follower = static_cast<std::uint8_t>(position);
  }
  of_number.newest = static_cast<std::uint8_t>(position);
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
  if (older == kMaxWindow) ordered_ |= here;
}

// The youngest burst of a sector, kMaxWindow if there is none.
unsigned BurstWindow::youngest_of(const DramLocation& at) const {
  const auto is_youngest = [&](unsigned position) {
    const Burst& burst = bursts_[position];
    return (all_ & bit(position)) != 0 && burst.at.local == at.local && !burst.followed;
  };
  if (const unsigned newest = of_number_[sector_number(at)].newest; is_youngest(newest)) return newest;
  for (BurstMask same_bank = of_bank_[at.bank]; same_bank != 0; same_bank &= same_bank - 1) {
    if (is_youngest(oldest(same_bank))) return oldest(same_bank);
  }
  return kMaxWindow;
}

void BurstWindow::remove(unsigned position) {
  const BurstMask here = bit(position);
  CHECK((all_ & here) != 0, "no burst at position {}", position);
  const Burst& burst = bursts_[position];
  if (burst.followed) ordered_ |= bit(burst.follower);
  if (burst.request.write) --num_writes_;
  --of_number_[sector_number(burst.at)].bursts;
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
  const GapCloser close(all_);
  for (BurstMask* mask : {&all_, &row_hits_, &ordered_, &writes_}) *mask = close(*mask);
  for (BurstMask& mask : of_bank_) mask = close(mask);
}

void BurstWindow::row_opened(unsigned bank, std::uint32_t row) {
  for (BurstMask left = of_bank_[bank]; left != 0; left &= left - 1) {
    const unsigned position = oldest(left);
    if (bursts_[position].at.row == row) row_hits_ |= bit(position);
  }
}

void BurstWindow::row_closed(unsigned bank) { row_hits_ &= ~of_bank_[bank]; }

}  // namespace g80
