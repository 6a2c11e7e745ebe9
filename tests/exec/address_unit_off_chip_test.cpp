// SPDX-License-Identifier: Apache-2.0
// Accesses of the address unit to device memory and textures: requests, entries of the load table, and who goes first.
#include "tests/exec/address_bench.h"

namespace g80 {
namespace {

using test::AddressBench;
using OffChipAccess = testing::SystemCTest;

TEST_F(OffChipAccess, AStoreToGlobalMemoryLeavesAsTwoHalfWarpsAndIsDone) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("st b32 g14[$r2] $r3", 0x40, 8));
  const std::uint8_t credit = bench.credit.read().memory;
  for (unsigned half = 0; half < 2; ++half) {
    const HalfWarpAccess out = bench.next_access();
    EXPECT_TRUE(out.valid);
    EXPECT_EQ(out.op, MemOp::kWrite);
    EXPECT_EQ(out.client, MemClient::kGlobal);
    EXPECT_EQ(out.half, half);
    EXPECT_EQ(out.lanes, 0xffff);
    EXPECT_EQ(out.bytes, 4);
    bench.expect_origin(out.origin);
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      EXPECT_EQ(out.address[l], 0x10040 + 8 * (kHalfWarp * half + l));
      EXPECT_EQ(out.data[l][0], kHalfWarp * half + l);
    }
  }
  EXPECT_TRUE(bench.done.read().valid);
  EXPECT_EQ(bench.done.read().warp, 3);
  EXPECT_EQ(bench.done.read().lanes, ~LaneMask{0});
  EXPECT_EQ(bench.done.read().tag.bits, 0x1234567u);
  EXPECT_EQ(bench.freed.read(), WarpMask{1} << 6);
  EXPECT_EQ(static_cast<std::uint8_t>(bench.credit.read().memory - credit), 1);
  EXPECT_FALSE(bench.open.read().valid);
  EXPECT_EQ(bench.unit.counters().accesses, 1u);
  bench.cycle(4);
  EXPECT_FALSE(bench.done.read().valid);
  EXPECT_FALSE(bench.access.available());
  EXPECT_TRUE(bench.unit.idle());
}

/// Scheduler cycles between the two half-warps of a load: the lower one has no lanes but the first, the upper one
/// `lanes` with addresses `step` apart from `first` on.
unsigned distance_of_halves(const std::string& set, std::uint32_t first, std::uint32_t step, LaneMask lanes,
                            const char* text = "ld b32 $r3 g14[$r2]") {
  AddressBench bench({set});
  bench.begin();
  AddressBench::Order order = AddressBench::order(text, first - kHalfWarp * step, step, lanes << kHalfWarp | 1);
  order.base[0] = 0;
  bench.send(order);
  bench.next_access();
  unsigned cycles = 0;
  for (; cycles < 200 && !bench.access.available(); ++cycles) bench.cycle();
  EXPECT_EQ(bench.next_access().half, 1);
  return cycles;
}

TEST_F(OffChipAccess, TheAddressesOfAHalfWarpOutOfOrderLeaveOneByOne) {
  struct Case {
    std::uint32_t first, step;
    LaneMask lanes;
    unsigned addresses;
  };
  const unsigned base = [] {
    testing::SystemCTest::renew_context();
    return distance_of_halves("sm.address_cycles=4", 0x80, 4, 0xffff);
  }();
  for (const Case& one : {Case{0x80, 4, 0x0f31, 1},     // in order, lanes missing
                          Case{0x84, 4, 0xffff, 16},    // from a word on that begins no segment
                          Case{0x84, 4, 0x8421, 4},     //
                          Case{0x80, 8, 0xffff, 16},    // too far apart
                          Case{0x80, 0, 0xffff, 16},    // one word
                          Case{0x84, 4, 0x0010, 1}}) {  // one lane
    for (const unsigned cycles : {0u, 2u, 4u, 8u}) {
      testing::SystemCTest::renew_context();
      EXPECT_EQ(distance_of_halves(fmt::format("sm.address_cycles={}", cycles), one.first, one.step, one.lanes),
                base + cycles / 2 * (one.addresses - 1))
          << one.first << " " << one.step << " " << one.lanes << " " << cycles;
    }
  }
  // Elements of 8 and 16 bytes have segments of 128 and 256 bytes.
  for (const auto& [text, step] : {std::pair{"ld b64 $r4d g14[$r2]", 8u}, {"ld b128 $r4q g14[$r2]", 16u}}) {
    testing::SystemCTest::renew_context();
    EXPECT_EQ(distance_of_halves("sm.address_cycles=4", 0x200, step, 0xffff, text), base);
    testing::SystemCTest::renew_context();
    EXPECT_EQ(distance_of_halves("sm.address_cycles=4", 0x200 + step, step, 0xffff, text), base + 30);
  }
}

TEST_F(OffChipAccess, ALoadOpensAnEntryAndAHalfWarpWithoutLanesSendsNothing) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("ld b32 $r3 g14[$r2]", 0x84, 4, 0xff000000));
  EXPECT_TRUE(bench.open.read().valid);
  EXPECT_EQ(bench.open.read().id, 0);
  EXPECT_EQ(bench.open.read().warp, 3);
  EXPECT_EQ(bench.open.read().lanes, 0xff000000u);
  EXPECT_EQ(bench.open.read().tag.bits, 0x1234567u);
  EXPECT_EQ(bench.open.read().fetched.pc, 0x48u);
  ASSERT_TRUE(bench.lanes.read().valid);
  EXPECT_EQ(bench.lanes.read().id, 0);
  EXPECT_EQ(bench.lanes.read().half, 1);
  for (unsigned l = 0; l < kHalfWarp; ++l) EXPECT_EQ(bench.lanes.read().offset[l], (0x84 + 4 * (kHalfWarp + l)) % 128);
  const HalfWarpAccess out = bench.next_access();
  EXPECT_EQ(out.op, MemOp::kRead);
  EXPECT_EQ(out.half, 1);
  EXPECT_EQ(out.lanes, 0xff00);
  EXPECT_EQ(out.id, 0);
  EXPECT_EQ(out.data[15][0], 0u);
  bench.cycle(4);
  EXPECT_FALSE(bench.access.available());
  EXPECT_FALSE(bench.done.read().valid);
  // The entry stays taken until it is freed.
  bench.send(AddressBench::order("ld b32 $r3 g14[$r2]", 0, 4, 1));
  EXPECT_EQ(bench.open.read().id, 1);
  bench.load_freed.write({true, 0});
  bench.cycle();
  bench.load_freed.write(LoadFreed{});
  bench.cycle(4);
  bench.send(AddressBench::order("ld b32 $r3 g14[$r2]", 0, 4, 1));
  EXPECT_EQ(bench.open.read().id, 0);
}

TEST_F(OffChipAccess, AtomicsCarryOperationSignAndBothOperands) {
  struct Case {
    const char* text;
    MemOp op;
    isa::AtomOp operation;
    bool is_signed;
  };
  for (const Case& one : {Case{"red add u32 g14[$r2] $r3", MemOp::kReduce, isa::AtomOp::kAdd, false},
                          {"red max s32 g14[$r2] $r3", MemOp::kReduce, isa::AtomOp::kMax, true},
                          {"cas b32 $r7 g14[$r2] $r3 $r4", MemOp::kAtomic, isa::AtomOp::kCas, false}}) {
    renew_context();
    AddressBench bench;
    bench.begin();
    bench.send(AddressBench::order(one.text, 0x40, 4, 0x30));
    EXPECT_EQ(bench.open.read().valid, one.op == MemOp::kAtomic) << one.text;
    const HalfWarpAccess out = bench.next_access();
    EXPECT_EQ(out.op, one.op) << one.text;
    EXPECT_EQ(out.atom_op, static_cast<unsigned>(one.operation)) << one.text;
    EXPECT_EQ(out.atom_signed, one.is_signed) << one.text;
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(out.data[5][i], 0x1000 * i + 5);
  }
}

TEST_F(OffChipAccess, TexturesGetCoordinatesOffsetsAndNumbers) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("texfetch live $r4:$r5:$r6:$r7 $t9 $s2 $r4:$r5", 0, 0, 0x0001ffff));
  EXPECT_TRUE(bench.open.read().valid);
  for (unsigned half = 0; half < 2; ++half) {
    for (int i = 0; i < 10 && !bench.tex.available(); ++i) bench.cycle();
    ASSERT_TRUE(bench.tex.available());
    const TexRequest out = bench.tex.front();
    bench.tex.pop();
    EXPECT_TRUE(out.valid);
    EXPECT_EQ(out.op, TexOp::kFetch);
    EXPECT_EQ(out.sm_in_tpc, 1);
    EXPECT_EQ(out.half, half);
    EXPECT_EQ(out.lanes, half == 0 ? 0xffff : 1);
    EXPECT_EQ(out.texture, 9);
    EXPECT_EQ(out.sampler, 2);
    bench.expect_origin(out.origin);
    EXPECT_EQ(out.coord[0][0], kHalfWarp * half);
    EXPECT_EQ(out.coord[0][1], 0x1000 + kHalfWarp * half);
    EXPECT_EQ(out.coord[0][2], 0u) << "not a coordinate of this instruction";
  }
  EXPECT_EQ(bench.unit.counters().accesses, 1u);
}

TEST_F(OffChipAccess, ATextureAccessCarriesTheOffsetOfEachAxis) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("texfetch live $r4:$r5:$r6:$r7 $t9 $s2 $r4:$r5:$r6 0x1 -0x2 0x3", 0, 0, 1));
  bench.cycle(4);
  ASSERT_TRUE(bench.tex.available());
  EXPECT_EQ(bench.tex.front().offset, (std::array<std::int8_t, 3>{1, -2, 3}));
}

TEST_F(OffChipAccess, IsBusyUntilTheTextureUnitHasTakenItsRequests) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("texfetch live $r4:$r5:$r6:$r7 $t9 $s2 $r4:$r5", 0, 0, 1));
  bench.cycle(10);
  ASSERT_EQ(bench.tex.size(), 1u);
  EXPECT_TRUE(bench.busy.read());
  bench.tex.pop();
  bench.cycle(2);
  EXPECT_FALSE(bench.busy.read());
}

TEST_F(OffChipAccess, LocalMemoryIsAddressedByWarpAndThreadAndWideWordsGoOneByOne) {
  AddressBench bench;
  bench.begin();
  // The address with $a1, and one that the instruction has.
  for (const bool own : {false, true}) {
    if (own) {
      bench.send_direct("ld b64 $r2d l[0x8]", ~LaneMask{0});
    } else {
      bench.send(AddressBench::order("st b64 l[$a1] $r2d", 8, 0));
    }
    for (unsigned word = 0; word < 2; ++word) {
      for (unsigned half = 0; half < 2; ++half) {
        const HalfWarpAccess out = bench.next_access();
        EXPECT_EQ(out.client, MemClient::kLocal);
        EXPECT_EQ(out.half, half);
        EXPECT_EQ(out.bytes, 4);
        const std::uint32_t warp = 5 * bench.config.sm.max_warps + 3;
        for (unsigned l = 0; l < kHalfWarp; ++l) {
          const unsigned lane = kHalfWarp * half + l;
          EXPECT_EQ(out.address[l], local_address(bench.state, warp, lane, 8) + word * 4 * kWarpSize);
          if (!own) {
            EXPECT_EQ(out.data[l][0], 0x1000 * word + lane);
          }
        }
      }
    }
    EXPECT_EQ(bench.done.read().valid, !own);
  }
}

TEST_F(OffChipAccess, ControlStackEntriesGoFirstAndNameTheirInstruction) {
  AddressBench bench;
  bench.begin();
  StackAccess entry;
  entry.valid = entry.write = true;
  entry.warp = 3;
  entry.number = 2;
  entry.entry = {0x120, StackEntryType::kCall, 0x0ff0};
  entry.pc = 0x48;
  entry.tag.bits = 0x1234567;
  bench.stack.write(entry);
  bench.cycle();
  bench.stack.write(StackAccess{});
  const HalfWarpAccess out = bench.next_access();
  EXPECT_EQ(out.op, MemOp::kWrite);
  EXPECT_EQ(out.client, MemClient::kStack);
  EXPECT_EQ(out.lanes, 1);
  EXPECT_EQ(out.bytes, 8);
  EXPECT_EQ(out.id, stack_id(entry));
  EXPECT_EQ(out.address[0], stack_address(bench.state, 5 * bench.config.sm.max_warps + 3, 2));
  EXPECT_EQ(out.data[0][0], 0x0ff0u);
  EXPECT_EQ(out.data[0][1], static_cast<std::uint32_t>(StackEntryType::kCall) << 24 | 0x120u);
  bench.expect_origin(out.origin);
  EXPECT_EQ(bench.unit.counters().accesses, 0u);
}

// An entry in each cycle, which is more than the way to memory takes: other warps whose stacks overflow.
TEST_F(OffChipAccess, AStreamOfControlStackEntriesLetsAnAccessThrough) {
  AddressBench bench;
  bench.begin();
  StackAccess entry;
  entry.valid = true;
  bench.stack.write(entry);
  bench.cycle(40);
  bench.send(AddressBench::order("ld b32 $r3 g14[$r2]", 0x40, 8));
  std::vector<MemClient> left;
  for (unsigned i = 0; i < 24; ++i) {
    const bool comes = i >= 16;  // behind those that filled the queue
    const MemClient client = bench.next_access().client;
    if (comes) left.push_back(client);
    bench.cycle(2);
  }
  EXPECT_EQ(left, (std::vector<MemClient>{MemClient::kGlobal, MemClient::kStack, MemClient::kGlobal, MemClient::kStack,
                                          MemClient::kStack, MemClient::kStack, MemClient::kStack, MemClient::kStack}));
}

}  // namespace
}  // namespace g80
