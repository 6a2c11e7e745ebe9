// SPDX-License-Identifier: Apache-2.0
// The stage `look up` of the texture L2 in SystemVerilog against that of the block.
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "hw/common/field_values.h"
#include "hw/tex/texture_l2.h"
#include "tb/twins/verilated_time.h"
#include "tests/support/random_seed.h"
#include "tests/support/systemc_test.h"
#include "tests/twins/clock_edge.h"
#include "tests/twins/packed_array.h"

#include "Vtexture_l2_lookup.h"

namespace g80 {
namespace {

constexpr unsigned kL2LineBits = 27, kL2Sets = 128, kL2Ways = 8, kL2Entries = 64;  // of an 8800 GTX

/// The block without its wires: the stage, what is in front of it and behind it.
class TextureL2Stage : public TextureL2 {
 public:
  TextureL2Stage() : TextureL2("l2", load_config("8800gtx")) {
    reset();
    see();
  }

  bool waits() const { return look_up_.valid; }
  void ask(std::uint32_t line) {
    look_up_.valid = true;
    look_up_.read = {};
    look_up_.read.header.bytes = 32;
    look_up_.read.address = 32 * line;
  }
  /// The line of a register that waits for it comes.
  void fill(std::mt19937& random) {
    if (fill_.answers || asked_.empty()) return;
    std::swap(asked_[random() % asked_.size()], asked_.back());
    fill_.entry = asked_.back();
    fill_.slot = ways_.slot[fill_.entry];
    fill_.answers = true;
    fill_.writes = !misses_.is_stale(fill_.entry);
    asked_.pop_back();
  }
  void take_reply() {
    if (replies_.arrived()) replies_.pop();
  }
  void hand_over() { request_.hand_over(true); }
  void empty_access() { access_.valid = false; }

  void put(Vtexture_l2_lookup& model, bool flushed) {
    set_ = look_up_.read.address / 32 % kL2Sets;
    model.flush_i = flushed;
    model.valid_i = look_up_.valid;
    model.line_i = look_up_.read.address / 32;
    model.fill_answers_i = fill_.answers;
    model.fill_writes_i = fill_.writes;
    model.fill_slot_i = fill_.slot;
    model.fill_entry_i = fill_.entry;
    model.access_i = access_.valid;
    model.full_i = replies_.full();
    model.may_ask_i = !request_->valid;
    model.tag_valid_i = model.come_i = 0;
    model.age_i = 0;
    for (unsigned way = 0; way < kL2Ways; ++way) {
      const std::uint64_t* const tag = &tags_seen_[4 * (set_ * kL2Ways + way)];
      model.tag_valid_i = static_cast<std::uint8_t>(model.tag_valid_i | tag[0] << way);
      model.age_i |= static_cast<std::uint32_t>(tag[1] << 3 * way);
      testing::put(model.tag_i, kL2LineBits - 7, way, static_cast<std::uint32_t>(tag[3] / kL2Sets));
      model.come_i = static_cast<std::uint8_t>(model.come_i | (words_.come[set_ * kL2Ways + way] & 1) << way);
    }
    model.used_i = misses_seen_[0];
    model.stale_i = misses_seen_[1];
    model.taken_i = misses_seen_[2];
    for (unsigned e = 0; e < kL2Entries; ++e) {
      testing::put(model.entry_line_i, kL2LineBits, e, static_cast<std::uint32_t>(misses_seen_[3 + 3 * e]));
      testing::put(model.entry_slot_i, 10, e, ways_.slot[e]);
      testing::put(model.first_i, 6, e, static_cast<std::uint32_t>(misses_seen_[4 + 3 * e]));
      testing::put(model.last_i, 6, e, static_cast<std::uint32_t>(misses_seen_[5 + 3 * e]));
    }
  }
  /// An edge, as next() has it, and whether the twin found the same.
  void step(const Vtexture_l2_lookup& model, bool flushed) {
    const Counters before = counters_;
    const auto last_before = [seen = misses_seen_](unsigned entry) { return seen[5 + 3 * entry]; };
    replies_.step_to(++now_);
    if (flushed) flush();
    answer();
    look_up();
    see();
    const bool hit = counters_.hits != before.hits, merged = counters_.merges != before.merges,
               missed = counters_.misses != before.misses;
    ASSERT_EQ(model.hit_o != 0, hit);
    ASSERT_EQ(model.merge_o != 0, merged);
    ASSERT_EQ(model.allocate_o != 0, missed);
    if (hit) {
      ASSERT_EQ(set_ * kL2Ways + model.way_o, access_.slot);
    }
    if (missed) {
      ASSERT_EQ(model.entry_o, request_->id);
      ASSERT_EQ(set_ * kL2Ways + model.way_o, ways_.slot[request_->id]);
      asked_.push_back(request_->id);
    }
    if (merged) {
      ASSERT_EQ(misses_seen_[3 + 3 * model.entry_o], look_up_.read.address / 32);
      ASSERT_EQ(model.behind_o, last_before(model.entry_o));
    }
    if (merged || missed) {
      ASSERT_EQ(misses_seen_[5 + 3 * model.entry_o], model.place_o);
    }
    ASSERT_EQ(model.used_o, misses_seen_[0]);
    ASSERT_EQ(model.stale_o, misses_seen_[1]);
    ASSERT_EQ(model.taken_o, misses_seen_[2]);
    for (unsigned way = 0; way < kL2Ways; ++way) {
      ASSERT_EQ(model.come_o >> way & 1, words_.come[set_ * kL2Ways + way]);
      ASSERT_EQ(model.age_o >> 3 * way & 7, tags_seen_[4 * (set_ * kL2Ways + way) + 1]);
    }
    full += misses_seen_[2] == ~std::uint64_t{0};
    no_register += misses_seen_[0] == ~std::uint64_t{0};
    lost += missed && !flushed && __builtin_popcountll(misses_seen_[1]) > __builtin_popcountll(stale_before_);
    stale_before_ = misses_seen_[1];
  }

  unsigned full = 0, no_register = 0, lost = 0;

 private:
  void see() {
    FieldValues misses(false, true), tags(false, true);
    misses("misses", static_cast<const Mshr<Read, kMaxMshrs, kPlacesToWait>&>(misses_));
    tags("tags", static_cast<const Tags&>(tags_));
    misses_seen_ = std::move(misses.values);
    tags_seen_ = std::move(tags.values);
  }

  Cycle now_ = 0;
  unsigned set_ = 0;
  std::uint64_t stale_before_ = 0;
  std::vector<std::uint8_t> asked_;                     // registers whose line has not come
  std::vector<std::uint64_t> misses_seen_, tags_seen_;  // used, stale, taken, then line, first, last of each register
};

using TextureL2LookupTwin = testing::SystemCTest;

void l2_edge(TextureL2Stage& level, Vtexture_l2_lookup& model, bool flushed = false) {
  level.put(model, flushed);
  testing::clock_edge(model);
  level.step(model, flushed);
}

TEST_F(TextureL2LookupTwin, DecidesAsTheBlockDoes) {
  std::mt19937 random(random_seed());
  Vtexture_l2_lookup model;
  TextureL2Stage level;
  for (unsigned step = 0; step < 30'000; ++step) {
    SCOPED_TRACE(step);
    const unsigned phase = step / 1000 % 4;  // few lines, too few ways, all registers, long queues
    const std::uint32_t sets = phase == 2 ? kL2Sets : 2, tags = phase == 0   ? 4
                                                                : phase == 2 ? 1000
                                                                : phase == 3 ? 2
                                                                             : 12;
    if (!level.waits() && random() % 8 != 0) level.ask(random() % sets + kL2Sets * (random() % tags));
    if (random() % (step / 250 % 2 != 0 ? 3 : 40) == 0) level.fill(random);
    if (random() % 8 != 0) level.take_reply();
    if (random() % 4 != 0) level.hand_over();
    ASSERT_NO_FATAL_FAILURE(l2_edge(level, model, random() % 400 == 0));
  }
  EXPECT_GT(level.counters().hits, 3'000u);
  EXPECT_GT(level.counters().misses, 1'000u);
  EXPECT_GT(level.counters().merges, 1'000u);
  EXPECT_GT(level.lost, 100u) << "a line on its way loses its way";
  EXPECT_GT(level.full, 100u);
  EXPECT_GT(level.no_register, 100u);
}

TEST_F(TextureL2LookupTwin, ALineInEachWayAndTheNinthTakesThatOfTheFirst) {
  Vtexture_l2_lookup model;
  TextureL2Stage level;
  for (unsigned line = 0; line < 9; ++line) {
    level.ask(5 + kL2Sets * line);
    ASSERT_NO_FATAL_FAILURE(l2_edge(level, model));
    EXPECT_EQ(model.allocate_o, 1);
    EXPECT_EQ(model.entry_o, line);
    EXPECT_EQ(model.way_o, line % kL2Ways);
    level.hand_over();
  }
  EXPECT_EQ(model.stale_o, 1u);
  level.ask(5 + kL2Sets * 8);
  ASSERT_NO_FATAL_FAILURE(l2_edge(level, model));
  EXPECT_EQ(model.merge_o, 1);
  EXPECT_EQ(model.entry_o, 8);
  EXPECT_EQ(model.behind_o, 8);
  EXPECT_EQ(model.place_o, 9);
}

}  // namespace
}  // namespace g80
