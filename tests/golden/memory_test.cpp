// SPDX-License-Identifier: Apache-2.0
// Local, shared and global memory, faults as values, the memory port's protocol, vote and shared-memory locks.
#include <gtest/gtest.h>

#include "tests/golden/words.h"

namespace g80::golden {
namespace {

TEST(LocalMemory, EveryThreadHasItsOwn) {
  Machine m({st_local(8, 0), mov_imm(1, 0), ld_local(1, 8), nop_exit()}, 64);
  m.start();
  m.run_warp(1);
  for (unsigned l = 0; l < 32; ++l) EXPECT_EQ(m.warp(1).r[1][l], 32 + l);
}

TEST(LocalMemory, AddressRegistersIndexItAndNarrowLoadsExtend) {
  // $a1 = tid & 3 after r1 = tid & 3; l[0] = 0x80ff7f01; r3 = s8 l[$a1]
  Machine m(
      {and_imm(1, 0, 3), shl_addr(1, 1, 0), mov_imm(2, 0x80ff7f01), st_local(0, 2), ld_local(3, 0, 1, 1), nop_exit()});
  m.start();
  m.run_warp();
  const std::uint32_t expected[4] = {0x01, 0x7f, 0xffffffff, 0xffffff80};
  for (unsigned l = 0; l < 32; ++l) EXPECT_EQ(m.warp().r[3][l], expected[l & 3]);
}

TEST(LocalMemory, QuadsKeepTheirWordOrder) {
  Machine m({mov_imm(4, 10), mov_imm(5, 11), mov_imm(6, 12), mov_imm(7, 13), st_local(16, 4, 0, 5),
             ld_local(8, 16, 0, 5), ld_local(12, 20), nop_exit()});
  m.start();
  m.run_warp();
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(m.warp().r[8 + i][31], 10 + i);
  EXPECT_EQ(m.warp().r[12][0], 11u);
}

TEST(LocalMemory, BeyondTheAllocationIsAFault) {
  Machine m({st_local(64, 0), nop_exit()});
  m.start();
  ASSERT_EQ(m.step(), StepStatus::kFault);
  const Fault& fault = m.executor.fault();
  EXPECT_EQ(fault.kind, FaultKind::kOutOfBounds);
  EXPECT_EQ(fault.space, Space::kLocal);
  EXPECT_EQ(fault.address, 64u);
  EXPECT_TRUE(fault.is_write);
}

TEST(SharedMemory, HeaderAndParametersAreThereAtTheStart) {
  Machine m({nop_exit()}, 96);
  m.launch.grid_x = 3;
  m.launch.grid_y = 2;
  m.launch.grid_id = 77;
  m.launch.params = {0x11223344, 0x55667788};
  m.block.start(m.launch, 4);
  const auto half = [&](unsigned a) { return m.block.shared[a] | m.block.shared[a + 1] << 8; };
  EXPECT_EQ(half(0), 77);
  EXPECT_EQ(half(2), 96);
  EXPECT_EQ(half(8), 3);
  EXPECT_EQ(half(10), 2);
  EXPECT_EQ(half(12), 1);  // block 4 of a grid 3 wide
  EXPECT_EQ(half(14), 1);
  EXPECT_EQ(half(0x10), 0x3344);
  EXPECT_EQ(half(0x16), 0x5566);
}

TEST(SharedMemory, ThreadIdsArePackedIntoRegisterZero) {
  Machine m({nop_exit()});
  m.launch.block_x = 4;
  m.launch.block_y = 3;
  m.launch.block_z = 5;
  m.start();
  EXPECT_EQ(m.warp(1).r[0][7], 3u | 0u << 16 | 3u << 26);  // thread 39 = 3 + 4 * (0 + 3 * 3)
}

TEST(SharedMemory, AccessesThroughAnAddressRegisterReachTheLanesElements) {
  Machine m({shl_addr(2, 0, 2), st_shared(0x40, 0, 2), ld_shared(5, 0x40, 2), nop_exit()});
  m.start();
  m.run_warp();
  for (unsigned l = 0; l < 32; ++l) EXPECT_EQ(m.warp().r[5][l], l);
  EXPECT_EQ(m.block.shared[0x40 + 4 * 9], 9);
}

TEST(Faults, AMisalignedAccessNamesLanePcAndAddress) {
  // $r1 = 0x1000 + 2 * tid: lane 1 is the first misaligned one
  Machine m({add(1, 0, 0), add_imm(1, 1, 0x1000), ld_global(2, 1), nop_exit()}, 64);
  m.start();
  ASSERT_EQ(m.run_warp(1), StepStatus::kFault);
  const Fault& fault = m.executor.fault();
  EXPECT_EQ(fault.kind, FaultKind::kMisaligned);
  EXPECT_EQ(fault.warp, 1u);
  EXPECT_EQ(fault.lane, 1u);
  EXPECT_EQ(fault.pc, 0x10u);
  EXPECT_EQ(fault.address, 0x1042u);
  EXPECT_EQ(fault.bytes, 4u);
  EXPECT_EQ(fault.w0, ld_global(2, 1)[0]);
  EXPECT_NE(describe(fault).find("lane 1 pc 0x10: misaligned address"), std::string::npos) << describe(fault);
}

TEST(Faults, AnAddressOutsideEveryAllocationIsOutOfBounds) {
  // The last four lanes lie beyond 0x2000.
  Machine m({shl_imm(1, 0, 2), add_imm(1, 1, 0x2000 - 28 * 4), st_global(1, 0), nop_exit()});
  const RunResult result = m.run();
  EXPECT_EQ(result.fault.kind, FaultKind::kOutOfBounds);
  EXPECT_EQ(result.fault.lane, 28u);
  EXPECT_EQ(result.fault.address, 0x2000u);
  EXPECT_EQ(m.image.word(0x1ffc), 0u) << "a faulting access changes nothing";
}

TEST(Faults, AGlobalSpaceHasALimitAndCanBeOff) {
  Machine limited({mov_imm(1, 0x1800), ld_global(2, 1), nop_exit()});
  limited.launch.global[14].limit = 0x17ff;
  EXPECT_EQ(limited.run().fault.kind, FaultKind::kOutOfBounds);
  Machine off({mov_imm(1, 0x1800), ld_global(2, 1), nop_exit()});
  off.launch.global[14].enabled = false;
  EXPECT_EQ(off.run().fault.kind, FaultKind::kSpaceDisabled);
}

TEST(Faults, InstructionsBeyondTheFeatureLevelAreIllegal) {
  const Words red = {0xd00e0015, 0xc0c00780};  // red add u32 g14[$r0] $r5
  Machine old_chip({red, nop_exit()}, 32, isa::Arch::kSm10);
  EXPECT_EQ(old_chip.run().fault.kind, FaultKind::kIllegalInstruction);
  Machine next_chip({red, nop_exit()}, 32, isa::Arch::kSm11);
  EXPECT_NE(next_chip.run().fault.kind, FaultKind::kIllegalInstruction);
}

TEST(Faults, ALongInstructionAtAnOddWordIsUnaligned) {
  Machine m({Words{0x10008000}, nop_exit()});  // one short instruction, then a long one
  EXPECT_EQ(m.run().fault.kind, FaultKind::kUnalignedLong);
}

TEST(Registers, UnallocatedOnesReadZeroAndDropWrites) {
  Machine m({mov_imm(100, 5), add_imm(1, 100, 3), nop_exit()});
  m.start();
  m.run_warp();
  EXPECT_EQ(m.warp().r[1][0], 3u);
  EXPECT_EQ(m.warp().r.size(), 32u);
}

/// A port that is not ready at first and then supplies its own values.
class ScriptedPort final : public MemoryPort {
 public:
  ScriptedPort() : MemoryPort(false) {}
  PortStatus global(MemoryAccess& access, unsigned&) override {
    ++calls;
    if (!ready) return PortStatus::kNotReady;
    for (unsigned l = 0; l < kWarpSize; ++l) access.data[0][l] = 1000 + l;
    return PortStatus::kDone;
  }
  PortStatus shared(MemoryAccess&) override { return PortStatus::kNotReady; }
  bool texture_read(std::uint32_t, unsigned, void*) override { return false; }
  bool ready = false;
  int calls = 0;
};

TEST(Port, AStepThatIsNotReadyChangesNothingAndCanBeRepeated) {
  Machine m({ld_global(2, 0), nop_exit()});
  m.start();
  ScriptedPort port;
  m.warp().r[2][3] = 42;
  for (auto& address : m.warp().r[0].lane) address = 0x1000;
  EXPECT_EQ(m.executor.step(m.block, m.warp(), port, &m.record), StepStatus::kNotReady);
  EXPECT_EQ(m.warp().pc, 0u);
  EXPECT_EQ(m.warp().retired, 0u);
  EXPECT_EQ(m.warp().r[2][3], 42u);
  port.ready = true;
  EXPECT_EQ(m.executor.step(m.block, m.warp(), port, &m.record), StepStatus::kStepped);
  EXPECT_EQ(m.warp().r[2][3], 1003u);
  ASSERT_NE(m.record.access, nullptr);
  EXPECT_EQ(m.record.access->address[5], 0x1000u);
  EXPECT_EQ(m.record.first_register, 2);
  EXPECT_EQ(m.record.num_registers, 1);
  EXPECT_EQ(m.record.written_lanes, ~LaneMask{0});
}

TEST(Vote, AnyAndAllLookAtActiveLanesOnly) {
  // vote any/all $c1 with (lg $c0) as input; $c0 is "not zero" in lanes below 4 of 6
  const std::uint32_t lg_c0 = guard_bits(kNotZero, 0);
  Machine m({mov_imm(1, 4), set_flags(0, kLess, 0, 1), Words{0x10000201, 0x60000050 | lg_c0},
             Words{0x10000401, 0x60000060 | lg_c0}, mov_imm(1, 6), set_flags(0, kLess, 0, 1),
             Words{0x10000401, 0x60000070 | lg_c0}, nop_exit()},
            6);
  m.start();
  m.run_warp();
  for (unsigned l = 0; l < 6; ++l) {
    EXPECT_TRUE(golden::condition_holds(kNotZero, m.warp().c[1][l]));
    EXPECT_FALSE(golden::condition_holds(kNotZero, m.warp().c[2][l]));
    EXPECT_TRUE(golden::condition_holds(kNotZero, m.warp().c[3][l]));
  }
  EXPECT_EQ(m.warp().c[1][6], 0u) << "a dead lane's flags stay";
}

TEST(SharedLock, OneLaneOfOneWarpHoldsAWord) {
  // L: ld lock $c0 $r1 s[0x40]; (lg) r1 += 1; (lg) st unlock s[0x40] $r1; (e) bra L
  const std::uint32_t got = guard_bits(kNotZero, 0);
  Machine m({Words{0x10000005 | 16u << 9, 0x4480c7c0}, Words{0x20000005 | 1u << 9, 0x04000000 | got | 2u << 14},
             Words{0x00000001 | 16u << 9, 0xe4a00000 | got | 1u << 14}, bra(0, kZero), nop_exit()},
            64);
  m.start();
  for (auto& w : m.block.warps) {
    for (auto& one : w.r[2].lane) one = 1;
  }
  // Divergent retries: lanes that got through wait on the stack, so run the warps alternately to the end.
  for (int i = 0; i < 2000 && m.block.unfinished != 0; ++i) {
    ASSERT_NE(m.step(0), StepStatus::kFault) << describe(m.executor.fault());
    ASSERT_NE(m.step(1), StepStatus::kFault) << describe(m.executor.fault());
  }
  EXPECT_EQ(m.block.unfinished, 0u);
  EXPECT_EQ(m.block.shared[0x40], 64) << "every thread's increment counts";
}

}  // namespace
}  // namespace g80::golden
