// SPDX-License-Identifier: Apache-2.0
#include "hw/dram/burst_window.h"

#include "hw/common/check.h"
#include "hw/common/lane_function.h"
#include "hw/common/set_bits.h"

namespace g80 {
namespace {

std::uint64_t slot_bit(unsigned slot) { return std::uint64_t{1} << slot; }

/// One of the slots, valid or not. The host compares many at once, and most often finds none.
G80_LANE_FUNCTION bool holds(const WindowSide& side, std::uint32_t local) {
  std::uint32_t found = 0;
  for (unsigned i = 0; i < kWindowSlots; ++i) found |= side.local[i] == local ? ~0u : 0u;
  return found != 0;
}

}  // namespace

unsigned BurstWindow::enter(const EnteringBurst& burst, bool row_hit) {
  WindowSide& side = sides_[burst.write];
  CHECK(~side.valid != 0, "a window of {} bursts overflowed", kWindowSlots);
  const auto slot = static_cast<unsigned>(__builtin_ctzll(~side.valid));
  const std::uint64_t here = slot_bit(slot);
  const unsigned older = youngest_of(burst.local);
  if (older != kNone) {
    WindowSide& other = sides_[older / kWindowSlots];
    other.followed |= slot_bit(older % kWindowSlots);
    other.follower[older % kWindowSlots] = static_cast<std::uint8_t>(burst.write * kWindowSlots + slot);
  } else {
    side.ordered |= here;
  }
  side.valid |= here;
  side.of_bank[burst.bank] |= here;
  if (row_hit) side.row_hit |= here;
  side.local[slot] = burst.local;
  side.order[slot] = entered_;
  side.slot[slot] = burst.slot;
  side.burst[slot] = burst.burst;
  side.data[slot] = burst.data;
  side.uid[slot] = burst.tag.bits;
  entered_ = (entered_ + 1) % (1u << kOrderBits);
  return slot;
}

unsigned BurstWindow::youngest_of(std::uint32_t local) const {
  for (unsigned write = 0; write < 2; ++write) {
    const WindowSide& side = sides_[write];
    const std::uint64_t youngest = side.valid & ~side.followed;
    if (youngest == 0 || !holds(side, local)) continue;
    for (const unsigned slot : set_bits(youngest)) {
      if (side.local[slot] == local) return write * kWindowSlots + slot;
    }
  }
  return kNone;
}

void BurstWindow::row_opened(unsigned bank, std::uint32_t row) {
  for (WindowSide& side : sides_) {
    for (const unsigned slot : set_bits(side.of_bank[bank])) {
      if (side.local[slot] >> row_shift_ == row) side.row_hit |= slot_bit(slot);
    }
  }
}

void BurstWindow::row_closed(unsigned bank) {
  for (WindowSide& side : sides_) side.row_hit &= ~side.of_bank[bank];
}

void BurstWindow::fill_free_slots(FieldEditor& editor) {
  for (WindowSide& side : sides_) {
    for (const unsigned slot : set_bits(~side.valid)) {
      editor.fill(side.local[slot]);
      editor.fill(side.order[slot], kOrderBits);
      for (std::uint8_t* number : {&side.follower[slot], &side.slot[slot], &side.burst[slot], &side.data[slot]})
        editor.fill(*number);
      editor.fill(side.uid[slot]);
    }
  }
}

}  // namespace g80
