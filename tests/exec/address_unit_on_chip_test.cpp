// SPDX-License-Identifier: Apache-2.0
// Accesses of the address unit to s[] and c[]: requests, stores that are finished, and the head of a block.
#include "tests/exec/address_bench.h"

namespace g80 {
namespace {

using test::AddressBench;
using OnChipAccess = testing::SystemCTest;

TEST_F(OnChipAccess, SharedMemoryGetsItsWarpsPartHalfByHalf) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("ld $r3 s16 s[$a1+0x20]", 0, 2));
  for (unsigned half = 0; half < 2; ++half) {
    const SmemRequest out = bench.smem.read();
    ASSERT_TRUE(out.valid) << half;
    EXPECT_FALSE(out.write);
    EXPECT_FALSE(out.lock);
    EXPECT_EQ(out.warp, 3);
    EXPECT_EQ(out.unit, 6);
    EXPECT_EQ(out.half, half);
    EXPECT_EQ(out.bytes, 2);
    EXPECT_TRUE(out.sign_extend);
    EXPECT_EQ(out.lanes, 0xffff);
    bench.expect_origin(out.origin);
    for (unsigned l = 0; l < kHalfWarp; ++l) EXPECT_EQ(out.address[l], 0x420 + 2 * (kHalfWarp * half + l));
    bench.cycle();
  }
  EXPECT_FALSE(bench.smem.read().valid);
  EXPECT_EQ(bench.unit.counters().accesses, 0u) << "not to device memory";
}

TEST_F(OnChipAccess, AStoreToSharedMemoryIsDoneWhenTheBanksHavePerformedIt) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("st b32 s[$a1+0x100] $r3", 0, 4, 0x00010001));
  EXPECT_TRUE(bench.smem.read().write);
  EXPECT_EQ(bench.smem.read().data[0], 0u);
  bench.cycle();
  EXPECT_TRUE(bench.smem.read().valid);
  EXPECT_EQ(bench.smem.read().data[0], 16u);
  EXPECT_EQ(bench.freed.read(), WarpMask{1} << 6) << "its operands are no longer needed";
  bench.cycle(5);
  EXPECT_FALSE(bench.done.read().valid);
  for (unsigned half = 0; half < 2; ++half) {
    bench.stored.write(true);
    bench.cycle();
    bench.stored.write(false);
    EXPECT_EQ(bench.done.read().valid, half == 1);
    if (half == 0) bench.cycle(3);
  }
  EXPECT_EQ(bench.done.read().lanes, 0x00010001u);
}

TEST_F(OnChipAccess, AStoreToSharedMemoryWithoutLanesIsDoneOnceAndSendsNothing) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("st b32 s[$a1+0x100] $r3", 0, 4, 0));
  unsigned done = 0;
  for (unsigned i = 0; i < 10; ++i) {
    done += bench.done.read().valid;
    EXPECT_FALSE(bench.smem.read().valid);
    bench.cycle();
  }
  EXPECT_EQ(done, 1u);
}

TEST_F(OnChipAccess, ConstantsOutsideTheirBankAreLeftOutAndAnswerAtOnceIfAllAre) {
  AddressBench bench;
  bench.begin();
  AddressBench::Order read = AddressBench::order("ld $r3 b32 c1[$a1+0xf0]", 0, 4);  // four words lie in the bank
  read.constant = true;
  bench.send(read);
  ASSERT_TRUE(bench.constant.read().valid);
  EXPECT_EQ(bench.constant.read().id, 6);
  EXPECT_EQ(bench.constant.read().warp, 3);
  EXPECT_EQ(bench.constant.read().bytes, 4);
  EXPECT_FALSE(bench.constant.read().direct);
  EXPECT_EQ(bench.constant.read().lanes, 0xfu);
  bench.expect_origin(bench.constant.read().origin);
  for (unsigned l = 0; l < 4; ++l) EXPECT_EQ(bench.constant.read().address_of(l), 0x200f0 + 4 * l);
  EXPECT_EQ(bench.answered.read(), 0u);
  bench.cycle();
  EXPECT_FALSE(bench.constant.read().valid);
  EXPECT_EQ(bench.answered.read(), WarpMask{1} << 6) << "of the upper half-warp all lie outside";
  bench.cycle(2);
  for (const char* text : {"ld $r3 b32 c1[$a1+0x100]", "ld $r3 b32 c2[$a1]"}) {
    read = AddressBench::order(text, 0, 4);
    read.constant = true;
    bench.send(read);
    for (unsigned half = 0; half < 2; ++half) {
      EXPECT_FALSE(bench.constant.read().valid) << text;
      EXPECT_EQ(bench.answered.read(), WarpMask{1} << 6) << text;
      bench.cycle();
    }
    EXPECT_EQ(bench.answered.read(), 0u) << text;
  }
  bench.send_direct("ld $r3 b32 c1[0x10]", 0xffff00ff, true);
  ASSERT_TRUE(bench.constant.read().valid);
  EXPECT_TRUE(bench.constant.read().direct);
  EXPECT_EQ(bench.constant.read().lanes, 0xffff00ffu);
  EXPECT_EQ(bench.constant.read().address_of(30), 0x20010u);
  bench.cycle();
  EXPECT_FALSE(bench.constant.read().valid);
  EXPECT_FALSE(bench.fault.read().valid) << "such words read 0";
}

// The $a of such an instruction belongs to s[]; c[] is addressed by the instruction alone and comes without operands.
TEST_F(OnChipAccess, AConstantBesideASharedOperandDoesNotIncrementItsAddressRegister) {
  AddressBench bench;
  bench.begin();
  AddressBench::Order order = AddressBench::order("mul rz f32 $r1 b32 s[$a1++0x4] c1[0x40]", 0x10, 4);
  bench.send(order);
  ASSERT_TRUE(bench.increment.read().valid);
  EXPECT_EQ(bench.increment.read().value[3], 0x10 + 4 * 3 + 4);
  bench.cycle(4);
  order.constant = true;
  order.operands = false;
  bench.send(order);
  for (unsigned i = 0; i < 4; ++i, bench.cycle()) EXPECT_FALSE(bench.increment.read().valid);
}

// Two rows wait for the banks, and so do two accesses: the rows go first, though one comes later.
TEST_F(OnChipAccess, TheHeadOfABlockGoesAheadOfAllAccesses) {
  AddressBench bench;
  bench.begin();
  bench.smem_ready.write(false);
  AddressBench::Order direct = AddressBench::order("mov b32 $r1 b32 s[0x24]", 0, 0);
  direct.operands = false;
  bench.dispatch.write(direct);
  for (unsigned row = 0; row < 2; ++row) {
    SmemFill words;
    words.valid = true;
    words.first = static_cast<std::uint16_t>(0x40 + 16 * row);
    words.count = 16;
    words.data[3] = 7 + row;
    bench.fill.write(words);
    bench.cycle();
    bench.dispatch.write(AddressDispatch{});
  }
  bench.fill.write(SmemFill{});
  bench.cycle();
  bench.smem_ready.write(true);
  std::vector<SmemRequest> seen;
  for (unsigned i = 0; i < 6; ++i) {
    if (bench.smem.read().valid) seen.push_back(bench.smem.read());
    bench.cycle();
  }
  ASSERT_EQ(seen.size(), 4u);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(seen[i].header, i < 2) << i;
  EXPECT_EQ(seen[1].address[3], 4 * (0x50 + 3));
  EXPECT_EQ(seen[1].data[3], 8u);
  EXPECT_EQ(seen[1].lanes, 0xffff);
}

}  // namespace
}  // namespace g80
