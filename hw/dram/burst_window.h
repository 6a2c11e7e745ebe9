// SPDX-License-Identifier: Apache-2.0
// The bursts a DRAM controller may reorder: a slot for each, 64 for reads and 64 for writes.
//
// A burst is written into a free slot when it enters and stays there until its column command is on the bus. Its age
// is its order: the number of bursts that had entered before, in a counter that wraps. Bursts of one sector form a
// chain: only the oldest of a chain is `ordered`, that is, may be served, so that accesses to a sector happen in the
// order in which they came.
// The chain that a burst joins is found by a comparison with all slots, at the edge at which it enters. The slots are
// flip-flops anyway, as their rows are compared with each ACT; and a comparator for each and the number of the one that
// finds its sector take less than an adder (rtl/dram/youngest_of_sector.sv). A table by a hash of the sector would put
// bursts in order that have nothing to do with each other.
#pragma once
#include <array>
#include <cstdint>
#include <type_traits>

#include "hw/common/check.h"
#include "hw/common/fields.h"
#include "hw/common/limits.h"
#include "hw/common/types.h"

namespace g80 {

inline constexpr unsigned kWindowSlots = 64;  // of each direction
inline constexpr unsigned kOrderBits = 20;    // DramController checks that no burst waits for half of the numbers

/// Of two bursts of a window, by their orders.
constexpr bool is_older(std::uint32_t a, std::uint32_t b) { return ((a - b) >> (kOrderBits - 1) & 1) != 0; }

/// A burst on its way into the window.
struct EnteringBurst {
  bool valid = false;
  bool write = false;
  std::uint8_t slot = 0, burst = 0;  // the partition's
  std::uint8_t data = 0;             // of a write: the row of its data
  std::uint8_t bank = 0;
  std::uint32_t local = 0;  // in-partition byte address
  Tag tag;
  G80_FIELDS(valid, write, slot, (burst, 2), (data, 7), (bank, 3), local, (uid, tag.bits, 0));
};

/// The slots of one direction. A mask has a bit for each slot.
struct WindowSide {
  std::uint64_t valid = 0;
  std::uint64_t ordered = 0;                    // no older burst of its sector waits
  std::uint64_t row_hit = 0;                    // its row is open
  std::uint64_t followed = 0;                   // a younger burst of its sector waits
  std::uint64_t activated = 0, precharged = 0;  // for counters: an ACT or a PRE was made for this burst
  std::array<std::uint64_t, kMaxDramBanks> of_bank{};
  std::array<std::uint32_t, kWindowSlots> local{}, order{};
  std::array<std::uint8_t, kWindowSlots>
      follower{};  // the next younger burst of its sector: its slot, 64 more of a write
  std::array<std::uint8_t, kWindowSlots> slot{}, burst{}, data{};  // as in EnteringBurst
  std::array<std::uint32_t, kWindowSlots> uid{};
  G80_FIELDS(valid, ordered, row_hit, followed, activated, precharged, of_bank, local, (order, kOrderBits),
             (follower, 7), slot, (burst, 2), (data, 7), uid);
};

class BurstWindow {
 public:
  /// `row_shift`: the row of a local address lies above so many bits.
  explicit BurstWindow(unsigned row_shift) : row_shift_(row_shift) {}

  const WindowSide& side(bool write) const { return sides_[write]; }
  unsigned size(bool write) const { return static_cast<unsigned>(__builtin_popcountll(sides_[write].valid)); }
  bool empty() const { return (sides_[0].valid | sides_[1].valid) == 0; }
  /// Adds the youngest burst; returns its slot. `row_hit`: its bank has its row open.
  unsigned enter(const EnteringBurst& burst, bool row_hit);
  /// The burst that one of this sector follows, the youngest: its slot, 64 more of a write; kNone if there is none.
  unsigned youngest_of(std::uint32_t local) const;
  static constexpr unsigned kNone = 2 * kWindowSlots;
  /// The burst that follows this one in its sector, as above.
  unsigned next_of_sector(bool write, unsigned slot) const;
  /// This burst leaves, and `next`, which follows it, is the oldest of the sector.
  void leave(bool write, unsigned slot, unsigned next);
  void row_opened(unsigned bank, std::uint32_t row);
  void row_closed(unsigned bank);
  void note_activate(bool write, unsigned slot) { sides_[write].activated |= std::uint64_t{1} << slot; }
  void note_precharge(bool write, unsigned slot) { sides_[write].precharged |= std::uint64_t{1} << slot; }
  void clear() {
    sides_ = {};
    entered_ = 0;
  }

  template <class S, class V>
  static void visit(S& s, V& v) {
    v("reads", s.sides_[0]);
    v("writes", s.sides_[1]);
    v("entered", s.entered_, kOrderBits);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      if (v.fills()) s.fill_free_slots(v);
    }
  }

 private:
  void fill_free_slots(FieldEditor& editor);

  const unsigned row_shift_;
  std::array<WindowSide, 2> sides_{};
  std::uint32_t entered_ = 0;  // bursts, since reset
};

inline unsigned BurstWindow::next_of_sector(bool write, unsigned slot) const {
  const WindowSide& side = sides_[write];
  return (side.followed >> slot & 1) != 0 ? side.follower[slot] : kNone;
}

inline void BurstWindow::leave(bool write, unsigned slot, unsigned next) {
  WindowSide& side = sides_[write];
  const std::uint64_t here = std::uint64_t{1} << slot;
  CHECK((side.valid & here) != 0, "no burst in slot {}", slot);
  if (next < kNone) sides_[next / kWindowSlots].ordered |= std::uint64_t{1} << next % kWindowSlots;
  for (std::uint64_t* mask :
       {&side.valid, &side.ordered, &side.row_hit, &side.followed, &side.activated, &side.precharged}) {
    *mask &= ~here;
  }
  for (std::uint64_t& mask : side.of_bank) mask &= ~here;
}

}  // namespace g80
