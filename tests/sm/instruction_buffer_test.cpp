// SPDX-License-Identifier: Apache-2.0
// The instruction buffer: order per warp, picks, levels, and redirects that void what waits.
#include "hw/sm/instruction_buffer.h"

#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

using InstructionBufferTest = testing::SystemCTest;

struct InstructionBufferBench {
  InstructionBufferBench()
      : config(load_config("tiny")), domain("shader", 0, 1000, 1, false), buffer("buffer", config, 7) {
    buffer.decoded_i(decoded);
    buffer.start_i(start);
    buffer.redirect_i(redirect);
    buffer.pick_i(pick);
    buffer.issue_o(issue);
    buffer.level_o(level);
    domain.add(buffer, Rate::kHalf);
    sc_core::sc_start(sc_core::sc_time(4500, sc_core::SC_PS));
  }
  void cycle() {
    sc_core::sc_start(sc_core::sc_time(2000, sc_core::SC_PS));
    decoded.write(DecodedGroup{});
    redirect.write(Redirect{});
    pick.write(Pick{});
  }
  void put(unsigned warp, std::uint32_t pc, unsigned count, std::uint8_t epoch = 0) {
    DecodedGroup group;
    group.valid = true;
    group.warp = static_cast<std::uint8_t>(warp);
    group.epoch = epoch;
    group.count = static_cast<std::uint8_t>(count);
    for (unsigned i = 0; i < count; ++i) group.insn[i] = {pc + 8 * i};
    decoded.write(group);
  }
  Config config;
  Domain domain;
  InstructionBuffer buffer;
  Wire<DecodedGroup> decoded{"decoded"};
  Wire<Redirect> start{"start"}, redirect{"redirect"};
  Wire<Pick> pick{"pick"};
  Wire<Issue> issue{"issue"};
  Wire<BufferLevel> level{"level"};
};

TEST_F(InstructionBufferTest, HandsOutAWarpsInstructionsInOrder) {
  InstructionBufferBench bench;
  bench.put(1, 0x20, 2);
  bench.cycle();
  EXPECT_EQ(bench.level.read().count[1], 2u);
  for (const std::uint32_t pc : {0x20u, 0x28u}) {
    bench.pick.write({true, 1, false, StallReason::kIssued});
    bench.cycle();
    ASSERT_TRUE(bench.issue.read().valid);
    EXPECT_EQ(bench.issue.read().fetched.pc, pc);
    EXPECT_EQ(bench.issue.read().tag.sm(), 7u);
  }
  EXPECT_EQ(bench.level.read().count[1], 0u);
}

TEST_F(InstructionBufferTest, ARedirectVoidsWhatWaitsAndWhatIsOnItsWay) {
  InstructionBufferBench bench;
  bench.put(1, 0x20, 2);
  bench.cycle();
  bench.redirect.write({true, RedirectKind::kJump, 1, 0x100});
  bench.cycle();
  EXPECT_EQ(bench.level.read().count[1], 0u);
  bench.put(1, 0x30, 2, 0);  // fetched before the jump
  bench.cycle();
  EXPECT_EQ(bench.level.read().count[1], 0u);
  bench.put(1, 0x100, 1, 1);
  bench.cycle();
  EXPECT_EQ(bench.buffer.head_pc(1), 0x100u);
}

TEST_F(InstructionBufferTest, AGroupThatIsNotValidIsNotTaken) {
  InstructionBufferBench bench;
  bench.put(1, 0x20, 2);
  DecodedGroup group = bench.decoded.read();
  group.valid = false;
  bench.decoded.write(group);
  bench.cycle();
  EXPECT_EQ(bench.level.read().count[1], 0u);
}

TEST_F(InstructionBufferTest, RoomMeansAWholeFetchFits) {
  InstructionBufferBench bench;
  const unsigned group = bench.config.sm.fetch_bytes / 4, entries = bench.config.sm.ibuffer_entries;
  unsigned held = 0;
  while (held + 2 <= entries) {
    EXPECT_EQ((bench.level.read().room >> 4 & 1) != 0, held + group <= entries) << held;
    bench.put(4, 8 * held, 2);
    bench.cycle();
    held += 2;
  }
}

}  // namespace
}  // namespace g80
