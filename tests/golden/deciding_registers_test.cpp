// SPDX-License-Identifier: Apache-2.0
// Which registers decide how a loop goes on: at a place, and for lanes that wait elsewhere.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/golden/deciding_registers.h"
#include "tb/golden/program.h"
#include "toolchain/assembler/assembler.h"

namespace g80::golden {
namespace {

/// The program's instructions were executed: what decides in the lanes that are at `pc`, all but the last.
std::string deciding(const std::string& body, std::uint32_t pc, bool elsewhere = false) {
  const Module module = assemble(".arch sm_12\n.kernel k\n.shared word u32 4\n" + body, "k.sasm");
  const Program program(module.kernels.front().code, module.arch);
  DecidingRegisters registers;
  for (std::uint32_t at = 0; at < program.bytes(); at += program.at(at)->insn.bytes)
    registers.add(at, program.at(at)->insn);
  std::string text;
  registers.for_each(pc, 0x7fffffff, [&](DecidingRegisters::Kind kind, unsigned number, LaneMask lanes) {
    EXPECT_EQ(lanes >> 31, 1u) << "what decides anywhere decides for a lane that may be anywhere";
    if (elsewhere || lanes != 0x80000000u) text += fmt::format("{}{} ", "rca"[static_cast<unsigned>(kind)], number);
  });
  return text;
}

TEST(DecidingRegisters, AreThoseThatTheEndOfALoopDependsOn) {
  const std::string end = "  set $c0 # lg u32 $r4 $r8\n  (lg $c0) bra 0x0\n";
  EXPECT_EQ(deciding("  add b32 $r4 $r4 0x1\n" + end, 0), "r4 r8 ");
  EXPECT_EQ(deciding("  add b32 $r5 $r5 0x1\n" + end, 0), "r4 r8 ") << "a counter that nobody looks at";
  EXPECT_EQ(deciding("  mov b32 $r7 $r5\n  add b32 $r5 $r7 0x1\n  mov b32 $r7 $r124\n  mov b32 $r4 $r5\n" + end, 0),
            "r5 r8 ");
  // By way of a carry, of a guard, of half a register.
  EXPECT_EQ(deciding("  add b32 $c1 $r5 $r5 $r9\n  addc b32 $r4 $r4 $r124 $c1\n" + end, 0), "r4 r5 r8 r9 r124 ");
  EXPECT_EQ(deciding("  add b32 $r5 $r5 0x1\n  set $c1 # e u32 $r5 $r9\n  (lg $c1) mov b32 $r4 $r8\n" + end, 0),
            "r4 r5 r8 r9 ");
  EXPECT_EQ(deciding("  mov b16 $r4h $r5l\n" + end, 0), "r4 r5 r8 ") << "the other half stays";
  EXPECT_EQ(deciding("  mov b32 $r4 $r5\n" + end, 0), "r5 r8 ");
}

TEST(DecidingRegisters, AreThoseOfAddressesAndOfStoredData) {
  EXPECT_EQ(deciding("  ld b32 $r1 g14[$r5]\n", 0), "r5 ") << "it may fault";
  EXPECT_EQ(deciding("  st b32 g14[$r5] $r6\n", 0), "r5 r6 ");
  EXPECT_EQ(deciding("  st b32 s[0x14] $r6\n", 0), "r6 ");
  EXPECT_EQ(deciding("  cas b32 $r3 g14[$r1] $r2 $r4\n", 0), "r1 r2 r4 ");
  EXPECT_EQ(deciding("  (lg $c2) ld b32 $r1 g14[$r5]\n", 0), "r5 c2 ");
  EXPECT_EQ(deciding("  mov b32 $r1 b32 s[$a1+0x14]\n", 0), "a1 ");
  EXPECT_EQ(deciding("  add b32 $r5 b32 s[0x14] $r5\n", 0), "") << "a step of a counter, from a place that is there";
  EXPECT_EQ(deciding("  add b32 $r5 b32 s[$a1+0x14] $r5\n", 0), "a1 ");
}

// Lanes that wait may go on at any instruction; what is computed for one place does not decide at another.
TEST(DecidingRegisters, OfLanesThatWaitAreThoseOfAnyPlace) {
  const std::string lock =
      "  mov b32 $r0 0x1\n  cas b32 $r3 g14[$r1] $r124 $r0\n  add b32 $r0 $r4 0x1\n"
      "  set $c0 # e s32 $r3 $r124\n  mov b32 $r4 $r0\n  (lg $c0) bra 0x0\n";
  EXPECT_EQ(deciding(lock, 0), "r1 r124 ") << "$r4 counts by way of $r0, which is an operand elsewhere";
  EXPECT_EQ(deciding(lock, 0, true), "r0 r1 r3 r124 c0 ");
}

TEST(DecidingRegisters, AreAllThatMatterSomewhereWhereTheControlStackSaysHowItGoesOn) {
  const std::string text = "  st b32 s[0x14] $r6\n  mov b32 $r6 $r7\n  set $c0 # e u32 $r5 $r8\n";
  EXPECT_EQ(deciding(text + "  (lg $c0) bra 0x100\n", 8), "r5 r8 ");
  EXPECT_EQ(deciding(text + "  (lg $c0) break\n", 8), "r5 r7 r8 ") << "it may lead to the first instruction";
}

/// The instructions of the program were executed: does the clock decide no more than for how long they wait?
bool clock_only_delays(const std::string& body) {
  const Module module = assemble(".arch sm_12\n.kernel k\n.shared word u32 4\n" + body, "k.sasm");
  const Program program(module.kernels.front().code, module.arch);
  DecidingRegisters registers;
  for (std::uint32_t at = 0; at < program.bytes(); at += program.at(at)->insn.bytes)
    registers.add(at, program.at(at)->insn);
  return registers.clock_only_delays();
}

TEST(DecidingRegisters, OfTheClockDecideNothingIfItOnlyEndsWaits) {
  const std::string test = "  mov $r1 $clock\n  set $c0 # l u32 $r1 $r2\n", back = "  (lg $c0) bra again\n";
  const std::string begin = "  joinat met\nagain:\n", end = "met:\n  join (never) nop\n";
  EXPECT_TRUE(clock_only_delays(begin + test + back + end));
  EXPECT_TRUE(clock_only_delays(begin + test + "  mov b32 $r3 b32 s[word]\n" + back + end));
  EXPECT_TRUE(clock_only_delays("  mov $r3 $clock\n" + begin + test + back + end + "  add b32 $r4 $r4 $r3\n"));
  EXPECT_TRUE(clock_only_delays(begin + test + back + end + "  mov b32 $r1 $r2\n  ld b32 $r1 g14[$r1]\n"));
  // What is written in a wait depends on how long it takes.
  EXPECT_FALSE(clock_only_delays(begin + test + "  add b32 $r3 $r3 0x1\n" + back + end + "  ld b32 $r1 g14[$r3]\n"));
  EXPECT_FALSE(clock_only_delays(begin + test + "  mov b32 $r3 $r4\n" + back + end + "  st b32 s[word] $r3\n"));
  EXPECT_FALSE(clock_only_delays(begin + test + "  set $c1 # e u32 $r4 $r5\n" + back + end + "  (e $c1) bra 0x0\n"));
  // In a wait, nothing happens that others or the memory notice.
  for (const std::string act : {"st b32 s[word] $r5", "ld b32 $r3 g14[$r4]", "bar inc wait 0x0 0xfff", "break",
                                "mov b32 $r3 b32 s[$a1+0x14]", "exit nop", "ld lock $c1 $r3 b32 s[word]"}) {
    EXPECT_FALSE(clock_only_delays(begin + test + "  " + act + "\n" + back + end)) << act;
  }
  // It ends at its join, wherever lanes leave it, and lanes come in together.
  EXPECT_FALSE(clock_only_delays("again:\n" + test + back)) << "lanes may leave it one after the other";
  EXPECT_FALSE(clock_only_delays(begin + test + "  (lg $c0) bra out\n" + back + end + "out:\n  nop\n"));
  EXPECT_FALSE(clock_only_delays(begin + test + "  (lg $c0) bra 0x1000\n" + back + end)) << "nobody has gone there";
  EXPECT_FALSE(clock_only_delays("  bra again\n" + begin + test + back + end));
  EXPECT_FALSE(clock_only_delays(begin + test + "  join nop\n" + back + end));
  EXPECT_FALSE(clock_only_delays(begin + test + "  joinat met\n" + back + end));
  // It needs no join if all lanes that come in have the same values.
  const std::string limit = "  mov b32 $r2 0x64\n", begun = "  mov $r3 $clock\n", part = "  (lg $c1) bra met\n";
  const std::string wait =
      "again:\n  mov $r1 $clock\n  sub b32 $r1 $r1 $r3\n  set $c0 # l u32 $r1 $r2\n" + back + "  nop\n";
  const std::string met = "  joinat met\n" + part + "  nop\n" + end;
  EXPECT_TRUE(clock_only_delays(begun + limit + wait));
  EXPECT_TRUE(clock_only_delays(begun + "  mov b32 $r2 b32 s[word]\n" + wait));
  EXPECT_TRUE(clock_only_delays(met + begun + limit + wait));
  EXPECT_FALSE(clock_only_delays(begun + limit + wait + "  st b32 s[word] $r1\n"));
  EXPECT_FALSE(clock_only_delays(begun + wait)) << "a limit of which nothing is known";
  EXPECT_FALSE(clock_only_delays(limit + begun + wait)) << "nor once the warp has come back";
  EXPECT_FALSE(clock_only_delays(begun + "  mov b32 $r2 $r0\n" + wait));
  EXPECT_FALSE(clock_only_delays(begun + "  mov $r2 $physid\n" + wait));
  EXPECT_FALSE(clock_only_delays(begun + "  ld b32 $r2 g14[$r0]\n" + wait));
  EXPECT_FALSE(clock_only_delays(begun + "  (lg $c1) mov b32 $r2 $r124\n" + wait));
  EXPECT_FALSE(clock_only_delays(begun + met + limit + wait)) << "read by some lanes earlier than by others, perhaps";
  EXPECT_FALSE(clock_only_delays(begun + "  (lg $c1) bra next\nnext:\n" + limit + wait)) << "parted, and they waited";
  EXPECT_FALSE(clock_only_delays(begun + limit + wait + "  break\n"));
  // Elsewhere it decides.
  EXPECT_FALSE(clock_only_delays(test + "  (lg $c0) bra 0x0\n"));
  EXPECT_FALSE(clock_only_delays("  mov $r1 $clock\n  st b32 s[word] $r1\n"));
  EXPECT_FALSE(clock_only_delays("  mov $r1 $clock\n  mov b16 $r1l $r2l\n  ld b32 $r3 g14[$r1]\n"));
}

}  // namespace
}  // namespace g80::golden
