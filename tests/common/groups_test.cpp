// SPDX-License-Identifier: Apache-2.0
// Groups of blocks that threads step side by side do what they do one after the other.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "hw/common/crossing_fifo.h"
#include "hw/common/wire.h"
#include "tests/support/random_seed.h"
#include "tests/support/systemc_test.h"

namespace g80 {

struct Token {
  std::uint32_t value = 0;
  G80_FIELDS(value);
};
inline bool operator==(const Token& a, const Token& b) { return a.value == b.value; }

namespace {

using sc_core::SC_PS;
using sc_core::sc_time;

/// Mixes what two others drive and what arrives in a queue, sleeps now and then, and sends into another queue.
class Mixer final : public Clocked<Token> {
 public:
  Mixer(const sc_core::sc_module_name& name, std::uint32_t seed) : Clocked(name), seed_(seed) {}
  In<Token> a_i{"a_i"}, b_i{"b_i"};
  Out<Token> out_o{"out_o"};
  CrossingIn<Token> queue_i{"queue_i"};
  CrossingOut<Token> queue_o{"queue_o"};
  std::uint32_t fails_at = 0;  // steps
  bool lazy = false;           // sleeps after each step, mostly for long, and seldom wakes others
  std::uint32_t sends_one_in = 5;
  std::vector<std::thread::id>* threads = nullptr;

 private:
  void next() override {
    if (++steps_ == fails_at) CHECK(false, "{} fails", name());
    if (threads != nullptr) threads->push_back(std::this_thread::get_id());
    std::uint32_t value = (q_.value ^ a_i.read().value) * 2654435761u + b_i.read().value + seed_;
    if (queue_i->available()) {
      value += queue_i->front().value;
      queue_i->pop();
    }
    d_.value = value;
    if (value % sends_one_in == 0 && queue_o->can_push()) queue_o->push({value});
    if (lazy || value % 3 == 0) {
      wake_at(edge() + 1 + value % (lazy ? 500 : 7));
      sleep();
    }
  }
  void drive() override { out_o.write(lazy ? Token{q_.value % 40 == 0} : q_); }
  const std::uint32_t seed_;
  std::uint32_t steps_ = 0;
};

/// Keeps the order of all changes.
class Changes final : public TraceSink {
 public:
  std::vector<std::pair<Cycle, std::uint32_t>> seen;
  Cycle edge = 0;
  std::set<Cycle> stepped;
  void changed(std::uint32_t slot) override { seen.emplace_back(edge, slot); }
  void edge_begin(Domain& domain) override { stepped.insert(edge = domain.edge()); }
};

constexpr unsigned kGroups = 6, kOfGroup = 5;

struct RigOptions {
  unsigned threads = 1;
  bool apart = true;    // the second domain's groups run apart
  bool watched = true;  // edge by edge
  bool no_sleep = false;
  unsigned edges = 2;  // of the queues
  bool lazy = false;   // all of the first domain sleeps now and then
  double mhz = 1000;   // of the first domain
};

/// Calls `at_edge` at each edge of its clock.
class Look final : public Clocked<NoRegs> {
 public:
  Look(const sc_core::sc_module_name& name, std::function<void()> at_edge)
      : Clocked(name), at_edge_(std::move(at_edge)) {}

 private:
  void next() override { at_edge_(); }
  void drive() override {}
  const std::function<void()> at_edge_;
};

/// Two domains of groups of mixers. In the first one wires join the groups, in the second and faster one they do not;
/// queues go from each to the other. A third clock has its edges when their time comes.
struct Rig {
  explicit Rig(const RigOptions& options)
      : first("first", 1, options.mhz, 2, options.no_sleep),
        second("second", 0, 2300, 2, options.no_sleep),
        workers(options.threads > 1 ? std::make_unique<Workers>(options.threads) : nullptr) {
    std::mt19937 random(1);
    third.add(look);
    if (options.apart) second.run_groups_apart(first);
    for (Domain* domain : {&first, &second}) {
      if (workers != nullptr) domain->step_groups_with(*workers);
      const unsigned d = domain == &second;
      for (unsigned i = 0; i < kGroups * kOfGroup; ++i) {
        if (i % kOfGroup == 0 && i != 0) domain->begin_group();  // the first group stays on this thread
        mixers[d].push_back(std::make_unique<Mixer>(named("mixer", d, i).c_str(), random()));
        wires[d].push_back(std::make_unique<Wire<Token>>(named("wire", d, i).c_str()));
        queues[d].push_back(std::make_unique<CrossingFifo<Token>>(named("queue", d, i).c_str(), domain,
                                                                  domain == &first ? &second : &first, 4, options.edges,
                                                                  options.edges));
        mixers[d].back()->lazy = options.lazy && domain == &first;
        if (options.lazy) mixers[d].back()->sends_one_in = 150;
        domain->add(*mixers[d].back(), i % 2 == 0 ? Rate::kHalf : Rate::kFull);
        if (!options.watched) continue;
        queues[d].back()->attach_trace(changes, 100 * d + i);
        wires[d].back()->attach_trace(changes, 1000 + 100 * d + i);
      }
      if (options.watched) domain->attach_trace(changes);
    }
    for (unsigned d = 0; d < 2; ++d) {
      for (unsigned i = 0; i < kGroups * kOfGroup; ++i) {
        Mixer& mixer = *mixers[d][i];
        const unsigned first_of_group = d == 0 ? 0 : i / kOfGroup * kOfGroup;
        const unsigned choices = d == 0 ? kGroups * kOfGroup : kOfGroup;
        mixer.a_i(*wires[d][first_of_group + random() % choices]);
        mixer.b_i(*wires[d][first_of_group + random() % choices]);
        mixer.out_o(*wires[d][i]);
        mixer.queue_o(*queues[d][i]);
        mixer.queue_i(*queues[1 - d][i]);
      }
    }
  }
  ~Rig() {
    for (auto& list : mixers) {
      while (!list.empty()) list.pop_back();
    }
  }
  static std::string named(const char* what, unsigned d, unsigned i) {
    return what + std::to_string(d) + "_" + std::to_string(i);
  }
  std::vector<std::uint32_t> values() const {
    std::vector<std::uint32_t> all;
    for (const auto& list : wires) {
      for (const auto& wire : list) all.push_back(wire->read().value);
    }
    return all;
  }

  Domain first, second, third{"third", 2, 31, 2, false};
  Look look{"look", [this] {
              const Picoseconds now = third.edge_time(look.edge());
              EXPECT_EQ(sc_core::sc_time_stamp().value(), now);
              EXPECT_LE(first.edge_time(first.edge()), now);
            }};
  std::unique_ptr<Workers> workers;  // ends before the domains
  Changes changes;
  std::vector<std::unique_ptr<Wire<Token>>> wires[2];
  std::vector<std::unique_ptr<CrossingFifo<Token>>> queues[2];
  std::vector<std::unique_ptr<Mixer>> mixers[2];
};

class GroupsTest : public testing::SystemCTest {};

TEST_F(GroupsTest, AnyNumberOfThreadsGivesTheSameValuesAndTellsTheSameChangesInTheSameOrder) {
  std::vector<std::uint32_t> values;
  Changes changes;
  std::uint64_t activations = 0;
  for (const unsigned threads : {1, 2, 3, 8}) {
    renew_context();
    Rig rig({threads});
    Calendar::start(sc_time(2'000'000, SC_PS));
    if (threads == 1) {
      values = rig.values();
      changes = rig.changes;
      activations = rig.first.activations() + rig.second.activations();
      EXPECT_GT(changes.stepped.size(), 1000u);
      EXPECT_EQ(std::set<std::uint32_t>(values.begin(), values.end()).size(), values.size());
    }
    EXPECT_EQ(rig.values(), values) << threads;
    EXPECT_EQ(rig.changes.seen, changes.seen) << threads;
    EXPECT_EQ(rig.changes.stepped, changes.stepped) << threads;
    EXPECT_EQ(rig.first.activations() + rig.second.activations(), activations) << threads;
  }
}

void expect_equal_edge_by_edge(unsigned edges, bool lazy, double mhz) {
  std::vector<std::uint32_t> values;
  std::uint64_t activations = 0;
  Cycle edge = 0;
  for (const bool apart : {false, true}) {
    for (const unsigned threads : {1, 2, 3, 8}) {
      testing::SystemCTest::renew_context();
      Rig rig({threads, apart, false, false, edges, lazy, mhz});
      for (unsigned piece = 1; piece < 100; ++piece) Calendar::start(sc_time(300 * piece, SC_PS));
      if (values.empty()) {
        values = rig.values();
        activations = rig.second.activations();
        edge = rig.second.edge();
        EXPECT_GT(activations, 1'000u);
      }
      EXPECT_EQ(rig.values(), values) << apart << threads;
      EXPECT_EQ(rig.second.activations(), activations) << apart << threads;
      EXPECT_EQ(rig.second.edge(), edge) << apart << threads;
    }
  }
}

TEST_F(GroupsTest, GroupsThatRunAheadDoWhatTheyDoEdgeByEdge) {
  for (const unsigned edges : {1, 2, 3}) {
    SCOPED_TRACE(edges);
    for (const bool lazy : {false, true}) expect_equal_edge_by_edge(edges, lazy, 1000);
  }
  expect_equal_edge_by_edge(2, false, 50);  // more edges of the other clock than a turn has
}

TEST_F(GroupsTest, GroupsRunAheadToTheEdgeAtWhichTheyMeetAndNotBeyond) {
  Domain first("first", 1, 1000, 2, false), second("second", 0, 2300, 2, false);
  second.run_groups_apart(first);
  std::vector<std::pair<unsigned, Cycle>> ran;  // group, edge
  std::vector<std::unique_ptr<Look>> looks;
  for (unsigned group = 0; group < 3; ++group) {
    if (group != 0) second.begin_group();
    looks.push_back(std::make_unique<Look>(Rig::named("look", 1, group).c_str(),
                                           [&, group] { ran.emplace_back(group, looks[group]->edge()); }));
    second.add(*looks.back());
  }
  unsigned met = 0;
  Cycle last = 2;
  Look meeting("meeting", [&] {
    std::vector<std::pair<unsigned, Cycle>> expected;
    const Cycle until = second.first_edge_from(first.edge_time(first.edge()) + 1) - 1;
    for (unsigned group = 0; group < 3; ++group) {
      for (Cycle edge = last + 1; edge <= until; ++edge) expected.emplace_back(group, edge);
    }
    if (++met > 2) {
      EXPECT_EQ(ran, expected) << first.edge();
    }
    last = until;
    ran.clear();
  });
  first.add(meeting);
  Calendar::start(sc_time(300'000, SC_PS));
  EXPECT_GT(met, 290u);
  while (!looks.empty()) looks.pop_back();
}

/// What a sink of groups is told, between the steps of their blocks.
struct Told final : GroupSink {
  explicit Told(const Domain& domain) : domain(domain) {}
  struct Event {
    char kind;  // begin, step, done
    unsigned group = 0;
    Cycle edge = 0;
    bool operator==(const Event& o) const { return kind == o.kind && group == o.group && edge == o.edge; }
  };
  const Domain& domain;
  std::vector<Event> events;
  void edge_begin(unsigned group, const Moment& now) override {
    EXPECT_EQ(now.time, domain.edge_time(now.edge));
    events.push_back({'b', group, now.edge});
  }
  void edge_done() override { events.push_back({'d'}); }
};

TEST_F(GroupsTest, ASinkOfGroupsIsToldBeforeAndBehindEachEdgeOfAGroup) {
  constexpr unsigned kLooks = 3;
  constexpr Cycle kReset = 2;
  for (const bool ahead : {false, true}) {
    renew_context();
    Domain first("first", 1, 1000, kReset, false), second("second", 0, 2300, kReset, false);
    second.run_groups_apart(first);
    if (!ahead) second.shuffle(1);
    Told told(second);
    std::vector<std::unique_ptr<Look>> looks;
    for (unsigned group = 0; group < kLooks; ++group) {
      if (group != 0) second.begin_group();
      looks.push_back(std::make_unique<Look>(Rig::named("look", 1, group).c_str(), [&, group] {
        told.events.push_back({'s', group, looks[group]->edge()});
      }));
      second.add(*looks.back());
    }
    Look meeting("meeting", [] {});
    first.add(meeting);
    ASSERT_TRUE(second.calls_group_sink());
    second.attach_groups(&told);
    EXPECT_FALSE(second.is_watched());
    Calendar::start(sc_time(100'000, SC_PS));
    second.attach_groups(nullptr);
    const std::size_t reset = kReset * (kLooks + 1);  // no block steps
    ASSERT_GT(told.events.size(), 1000u);
    std::set<std::pair<unsigned, Cycle>> edges;
    unsigned rows = 0;  // edges behind another one of the same group
    const std::size_t together = ahead ? 1 : kLooks;
    for (std::size_t i = reset; i < told.events.size(); i += 2 * together + 1) {
      const Told::Event* const event = &told.events[i];
      for (std::size_t k = 0; k < together; ++k) {
        EXPECT_EQ(event[k].kind, 'b');
        const Told::Event step{'s', event[k].group, event[k].edge};
        EXPECT_EQ(std::count(event + together, event + 2 * together, step), 1) << step.group << " " << step.edge;
        EXPECT_TRUE(edges.emplace(step.group, step.edge).second);
      }
      EXPECT_EQ(event[2 * together].kind, 'd');
      if (i != reset) rows += event[0].group == event[-static_cast<std::ptrdiff_t>(2 * together + 1)].group;
    }
    if (ahead) {
      EXPECT_GT(rows, 100u);
    }
    EXPECT_EQ(edges.size(), kLooks * (second.edge() - kReset));
    while (!looks.empty()) looks.pop_back();
  }
}

TEST_F(GroupsTest, NoWireLeavesAGroupThatRunsApart) {
  for (const bool within : {false, true}) {
    renew_context();
    Domain first("first", 1, 1000, 2, false), second("second", 0, 2300, 2, false);
    second.run_groups_apart(first);
    Wire<Token> wire_a("wire_a"), wire_b("wire_b");
    CrossingFifo<Token> to_a("to_a", &first, &second, 4, 2), from_a("from_a", &second, &first, 4, 2);
    CrossingFifo<Token> to_b("to_b", &first, &second, 4, 2), from_b("from_b", &second, &first, 4, 2);
    Mixer a("a", 1), b("b", 2);
    second.add(b);
    second.begin_group();
    (within ? second : first).add(a);
    a.out_o(wire_a), a.a_i(wire_b), a.b_i(wire_a), a.queue_i(to_a), a.queue_o(from_a);
    b.out_o(wire_b), b.a_i(wire_b), b.b_i(wire_b), b.queue_i(to_b), b.queue_o(from_b);
    try {
      Calendar::start(sc_time(1000, SC_PS));
      FAIL();
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find("a wire from b to a leaves a group that runs apart"), std::string::npos)
          << error.what();
    }
  }
}

TEST_F(GroupsTest, TheFirstGroupStaysOnTheCallersThread) {
  for (const unsigned domain : {0, 1}) {
    renew_context();
    Rig rig({4, true, false});
    std::vector<std::thread::id> threads;
    rig.mixers[domain][1]->threads = &threads;
    Calendar::start(sc_time(1'000'000, SC_PS));
    EXPECT_EQ(std::set<std::thread::id>(threads.begin(), threads.end()),
              std::set<std::thread::id>{std::this_thread::get_id()});
  }
}

TEST_F(GroupsTest, OfTwoBlocksThatFailInARowOfEdgesTheFirstOneIsTold) {
  for (const unsigned threads : {1, 4}) {
    for (unsigned step = 1; step < 12; ++step) {
      renew_context();
      Rig rig({threads, true, false, true});
      rig.mixers[1][13]->fails_at = step + 1;
      rig.mixers[1][23]->fails_at = step;
      try {
        Calendar::start(sc_time(1'000'000, SC_PS));
        FAIL();
      } catch (const sc_core::sc_report& error) {
        EXPECT_NE(std::string(error.get_msg()).find(Rig::named("mixer", 1, 23) + " fails"), std::string::npos);
      }
    }
  }
}

TEST_F(GroupsTest, OfTwoBlocksThatFailAtAnEdgeTheFirstOneIsTold) {
  for (const unsigned threads : {1, 4}) {
    for (const unsigned domain : {0, 1}) {
      renew_context();
      Rig rig({threads});
      for (const unsigned i : {12, 22}) rig.mixers[domain][i]->fails_at = 1;
      try {
        sc_core::sc_start(sc_time(1'000'000, SC_PS));
        FAIL();
      } catch (const sc_core::sc_report& error) {
        EXPECT_NE(std::string(error.get_msg()).find(Rig::named("mixer", domain, 12) + " fails"), std::string::npos);
      }
    }
  }
}

TEST_F(GroupsTest, AGroupHasAtMost64Blocks) {
  Domain domain("domain", 0, 1000, 2, false);
  Workers workers(2);
  domain.step_groups_with(workers);
  domain.begin_group();
  std::vector<std::unique_ptr<Mixer>> mixers;
  for (unsigned i = 0; i < 65; ++i) mixers.push_back(std::make_unique<Mixer>(Rig::named("mixer", 0, i).c_str(), i));
  for (unsigned i = 0; i < 64; ++i) domain.add(*mixers[i]);
  EXPECT_THROW(domain.add(*mixers[64]), ModelError);
  while (!mixers.empty()) mixers.pop_back();
}

TEST(Workers, ThreadsTakeAsLongAsEachOtherWithTheOwnPartAndTheRows) {
  struct Case {
    std::vector<double> steps, commits, rows;
    std::array<double, 3> own;
    unsigned threads;
    std::vector<unsigned> groups, of_rows;  // the first of each thread, and the end
  };
  for (const Case& of : {Case{{1, 1, 1, 1}, {0, 0, 0, 0}, {}, {}, 2, {0, 2, 4}, {0, 0, 0}},
                         Case{{1, 1, 1, 1}, {0, 0, 0, 0}, {}, {}, 1, {0, 4}, {0, 0}},
                         Case{{1, 1, 1, 1}, {0, 0, 0, 8}, {}, {}, 2, {0, 3, 4}, {0, 0, 0}},
                         Case{{9, 1, 1, 1}, {0, 0, 0, 0}, {}, {}, 3, {0, 0, 1, 4}, {0, 0, 0, 0}},
                         Case{{1, 1, 1, 1}, {0, 0, 0, 0}, {}, {2, 0, 0}, 2, {0, 1, 4}, {0, 0, 0}},
                         Case{{1, 1, 1, 1}, {0, 0, 0, 0}, {}, {0, 1, 3}, 2, {0, 0, 4}, {0, 0, 0}},
                         Case{{3, 1}, {0, 0}, {1, 1, 1, 1}, {}, 2, {0, 1, 2}, {0, 1, 4}},
                         Case{{}, {}, {1, 2, 3, 6}, {0, 0, 3}, 3, {0, 0, 0, 0}, {0, 2, 3, 4}}}) {
    const auto shares = Workers::shared_out({{of.steps, of.commits, of.rows}, of.own}, of.threads);
    EXPECT_EQ(shares[Workers::kStep], of.groups);
    EXPECT_EQ(shares[Workers::kCommit], of.groups) << "a group stays on its thread";
    EXPECT_EQ(shares[Workers::kRow], of.of_rows);
  }
}

// Long enough that tasks of very different length are shared out anew, twice.
TEST_F(GroupsTest, ATurnRunsEveryTaskOnceAndStepsBeforeItCommits) {
  static constexpr unsigned kRows = 10;
  struct Count final : Workers::Work {
    std::array<std::array<std::atomic<unsigned>, std::max(kGroups, kRows)>, 3> ran{};
    std::array<unsigned, 3> own{};
    std::atomic<unsigned> stepped{0}, early{0};
    void count(Workers::Stage stage) {
      if (stage == Workers::kCommit && stepped % (kGroups + 1) != 0) ++early;
      if (stage == Workers::kStep) ++stepped;
    }
    void run_task(Workers::Stage stage, unsigned task, unsigned) override {
      for (unsigned i = 0; i < 100 * task; ++i) asm volatile("");
      ++ran[stage][task];
      count(stage);
    }
    void run_own(Workers::Stage stage) override {
      count(stage);
      ++own[stage];
    }
  } work;
  Workers workers(4);
  workers.set(work, kGroups, kRows);
  std::array<unsigned, 3> turns{};
  for (unsigned turn = 1; turn <= 5000; ++turn) {
    const unsigned stages = turn % 3 == 0 ? 1u << Workers::kRow : turn % 3 == 1 ? Workers::kEdge : 7;
    workers.run(stages);
    for (const Workers::Stage stage : {Workers::kStep, Workers::kCommit, Workers::kRow}) {
      turns[stage] += stages >> stage & 1;
      for (unsigned task = 0; task < (stage == Workers::kRow ? kRows : kGroups); ++task) {
        ASSERT_EQ(work.ran[stage][task], turns[stage]) << "stage " << stage << ", task " << task << ", turn " << turn;
      }
      ASSERT_EQ(work.own[stage], turns[stage]);
    }
    if (turn % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_EQ(work.early, 0u) << "committed before all were stepped";
}

}  // namespace
}  // namespace g80
