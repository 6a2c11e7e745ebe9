// SPDX-License-Identifier: Apache-2.0
// Single lines of assembly: what they become, and what is said about wrong ones.
#include "toolchain/assembler/line_assembler.h"

#include <gtest/gtest.h>

#include "hw/isa/disassembler.h"

namespace g80::isa {
namespace {

std::string problem(std::string_view text, Arch arch = Arch::kSm13) {
  try {
    assemble(text, arch);
  } catch (const AssemblyError& error) {
    return std::to_string(error.column()) + ": " + error.what();
  }
  return "no problem";
}

TEST(LineAssembler, TakesTheLongFormUnlessTold) {
  EXPECT_TRUE(assemble("add b32 $r1 $r2 $r3").is_long);
  EXPECT_FALSE(assemble("add b32 $r1 $r2 $r3 .short").is_long);
  EXPECT_EQ(assemble("add b32 $r1 $r2 $r3 .short").w0, 0x20038404u);
}

TEST(LineAssembler, FloatsAndNegativeNumbersAreImmediates) {
  EXPECT_EQ(assemble("mov b32 $r1 1.5f").w0, assemble("mov b32 $r1 0x3fc00000").w0);
  EXPECT_EQ(assemble("mov b32 $r1 -1.5f").w1, assemble("mov b32 $r1 0xbfc00000").w1);
  EXPECT_EQ(assemble("add b32 $r1 $r2 -1").w1, assemble("add b32 $r1 $r2 0xffffffff").w1);
}

TEST(LineAssembler, ExpressionsHaveTheUsualPrecedence) {
  EXPECT_EQ(assemble("mov b32 $r1 2+3*4<<1|1").w0, assemble("mov b32 $r1 29").w0);
  EXPECT_EQ(assemble("mov b32 $r1 (2 + 3)*4").w0, assemble("mov b32 $r1 20").w0);
  EXPECT_EQ(assemble("mov b32 $r1 ~0&0xff").w0, assemble("mov b32 $r1 255").w0);
}

TEST(LineAssembler, RoundingAndTextureOffsetsMayBeLeftOut) {
  EXPECT_EQ(assemble("mul f32 $r1 $r2 $r3 .long").w1, assemble("mul rn f32 $r1 $r2 $r3").w1);
  EXPECT_EQ(assemble("texfetch all $r0:$r1:$r2:$r3 $t1 $s1 $r0 .long").w0,
            assemble("texfetch all $r0:$r1:$r2:$r3 $t1 $s1 $r0 0x0 0x0 0x0").w0);
}

TEST(LineAssembler, SymbolsNameNumbers) {
  const AssembledLine line = assemble_line("mov b32 $r1 b32 s[count+4]", Arch::kSm10, [](std::string_view name) {
    return name == "count" ? std::optional<std::int64_t>(0x14) : std::nullopt;
  });
  EXPECT_EQ(line.insn.src[0].offset, 0x18);
}

TEST(LineAssembler, RawMarkSetsIgnoredBits) { EXPECT_EQ(assemble("joinat 0x10 .raw 0x0 0x780").w1, 0x780u); }

TEST(LineAssembler, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(problem("frobnicate $r1"), "1: unknown instruction 'frobnicate'");
  EXPECT_EQ(problem("add b32 $r1 $r2"), "16: a register ($r0..) is expected here");
  EXPECT_EQ(problem("add b32 $r1 $r200 $r3"), "13: this form cannot encode register '$r200'");
  EXPECT_EQ(problem("(zz $c0) bra 0x8"), "1: 'zz' is not a condition");
  EXPECT_EQ(problem("bra nowhere"), "5: unknown name 'nowhere'");
  EXPECT_EQ(problem("bra 0x6"), "5: a number from 0 to 0xfffffc, a multiple of 4, is expected");
  EXPECT_EQ(problem("red add u32 g14[$r1] $r2", Arch::kSm10), "1: this instruction needs sm_11");
  EXPECT_EQ(problem("mov b32 $r1 0x10 .short"), "18: this instruction has no short form");
  EXPECT_EQ(problem("exit join nop"), "6: exit and join exclude each other");
  EXPECT_EQ(problem("mov b32 $r1 1/0"), "14: division by zero");
  EXPECT_EQ(problem("mov b32 $r1 0x1ffffffff"), "13: '0x1ffffffff' does not fit 32 bits");
  EXPECT_EQ(problem("add b32 $r1 $r2 0x1ffffffff .long"), "17: '0x1ffffffff' does not fit 32 bits");
  EXPECT_EQ(problem("mov b32 $r1 -0x80000001"), "13: '-0x80000001' does not fit 32 bits");
  EXPECT_EQ(problem("mov b32 $r1 (1+)*2"), "16: a number or name is expected");
  EXPECT_EQ(problem("nop nop"), "5: unexpected text after the instruction");
  EXPECT_EQ(problem("add b32 $r3 (mul"), "13: a register ($r0..) is expected here");
  EXPECT_EQ(problem(""), "1: an instruction is expected");
}

TEST(LineAssembler, NoCutOffLineCrashes) {
  const std::string line = "exit (lg $c1) add sat $c2 $r12 (mul s16 s16 s[$a4++0x5] $r3h) c2[0x44] .raw 0x1 0x2";
  for (std::size_t length = 0; length < line.size(); ++length) {
    try {
      assemble(line.substr(0, length));
    } catch (const AssemblyError& error) {
      EXPECT_LE(error.column(), length + 1) << line.substr(0, length) << ": " << error.what();
    }
  }
}

}  // namespace
}  // namespace g80::isa
