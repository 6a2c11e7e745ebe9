// SPDX-License-Identifier: Apache-2.0
// The address unit: which addresses fault, new $a, when half-warps leave, sleep and reset.
#include "tests/exec/address_bench.h"
#include "tests/support/reset_check.h"
#include "tests/support/step_count.h"

namespace g80 {
namespace {

using test::AddressBench;
using AddressUnitTest = testing::SystemCTest;

TEST_F(AddressUnitTest, APostIncrementWritesTheNewAddressRegisterAHalfWarpACycle) {
  AddressBench bench;
  bench.begin();
  for (const char* text : {"st b32 s[$a1++0x8] $r3", "add b32 $r3 b32 s[$a1++0x8] $r2"}) {
    bench.send(AddressBench::order(text, 0xfffc, 4, 0x80010002));
    for (unsigned half = 0; half < 2; ++half) {
      const AddrIncrement& seen = bench.increment.read();
      ASSERT_TRUE(seen.valid) << text;
      EXPECT_EQ(seen.warp, 3);
      EXPECT_EQ(seen.index, 1);
      EXPECT_EQ(seen.half, half);
      EXPECT_EQ(seen.lanes, half == 0 ? 0x0002 : 0x8001);
      for (unsigned l = 0; l < kHalfWarp; ++l)
        EXPECT_EQ(seen.value[l], (0xfffc + 4 * (kHalfWarp * half + l) + 8) & 0xffff) << text;
      bench.cycle();
    }
    EXPECT_FALSE(bench.increment.read().valid);
    bench.cycle(20);
  }
  bench.send(AddressBench::order("st b32 s[$a1+0x8] $r3", 0xfffc, 4, 0x2));
  EXPECT_FALSE(bench.increment.read().valid) << "nothing increments";
}

struct BadAddress {
  const char* text;
  std::uint32_t first, step;
  FaultKind kind;
  unsigned lane;
  std::uint32_t address;
};

TEST_F(AddressUnitTest, ABadAddressFaultsInItsLowestLaneAndTheEdgeOfEachSpaceDoesNot) {
  for (const BadAddress& bad : {
           BadAddress{"ld b32 $r3 g14[$r2]", 2, 4, FaultKind::kMisalignedAddress, 0, 2},
           {"ld b32 $r3 g14[$r2]", 0xf84, 4, FaultKind::kGlobalLimit, 31, 0x1000},
           {"ld b32 $r3 g13[$r2]", 0, 4, FaultKind::kGlobalLimit, 0, 0},
           {"st b64 g14[$r2] $r4d", 0xf08, 8, FaultKind::kGlobalLimit, 31, 0x1000},
           {"ld $r3 b32 s[$a1]", 0x184, 4, FaultKind::kSharedLimit, 31, 0x200},
           {"ld $r3 u16 s[$a1]", 0x1f1, 1, FaultKind::kMisalignedAddress, 0, 0x1f1},
           {"st b32 l[$a1] $r3", 36, 1, FaultKind::kMisalignedAddress, 1, 37},
           {"st b32 l[$a1] $r3", 60, 4, FaultKind::kLocalLimit, 1, 64},
       }) {
    SCOPED_TRACE(bad.text);
    renew_context();
    AddressBench bench;
    bench.begin();
    bench.send(AddressBench::order(bad.text, bad.first, bad.step));
    const KernelFault& fault = bench.fault.read();
    EXPECT_EQ(fault.valid, bad.lane < kHalfWarp);
    if (bad.lane >= kHalfWarp) bench.cycle();  // its operands come
    ASSERT_TRUE(fault.valid);
    EXPECT_EQ(fault.kind, bad.kind);
    EXPECT_EQ(fault.lane, bad.lane);
    EXPECT_EQ(fault.address, bad.address);
    const FetchedInstruction insn = test::fetched(bad.text, 0x48);
    EXPECT_EQ(fault.words[0], insn.w0());
    EXPECT_EQ(fault.words[1], insn.w1());
    bench.expect_origin(fault.origin);
    bench.cycle(6);
    const bool off_chip = bench.access.available();
    EXPECT_LE(bench.access.size(), 1u) << "at most the half-warp without a fault is sent";
    EXPECT_TRUE(!off_chip || bad.lane >= kHalfWarp) << "nothing of its own half-warp";
    EXPECT_FALSE(bench.done.read().valid);
    EXPECT_EQ(bench.credit.read().memory, 0u) << "the instruction does not complete";
    for (; bench.access.available(); bench.access.pop()) continue;
    bench.send(AddressBench::order("st b32 g14[$r2] $r3", 0x40, 8));
    for (unsigned half = 0; half < 2; ++half) EXPECT_EQ(bench.next_access().address[0], 0x10040 + 128 * half);
    // The lanes below it, alone, are all right.
    if (bad.lane == 0) continue;
    renew_context();
    AddressBench good;
    good.begin();
    good.send(AddressBench::order(bad.text, bad.first, bad.step, (LaneMask{1} << bad.lane) - 1));
    good.cycle(6);
    EXPECT_FALSE(good.fault.read().valid);
  }
}

TEST_F(AddressUnitTest, WithoutWorkItSleepsAndHoldsWhatItsNeighboursDoNotTake) {
  AddressBench bench;
  bench.begin();
  testing::StepCount steps({&bench.unit});
  bench.cycle(5);
  steps.restart();
  bench.cycle(100);
  steps.expect_none("without work");
  bench.smem_ready.write(false);
  bench.send(AddressBench::order("ld $r3 b32 s[$a1]", 0, 4));
  const SmemRequest offered = bench.smem.read();
  bench.cycle(20);
  EXPECT_EQ(bench.smem.read(), offered);
  EXPECT_EQ(bench.smem.read().half, 0);
  bench.smem_ready.write(true);
  bench.cycle();
  EXPECT_EQ(bench.smem.read().half, 1);
  bench.cycle(20);
  steps.restart();
  bench.send(AddressBench::order("st b32 g14[$r2] $r3", 0, 4));
  bench.cycle(100);
  steps.expect_at_most(5, "sends two half-warps");
}

TEST_F(AddressUnitTest, AHalfWarpLeavesInTheCycleInWhichItsOperandsCome) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("st b32 s[$a1] $r1", 0, 4));
  ASSERT_TRUE(bench.smem.read().valid);
  EXPECT_EQ(bench.smem.read().half, 0);
  EXPECT_EQ(bench.smem.read().address[7], 0x400 + 4 * 7);
  bench.cycle();
  ASSERT_TRUE(bench.smem.read().valid);
  EXPECT_EQ(bench.smem.read().half, 1);
  EXPECT_EQ(bench.smem.read().address[7], 0x400 + 4 * 23);
  EXPECT_EQ(bench.smem.read().data[7], 23u);
  bench.cycle(2);
  bench.send(AddressBench::order("st b32 s[$a1] $r1", 0, 4, 0x00010000));
  ASSERT_TRUE(bench.smem.read().valid) << "an upper half-warp alone comes with the dispatch";
  EXPECT_EQ(bench.smem.read().half, 1);
  EXPECT_EQ(bench.smem.read().address[0], 0x440);
}

// The second half-warp of a load travels while a dispatch without operands is shown.
TEST_F(AddressUnitTest, ADispatchMayStandBesideTheSecondHalfWarpOfTheOneBeforeIt) {
  AddressBench bench;
  bench.begin();
  const AddressBench::Order load = AddressBench::order("ld b32 $r3 g14[$r2]", 0x40, 4);
  bench.send(load);
  ASSERT_TRUE(bench.lanes.read().valid);
  EXPECT_EQ(bench.lanes.read().half, 0);
  EXPECT_TRUE(bench.busy.read());
  AddressBench::Order direct = AddressBench::order("mov b32 $r1 b32 s[0x24]", 0, 0, 1);
  direct.operands = false;
  bench.dispatch.write(direct);
  bench.cycle();
  bench.dispatch.write(AddressDispatch{});
  ASSERT_TRUE(bench.smem.read().valid);
  EXPECT_EQ(bench.smem.read().address[0], 0x424);
  EXPECT_FALSE(bench.open.read().valid);
  ASSERT_TRUE(bench.lanes.read().valid);
  EXPECT_EQ(bench.lanes.read().half, 1);
  EXPECT_EQ(bench.lanes.read().offset[0], (0x40 + 64) % 128);
  ASSERT_EQ(bench.access.size(), 2u);
  EXPECT_EQ(bench.access.newest().half, 1);
  EXPECT_EQ(bench.access.newest().address[3], 0x10040u + 64 + 12);
  bench.cycle();
  EXPECT_FALSE(bench.lanes.read().valid);
  EXPECT_TRUE(bench.busy.read());
  bench.access.pop(), bench.access.pop();
  bench.cycle(2);
  EXPECT_FALSE(bench.busy.read()) << "both have been taken out of the queue";
}

TEST_F(AddressUnitTest, CountsAStoreThatWasPerformedAtEachEdgeThoughItWaitsForNone) {
  AddressBench bench;
  bench.begin();
  bench.cycle(3);
  const std::uint8_t before = bench.unit.registers().stores_performed;
  bench.stored.write(true);
  bench.cycle(4);
  bench.stored.write(false);
  bench.cycle(3);
  EXPECT_EQ(bench.unit.registers().stores_performed, before + 4);
}

TEST_F(AddressUnitTest, AFaultOfTheLowerHalfWarpDropsTheUpperOneAndOthersGoOn) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("ld b32 $r3 g14[$r2]", 2, 4));
  EXPECT_TRUE(bench.fault.read().valid);
  bench.cycle(3);
  EXPECT_EQ(bench.access.size(), 0u);
  bench.send(AddressBench::order("st b32 s[$a1] $r1", 0, 4, 1));
  EXPECT_TRUE(bench.smem.read().valid);
}

TEST_F(AddressUnitTest, AResetInTheMiddleLeavesNothing) {
  AddressBench bench;
  const testing::ResetCheck check({&bench.unit});
  bench.begin();
  bench.smem_ready.write(false);
  for (int i = 0; i < 3; ++i) {
    bench.send(AddressBench::order("st b32 s[$a1] $r3", 0, 4));
    bench.cycle();  // the operands of its second half-warp
  }
  bench.send(AddressBench::order("ld b32 $r3 g14[$r2]", 0, 4));
  bench.cycle();
  bench.send(AddressBench::order("ld b32 $r3 g14[$r2]", 2, 4));  // faults
  EXPECT_FALSE(bench.unit.idle());
  check.expect_fresh();
  EXPECT_TRUE(bench.unit.idle());
}

}  // namespace
}  // namespace g80
