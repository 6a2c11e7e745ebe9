// SPDX-License-Identifier: Apache-2.0
// A struct's visit() names every member once, or it does not compile; and every visitor sees the same fields.
#include "hw/common/fields.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "hw/bundles/exec_bundles.h"
#include "hw/bundles/smem_bundles.h"
#include "hw/common/fifo.h"
#include "hw/gpu/chip_port.h"
#include "hw/sm/warp_scheduler.h"
#include "hw/smem/bank_conflict.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

struct Inner {
  std::uint16_t low = 0;
  std::uint8_t high = 0;
  G80_FIELDS(low, high);
};
/// Does one thing wrong, or nothing with kMistake = 0.
template <unsigned kMistake>
struct Visited {
  bool flag = false;
  Inner inner;
  std::uint32_t row[3] = {};
  std::uint8_t square[2][2] = {};
  std::array<Inner, 2> pair{};
  const int* pointer = nullptr;
  Inner flat;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    if constexpr (kMistake != 1) v("flag", s.flag);
    if constexpr (kMistake == 2) v("flag", s.flag);
    if constexpr (kMistake != 3) v("inner", s.inner);
    v("row", s.row);
    if constexpr (kMistake == 4) {
      v("square", s.square[0]);
    } else {
      v("square", s.square);
    }
    if constexpr (kMistake != 5) v.stored("pair", s.pair);
    if constexpr (kMistake != 6) v.unseen("pointer", s.pointer);
    v.shown("sum", s.row[0] + s.row[1]);
    if constexpr (kMistake == 7) {
      v.shown("flat", s.flat.low);
    } else {
      visit_fields(s.flat, v);
    }
  }
};

static_assert(members_detail::count<Visited<0>>() == 7, "an array and a struct are one member each");
static_assert(members_detail::count<NoRegs>() == 0);
static_assert(members_detail::count<MemRequest>() == 17);
static_assert(members_detail::count<LaneWords>() == 1);
static_assert(every_member_is_visited<Visited<0>>());
#ifndef __clang__  // which checks nothing
static_assert(!every_member_is_visited<Visited<1>>(), "a flag is left out");
static_assert(!every_member_is_visited<Visited<2>>(), "a flag is named twice");
static_assert(!every_member_is_visited<Visited<3>>(), "a struct is left out");
static_assert(!every_member_is_visited<Visited<4>>(), "half of an array is left out");
static_assert(!every_member_is_visited<Visited<5>>(), "a stored array is left out");
static_assert(!every_member_is_visited<Visited<6>>(), "a pointer is left out");
static_assert(!every_member_is_visited<Visited<7>>(), "a value computed for display is no member");
#endif

/// Names of the leaves, by the visitor that waves use.
class Names final : public FieldVisitor {
 public:
  Names() : FieldVisitor(true) {}
  std::vector<std::string> names;
  void enter(const char*, int) override {}
  void leave() override {}
  void leaf(const char* name, int, std::uint64_t, unsigned, const EnumText*) override { names.push_back(name); }
};
template <class T>
std::vector<std::string> names_of(const T& object) {
  Names found;
  visit_fields(object, found);
  return found.names;
}

TEST(Fields, EveryRegisterOfTheWarpSchedulerIsASignal) {
  // valid, warp, to_multipliers, stall; hidden; last and 32 ages; the watched warp; five waits; four counts
  EXPECT_EQ(names_of(WarpSchedulerRegs{}).size(), 4u + 1 + 1 + kMaxWarps + 2 + 5 + 4);
}

TEST(Fields, ADecisionOfABundleIsASignal) {
  const auto has = [](const std::vector<std::string>& names, const char* name) {
    return std::count(names.begin(), names.end(), name) == 1;
  };
  EXPECT_TRUE(has(names_of(AddressDispatch{}), "constant"));
  EXPECT_TRUE(has(names_of(SmemRequest{}), "sign_extend"));
  EXPECT_TRUE(has(names_of(BankConflictRegs{}), "wait"));
  EXPECT_TRUE(has(names_of(HalfWarpAccess{}), "atom_op"));
  EXPECT_TRUE(has(names_of(MemRequest{}), "atom_bytes"));
  EXPECT_TRUE(has(names_of(ChipPortRegs{}), "copy_went_last"));
}

// sc_signal compares with this operator: a bundle that differs in its data alone is another one.
TEST(Fields, BundlesThatDifferInDataAloneDiffer) {
  MemRequest a, b;
  EXPECT_TRUE(a == b);
  b.data[31] = 1;
  EXPECT_FALSE(a == b);
}

// Waves see only the leaves that changed since the last visit: the same as by comparing all of them. What lies behind
// the front of a queue, and what is left in an empty one, is not seen. Neither are padding and bits beyond a width.
struct Odd {
  std::uint8_t five = 0;
  bool flag = false;
  std::int16_t negative = 0;
  std::uint64_t wide = 0;
  std::uint8_t last = 0;
  G80_FIELDS((wide, 40), (five, 5), flag, negative, last);
};
static_assert(sizeof(Odd) == 24, "there is padding");
struct Block {
  std::array<Ring<MemRequest, 2>, 3> large;
  std::array<Ring<Inner, 8>, 3> small;
  std::array<std::uint32_t, 16> row{};
  Odd odd[3];
  Visited<0> visited;
  G80_FIELDS(large, small, row, odd, visited);
};
class Leaves final : public FieldVisitor {
 public:
  using FieldVisitor::FieldVisitor;
  std::vector<std::uint64_t> values;
  void enter(const char*, int) override {}
  void leave() override {}
  void leaf(const char*, int, std::uint64_t value, unsigned width, const EnumText*) override {
    values.push_back(value & ~std::uint64_t{0} >> (64 - width));
  }
};
TEST(Fields, AVisitorThatKnowsTheLastVisitSeesExactlyWhatChanged) {
  std::mt19937_64 random(random_seed());
  Block block;
  KnownFields::Layouts layouts;
  KnownFields known(layouts);
  std::vector<std::uint64_t> last, known_values;
  const auto move = [&](auto& queue) {
    if (!queue.empty() && random() % 2 == 0) queue.pop();
    if (queue.full() || random() % 2 == 0) return;
    auto item = std::decay_t<decltype(queue.front())>{};
    FieldEditor fill(random());
    fill.fill(item);
    queue.push(item);
  };
  for (unsigned step = 0; step < 2000; ++step) {
    Odd& odd = block.odd[random() % 3];
    switch (random() % 11) {
      case 0: move(block.large[random() % 3]); break;
      case 1: move(block.small[random() % 3]); break;
      case 2: block.row[random() % 16] = static_cast<std::uint32_t>(random() % 2); break;
      case 3: block.visited.square[random() % 2][1] ^= 1; break;
      case 4: odd.five = static_cast<std::uint8_t>(random() % 2 + random() % 4 * 32); break;
      case 5: odd.flag ^= true; break;
      case 6: odd.negative = static_cast<std::int16_t>(random() % 3 - 1); break;
      case 7: odd.wide ^= std::uint64_t{1} << random() % 64; break;
      case 8: std::memset(&odd.last + 1, static_cast<int>(random()), 4); break;
      case 9: block.visited.row[random() % 3] = static_cast<std::uint32_t>(random() % 3); break;
      default: block.visited.flat.low = static_cast<std::uint16_t>(random() % 3);
    }
    Leaves all;
    visit_fields(block, all);
    last.resize(all.values.size());
    known_values.resize(all.values.size());
    std::vector<std::pair<std::uint32_t, std::uint64_t>> expected, seen;
    for (std::uint32_t i = 0; i < last.size(); ++i) {
      if (all.values[i] != last[i]) expected.emplace_back(i, all.values[i]);
    }
    std::vector<LeafChange> changes;
    known.begin(known_values, 0, changes);
    Leaves leaves(known, false);
    leaves.fields_of(block);
    ASSERT_EQ(known.leaf(), all.values.size());
    for (const LeafChange& change : changes) seen.emplace_back(change.leaf, change.value);
    std::sort(seen.begin(), seen.end());
    ASSERT_EQ(seen, expected) << step;
    ASSERT_EQ(known_values, all.values) << step;
    last = all.values;
  }
}

// More leaves than the layout of a block can number.
struct Large {
  std::array<std::uint8_t, 65'537> byte{};
  G80_FIELDS(byte);
};
TEST(Fields, EachOfVeryManyLeavesIsKnown) {
  Large large;
  KnownFields::Layouts layouts;
  KnownFields known(layouts);
  std::vector<std::uint64_t> values(large.byte.size());
  std::vector<LeafChange> changes;
  for (const std::uint8_t last : {0, 0, 1}) {
    large.byte.back() = last;
    known.begin(values, 0, changes);
    Leaves leaves(known, false);
    leaves.fields_of(large);
  }
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].leaf, 65'536u);
}

TEST(Fields, AValueThatLiesInNoObjectIsKnownToo) {
  KnownFields::Layouts layouts;
  KnownFields known(layouts);
  std::vector<std::uint64_t> values(1);
  std::vector<LeafChange> changes;
  for (const std::uint64_t value : {3, 3, 4}) {
    known.begin(values, 0, changes);
    Leaves leaves(known, false), all;
    leaves.see("value", -1, value, 8, nullptr);
    all.see("value", -1, value, 8, nullptr);
    EXPECT_EQ(all.values, values);
  }
  EXPECT_EQ(changes.size(), 2u);
}

// A fault reaches the leaf that the visitor numbers alike, in every struct above.
template <class T>
void expect_editable(const T& object) {
  const std::size_t leaves = names_of(object).size();
  std::uint32_t editable = 0;
  for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
    T copy = object;
    FieldEditor editor(leaf, 1, {true, 1});
    visit_fields(copy, editor);
    editable += editor.editable();
    EXPECT_EQ(editor.changed(), editor.editable()) << names_of(object)[leaf];
  }
  EXPECT_EQ(editable, leaves);
}
TEST(Fields, AFaultReachesEveryRegister) {
  expect_editable(BankConflictRegs{});
  expect_editable(WarpSchedulerRegs{});
  expect_editable(ChipPortRegs{});
}

}  // namespace
}  // namespace g80
