// SPDX-License-Identifier: Apache-2.0
// The clock domain and wires keep the promises every block relies on.
#include "hw/common/domain.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "hw/common/clocked.h"
#include "hw/common/wire.h"
#include "tests/support/random_seed.h"
#include "tests/support/systemc_test.h"

namespace g80 {

// Bundles live in namespace g80 itself: that is where argument-dependent lookup finds their operators.
struct Word {
  bool valid = false;
  std::uint32_t value = 0;
  G80_FIELDS(valid, value);
};

namespace {

struct StageRegs {
  Word out;
  G80_FIELDS(out);
};

// Adds one to what it is given, one cycle later.
class Stage final : public Clocked<StageRegs> {
 public:
  explicit Stage(const sc_core::sc_module_name& name) : Clocked(name) {}
  In<Word> in_i{"in_i"};
  Out<Word> out_o{"out_o"};
  std::uint64_t steps = 0;

 private:
  void next() override {
    ++steps;
    const Word& in = in_i.read();
    d_.out = {in.valid, in.value + 1};
    if (d_.out.valid == q_.out.valid && d_.out.value == q_.out.value) sleep();
  }
  void drive() override { out_o.write(q_.out); }
};

// Emits a pseudo-random word now and then.
class Source final : public Clocked<StageRegs> {
 public:
  Source(const sc_core::sc_module_name& name, unsigned period) : Clocked(name), period_(period) {}
  sc_core::sc_out<Word> out_o{"out_o"};

 private:
  void next() override {
    if (edge() % period_ == 0) d_.out = {true, static_cast<std::uint32_t>(edge() * 2654435761u)};
  }
  void drive() override { out_o.write(q_.out); }
  unsigned period_;
};

using DomainTest = testing::SystemCTest;

TEST_F(DomainTest, EdgesDoNotDrift) {
  Domain shader("shader", 0, 1458, 1, false);
  EXPECT_EQ(shader.edge_time(1458), 1'000'000u);
  EXPECT_EQ(shader.edge_time(1458ull * 1'000'000), 1'000'000'000'000u);
}

// Runs source -> three stages in a domain and on sc_signal with sc_clock; the outputs must agree after every edge.
struct Recorder {
  std::vector<std::uint32_t> values;
};

TEST_F(DomainTest, WiresAndSignalsGiveTheSameWaves) {
  constexpr int kEdges = 400;
  // 1000 MHz: edges at 1000 ps, 2000 ps, ...
  Domain domain("domain", 0, 1000, 0, false);
  Source source_a("source_a", 7);
  Stage a0("a0"), a1("a1"), a2("a2");
  Wire<Word> w0("w0"), w1("w1"), w2("w2"), w3("w3");
  source_a.out_o(w0);
  a0.in_i(w0);
  a0.out_o(w1);
  a1.in_i(w1);
  a1.out_o(w2);
  a2.in_i(w2);
  a2.out_o(w3);
  domain.add(source_a);
  domain.add(a0);
  domain.add(a1);
  domain.add(a2);

  sc_core::sc_clock clock("clock", sc_core::sc_time(1000, sc_core::SC_PS), 0.5, sc_core::sc_time(1000, sc_core::SC_PS),
                          true);
  Source source_b("source_b", 7);
  Stage b0("b0"), b1("b1"), b2("b2");
  sc_core::sc_signal<Word> s0("s0"), s1("s1"), s2("s2"), s3("s3");
  source_b.out_o(s0);
  b0.in_i(s0);
  b0.out_o(s1);
  b1.in_i(s1);
  b1.out_o(s2);
  b2.in_i(s2);
  b2.out_o(s3);
  for (ClockedBase* block : std::initializer_list<ClockedBase*>{&source_b, &b0, &b1, &b2}) block->clk_i(clock);

  sc_core::sc_start(sc_core::sc_time(500, sc_core::SC_PS));
  for (int k = 1; k <= kEdges; ++k) {
    sc_core::sc_start(sc_core::sc_time(1000, sc_core::SC_PS));
    ASSERT_EQ(w0.read(), s0.read()) << "edge " << k;
    ASSERT_EQ(w1.read(), s1.read()) << "edge " << k;
    ASSERT_EQ(w2.read(), s2.read()) << "edge " << k;
    ASSERT_EQ(w3.read(), s3.read()) << "edge " << k;
  }
  EXPECT_TRUE(w3.read().valid);
  // The stages slept most of the time in the domain and never on the clock.
  EXPECT_LT(a0.steps, b0.steps / 2);
}

TEST_F(DomainTest, HalfRateBlocksRunOnEvenEdgesOnly) {
  Domain domain("domain", 0, 1000, 0, true);
  Stage full("full"), half("half");
  Wire<Word> in("in"), out_full("out_full"), out_half("out_half");
  full.in_i(in);
  half.in_i(in);
  full.out_o(out_full);
  half.out_o(out_half);
  domain.add(full, Rate::kFull);
  domain.add(half, Rate::kHalf);
  sc_core::sc_start(sc_core::sc_time(10'500, sc_core::SC_PS));
  EXPECT_EQ(full.steps, 10u);
  EXPECT_EQ(half.steps, 5u);
  for (std::uint64_t edge = 11; edge <= 20; ++edge) {
    sc_core::sc_start(sc_core::sc_time(1000, sc_core::SC_PS));
    EXPECT_EQ(full.steps, edge);
    EXPECT_EQ(half.steps, edge / 2);
  }
}

// More blocks than a word of the domain has bits, those at half rate in front.
TEST_F(DomainTest, AnAwakeBlockAtFullRateRunsAtEveryEdgeWhoeverElseIsAwake) {
  Domain domain("domain", 0, 1000, 0, true);
  Wire<Word> in("in");
  std::vector<std::unique_ptr<Stage>> stages;
  std::vector<std::unique_ptr<Wire<Word>>> outs;
  for (unsigned i = 0; i < 66; ++i) {
    stages.push_back(std::make_unique<Stage>(("stage" + std::to_string(i)).c_str()));
    outs.push_back(std::make_unique<Wire<Word>>(("out" + std::to_string(i)).c_str()));
    stages[i]->in_i(in);
    stages[i]->out_o(*outs[i]);
    domain.add(*stages[i], i < 64 ? Rate::kHalf : Rate::kFull);
  }
  sc_core::sc_start(sc_core::sc_time(20'500, sc_core::SC_PS));
  for (unsigned i = 0; i < 66; ++i) EXPECT_EQ(stages[i]->steps, i < 64 ? 10u : 20u) << i;
}

TEST_F(DomainTest, AllAsleepMeansNoEvents) {
  Domain domain("domain", 0, 1000, 2, false);
  Stage stage("stage");
  Wire<Word> in("in"), out("out");
  stage.in_i(in);
  stage.out_o(out);
  domain.add(stage);
  sc_core::sc_start(sc_core::sc_time(1'000'000, sc_core::SC_PS));
  EXPECT_LT(domain.activations(), 8u);
  // An input change wakes it again at the next edge.
  in.write({true, 41});
  sc_core::sc_start(sc_core::sc_time(2'000, sc_core::SC_PS));
  EXPECT_EQ(out.read().value, 42u);
  EXPECT_LT(domain.activations(), 12u);
}

// Notes in a common list that it was stepped.
class Witness final : public Clocked<NoRegs> {
 public:
  Witness(const sc_core::sc_module_name& name, std::vector<Witness*>& stepped) : Clocked(name), stepped_(stepped) {}
  void next() override { stepped_.push_back(this); }
  void drive() override {}

 private:
  std::vector<Witness*>& stepped_;
};

TEST_F(DomainTest, AShuffledDomainStepsEachBlockOnceInEveryOrder) {
  const auto orders = [](std::optional<std::uint64_t> seed) {
    renew_context();
    Domain domain("domain", 0, 1000, 0, true);
    if (seed) domain.shuffle(*seed);
    std::vector<Witness*> stepped;
    Witness a("a", stepped), b("b", stepped), c("c", stepped);
    for (Witness* block : {&a, &b, &c}) domain.add(*block);
    sc_core::sc_start(sc_core::sc_time(100'500, sc_core::SC_PS));
    std::vector<std::string> seen;
    for (std::size_t i = 0; i + 3 <= stepped.size(); i += 3) {
      seen.emplace_back();
      for (std::size_t k = i; k < i + 3; ++k) seen.back() += stepped[k]->name();
    }
    return seen;
  };
  EXPECT_EQ(orders({}), std::vector<std::string>(100, "abc"));
  const std::vector<std::string> seen = orders(7);
  EXPECT_EQ(seen.size(), 100u);
  EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()),
            (std::set<std::string>{"abc", "acb", "bac", "bca", "cab", "cba"}));
  EXPECT_EQ(orders(7), seen);
  EXPECT_NE(orders(8), seen);
}

// Sleeps between the edges of its list.
class Sleeper final : public Clocked<NoRegs> {
 public:
  explicit Sleeper(const sc_core::sc_module_name& name) : Clocked(name) {}
  std::vector<Cycle> wakes, steps;

 private:
  void next() override {
    steps.push_back(edge());
    if (steps.size() <= wakes.size()) wake_at(wakes[steps.size() - 1]);
    sleep();
  }
  void drive() override {}
};

// Asks for an edge as most blocks do.
class RunsAt final : public Clocked<NoRegs> {
 public:
  RunsAt(const sc_core::sc_module_name& name, Cycle asked) : Clocked(name), asked_(asked) {}
  std::vector<Cycle> steps;

 private:
  void next() override {
    steps.push_back(edge());
    if (edge() < asked_) run_at(asked_);
    sleep();
  }
  void drive() override {}
  const Cycle asked_;
};

class EdgeCounter final : public TraceSink {
 public:
  std::set<Cycle> edges;
  void changed(std::uint32_t) override {}
  void edge_begin(Domain& domain) override { edges.insert(domain.edge()); }
};

TEST_F(DomainTest, BlocksWakeAtTheEdgesTheyAskedForAndNoOtherEdgeRuns) {
  const unsigned seed = random_seed();
  std::mt19937 random(seed);
  Domain domain("domain", 0, 1000, 0, false);
  std::vector<std::unique_ptr<Sleeper>> blocks;  // more than the bits of a word
  std::set<Cycle> asked = {1};
  for (unsigned i = 0; i < 70; ++i) {
    blocks.push_back(std::make_unique<Sleeper>(("block" + std::to_string(i)).c_str()));
    domain.add(*blocks.back());
    Cycle edge = 1;
    for (int k = 0; k < 4; ++k) {
      edge += 1 + random() % (k % 2 == 0 ? 254 : 700);
      blocks.back()->wakes.push_back(edge);
      asked.insert(edge);
    }
  }
  EdgeCounter counter;
  domain.attach_trace(counter);
  sc_core::sc_start(sc_core::sc_time(4, sc_core::SC_US));
  for (const auto& block : blocks) {
    ASSERT_EQ(block->steps.size(), 5u) << "seed " << seed;
    EXPECT_TRUE(std::equal(block->wakes.begin(), block->wakes.end(), block->steps.begin() + 1)) << "seed " << seed;
  }
  EXPECT_EQ(counter.edges, asked) << "seed " << seed;
}

TEST_F(DomainTest, ABlockTellsTheEdgeItAskedForHoweverFarAwayItIs) {
  for (const Cycle asked : {3u, 200u, 5000u}) {
    renew_context();
    Domain alone("alone", 0, 1000, 0, false);
    Sleeper block("block");
    block.wakes = {asked};
    alone.add(block);
    sc_core::sc_start(sc_core::sc_time(1'500, sc_core::SC_PS));
    EXPECT_FALSE(block.will_run(asked - 1)) << asked;
    EXPECT_TRUE(block.will_run(asked)) << asked;
  }
}

TEST_F(DomainTest, ABlockThatIsWokenForAnEdgeThatIsPassedRunsAtTheNext) {
  Domain domain("domain", 0, 1000, 0, false);
  Sleeper sleeper("sleeper");
  domain.add(sleeper);
  sc_core::sc_start(sc_core::sc_time(5'500, sc_core::SC_PS));
  sleeper.wake_at(1);
  sc_core::sc_start(sc_core::sc_time(5'500, sc_core::SC_PS));
  EXPECT_EQ(sleeper.steps, (std::vector<Cycle>{1, 6}));
}

// Of a domain in which only half-rate blocks are awake, the next edge is an even one, unless a block asked for less.
TEST_F(DomainTest, AnAwakeHalfRateBlockDoesNotWaitForTheEdgeThatAnotherBlockAskedFor) {
  for (const Cycle asked : {4u, 5u, 6u, 7u, 9u, 100u}) {
    renew_context();
    Domain domain("domain", 0, 1000, 0, false);
    std::vector<Witness*> stepped;
    Witness awake("awake", stepped);
    Sleeper sleeper("sleeper");
    sleeper.wakes = {asked};
    domain.add(awake, Rate::kHalf);
    domain.add(sleeper);
    sc_core::sc_start(sc_core::sc_time(20'500, sc_core::SC_PS));
    EXPECT_EQ(stepped.size(), 10u) << "every even edge, asked for " << asked;
    EXPECT_EQ(sleeper.steps.size(), asked < 20 ? 2u : 1u) << asked;
  }
}

// The wheel of requests has fewer places than there are edges: another edge of the same place is not the one asked for.
TEST_F(DomainTest, ABlockWillRunAtTheEdgeItAskedForAndAtNoOtherOfTheSamePlace) {
  Domain domain("domain", 0, 1000, 0, false);
  Sleeper sleeper("sleeper");
  sleeper.wakes = {20};
  domain.add(sleeper);
  sc_core::sc_start(sc_core::sc_time(5'500, sc_core::SC_PS));
  ASSERT_EQ(sleeper.steps.size(), 1u);
  for (Cycle edge = 6; edge < 2000; ++edge) EXPECT_EQ(domain.will_run(0, edge), edge == 20) << edge;
}

TEST_F(DomainTest, ABlockRunsAtTheEdgeItAskedForOnBothSidesOfTheWheel) {
  for (Cycle asked = Group::kWheel - 2; asked < Group::kWheel + 6; ++asked) {
    renew_context();
    Domain domain("domain", 0, 1000, 0, false);
    RunsAt block("block", asked);
    domain.add(block);
    sc_core::sc_start(sc_core::sc_time(400, sc_core::SC_NS));
    EXPECT_EQ(block.steps, (std::vector<Cycle>{1, asked}));
  }
}

TEST_F(DomainTest, AWireWakesItsReadersInEveryDomain) {
  Domain first("first", 0, 1000, 0, false), second("second", 1, 1000, 0, false);
  Wire<Word> in("in"), middle("middle"), near("near"), far("far");
  Stage driver("driver"), reader("reader"), other("other");
  driver.in_i(in), driver.out_o(middle);
  reader.in_i(middle), reader.out_o(near);
  other.in_i(middle), other.out_o(far);
  first.add(driver), first.add(reader), second.add(other);
  sc_core::sc_start(sc_core::sc_time(20, sc_core::SC_NS));
  in.write({true, 40});
  sc_core::sc_start(sc_core::sc_time(20, sc_core::SC_NS));
  EXPECT_EQ(near.read().value, 42u);
  EXPECT_EQ(far.read().value, 42u);
}

struct ReadyRegs {
  bool ready = true;
  G80_FIELDS(ready);
};
class Acceptor final : public Clocked<ReadyRegs> {
 public:
  explicit Acceptor(const sc_core::sc_module_name& name) : Clocked(name) {}
  sc_core::sc_out<bool> ready_o{"ready_o"};

 private:
  void next() override {}
  void drive() override { ready_o.write(q_.ready); }
};

TEST_F(DomainTest, ABlockWithoutADomainShowsItsResetValuesBeforeTheFirstEdge) {
  sc_core::sc_clock clock("clock", 10, sc_core::SC_NS, 0.5, 5, sc_core::SC_NS);
  sc_core::sc_signal<bool> ready("ready");
  Acceptor acceptor("acceptor");
  acceptor.clk_i(clock);
  acceptor.ready_o(ready);
  sc_core::sc_start(1, sc_core::SC_NS);
  EXPECT_TRUE(ready.read());
}

TEST_F(DomainTest, AFaultInARegisterShowsAtTheOutput) {
  Domain domain("domain", 0, 1000, 0, false);
  Stage stage("stage");
  Wire<Word> in("in"), out("out");
  stage.in_i(in);
  stage.out_o(out);
  domain.add(stage);
  sc_core::sc_start(sc_core::sc_time(5'500, sc_core::SC_PS));
  FieldEditor editor(1, 1, {true, 4});
  stage.edit_fields(editor);
  EXPECT_EQ(editor.changed(), 1u);
  EXPECT_EQ(stage.registers().out.value, 4u ^ 1u);
  EXPECT_EQ(out.read().value, 4u ^ 1u);
}

// Drives its output when it changes only: never.
class Steady final : public Clocked<StageRegs> {
 public:
  explicit Steady(const sc_core::sc_module_name& name) : Clocked(name) {}
  Out<Word> out_o{"out_o"};

 private:
  void next() override { sleep(); }
  void drive() override {
    if (redrive_) out_o.write({true, 7});
    redrive_ = false;
  }
};

TEST_F(DomainTest, AFaultOnAWireEndsWhenItsDriverIsWoken) {
  Domain domain("domain", 0, 1000, 0, false);
  Steady steady("steady");
  Wire<Word> wire("wire");
  steady.out_o(wire);
  domain.add(steady);
  sc_core::sc_start(sc_core::sc_time(5'500, sc_core::SC_PS));
  FieldEditor editor(1, 1, {true, 4});
  wire.edit_fields(editor);
  EXPECT_EQ(wire.read().value, 7u ^ 4u);
  wire.driver()->wake();
  sc_core::sc_start(sc_core::sc_time(1'000, sc_core::SC_PS));
  EXPECT_EQ(wire.read().value, 7u);
}

// Tells the same at edges 3, 4 and 6.
class Teller final : public Clocked<StageRegs> {
 public:
  explicit Teller(const sc_core::sc_module_name& name) : Clocked(name) {}
  Out<Word> out_o{"out_o"};

 private:
  void next() override {
    d_.out = {};
    if (edge() == 3 || edge() == 4 || edge() == 6) d_.out = {true, 7};
  }
  void drive() override { out_o.write_event(q_.out.valid, q_.out); }
};
class Listener final : public Clocked<NoRegs> {
 public:
  explicit Listener(const sc_core::sc_module_name& name) : Clocked(name) {}
  In<Word> in_i{"in_i"};
  std::vector<Cycle> steps, heard;

 private:
  void next() override {
    steps.push_back(edge());
    if (in_i.read().valid) heard.push_back(edge());
    sleep();
  }
  void drive() override {}
};

TEST_F(DomainTest, AnEventWakesItsReadersAndItsEndDoesNot) {
  Domain domain("domain", 0, 1000, 0, false);
  Teller teller("teller");
  Listener listener("listener");
  Wire<Word> wire("wire");
  teller.out_o(wire);
  listener.in_i(wire);
  domain.add(teller);
  domain.add(listener);
  sc_core::sc_start(sc_core::sc_time(10'500, sc_core::SC_PS));
  EXPECT_EQ(listener.heard, (std::vector<Cycle>{4, 5, 7}));
  EXPECT_EQ(listener.steps, (std::vector<Cycle>{1, 4, 5, 7}));
  EXPECT_FALSE(wire.read().valid);
}

}  // namespace
}  // namespace g80
