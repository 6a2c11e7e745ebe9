// SPDX-License-Identifier: Apache-2.0
// Queues inside a block are part of what waves and faults see of it.
#include "hw/common/store.h"

#include <algorithm>
#include <map>
#include <string>

#include "hw/common/clocked.h"
#include "hw/common/fifo.h"
#include "hw/common/queue.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

struct Job {
  std::uint8_t warp = 0;
  std::uint32_t pc = 0;
  G80_FIELDS((warp, 5), (pc, 24));
};

class Keeper final : public Clocked<NoRegs> {
 public:
  explicit Keeper(const char* name) : Clocked(name) {}
  Fifo<Job, 3> jobs{*this, "jobs"};
  Queue<std::uint8_t> slots{*this, "slots", 9u};
  Stored<std::array<Ring<Job, 2>, 2>> per_sm{*this, "per_sm"};

 private:
  void next() override {}
  void drive() override {}
};

/// Has a word outside its registers.
class Memory final : public Clocked<NoRegs> {
 public:
  explicit Memory(const char* name) : Clocked(name) {}
  std::uint32_t word = 0;

 private:
  void visit_members(FieldVisitor& visitor) const override { visitor.stored("word", word); }
  void visit_members(FieldEditor& editor) override { editor.stored("word", word); }
  void next() override {}
  void drive() override {}
};

class Values final : public FieldVisitor {
 public:
  explicit Values(bool with_stored = false) : FieldVisitor(with_stored) {}
  std::map<std::string, std::uint64_t> of;
  std::vector<std::string> names;  // in the order of the leaves
  void enter(const char* name, int index) override { path_.push_back(text(name, index) + "."); }
  void leave() override { path_.pop_back(); }
  void leaf(const char* name, int index, std::uint64_t value, unsigned, const EnumText*) override {
    std::string full;
    for (const std::string& part : path_) full += part;
    names.push_back(full + text(name, index));
    of[names.back()] = value;
  }

 private:
  static std::string text(const char* name, int index) {
    return index < 0 ? name : std::string(name) + "[" + std::to_string(index) + "]";
  }
  std::vector<std::string> path_;
};
Values values_of(const Keeper& keeper) {
  Values values;
  keeper.trace_fields(values);
  return values;
}

using StoreTest = testing::SystemCTest;

TEST_F(StoreTest, AQueueShowsItsNumberOfEntriesAndTheOldest) {
  Keeper keeper("keeper");
  keeper.jobs.push({7, 0x40});
  keeper.jobs.push({8, 0x48});
  keeper.slots.push(5);
  keeper.per_sm[1].push({9, 0x50});
  Values seen = values_of(keeper);
  EXPECT_EQ(seen.of.at("jobs.count"), 2u);
  EXPECT_EQ(seen.of.at("jobs.front.warp"), 7u);
  EXPECT_EQ(seen.of.at("jobs.front.pc"), 0x40u);
  EXPECT_EQ(seen.of.at("slots.count"), 1u);
  EXPECT_EQ(seen.of.at("slots.front"), 5u);
  EXPECT_EQ(seen.of.at("per_sm[0].count"), 0u);
  EXPECT_EQ(seen.of.at("per_sm[1].front.pc"), 0x50u);
  EXPECT_EQ(seen.names.size(), 3u + 2 + 2 * 3);
  keeper.jobs.pop();
  EXPECT_EQ(values_of(keeper).of.at("jobs.front.warp"), 8u);
  keeper.jobs.pop();
  EXPECT_EQ(values_of(keeper).of.at("jobs.front.warp"), 0u) << "an empty queue shows nothing of what it held";
}

TEST_F(StoreTest, WordsOutsideTheRegistersAreShownToThoseWhoWantThem) {
  Memory memory("memory");
  memory.word = 77;
  Values waves;
  memory.trace_fields(waves);
  EXPECT_TRUE(waves.names.empty());
  struct Stored final : FieldVisitor {
    Stored() : FieldVisitor(true) {}
    std::map<std::string, std::uint64_t> of;
    void enter(const char*, int) override {}
    void leave() override {}
    void leaf(const char* name, int, std::uint64_t value, unsigned, const EnumText*) override { of[name] = value; }
  } all;
  memory.trace_fields(all);
  EXPECT_EQ(all.of.at("word"), 77u);
}

TEST_F(StoreTest, AFaultReachesAWordOutsideTheRegisters) {
  Memory memory("memory");
  memory.word = 77;
  FieldEditor editor(0, 1, {true, 4});
  memory.edit_fields(editor);
  EXPECT_EQ(editor.changed(), 1u);
  EXPECT_EQ(memory.word, 77u ^ 4u);
}

TEST_F(StoreTest, AFaultReachesTheEntriesAndMakesNoCountOrPlaceThatThereIsNot) {
  Keeper keeper("keeper");
  keeper.jobs.push({7, 0x40});
  Values with_stored(true);
  keeper.trace_fields(with_stored);
  const std::vector<std::string>& names = with_stored.names;
  const auto number = [&](const char* name) {
    return static_cast<std::uint32_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  FieldEditor pc(number("jobs.front.pc"), 1, {true, 0x8});
  keeper.edit_fields(pc);
  EXPECT_EQ(pc.changed(), 1u);
  EXPECT_EQ(keeper.jobs.front().pc, 0x48u);
  FieldEditor place(number("jobs.place[2].pc"), 1, {false, 0x50});
  keeper.edit_fields(place);
  EXPECT_EQ(place.changed(), 1u);
  for (unsigned value = 0; value < 16; ++value) {
    keeper.slots.clear();
    FieldEditor count(number("slots.count"), 1, {false, value});
    keeper.edit_fields(count);
    EXPECT_EQ(keeper.slots.size(), value <= keeper.slots.capacity() ? value : 0u);
    FieldEditor head(number("slots.head"), 1, {false, value});
    keeper.edit_fields(head);
    EXPECT_EQ(keeper.slots.row(0), value < keeper.slots.capacity() ? value : 0u);
  }
}

TEST_F(StoreTest, PlacesWithoutAnEntryCanStartFromAnyBits) {
  Keeper keeper("keeper");
  keeper.jobs.push({7, 0x40});
  FieldEditor filler(42);
  keeper.edit_fields(filler);
  EXPECT_EQ(filler.changed(), 2u * 2 + 9 + 4 * 2) << "fields of two jobs, of nine slots, of four jobs";
  EXPECT_EQ(keeper.jobs.front().warp, 7u);
  EXPECT_EQ(keeper.jobs.front().pc, 0x40u);
  EXPECT_NE(keeper.jobs.at(1).pc, 0u);
  EXPECT_LT(keeper.jobs.at(1).pc, 1u << 24) << "as wide as the field";
  EXPECT_LT(keeper.jobs.at(1).warp, 1u << 5);
  EXPECT_NE(keeper.jobs.at(1).pc, keeper.jobs.at(2).pc);
  keeper.jobs.push({8, 0x48});
  EXPECT_EQ(keeper.jobs.at(1).pc, 0x48u);
}

}  // namespace
}  // namespace g80
