// SPDX-License-Identifier: Apache-2.0
// The instruction buffer: order per warp, picks, levels, and redirects that void what waits.
#include "hw/sm/instruction_buffer.h"

#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

using InstructionBufferTest = testing::SystemCTest;

/// Reaches the end of the numbers without sixteen million instructions.
struct NumberedBuffer : InstructionBuffer {
  using InstructionBuffer::InstructionBuffer;
  void set_sequence(std::uint32_t sequence) { q_.sequence = d_.sequence = sequence; }
};

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
  NumberedBuffer buffer;
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
  }
  EXPECT_EQ(bench.level.read().count[1], 0u);
}

// Of SM 0 a number 0 would be a uid of 0, which means none.
TEST_F(InstructionBufferTest, NumbersInstructionsFromOneAndNeverZero) {
  InstructionBufferBench bench;
  const auto uid_of_next = [&bench] {
    bench.put(1, 0x20, 1);
    bench.cycle();
    bench.pick.write({true, 1, false, StallReason::kIssued});
    bench.cycle();
    return bench.issue.read().tag.bits;
  };
  EXPECT_EQ(uid_of_next(), 0x7000001u);
  EXPECT_EQ(uid_of_next(), 0x7000002u);
  bench.buffer.set_sequence(0xffffff);
  EXPECT_EQ(uid_of_next(), 0x7ffffffu);
  EXPECT_EQ(uid_of_next(), 0x7000001u);
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
