// SPDX-License-Identifier: Apache-2.0
// The SP array: results, lanes, special moves, vote, and the cycle in which the last lanes leave.
#include "hw/exec/sp_array.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <random>

#include "hw/common/field_values.h"
#include "hw/isa/opcode_table.h"
#include "tests/exec/exec_pipe_bench.h"
#include "tests/exec/operand_source.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

using SpArrayTest = testing::SystemCTest;
using Bench = test::ExecPipeBench<SpArray>;

test::AllOperands numbered() {
  test::AllOperands operands{};
  operands.active = operands.lanes = operands.condition = ~LaneMask{0};
  for (unsigned l = 0; l < kWarpSize; ++l) operands.source[0][l] = l, operands.source[1][l] = 100;
  return operands;
}

TEST_F(SpArrayTest, AddsLaneByLaneAndKeepsIdentity) {
  Bench bench;
  const test::AllOperands operands = numbered();
  ASSERT_TRUE(bench.run("add b32 $r3 $r1 $r2", operands));
  for (unsigned l = 0; l < kWarpSize; ++l) EXPECT_EQ(bench.low[l], 100 + l);
  EXPECT_EQ(bench.announcement.warp, 3u);
  EXPECT_EQ(bench.announcement.fetched.pc, 0x40u);
  EXPECT_EQ(bench.announcement.lanes, ~LaneMask{0});
}

TEST_F(SpArrayTest, TheLastOfFourGroupsLeavesAfterEntryAndStages) {
  Bench bench;
  const test::AllOperands operands = numbered();
  const auto edges = bench.run("add b32 $r3 $r1 $r2", operands);
  ASSERT_TRUE(edges);
  // Taken on the edge after the dispatch, three more edges for the other groups, then the stages.
  EXPECT_EQ(*edges, 1 + 3 + bench.pipe.stages());
}

TEST_F(SpArrayTest, VoteGivesTheSameFlagsToAllLanes) {
  Bench bench;
  const test::AllOperands operands = numbered();
  ASSERT_TRUE(bench.run("(lg $c0) vote any $c1", operands, true));
  for (unsigned l = 0; l < kWarpSize; ++l) EXPECT_EQ(bench.flags[l], 2u);
  ASSERT_TRUE(bench.run("(lg $c0) vote all $c1", operands, false));
  for (unsigned l = 0; l < kWarpSize; ++l) EXPECT_EQ(bench.flags[l], 1u);
}

TEST_F(SpArrayTest, BackToBackInstructionsEachGiveOneResult) {
  Bench bench;
  const test::AllOperands operands = numbered();
  for (unsigned i = 0; i < 40; ++i) ASSERT_TRUE(bench.run("add b32 $r3 $r1 $r2", operands)) << i;
  EXPECT_EQ(bench.pipe.counters().instructions, 40u);
}

// 1.5 * 1.25 + 2^-3: each register holds its stage's part of the work when the first group is there, and not before.
TEST_F(SpArrayTest, EachStageRegisterHoldsWhatItsStageMakes) {
  Bench bench;
  test::AllOperands operands = numbered();
  for (unsigned l = 0; l < kWarpSize; ++l) {
    operands.source[0][l] = 0x3fc00000u;
    operands.source[1][l] = 0x3fa00000u;
    operands.source[2][l] = 0x3e000000u;
  }
  const SpRegisters& at = bench.pipe.datapath();  // filled in whenever it is asked for
  std::uint32_t result = 0;
  struct Seen {
    const char* name;
    const std::uint32_t* word;
    std::uint32_t value;
    unsigned edge;
  };
  const std::vector<Seen> expected = {{"significand of a", &at.unpacked.x[0], 0xc00000u, 1},
                                      {"significand of b", &at.unpacked.y[0], 0xa00000u, 1},
                                      {"distance of the exponents", &at.multiplied.count[0], 3, 2},
                                      {"truncated product", &at.product.x[0], 0xf00000u << 3, 3},
                                      {"aligned addend", &at.aligned.y[0], 0x800000u, 4},
                                      {"sum", &at.sum.word[0], 0x8000000u, 5},
                                      {"zeros before it", &at.counted.count[0], 4, 6},
                                      {"normalised sum", &at.normalised.word[0], 0x80000000u, 7},
                                      {"result", &result, 0x40000000u, 8}};
  std::vector<std::optional<unsigned>> first(expected.size());
  bench.each_edge = [&](unsigned edge) {
    bench.pipe.datapath();
    result = bench.pipe.result(kSpFunctionalStages - 1).word[0];
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (!first[i] && *expected[i].word == expected[i].value) first[i] = edge;
    }
  };
  ASSERT_TRUE(bench.run("add f32 $r3 (mul $r1 $r2) $r4", operands));
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(first[i], expected[i].edge) << expected[i].name;
  for (unsigned l = 0; l < kWarpSize; ++l) EXPECT_EQ(bench.low[l], 0x40000000u);
}

/// Random instructions one behind the other, with pauses.
class Stream {
 public:
  Stream(const std::string& latency, unsigned seed) : bench({latency}), source_(seed) {
    const std::uint64_t now = sc_core::sc_time_stamp().value();
    sc_core::sc_start(sc_core::sc_time::from_value(100'500 - now));  // just behind an even edge
  }
  void edge() {
    if (edges_ % 2 == 0) {
      if (bench.dispatch.read().valid) bench.dispatch.write({});
      if (edges_ % 4 == 0 && source_.below(8) == 0) pause_ = 4 * source_.below(12);
      if (edges_ % 4 == 0 && pause_ == 0) bench.dispatch.write(instruction());
      bench.operands.write(lanes());
    }
    pause_ -= pause_ != 0;
    ++edges_;
    sc_core::sc_start(sc_core::sc_time(1000, sc_core::SC_PS));
  }
  std::vector<std::uint64_t> state() const {
    FieldValues all(false, true);
    bench.pipe.trace_fields(all);
    return all.values;
  }
  Bench bench;

 private:
  Dispatch instruction() {
    static const std::vector<isa::Row>& rows = isa::OpcodeTable::get().rows();
    for (;;) {
      const isa::Row& row = rows[source_.below(static_cast<unsigned>(rows.size()))];
      Dispatch dispatch;
      dispatch.valid = true;
      dispatch.fetched.words = (source_.next64() & ~row.mask) | row.match;
      dispatch.fetched.pc = source_.next() >> 8;
      dispatch.tag.bits = source_.next();
      dispatch.lanes = source_.next();
      dispatch.granted = source_.next();
      dispatch.vote = source_.below(2) != 0;
      isa::Instruction insn;
      const isa::DecodeError error = isa::decode(dispatch.fetched.w0(), dispatch.fetched.w1(), isa::Arch::kSm13, insn);
      if (error == isa::DecodeError::kNone && !row.graphics && insn.op == row.op && row.unit == isa::Unit::kSp)
        return dispatch;
    }
  }
  SpLanes lanes() {
    SpLanes lanes;
    for (unsigned l = 0; l < kPortLanes; ++l) {
      lanes.a[l] = source_.word(), lanes.b[l] = source_.word(), lanes.c[l] = source_.word();
      lanes.flags[l] = source_.next() & 15u;
    }
    return lanes;
  }

  test::OperandSource source_;
  unsigned edges_ = 0, pause_ = 0;
};

class Onlooker final : public TraceSink {
 public:
  void changed(std::uint32_t) override {}
};

// Nobody can tell whether the stages are computed cycle by cycle or filled in for who looks.
TEST_F(SpArrayTest, WhoLooksNowAndThenSeesWhatOneSeesWhoLooksAlways) {
  constexpr unsigned kEdges = 4000;
  std::mt19937 random(random_seed());
  for (unsigned pass = 0; pass < 8; ++pass) {
    const std::string latency = fmt::format("sm.alu_latency={}", std::array{18, 20, 24, 26}[pass / 2]);
    const auto seed = static_cast<unsigned>(random());
    std::vector<std::vector<std::uint64_t>> expected;
    std::vector<ExecResult> results;
    std::vector<ResultAhead> announced;
    renew_context();
    {
      Stream watched(latency, seed);
      Onlooker onlooker;
      watched.bench.pipe.attach_trace(onlooker, 0);
      for (unsigned i = 0; i < kEdges; ++i) {
        watched.edge();
        expected.push_back(watched.state());
        results.push_back(watched.bench.result.read());
        announced.push_back(watched.bench.ahead.read());
      }
    }
    renew_context();
    Stream alone(latency, seed);
    if (pass % 2 != 0) alone.bench.pipe.run_at_odd_edges();
    unsigned looks = 0;
    for (unsigned i = 0; i < kEdges; ++i) {
      alone.edge();
      ASSERT_EQ(alone.bench.result.read(), results[i]) << latency << ", edge " << i << ", seed " << seed;
      ASSERT_EQ(alone.bench.ahead.read(), announced[i]) << latency << ", edge " << i << ", seed " << seed;
      const unsigned act = static_cast<unsigned>(random() % (i % 512 < 32 ? 1 : i % 512 < 64 ? 2 : 60));
      if (act == 1) {
        FieldEditor nothing(0, 0, {});
        alone.bench.pipe.edit_fields(nothing);
      }
      if (act > 1) continue;
      ++looks;
      ASSERT_EQ(alone.state(), expected[i]) << latency << ", edge " << i << ", seed " << seed;
    }
    EXPECT_GT(looks, 100u);
  }
}

class StageCounter final : public FieldVisitor {
 public:
  int stages = 0;
  std::uint64_t shown = 0, executing = 0;  // the sum of what the stages show
  void enter(const char* name, int index) override {
    if (std::string(name) != "stage") return;
    EXPECT_EQ(index, stages);
    ++stages;
  }
  void leave() override {}
  void leaf(const char* name, int, std::uint64_t value, unsigned, const EnumText*) override {
    shown += value;
    executing += std::strcmp(name, "executes") == 0 ? value : 0;
  }
};

/// Whether the lanes execute that an SP has had in any of its stages.
class LanesShown final : public FieldVisitor {
 public:
  std::map<unsigned, bool> executes;
  void enter(const char*, int) override {}
  void leave() override {}
  void leaf(const char* name, int, std::uint64_t value, unsigned, const EnumText*) override {
    if (std::strcmp(name, "valid") == 0) valid_ = value != 0;
    if (std::strcmp(name, "lane") == 0) lane_ = static_cast<unsigned>(value);
    if (std::strcmp(name, "executes") == 0 && valid_) executes[lane_] = value != 0;
  }

 private:
  bool valid_ = false;
  unsigned lane_ = 0;
};

TEST_F(SpArrayTest, EachSpShowsItsLaneOfEachGroup) {
  Bench bench;
  test::AllOperands operands = numbered();
  operands.lanes = 0x12f0a5c3;
  LanesShown shown[kNumSpLanes];
  bench.each_edge = [&](unsigned) {
    unsigned sps = 0;
    for (const sc_core::sc_object* const child : bench.pipe.get_child_objects()) {
      if (const auto* const sp = dynamic_cast<const Sp*>(child)) sp->trace_fields(shown[sps++]);
    }
  };
  ASSERT_TRUE(bench.run("add b32 $r3 $r1 $r2", operands));
  for (unsigned sp = 0; sp < kNumSpLanes; ++sp) {
    std::map<unsigned, bool> expected;
    for (unsigned lane = sp; lane < kWarpSize; lane += kNumSpLanes) expected[lane] = (operands.lanes >> lane & 1) != 0;
    EXPECT_EQ(shown[sp].executes, expected) << sp;
  }
  FieldValues stored(true, true);
  bench.pipe.trace_fields(stored);
  for (const char* const memory : {"slot[", "datapath.", "result."}) {
    EXPECT_TRUE(std::any_of(stored.names.begin(), stored.names.end(), [=](const std::string& name) {
      return name.find(memory) == 0;
    })) << memory;
  }
}

TEST_F(SpArrayTest, EachSpShowsEveryStage) {
  for (const char* const latency : {"sm.alu_latency=18", "sm.alu_latency=26"}) {
    renew_context();
    Bench bench({latency});
    unsigned sps = 0;
    for (const sc_core::sc_object* const child : bench.pipe.get_child_objects()) {
      const auto* const sp = dynamic_cast<const Sp*>(child);
      if (sp == nullptr) continue;
      ++sps;
      StageCounter counter;
      sp->trace_fields(counter);
      EXPECT_EQ(counter.stages, static_cast<int>(bench.pipe.stages()));
      EXPECT_EQ(counter.shown, 0u) << "no warp and no lane: nothing has entered";
    }
    EXPECT_EQ(sps, kNumSpLanes);
    ASSERT_TRUE(bench.run("add b32 $r3 $r1 $r2", numbered()));
    ASSERT_TRUE(bench.run("add b32 $r3 $r1 $r2", numbered()));
    for (const sc_core::sc_object* const child : bench.pipe.get_child_objects()) {
      const auto* const sp = dynamic_cast<const Sp*>(child);
      if (sp == nullptr) continue;
      StageCounter counter;
      sp->trace_fields(counter);
      EXPECT_EQ(counter.executing, 0u) << "an instruction has left";
    }
  }
}

TEST_F(SpArrayTest, TheShortestLatencyHasARegisterForEachStage) {
  EXPECT_EQ(sp_stages(load_config("tiny", {"sm.alu_latency=18"})) + 1, kSpFunctionalStages);
  EXPECT_EQ(sp_stages(load_config("tiny", {"sm.alu_latency=26"})), 15u);
}

}  // namespace
}  // namespace g80
