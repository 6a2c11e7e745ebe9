// SPDX-License-Identifier: Apache-2.0
// What the DRAM controller searches, in SystemVerilog against the functions in C++.
#include "hw/dram/fr_fcfs.h"

#include <array>
#include <random>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "hw/common/set_bits.h"
#include "tb/twins/verilated_time.h"
#include "tests/support/random_seed.h"
#include "tests/twins/packed_array.h"

#include "Vfr_fcfs_stages.h"

namespace g80 {
namespace {

constexpr unsigned kRowShift = 10, kBanks = 4;

void clock(Vfr_fcfs_stages& model) {
  for (const int level : {0, 1}) {
    model.clk_i = level;
    model.eval();
  }
}

// A window that fills and empties, of one direction; at each step the stage chooses in one of the banks. The commands
// on the bus open and close rows in the same step, in which a burst has left.
TEST(FrFcfsTwin, ChoosesTheBurstsOfABankAsInCpp) {
  std::mt19937 random(random_seed());
  Vfr_fcfs_stages model;
  BurstWindow window(kRowShift);
  const WindowSide& side = window.side(false);
  constexpr std::uint32_t kClosed = ~0u;
  std::array<std::uint32_t, kBanks> open_row;
  open_row.fill(kClosed);
  std::array<std::uint32_t, 3> rows{0, 1, 1};
  unsigned hits = 0, chosen = 0, followed = 0;
  for (unsigned step = 0; step < 40'000; ++step) {
    const unsigned fill = step % 4000 < 2000 ? 7 : 50;                     // bursts that the window has for long
    if (step % 100 == 0) rows[2] = 1 ^ 1u << random() % (32 - kRowShift);  // in one bit another one than the second
    model.enter_i = 0;
    if (window.size(false) < fill + 3) {
      EnteringBurst burst;
      burst.bank = static_cast<std::uint8_t>(random() % kBanks);
      const std::uint32_t row = rows[random() % 3];
      burst.local = row << kRowShift | std::uint32_t{burst.bank} << 8 | static_cast<std::uint32_t>(random() % 8 * 32);
      const unsigned slot = window.enter(burst, open_row[burst.bank] == row);
      model.enter_i = 1;
      model.enter_slot_i = static_cast<std::uint8_t>(slot);
      model.enter_order_i = side.order[slot];
      testing::put(model.row_i, kDramRowBits, slot, row);
    }
    clock(model);
    model.enter_i = 0;
    auto bank = static_cast<unsigned>(random() % kBanks);
    std::vector<unsigned> may_go;
    for (const unsigned slot : set_bits(side.ordered)) may_go.push_back(slot);
    model.issued_i = !may_go.empty() && (window.size(false) > fill || random() % 2 == 0);
    const unsigned issued_slot = model.issued_i != 0 ? may_go[random() % may_go.size()] : 0;
    if (model.issued_i != 0 && random() % 2 != 0) bank = (side.local[issued_slot] >> 8) % kBanks;
    model.of_bank_i = side.of_bank[bank];
    model.ordered_i = side.ordered;
    model.row_hit_i = side.row_hit;
    model.next_i = 0;
    if (model.issued_i != 0) {
      const unsigned next = window.next_of_sector(false, issued_slot);
      model.issued_slot_i = static_cast<std::uint8_t>(issued_slot);
      model.next_i = next != BurstWindow::kNone;
      model.next_slot_i = next % kWindowSlots;
      window.leave(false, issued_slot, next);
      followed += model.next_i;
    }
    model.activates_i = model.precharges_i = 0;
    if (random() % 4 == 0) {
      open_row[bank] = open_row[bank] == kClosed ? rows[random() % 3] : kClosed;
      model.precharges_i = open_row[bank] == kClosed;
      model.activates_i = open_row[bank] != kClosed;
      model.activated_row_i = open_row[bank] % (1u << kDramRowBits);
      if (open_row[bank] == kClosed) {
        window.row_closed(bank);
      } else {
        window.row_opened(bank, open_row[bank]);
      }
    }
    clock(model);
    ASSERT_EQ(model.row_hit_o, side.row_hit & side.of_bank[bank]) << step;
    BankChoices choices;
    choose_of_bank(side, bank, choices);
    const BankChoice &first = choices.first[bank], &oldest = choices.oldest[bank];
    ASSERT_EQ(model.first_valid_o, first.valid) << step;
    ASSERT_EQ(model.oldest_valid_o, oldest.valid) << step;
    if (first.valid) {
      ASSERT_EQ(model.first_slot_o, first.slot) << step;
      ASSERT_EQ(model.first_order_o, first.order) << step;
      ASSERT_EQ(model.first_row_hit_o, first.row_hit) << step;
      ++(first.slot == oldest.slot ? chosen : hits);
    }
    if (oldest.valid) {
      ASSERT_EQ(model.oldest_slot_o, oldest.slot) << step;
      ASSERT_EQ(model.oldest_order_o, oldest.order) << step;
      ASSERT_EQ(model.oldest_row_hit_o, oldest.row_hit) << step;
    }
  }
  EXPECT_GT(chosen, 5'000u);
  EXPECT_GT(hits, 5'000u) << "another burst than the oldest goes first";
  EXPECT_GT(followed, 1'000u);
}

// Few sectors, so that most bursts follow another one, in both directions.
TEST(FrFcfsTwin, FindsTheYoungestBurstOfASectorAsInCpp) {
  std::mt19937 random(random_seed());
  Vfr_fcfs_stages model;
  BurstWindow window(kRowShift);
  unsigned found = 0;
  for (unsigned step = 0; step < 20'000; ++step) {
    const std::uint32_t sector = random() % 100 << (random() % 2 != 0 ? 20 : 0);
    for (unsigned write = 0; write < 2; ++write) {
      const std::uint64_t candidates = window.side(write != 0).valid & ~window.side(write != 0).followed;
      for (unsigned half = 0; half < 2; ++half)
        model.youngest_i[2 * write + half] = static_cast<std::uint32_t>(candidates >> 32 * half);
    }
    const bool issued_write = random() % 2 != 0;
    const std::uint64_t ordered = window.side(issued_write).ordered;
    model.issued_i = ordered != 0 && random() % 3 != 0;
    model.issued_write_i = issued_write;
    if (model.issued_i != 0) {
      const auto slot = static_cast<unsigned>(__builtin_ctzll(ordered));
      model.issued_slot_i = static_cast<std::uint8_t>(slot);
      window.leave(issued_write, slot, window.next_of_sector(issued_write, slot));
    }
    const unsigned youngest = window.youngest_of(sector * 32);
    model.sector_i = sector;
    EnteringBurst burst;
    burst.write = random() % 2 != 0;
    burst.local = sector * 32;
    if (window.size(burst.write) < kWindowSlots) {
      model.written_slot_i = static_cast<std::uint8_t>(burst.write * kWindowSlots + window.enter(burst, false));
      model.written_sector_i = sector;
    }
    clock(model);
    ASSERT_EQ(model.found_o, youngest < 2 * kWindowSlots) << step;
    if (model.found_o != 0) {
      ASSERT_EQ(model.found_slot_o, youngest) << step;
    }
    found += model.found_o;
  }
  EXPECT_GT(found, 1'000u);
  EXPECT_LT(found, 19'000u);
}

/// A valid choice of each of most banks. Orders are distinct, also where the numbers wrap.
void draw(std::array<BankChoice, kMaxDramBanks>& choices, std::uint32_t first_order, std::mt19937& random) {
  for (unsigned b = 0; b < kMaxDramBanks; ++b) {
    BankChoice& choice = choices[b];
    choice.valid = random() % 4 != 0;
    choice.row_hit = random() % 2 != 0;
    choice.slot = static_cast<std::uint8_t>(random() % kWindowSlots);
    choice.order = (first_order + 16 * static_cast<std::uint32_t>(random() % 1000) + b) % (1u << kOrderBits);
  }
}

/// Row `row` of the port `choice_i`.
void show(const std::array<BankChoice, kMaxDramBanks>& choices, unsigned row, Vfr_fcfs_stages& model) {
  for (unsigned b = 0; b < kMaxDramBanks; ++b) {
    const BankChoice& choice = choices[b];
    testing::put(model.choice_i, 28, 8 * row + b,
                 std::uint32_t{choice.valid} << 27 | std::uint32_t{choice.row_hit} << 26 |
                     std::uint32_t{choice.slot} << kOrderBits | choice.order);
  }
}

TEST(FrFcfsTwin, PicksTheCommandAsInCpp) {
  std::mt19937 random(random_seed());
  Vfr_fcfs_stages model;
  std::array<unsigned, 6> picked{};
  std::array<std::array<std::uint32_t, kWindowSlots>, 2> row{}, column{}, next{};
  unsigned of_oldest = 0;
  for (unsigned step = 0; step < 100'000; ++step) {
    constexpr Cycle kNow = 1000;
    DramBanks banks{};
    DramRank rank;
    const auto timer = [&](unsigned soon) {  // legal in 2 of soon + 1
      return kNow - 1 + random() % (soon + 1);
    };
    const unsigned soon = 1 + step / 16 % 4;
    rank.activate_from = timer(soon);
    rank.read_from = timer(soon);
    rank.write_from = timer(soon);
    const bool draining = random() % 2 != 0, may_open = random() % 4 != 0, oldest_only = random() % 3 == 0;
    OldestBurst oldest;
    oldest.valid = random() % 8 != 0;
    oldest.write = random() % 2 != 0;
    oldest.bank = static_cast<std::uint8_t>(random() % kMaxDramBanks);
    const auto busy = static_cast<unsigned>(random() % 16);  // from 8 on: none
    for (unsigned i = 0; step % 100 == 0 && i < 2 * kWindowSlots; ++i) {
      testing::put(
          model.rows_i, kDramRowBits, i,
          row[i / kWindowSlots][i % kWindowSlots] = static_cast<std::uint32_t>(random() % (1u << kDramRowBits)));
      testing::put(model.column_i, 16, i,
                   column[i / kWindowSlots][i % kWindowSlots] = static_cast<std::uint32_t>(random() % (1u << 16)));
      testing::put(model.next_of_i, 8, i,
                   next[i / kWindowSlots][i % kWindowSlots] = static_cast<std::uint32_t>(random() % (1u << 8)));
    }
    model.open_i = model.may_activate_i = model.may_precharge_i = 0;
    model.may_move_i = 0;
    const auto set = [](auto& mask, unsigned bit, bool value) {
      mask = static_cast<std::remove_reference_t<decltype(mask)>>(mask | value << bit);
    };
    for (unsigned b = 0; b < kMaxDramBanks; ++b) {
      DramBank& bank = banks[b];
      bank.open = random() % 3 != 0;
      bank.activate_from = timer(soon);
      bank.column_from = timer(soon);
      bank.precharge_from = timer(soon);
      const auto legal = [&](DramCommandKind kind) { return earliest(kind, bank, rank) <= kNow; };
      set(model.open_i, b, bank.open);
      set(model.may_activate_i, b, legal(DramCommandKind::kActivate));
      set(model.may_precharge_i, b, legal(DramCommandKind::kPrecharge));
      set(model.may_move_i, b, legal(DramCommandKind::kRead));
      set(model.may_move_i, kMaxDramBanks + b, legal(DramCommandKind::kWrite));
    }
    std::array<std::array<BankChoice, kMaxDramBanks>, 4> choices;
    for (unsigned i = 0; i < choices.size(); ++i) {
      draw(choices[i], static_cast<std::uint32_t>(random()), random);
      for (unsigned b = 0; b < kMaxDramBanks; ++b) choices[i][b].row_hit &= banks[b].open;
      show(choices[i], i, model);
    }
    model.draining_i = draining;
    model.oldest_only_i = oldest_only;
    model.followed_i = oldest.valid;
    model.followed_write_i = oldest.write;
    model.followed_bank_i = oldest.bank;
    model.busy_i = busy < kMaxDramBanks ? static_cast<std::uint8_t>(1u << busy) : 0;
    model.may_open_i = may_open;
    clock(model);
    const bool write = oldest_only ? oldest.write : draining;
    const unsigned all = (1u << kMaxDramBanks) - 1, banks_of_oldest = oldest.valid ? 1u << oldest.bank : 0;
    const DramPick pick = pick_request(choices[2 * oldest_only + write], write, busy, banks, rank, kNow, fr_fcfs_order,
                                       may_open, oldest_only ? banks_of_oldest : all);
    ++picked[static_cast<unsigned>(pick.command)];
    ASSERT_EQ(model.move_o, is_column(pick.command)) << step;
    ASSERT_EQ(model.activate_o, pick.command == DramCommandKind::kActivate) << step;
    ASSERT_EQ(model.precharge_o, pick.command == DramCommandKind::kPrecharge) << step;
    ASSERT_EQ(model.address_o, is_column(pick.command)                      ? column[write][pick.slot]
                               : pick.command == DramCommandKind::kActivate ? row[write][pick.slot]
                                                                            : 0)
        << step;
    if (pick.command == DramCommandKind::kNone) continue;
    of_oldest += oldest_only;
    ASSERT_EQ(model.write_o, pick.write) << step;
    ASSERT_EQ(model.bank_o, pick.bank) << step;
    ASSERT_EQ(model.slot_o, pick.slot) << step;
    ASSERT_EQ(model.next_o, next[write][pick.slot]) << step;
  }
  for (const DramCommandKind kind : {DramCommandKind::kNone, DramCommandKind::kActivate, DramCommandKind::kPrecharge,
                                     DramCommandKind::kRead, DramCommandKind::kWrite}) {
    EXPECT_GT(picked[static_cast<unsigned>(kind)], 1000u) << static_cast<unsigned>(kind);
  }
  EXPECT_GT(of_oldest, 1000u);
}

TEST(FrFcfsTwin, FollowsTheOldestBurstAsInCpp) {
  std::mt19937 random(random_seed());
  Vfr_fcfs_stages model;
  model.rst_ni = 0;
  clock(model);
  model.rst_ni = 1;
  OldestBurst oldest;
  bool is_alone = false;
  std::uint16_t bypassed = 0;
  unsigned went = 0, alone = 0;
  for (unsigned step = 0; step < 50'000; ++step) {
    BankChoices reads, writes;
    const auto first_order = static_cast<std::uint32_t>(random());
    draw(reads.oldest, first_order, random);
    draw(writes.oldest, first_order + kMaxDramBanks, random);
    if (step % 8 == 0) reads.oldest = {};
    if (step % 16 == 0) writes.oldest = {};
    show(reads.oldest, 2, model);
    show(writes.oldest, 3, model);
    IssuedColumn issued;
    issued.valid = random() % 3 != 0;
    issued.write = random() % 8 != 0 ? oldest.write : !oldest.write;
    issued.slot = random() % 4 == 0 ? oldest.slot : static_cast<std::uint8_t>(random() % kWindowSlots);
    model.issued_i = issued.valid;
    model.issued_write_i = issued.write;
    model.issued_slot_i = issued.slot;
    clock(model);
    const bool was = oldest.valid;
    follow_oldest(issued, reads, writes, 5, oldest, is_alone, bypassed);
    went += was && !oldest.valid;
    alone += is_alone;
    ASSERT_EQ(model.followed_o, oldest.valid) << step;
    ASSERT_EQ(model.alone_o, is_alone) << step;
    ASSERT_EQ(model.bypassed_o, bypassed) << step;
    if (!oldest.valid) continue;
    ASSERT_EQ(model.place_o, kMaxDramBanks * oldest.write + oldest.bank) << step;
    ASSERT_EQ(model.oldest_of_all_o, oldest.slot) << step;
  }
  EXPECT_GT(went, 1000u);
  EXPECT_GT(alone, 1000u);
}

}  // namespace
}  // namespace g80
