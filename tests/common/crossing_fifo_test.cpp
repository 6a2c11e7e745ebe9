// SPDX-License-Identifier: Apache-2.0
// The asynchronous FIFO: order, the edge at which each side sees what the other did, and what it refuses.
#include "hw/common/crossing_fifo.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "hw/common/clocked.h"
#include "hw/common/field_values.h"
#include "tests/support/random_seed.h"
#include "tests/support/systemc_test.h"

namespace g80 {

struct CrossingItem {
  std::uint32_t number = 0;
  G80_FIELDS(number);
};

namespace {

// What a side does at an edge, drawn from the number of the edge: asleep or not, it draws the same.
bool acts_at(unsigned seed, Cycle edge, unsigned of_8) {
  std::uint64_t z = (edge / 64 * 977 + seed) * 0x9e3779b97f4a7c15u;  // busy and quiet stretches
  const unsigned share = z >> 63 != 0 ? of_8 : of_8 / 4;
  z = (edge + seed) * 0xbf58476d1ce4e5b9u;
  return ((z ^ z >> 31) * 0x94d049bb133111ebu >> 61) < share;
}

class Pusher final : public Clocked<NoRegs> {
 public:
  Pusher(const sc_core::sc_module_name& name, unsigned seed, unsigned of_8) : Clocked(name), seed_(seed), of_8_(of_8) {}
  CrossingOut<CrossingItem> out{"out"};
  std::vector<Cycle> at;
  std::function<void(Cycle)> check = [](Cycle) {};

 private:
  void next() override {
    check(edge());
    if (!out->can_push()) {
      sleep();
    } else if (acts_at(seed_, edge(), of_8_)) {
      out->push({static_cast<std::uint32_t>(at.size())});
      at.push_back(edge());
    }
  }
  void drive() override {}
  const unsigned seed_, of_8_;
};

class Popper final : public Clocked<NoRegs> {
 public:
  Popper(const sc_core::sc_module_name& name, unsigned seed, unsigned of_8) : Clocked(name), seed_(seed), of_8_(of_8) {}
  CrossingIn<CrossingItem> in{"in"};
  std::vector<Cycle> at;
  std::vector<std::uint32_t> got;
  std::function<void(Cycle)> check = [](Cycle) {};

 private:
  void next() override {
    check(edge());
    if (!in->available()) {
      sleep();
    } else if (acts_at(seed_, edge(), of_8_)) {
      got.push_back(in->front().number);
      in->pop();
      at.push_back(edge());
    }
  }
  void drive() override {}
  const unsigned seed_, of_8_;
};

struct Crossing {
  double writer_mhz, reader_mhz;
  unsigned depth, edges, free_edges, way = 0;
  std::uint64_t late = 0;  // seed of bits that come late; 0: none does
};
void PrintTo(const Crossing& c, std::ostream* out) {
  *out << c.writer_mhz << " to " << c.reader_mhz << " MHz, " << c.depth << " places, " << c.edges << " + " << c.way
       << " and " << c.free_edges << " edges";
}

/// Number of `moves` of a side with the clock `from` that the other side sees at `edge`: those to which `edge` is the
/// n-th edge strictly afterwards, or a later one.
std::size_t seen(const std::vector<Cycle>& moves, double from, double to, Cycle edge, unsigned n) {
  if (edge < n) return 0;
  const Picoseconds before = Domain::edge_time(to, edge - n + 1);
  const auto is_seen = [&](Cycle move) { return Domain::edge_time(from, move) < before; };
  return static_cast<std::size_t>(std::partition_point(moves.begin(), moves.end(), is_seen) - moves.begin());
}

struct Traffic {
  std::vector<Cycle> pushed, popped;
  std::vector<std::uint32_t> got;
  unsigned late = 0;  // edges at which a side sees less than what is there without late bits
};

class CrossingFifoTest : public testing::SystemCTest, public ::testing::WithParamInterface<Crossing> {
 protected:
  // Runs random traffic; each side checks at each of its edges what it sees against the times of the other's moves.
  static Traffic run(const Crossing& c, unsigned seed, unsigned pushes_of_8, unsigned pops_of_8, bool no_sleep,
                     bool reader_first) {
    renew_context();
    std::optional<Domain> writer, reader;
    if (reader_first) reader.emplace("reader", 1, c.reader_mhz, 2, no_sleep);
    writer.emplace("writer", 0, c.writer_mhz, 2, no_sleep);
    if (!reader_first) reader.emplace("reader", 1, c.reader_mhz, 2, no_sleep);
    CrossingFifo<CrossingItem> fifo("fifo", &*writer, &*reader, c.depth, c.edges, c.free_edges, c.way);
    if (c.late != 0) fifo.catch_late(c.late);
    unsigned late = 0;
    Pusher pusher("pusher", seed, pushes_of_8);
    Popper popper("popper", seed + 1, pops_of_8);
    pusher.out(fifo);
    popper.in(fifo);
    writer->add(pusher);
    reader->add(popper);
    pusher.check = [&](Cycle edge) {
      const std::size_t freed = seen(popper.at, c.reader_mhz, c.writer_mhz, edge, c.free_edges);
      const bool room = pusher.at.size() - freed < c.depth;
      if (c.late == 0) {
        ASSERT_EQ(fifo.can_push(), room) << "writer edge " << edge;
      } else {
        const std::size_t sure = seen(popper.at, c.reader_mhz, c.writer_mhz, edge, c.free_edges + 1);
        ASSERT_LE(fifo.can_push(), room) << "writer edge " << edge;
        ASSERT_GE(fifo.can_push(), pusher.at.size() - sure < c.depth) << "writer edge " << edge;
        late += fifo.can_push() != room ? 1 : 0;
      }
      ASSERT_EQ(fifo.can_push_at(edge), fifo.can_push());
    };
    popper.check = [&](Cycle edge) {
      const unsigned edges = c.edges + c.way;
      const std::size_t came = seen(pusher.at, c.writer_mhz, c.reader_mhz, edge, edges);
      const bool there = came > popper.at.size();
      if (c.late == 0) {
        ASSERT_EQ(fifo.available(), there) << "reader edge " << edge;
      } else {
        const std::size_t sure = seen(pusher.at, c.writer_mhz, c.reader_mhz, edge, edges + 1);
        ASSERT_LE(fifo.available(), there) << "reader edge " << edge;
        ASSERT_GE(fifo.available(), sure > popper.at.size()) << "reader edge " << edge;
        late += fifo.available() != there ? 1 : 0;
      }
      ASSERT_EQ(fifo.available_at(edge), fifo.available());
      ASSERT_LE(fifo.size(), c.depth);
    };
    sc_core::sc_start(sc_core::sc_time(3, sc_core::SC_US));
    return {pusher.at, popper.at, popper.got, late};
  }
};

TEST_P(CrossingFifoTest, EachSideSeesTheOtherAtTheEdgeThatTheFlopsSay) {
  const unsigned seed = random_seed();
  const unsigned speeds[][2] = {{4, 4}, {8, 8}, {8, 1}, {1, 8}, {7, 5}};
  for (const auto& [pushes, pops] : speeds) {
    const Traffic log = run(GetParam(), seed, pushes, pops, false, false);
    ASSERT_GE(log.pushed.size(), 20u);
    ASSERT_GE(log.got.size() + GetParam().depth, log.pushed.size());
    for (std::uint32_t i = 0; i < log.got.size(); ++i) ASSERT_EQ(log.got[i], i);
    // Neither sleep nor the order of the domains at a common edge changes an edge.
    for (const bool no_sleep : {false, true}) {
      for (const bool reader_first : {false, true}) {
        const Traffic again = run(GetParam(), seed, pushes, pops, no_sleep, reader_first);
        EXPECT_EQ(again.pushed, log.pushed);
        EXPECT_EQ(again.popped, log.popped);
      }
    }
  }
}

// Sleep and the order of the domains change nothing then either.
TEST_P(CrossingFifoTest, ABitMayComeAnEdgeLate) {
  Crossing c = GetParam();
  c.late = random_seed() + std::uint64_t{1};
  SCOPED_TRACE(c.late);
  const Traffic log = run(c, random_seed(), 4, 4, true, false);  // who sleeps sees no late edge
  ASSERT_GE(log.pushed.size(), 20u);
  EXPECT_GE(log.late, 3u);
  for (std::uint32_t i = 0; i < log.got.size(); ++i) ASSERT_EQ(log.got[i], i);
  for (const bool reader_first : {false, true}) {
    const Traffic again = run(c, random_seed(), 4, 4, false, reader_first);
    EXPECT_EQ(again.pushed, log.pushed);
    EXPECT_EQ(again.popped, log.popped);
  }
}

constexpr Crossing kCrossings[] = {
    {1458, 675, 8, 2, 2},  {675, 1458, 8, 2, 2},  {675, 1008, 8, 2, 2},    {1008, 675, 4, 3, 3},
    {1000, 1000, 8, 2, 2}, {1000, 500, 8, 2, 2},  {500, 1000, 3, 2, 3},    {1000, 999, 5, 3, 2},
    {999, 1000, 4, 1, 1},  {1000, 1000, 1, 1, 1}, {1000, 1000, 13, 8, 8},  {1458, 675, 21, 3, 2, 11},
    {300, 2000, 2, 4, 1},  {2000, 300, 32, 4, 8}, {700, 700.001, 7, 2, 2}, {1500, 1000, 64, 2, 2},
};
INSTANTIATE_TEST_SUITE_P(RatiosAndDepths, CrossingFifoTest, ::testing::ValuesIn(kCrossings));

using CrossingFifoAlone = testing::SystemCTest;

TEST_F(CrossingFifoAlone, TwoEdgesAreOneFlop) {
  Domain writer("writer", 0, 1000, 0, false), reader("reader", 1, 1000, 0, true);
  CrossingFifo<CrossingItem> fifo("fifo", &writer, &reader, 1, 2, 2);
  Pusher pusher("pusher", 1, 8);
  pusher.out(fifo);
  writer.add(pusher);
  Popper popper("popper", 1, 0);
  popper.in(fifo);
  reader.add(popper);
  std::vector<Cycle> visible;
  popper.check = [&](Cycle edge) {
    if (fifo.available()) visible.push_back(edge);
  };
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
  ASSERT_EQ(pusher.at.size(), 1u);
  ASSERT_FALSE(visible.empty());
  EXPECT_EQ(visible.front(), pusher.at[0] + 2);  // at +1 the flop samples the pointer, at +2 the reader uses it
}

// Does at its first edge what it is told.
class OneEdge final : public Clocked<NoRegs> {
 public:
  explicit OneEdge(const sc_core::sc_module_name& name) : Clocked(name) {}
  std::function<void()> act;

 private:
  void next() override {
    act();
    sleep();
  }
  void drive() override {}
};

TEST_F(CrossingFifoAlone, ASecondPushOrPopAtAnEdgeIsAnError) {
  Domain writer("writer", 0, 1000, 0, false), reader("reader", 1, 500, 0, false);
  CrossingFifo<CrossingItem> fifo("fifo", &writer, &reader, 4, 1, 1);
  OneEdge pushes("pushes"), pops("pops");
  writer.add(pushes);
  reader.add(pops);
  pushes.act = [&] {
    fifo.push({1});
    EXPECT_THROW(fifo.push({2}), ModelError);
    if (writer.edge() == 1) pushes.wake_at(2);
  };
  pops.act = [&] {
    if (reader.edge() == 1) pops.wake_at(3);
    if (reader.edge() != 3) return;
    EXPECT_EQ(fifo.size(), 2u);
    fifo.pop();
    EXPECT_TRUE(fifo.available());
    EXPECT_THROW(fifo.pop(), ModelError);
  };
  sc_core::sc_start(sc_core::sc_time(20, sc_core::SC_NS));
  EXPECT_EQ(fifo.size(), 1u);
}

TEST_F(CrossingFifoAlone, AnOddDepthStaysTheNumberOfEntries) {
  for (const unsigned depth : {1u, 3u, 5u, 6u, 63u, 65u}) {
    CrossingFifo<CrossingItem> fifo(sc_core::sc_gen_unique_name("fifo"), nullptr, nullptr, depth, 1);
    for (unsigned round = 0; round < 3 * depth; ++round) {
      while (fifo.can_push()) fifo.push({round});
      EXPECT_EQ(fifo.size(), depth);
      EXPECT_THROW(fifo.push({0}), ModelError);
      fifo.pop();
    }
    while (fifo.available()) fifo.pop();
    EXPECT_EQ(fifo.size(), 0u);
    EXPECT_THROW(fifo.pop(), ModelError);
  }
}

class EntryFields final : public FieldVisitor {
 public:
  std::vector<std::uint64_t> values;
  void enter(const char*, int) override {}
  void leave() override {}
  void leaf(const char*, int, std::uint64_t value, unsigned, const EnumText*) override { values.push_back(value); }
};

TEST_F(CrossingFifoAlone, AQueueShowsEachEntryAndFillsTheOtherPlacesWithBits) {
  CrossingFifo<CrossingItem> fifo("fifo", nullptr, nullptr, 4, 1);
  for (std::uint32_t i = 0; i < 3; ++i) fifo.push({100 + i});  // the ring wraps
  fifo.pop(), fifo.pop();
  for (std::uint32_t i = 3; i < 5; ++i) fifo.push({100 + i});
  for (unsigned place = 0; place < 3; ++place) {
    EntryFields entry;
    fifo.visit_entry(place, entry);
    EXPECT_EQ(entry.values, (std::vector<std::uint64_t>{102 + place}));
  }
  FieldEditor filler(7);
  fifo.edit_fields(filler);
  EXPECT_EQ(filler.changed(), 1u) << "the field of one place";
  for (std::uint32_t i = 2; i < 5; ++i) {
    EXPECT_EQ(fifo.front().number, 100 + i);
    fifo.pop();
  }
}

TEST_F(CrossingFifoAlone, AFaultReachesTheEntryPushedLast) {
  CrossingFifo<CrossingItem> fifo("fifo", nullptr, nullptr, 4, 1);
  for (std::uint32_t i = 0; i < 3; ++i) fifo.push({100 + i});
  FieldEditor editor(1, 1, {true, 1});  // leaf 0 is the count
  fifo.edit_fields(editor);
  EXPECT_EQ(editor.changed(), 1u);
  for (const std::uint32_t number : {100u, 101u, 102u ^ 1u}) {
    EXPECT_EQ(fifo.front().number, number);
    fifo.pop();
  }
}

struct ShownPointers {
  unsigned write, write_seen, read, read_seen;
  ShownPointers(const CrossingFifo<CrossingItem>& fifo, const Crossing& c, Picoseconds moment) {
    FieldValues fields(true);
    fields.show_at(moment);
    fifo.trace_fields(fields);
    const auto number = [&](const std::string& name) {
      const auto at = std::find(fields.names.begin(), fields.names.end(), name) - fields.names.begin();
      unsigned pointer = 0;
      for (auto code = static_cast<unsigned>(fields.values.at(static_cast<std::size_t>(at))); code != 0; code >>= 1)
        pointer ^= code;
      return pointer;
    };
    const auto last = [](const char* name, unsigned edges) { return fmt::format("{}[{}]", name, edges - 2); };
    write = number("write_pointer"), read = number("read_pointer");
    write_seen = c.way != 0    ? number(fmt::format("write_way[{}]", c.way - 1))
                 : c.edges > 1 ? number(last("write_flop", c.edges))
                               : write;
    read_seen = c.free_edges > 1 ? number(last("read_flop", c.free_edges)) : read;
  }
};

// What is seen at an edge is what the last flop shows in front of it; without flops it is a wire.
TEST_P(CrossingFifoTest, ShowsWhatEachSideSees) {
  const Crossing& c = GetParam();
  Domain writer("writer", 0, c.writer_mhz, 2, false), reader("reader", 1, c.reader_mhz, 2, false);
  CrossingFifo<CrossingItem> fifo("fifo", &writer, &reader, c.depth, c.edges, c.free_edges, c.way);
  Pusher pusher("pusher", random_seed(), 4);
  Popper popper("popper", random_seed() + 1, 4);
  pusher.out(fifo);
  popper.in(fifo);
  writer.add(pusher);
  reader.add(popper);
  unsigned places = 1, behind = 0;
  while (places < c.depth) places *= 2;
  const auto shown_before = [&](const Domain& domain, Cycle edge) {
    const Picoseconds moment = domain.edge_time(edge) - 1;
    behind += fifo.moves_unmarked(moment, false) ? 1 : 0;
    return ShownPointers(fifo, c, moment);
  };
  pusher.check = [&](Cycle edge) {
    const ShownPointers shown = shown_before(writer, edge);
    const bool room = ((shown.write - shown.read_seen) & (2 * places - 1)) < c.depth;
    ASSERT_TRUE(c.free_edges == 1 || fifo.can_push() == room) << edge;
  };
  popper.check = [&](Cycle edge) {
    const ShownPointers shown = shown_before(reader, edge);
    ASSERT_TRUE(c.edges == 1 || fifo.available() == (shown.write_seen != shown.read)) << edge;
  };
  sc_core::sc_start(sc_core::sc_time(3, sc_core::SC_US));
  EXPECT_GE(popper.got.size(), 20u);
  EXPECT_GE(behind, c.edges > 1 || c.free_edges > 1 ? 10u : 0u);
}

TEST_F(CrossingFifoAlone, AFaultInAnyBitOfAPointerIsNoticed) {
  const auto got = [](unsigned pointer, unsigned bit) {
    renew_context();
    Domain writer("writer", 0, 700, 2, true), reader("reader", 1, 500, 2, true);
    CrossingFifo<CrossingItem> fifo("fifo", &writer, &reader, 8, 2, 2);
    Pusher pusher("pusher", 3, 6);
    Popper popper("popper", 4, 6);
    pusher.out(fifo);
    popper.in(fifo);
    writer.add(pusher);
    reader.add(popper);
    pusher.check = [&](Cycle edge) {
      if (edge != 300 || pointer == 0) return;
      FieldEditor editor(pointer, 1, {true, std::uint64_t{1} << bit});
      fifo.edit_fields(editor);
      EXPECT_EQ(editor.changed(), 1u);
    };
    try {
      sc_core::sc_start(sc_core::sc_time(3, sc_core::SC_US));
    } catch (const std::exception&) {
      popper.got.clear();  // a check has ended it
    }
    return popper.got;
  };
  const std::vector<std::uint32_t> right = got(0, 0);
  EXPECT_GE(right.size(), 200u);
  for (const unsigned pointer : {2u, 4u}) {  // behind the count, the item's number, and the flop of the first
    for (unsigned bit = 0; bit < 4; ++bit) EXPECT_NE(got(pointer, bit), right) << "bit " << bit << " of " << pointer;
  }
}

// Nothing is pushed: the fault alone makes an entry, or takes the free places, for an edge, and wakes who sees it.
TEST_F(CrossingFifoAlone, AFaultInAFlopComesOutBehindTheOthersForAnEdge) {
  constexpr unsigned kFirst = 3, kEdges = 3, kWay = 2;  // behind the count, the item's number and the write pointer
  constexpr unsigned kStages = kEdges - 1 + kWay, kReadFlops = kFirst + kStages + 1;
  for (unsigned leaf = kFirst; leaf < kReadFlops + kEdges - 1; ++leaf) {
    if (leaf == kReadFlops - 1) continue;  // the read pointer
    SCOPED_TRACE(leaf);
    renew_context();
    Domain writer("writer", 0, 700, 2, false), reader("reader", 1, 500, 2, false);
    CrossingFifo<CrossingItem> fifo("fifo", &writer, &reader, 8, kEdges, kEdges, kWay);
    Pusher pusher("pusher", 3, 0);
    Popper popper("popper", 4, 0);
    pusher.out(fifo);
    popper.in(fifo);
    writer.add(pusher);
    reader.add(popper);
    std::vector<Cycle> full, there;
    Cycle writer_edge = 0, reader_edge = 0;
    pusher.check = [&](Cycle edge) {
      if (!fifo.can_push()) full.push_back(edge);
      if (edge != 50) return;
      FieldEditor editor(leaf, 1, {true, 4});
      fifo.edit_fields(editor);
      EXPECT_EQ(editor.changed(), 1u);
      EXPECT_TRUE(editor.edits_queue());
      writer_edge = writer.last_edge(), reader_edge = reader.last_edge();
    };
    popper.check = [&](Cycle edge) {
      if (fifo.available()) there.push_back(edge);
    };
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
    if (leaf < kReadFlops) {
      EXPECT_EQ(there, (std::vector<Cycle>{reader_edge + kStages - (leaf - kFirst)}));
      EXPECT_EQ(full.size(), 0u);
    } else {
      EXPECT_EQ(full, (std::vector<Cycle>{writer_edge + kEdges - 1 - (leaf - kReadFlops)}));
      EXPECT_EQ(there.size(), 0u);
    }
  }
}

TEST_F(CrossingFifoAlone, ImpossibleSizesAreRefused) {
  EXPECT_THROW(CrossingFifo<CrossingItem>("none", nullptr, nullptr, 0, 1), ModelError);
  EXPECT_THROW(CrossingFifo<CrossingItem>("at_once", nullptr, nullptr, 1, 0), ModelError);
  EXPECT_THROW(CrossingFifo<CrossingItem>("free_at_once", nullptr, nullptr, 1, 1, 0), ModelError);
}

// Pushes a word at each of two edges and notes at which edge after that it sees all places free.
class TwoPushes final : public Clocked<NoRegs> {
 public:
  explicit TwoPushes(const sc_core::sc_module_name& name) : Clocked(name) { out.wake_for_room(RoomWake::kAllFree); }
  CrossingOut<CrossingItem> out{"out"};
  Cycle free = 0;
  unsigned steps = 0;

 private:
  void next() override {
    if (++steps <= 2) {
      EXPECT_EQ(out->all_free(), steps == 1);
      out->push({steps});
      return;
    }
    if (free == 0 && out->all_free()) free = edge();
    sleep();
  }
  void drive() override {}
};

TEST_F(CrossingFifoAlone, AWriterSeesItsPlacesFreeSomeOfItsEdgesAfterTheLastPopAndIsWokenForIt) {
  for (const double mhz : {100.0, 1000.0, 3000.0}) {
    renew_context();
    Domain writer("writer", 0, mhz, 0, false), reader("reader", 1, 500, 0, false);
    CrossingFifo<CrossingItem> fifo("fifo", &writer, &reader, 16, 2, 3);
    TwoPushes pushes("pushes");
    pushes.out(fifo);
    writer.add(pushes);
    OneEdge pops("pops");
    reader.add(pops);
    Picoseconds last = 0;
    pops.act = [&] {
      pops.wake_at(reader.edge() + 1);
      if (reader.edge() < 50 || !fifo.available()) return;  // both words wait by then
      fifo.pop();
      last = sc_core::sc_time_stamp().value();
    };
    sc_core::sc_start(sc_core::sc_time(200'000, sc_core::SC_PS));
    EXPECT_EQ(last, reader.edge_time(51)) << mhz;
    EXPECT_EQ(pushes.free, writer.first_edge_from(last + 1) + 2) << mhz;
    EXPECT_EQ(pushes.steps, 4u) << "two pushes, the edge after them, and the one for which it was woken";
  }
}

}  // namespace
}  // namespace g80
