// SPDX-License-Identifier: Apache-2.0
// Every fault of a kernel is reported once, with block, warp, lane, pc and address of the one that caused it.
#include "tests/sm/sm_kernels.h"

namespace g80 {
namespace {

using testing::SmBench;
using testing::operator+;

struct Case {
  const char* name;
  std::vector<std::string> lines;  // from pc 0x30: warp 1 alone; $r5 = lane
  FaultKind kind;
  std::uint32_t pc;
  unsigned lane = 0;
  std::uint32_t address = 0;
  std::uint32_t absent_from = ~0u;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class Faults : public testing::SystemCTest, public ::testing::WithParamInterface<Case> {};

TEST_P(Faults, NameTheirOrigin) {
  const Case& c = GetParam();
  SmBench bench;
  bench.launch.threads = bench.launch.block_x = 64;
  bench.launch.shared_bytes = 0x40;
  bench.launch.local_bytes = 0x10;
  bench.launch.local_base = 0x60000;
  bench.launch.global[3] = {true, 0x40000, 0x1f};
  bench.absent_from = c.absent_from;
  bench.code(testing::resolve_labels(std::vector<std::string>{"cvt u32 $r1 u16 $r0l", "mov b32 $r4 0x20",
                                                              "set $c0 # l s32 $r1 $r4", "(lg $c0) ret",
                                                              "add b32 $r5 $r1 0xffffffe0", "shl b32 $r6 $r5 0x2"} +
                                     c.lines + std::vector<std::string>{"exit (never) nop"}));
  if (std::string(c.name) == "IllegalOpcode")
    bench.put(testing::kCodeBase + c.pc, 0xd0000001), bench.put(testing::kCodeBase + c.pc + 4, 0xe000000c);
  EXPECT_FALSE(bench.run(1, 20000));
  const KernelFault& fault = bench.seen_fault;
  ASSERT_TRUE(fault.valid);
  EXPECT_EQ(fault.kind, c.kind) << int(fault.kind);
  EXPECT_EQ(fault.warp_in_cta, 1);
  EXPECT_EQ(fault.origin.warp, 1);
  EXPECT_EQ(fault.origin.pc, c.pc);
  EXPECT_EQ(fault.lane, c.lane);
  EXPECT_EQ(fault.address, c.address);
  EXPECT_EQ(fault.words[0], bench.get(testing::kCodeBase + c.pc));
  if (c.kind != FaultKind::kUnalignedInstruction) {
    EXPECT_EQ(fault.words[1], bench.get(testing::kCodeBase + c.pc + 4));
  }
  bench.fault.pop();
  bench.idle(5000);
  EXPECT_FALSE(bench.fault.available()) << "reported twice";
}

INSTANTIATE_TEST_SUITE_P(
    All, Faults,
    ::testing::Values(
        Case{"MisalignedLoad", {"ld b32 $r3 g14[$r5]"}, FaultKind::kMisalignedAddress, 0x30, 1, 1},
        Case{"MisalignedWideStore", {"st b128 g14[$r6] $r8q"}, FaultKind::kMisalignedAddress, 0x30, 1, 4},
        Case{"BeyondTheSpace", {"ld b32 $r3 g3[$r6]"}, FaultKind::kGlobalLimit, 0x30, 8, 0x20},
        Case{"WideAccessAcrossTheLimit",
             {"shl b32 $r6 $r5 0x3", "ld b64 $r8d g3[$r6]"},
             FaultKind::kGlobalLimit,
             0x38,
             4,
             0x20},
        // The requests of the lower half-warp have left.
        Case{"InTheUpperHalfWarp",
             {"shr u32 $r7 $r5 0x4", "shl b32 $r7 $r7 0x5", "ld b32 $r3 g3[$r7]"},
             FaultKind::kGlobalLimit,
             0x40,
             16,
             0x20},
        Case{"StoreToSharedInTheUpperHalfWarp",
             {"shr u32 $r7 $r5 0x4", "shl $a1 $r7 0x6", "st b32 s[$a1] $r1"},
             FaultKind::kSharedLimit,
             0x40,
             16,
             0x40},
        Case{"DisabledSpace", {"ld b32 $r3 g5[$r6]"}, FaultKind::kGlobalLimit, 0x30, 0, 0},
        Case{"LowestLaneIsNamed",
             {"xor b32 $r7 $r6 0x3e", "mul $r7 u24 $r7 $r6", "ld b32 $r3 g3[$r7]"},
             FaultKind::kGlobalLimit,
             0x40,
             1,
             4 * (4 ^ 0x3e)},
        Case{
            "StoreBeyondShared", {"shl $a1 $r5 0x2", "st b32 s[$a1+0x30] $r1"}, FaultKind::kSharedLimit, 0x38, 4, 0x40},
        Case{"OperandBeyondShared",
             {"shl $a1 $r5 0x2", "add b32 $r3 b32 s[$a1+0x30] $r1"},
             FaultKind::kSharedLimit,
             0x38,
             4,
             0x40},
        Case{"MisalignedShared",
             {"shl $a1 $r5 0x1", "mov b32 $r3 b32 s[$a1]"},
             FaultKind::kMisalignedAddress,
             0x38,
             1,
             2},
        Case{
            "MisalignedConstant", {"shl $a1 $r5 0x1", "ld $r3 b32 c1[$a1]"}, FaultKind::kMisalignedAddress, 0x38, 1, 2},
        // The first line of the bank is present, and the lanes that read it are not to blame.
        Case{"ConstantOperandOfAnAbsentPage",
             {"shl $a1 $r5 0x2", "add b32 $r3 $r5 c1[$a1+0x30]"},
             FaultKind::kPageNotPresent,
             0x38,
             4,
             0,
             testing::kConstBase + 0x40},
        Case{"ConstantOperandOfAllLanesInAnAbsentPage",
             {"add b32 $r3 $r5 c1[0x40]"},
             FaultKind::kPageNotPresent,
             0x30,
             0,
             0,
             testing::kConstBase + 0x40},
        Case{"BeyondLocal", {"ld b32 $r3 l[0x10]"}, FaultKind::kLocalLimit, 0x30, 0, 0x10},
        Case{"Trap", {"trap"}, FaultKind::kTrap, 0x30},
        Case{"IllegalOpcode", {"trap"}, FaultKind::kIllegalInstruction, 0x30},
        Case{"UnalignedLong", {"bra 0x3c", "mov b32 $r3 0x7"}, FaultKind::kUnalignedInstruction, 0x3c},
        Case{"StackUnderflow", {"join (never) nop"}, FaultKind::kStackUnderflow, 0x30},
        Case{"StackMismatch", {"breakaddr 0x60", "join (never) nop"}, FaultKind::kStackMismatch, 0x38},
        Case{"StackOverflow", {"call 0x30"}, FaultKind::kStackOverflow, 0x30},
        Case{"ControlInQuadMode", {"quadon", "bra 0x50"}, FaultKind::kQuadonActive, 0x38},
        Case{"PartOfTheWarp",
             {"mov b32 $r7 0x7", "set $c1 # l s32 $r5 $r7", "(lg $c1) ret", "trap"},
             FaultKind::kTrap,
             0x48,
             7}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace g80
