// SPDX-License-Identifier: Apache-2.0
// The load table: lanes find their bytes, entries complete when all lanes are served, faults name the lane.
#include "hw/sm/load_table.h"

#include "tests/support/fetched_instruction.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

using LoadTableTest = testing::SystemCTest;

struct LoadTableBench {
  explicit LoadTableBench(const std::string& text, const std::string& latency = "sm.return_latency=12")
      : config(load_config("tiny", {latency})),
        domain("shader", 0, 1000, 1, false),
        table("table", config),
        replies("replies", nullptr, &domain, 64, 1),
        texels("texels", nullptr, &domain, 8, 1) {
    table.open_i(open);
    table.lanes_i(open_lanes);
    table.rows_written_i(rows_written);
    table.reply_i(replies);
    table.tex_i(texels);
    table.result_o(result);
    table.freed_o(freed);
    table.stack_o(stack);
    table.credit_o(credit);
    table.fault_o(fault);
    domain.add(table, Rate::kHalf);
    load = test::fetched(text, 0x48);
    sc_core::sc_start(sc_core::sc_time(4500, sc_core::SC_PS));
  }
  /// Gathers what leaves, and counts a register as written when its second half has come, unless writeback is `full`.
  void cycle(unsigned count = 1) {
    for (; count > 0; --count) {
      sc_core::sc_start(sc_core::sc_time(2000, sc_core::SC_PS));
      const LoadResult& part = result.read();
      if (!part.valid) continue;
      EXPECT_EQ(part.word, parts / 2);
      EXPECT_EQ(part.half, parts % 2);
      ++parts;
      rows_begun += part.half == 0;
      EXPECT_EQ(table.registers().rows, rows_begun) << "a register counts from its first half on";
      finished |= part.last;
      std::copy(part.data.begin(), part.data.end(), &data[part.word][kHalfWarp * part.half]);
      lanes |= LaneMask{part.lanes} << (kHalfWarp * part.half);
      if (part.half == 1 && !full) rows_written.write(static_cast<std::uint8_t>(rows_written.read() + 1));
    }
  }
  void open_load(LaneMask lanes, unsigned stride, unsigned id = 6) {
    LoadOpen in;
    in.valid = true;
    in.id = static_cast<std::uint8_t>(id);
    in.warp = 1;
    in.fetched = load;
    in.lanes = lanes;
    open.write(in);
    for (unsigned half = 0; half < 2; ++half) {
      LoadLanes part;
      part.valid = true;
      part.id = static_cast<std::uint8_t>(id);
      part.half = static_cast<std::uint8_t>(half);
      for (unsigned l = 0; l < kHalfWarp; ++l)
        part.offset[l] = static_cast<std::uint8_t>((kHalfWarp * half + l) * stride % kMaxTransactionBytes);
      open_lanes.write(part);
      cycle();
      open.write(LoadOpen{});
    }
    open_lanes.write(LoadLanes{});
  }
  void reply(unsigned half, HalfMask lanes, unsigned bytes, MemFault fault_kind = MemFault::kNone, unsigned id = 6) {
    MemReply in;
    in.valid = true;
    in.id = static_cast<std::uint8_t>(id);
    in.half = static_cast<std::uint8_t>(half);
    in.lanes = lanes;
    in.bytes = static_cast<std::uint8_t>(bytes);
    in.fault = fault_kind;
    in.virtual_address = 0x2000;
    for (unsigned i = 0; i < bytes / 4; ++i) in.data[i] = 0x80000000u + 256 * half + i;
    replies.push(in);
    cycle(3);
  }
  Config config;
  Domain domain;
  LoadTable table;
  FetchedInstruction load;
  Wire<LoadOpen> open{"open"};
  Wire<LoadLanes> open_lanes{"open_lanes"};
  unsigned parts = 0;  // half registers that have left
  unsigned rows_begun = 0;
  bool finished = false;  // with the last one
  std::array<LaneWords, 4> data{};
  LaneMask lanes = 0;
  bool full = false;
  Wire<std::uint8_t> rows_written{"rows_written"};
  Wire<LoadFreed> freed{"freed"};
  Wire<LoadResult> result{"result"};
  Wire<StackFill> stack{"stack"};
  Wire<Credits> credit{"credit"};
  Wire<KernelFault> fault{"fault"};
  CrossingFifo<MemReply> replies;
  CrossingFifo<TexReply> texels;
};

TEST_F(LoadTableTest, ATextureReplyWritesItsLanesAloneAndTheComponentsOfTheMask) {
  LoadTableBench bench("texfetch live $r4:#:$r5:# $t5 $s0 $r4");  // red and blue
  bench.open_load(0x000000ff, 4);
  for (const HalfMask lanes : {HalfMask{0x0f}, HalfMask{0xf0}}) {
    TexReply in;
    in.valid = true;
    in.id = 6;
    in.lanes = lanes;
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      for (unsigned c = 0; c < 4; ++c) in.texel[l][c] = 0x10000u * lanes + 16 * l + c;
    }
    EXPECT_EQ(bench.parts, 0u);
    bench.texels.push(in);
    bench.cycle(3);
  }
  bench.cycle(4);
  ASSERT_TRUE(bench.finished);
  EXPECT_EQ(bench.parts, 4u) << "two registers";
  EXPECT_EQ(bench.lanes, 0xffu);
  for (unsigned l = 0; l < 8; ++l) {
    const std::uint32_t base = 0x10000u * (l < 4 ? 0x0f : 0xf0) + 16 * l;
    EXPECT_EQ(bench.data[0][l], base) << l;
    EXPECT_EQ(bench.data[1][l], base + 2) << l;
  }
}

TEST_F(LoadTableTest, CompletesWhenBothHalvesAreBack) {
  LoadTableBench bench("ld b32 $r3 g14[$r2]");
  bench.open_load(~LaneMask{0}, 4);
  bench.reply(1, 0xffff, 64);
  EXPECT_EQ(bench.parts, 0u);
  bench.reply(0, 0xffff, 64);
  EXPECT_EQ(bench.parts, 2u);
  EXPECT_TRUE(bench.finished);
  EXPECT_EQ(bench.lanes, ~LaneMask{0});
  for (unsigned l = 0; l < kWarpSize; ++l) EXPECT_EQ(bench.data[0][l], 0x80000000u + 256 * (l / 16) + l % 16) << l;
  EXPECT_TRUE(bench.freed.read().valid) << "with its last half";
  EXPECT_EQ(bench.freed.read().id, 6);
  EXPECT_EQ(bench.credit.read().load, 1u);
  bench.cycle(3);
  EXPECT_EQ(bench.parts, 2u);
  EXPECT_EQ(bench.credit.read().load, 1u);
}

TEST_F(LoadTableTest, FourRegistersLeaveInEightCyclesAndWaitForRoom) {
  for (const bool full : {false, true}) {
    renew_context();
    LoadTableBench bench("ld b128 $r4q g14[$r2]");
    bench.full = full;
    bench.open_load(1, 16);
    bench.reply(0, 1, 32);
    EXPECT_EQ(bench.parts, 2u);
    bench.cycle(2);
    EXPECT_EQ(bench.parts, 4u) << "as many registers as writeback has room for";
    if (full) {
      bench.cycle(5);
      EXPECT_EQ(bench.parts, 4u);
      EXPECT_FALSE(bench.finished);
      bench.rows_written.write(1);
      bench.cycle(3);
      EXPECT_EQ(bench.parts, 6u) << "room for one more";
      bench.full = false;
      bench.rows_written.write(3);
      bench.cycle(2);
    } else {
      bench.cycle(4);
    }
    EXPECT_EQ(bench.parts, 8u);
    EXPECT_TRUE(bench.finished);
    EXPECT_TRUE(bench.freed.read().valid);
    for (unsigned word = 0; word < 4; ++word) EXPECT_EQ(bench.data[word][0], 0x80000000u + word);
  }
}

TEST_F(LoadTableTest, AControlStackEntryGoesToItsWarp) {
  LoadTableBench bench("ld b32 $r3 g14[$r2]");
  for (const unsigned number : {0u, 3u, 5u}) {
    StackAccess access;
    access.warp = 19;
    access.number = static_cast<std::uint16_t>(number);
    MemReply reply;
    reply.valid = true;
    reply.client = MemClient::kStack;
    reply.id = stack_id(access);
    reply.lanes = 1;
    for (unsigned i = 0; i < kStackEntriesInSector; ++i) {
      const auto words = stack_words({0x100 * i + 8, StackEntryType::kBreak, 0xf0u + i});
      reply.data[2 * i] = words[0], reply.data[2 * i + 1] = words[1];
    }
    bench.replies.push(reply);
    for (unsigned i = 0; i < 20 && !bench.stack.read().valid; ++i) bench.cycle();
    ASSERT_TRUE(bench.stack.read().valid);
    EXPECT_EQ(bench.stack.read().warp, 19u);
    EXPECT_EQ(bench.stack.read().entry.pc, 0x100 * (number % 4) + 8);
    EXPECT_EQ(bench.stack.read().entry.mask, 0xf0u + number % 4);
    EXPECT_EQ(bench.parts, 0u);
    bench.cycle();
    EXPECT_FALSE(bench.stack.read().valid) << "once";
  }
}

TEST_F(LoadTableTest, AControlStackThatIsNotMappedIsAFaultOfItsWarp) {
  LoadTableBench bench("ld b32 $r3 g14[$r2]");
  MemReply reply;
  reply.valid = true;
  reply.client = MemClient::kStack;
  reply.lanes = 1;
  reply.fault = MemFault::kPageNotPresent;
  reply.origin.warp = 7;
  reply.origin.pc = 0x120;
  reply.virtual_address = 0x5008;
  bench.replies.push(reply);
  for (unsigned i = 0; i < 20 && !bench.fault.read().valid; ++i) {
    EXPECT_FALSE(bench.stack.read().valid);
    bench.cycle();
  }
  const KernelFault& fault = bench.fault.read();
  ASSERT_TRUE(fault.valid);
  EXPECT_EQ(fault.kind, FaultKind::kPageNotPresent);
  EXPECT_EQ(fault.origin.warp, 7u);
  EXPECT_EQ(fault.origin.pc, 0x120u);
  EXPECT_EQ(fault.address, 0x5008u);
}

TEST_F(LoadTableTest, NarrowLoadsAreExtended) {
  LoadTableBench bench("ld s16 $r3 g14[$r2]");
  bench.open_load(0x2, 2);  // lane 1 at offset 2: the upper half of the first word
  bench.reply(0, 0x2, 32);
  bench.cycle();
  ASSERT_TRUE(bench.finished);
  EXPECT_EQ(bench.data[0][1], 0xffff8000u);
}

TEST_F(LoadTableTest, TheResultPassesTheStagesOfTheReturnLatency) {
  std::vector<unsigned> cycles;
  for (const char* latency : {"sm.return_latency=16", "sm.return_latency=20", "sm.return_latency=28"}) {
    renew_context();
    LoadTableBench bench("ld b32 $r3 g14[$r2]", latency);
    bench.open_load(1, 4);
    bench.reply(0, 1, 32);
    unsigned waited = 0;
    for (; bench.parts == 0; ++waited) {
      ASSERT_LT(waited, 20u);
      bench.cycle();
    }
    cycles.push_back(waited);
  }
  EXPECT_EQ(cycles[1], cycles[0] + 2);  // scheduler cycles of two shader cycles each
  EXPECT_EQ(cycles[2], cycles[0] + 6);
}

TEST_F(LoadTableTest, ALoadWithoutLanesIsCompleteAtOnce) {
  LoadTableBench bench("ld b32 $r3 g14[$r2]");
  bench.open_load(0, 4);
  bench.cycle(2);
  EXPECT_TRUE(bench.finished);
  EXPECT_EQ(bench.parts, 2u);
}

TEST_F(LoadTableTest, ARefusedTransactionNamesLaneAndAddress) {
  LoadTableBench bench("ld b32 $r3 g14[$r2]");
  bench.open_load(~LaneMask{0}, 4);
  bench.reply(0, 0x0010, 32, MemFault::kPageNotPresent);
  ASSERT_TRUE(bench.fault.read().valid);
  EXPECT_EQ(bench.fault.read().kind, FaultKind::kPageNotPresent);
  EXPECT_EQ(bench.fault.read().lane, 4u);
  EXPECT_EQ(bench.fault.read().address, 0x2010u);
  EXPECT_EQ(bench.fault.read().origin.pc, 0x48u);
}

TEST_F(LoadTableTest, ARefusedAtomicNamesItsInstruction) {
  LoadTableBench bench("ld max u32 $r3 g14[$r2] $r4");
  bench.open_load(~LaneMask{0}, 4);
  bench.reply(1, 0x0100, 32, MemFault::kBeyondMemory);
  const KernelFault& fault = bench.fault.read();
  ASSERT_TRUE(fault.valid);
  EXPECT_EQ(fault.kind, FaultKind::kPageNotPresent);
  EXPECT_EQ(fault.lane, 24u);
  EXPECT_EQ(fault.address, 0x2000u + 24 * 4 % 32);
  EXPECT_EQ(fault.words[0], bench.load.w0());
  EXPECT_EQ(fault.words[1], bench.load.w1());
  EXPECT_EQ(fault.origin.warp, 1u);
}

TEST_F(LoadTableTest, ARefusedStoreIsNamedByItsReplyAndNotByTheEntryOfItsNumber) {
  for (const MemOp op : {MemOp::kWrite, MemOp::kReduce}) {
    renew_context();
    LoadTableBench bench("ld b32 $r3 g14[$r2]");
    bench.open_load(~LaneMask{0}, 4);
    MemReply in;
    in.valid = true;
    in.op = op;
    in.id = 6;
    in.half = 1;
    in.lanes = 0x8000;
    in.fault = MemFault::kPageNotPresent;
    in.virtual_address = 0x7654;
    in.origin.tag.bits = 0x99;
    in.origin.warp = 30;
    in.origin.pc = 0x1230;
    bench.replies.push(in);
    bench.cycle(3);
    const KernelFault& fault = bench.fault.read();
    ASSERT_TRUE(fault.valid);
    EXPECT_EQ(fault.lane, 31u);
    EXPECT_EQ(fault.address, 0x7654u) << "as the reply says";
    EXPECT_EQ(fault.words[0], 0u);
    EXPECT_EQ(fault.origin.tag.bits, 0x99u);
    EXPECT_EQ(fault.origin.warp, 30u);
    EXPECT_EQ(fault.origin.pc, 0x1230u);
  }
}

TEST_F(LoadTableTest, ARefusedTexelNamesLaneAndAddress) {
  LoadTableBench bench("texfetch live $r4:#:$r5:# $t5 $s0 $r4");
  bench.open_load(~LaneMask{0}, 4);
  TexReply in;
  in.valid = true;
  in.fault = MemFault::kPageNotPresent;
  in.id = 6;
  in.half = 1;
  in.lanes = 0x0060;
  in.fault_address = 0xabc4;
  bench.texels.push(in);
  bench.cycle(3);
  const KernelFault& fault = bench.fault.read();
  ASSERT_TRUE(fault.valid);
  EXPECT_EQ(fault.lane, 21u);
  EXPECT_EQ(fault.address, 0xabc4u);
  EXPECT_EQ(fault.words[0], bench.load.w0());
  EXPECT_EQ(fault.origin.pc, 0x48u);
  EXPECT_EQ(bench.parts, 0u);
}

TEST_F(LoadTableTest, TheFirstFaultStays) {
  LoadTableBench bench("ld b32 $r3 g14[$r2]");
  bench.open_load(~LaneMask{0}, 4);
  bench.reply(0, 0x0010, 32, MemFault::kPageNotPresent);
  bench.reply(0, 0x0002, 32, MemFault::kPageNotPresent);
  EXPECT_EQ(bench.fault.read().lane, 4u);
  bench.reply(0, 0xffff, 64);
  bench.reply(1, 0xffff, 64);
  EXPECT_TRUE(bench.finished) << "replies are taken as before";
  EXPECT_EQ(bench.fault.read().lane, 4u);
}

TEST_F(LoadTableTest, LoadsLeaveInTheOrderInWhichTheyBecameComplete) {
  LoadTableBench bench("ld b32 $r3 g14[$r2]");
  for (const unsigned id : {3, 60, 17}) bench.open_load(1, 4, id);
  bench.full = true;  // the third waits for room
  for (const unsigned id : {60, 3, 17}) {
    MemReply in;
    in.valid = true;
    in.id = static_cast<std::uint8_t>(id);
    in.lanes = 1;
    in.bytes = 32;
    bench.replies.push(in);
  }
  std::vector<unsigned> freed;
  for (unsigned i = 0; i < 30; ++i) {
    if (i == 20) {
      EXPECT_EQ(freed.size(), 2u);
      bench.rows_written.write(1);
    }
    bench.cycle();
    if (!bench.freed.read().valid) continue;
    freed.push_back(bench.freed.read().id);
    bench.parts = 0;
  }
  EXPECT_EQ(freed, (std::vector<unsigned>{60, 3, 17}));
  EXPECT_EQ(bench.credit.read().load, 3u);
}

TEST_F(LoadTableTest, OnlyLanesOfTheLoadHaveData) {
  LoadTableBench bench("ld b32 $r3 g14[$r2]");
  bench.open_load(~LaneMask{0}, 4);
  bench.reply(0, 0xffff, 64);
  bench.reply(1, 0xffff, 64);
  ASSERT_TRUE(bench.finished);
  bench.parts = 0;
  bench.open_load(0x00020002, 4);
  bench.reply(0, 0x0002, 64);
  bench.reply(1, 0x0002, 64);
  EXPECT_EQ(bench.parts, 2u);
  for (unsigned l = 0; l < kWarpSize; ++l) EXPECT_EQ(bench.data[0][l] != 0, l % 16 == 1) << l;
}

}  // namespace
}  // namespace g80
