// SPDX-License-Identifier: Apache-2.0
// Which instructions may change places, and that short ones find partners.
#include "toolchain/compiler/codegen/pair_encodings.h"

#include <gtest/gtest.h>

#include "toolchain/assembler/line_assembler.h"

namespace g80::codegen {
namespace {

isa::Instruction insn(const char* text) { return isa::assemble_line(text, isa::Arch::kSm13).insn; }

TEST(PairEncodings, RegistersOrderInstructions) {
  EXPECT_TRUE(are_independent(insn("add b32 $r1 $r2 $r3"), insn("add b32 $r4 $r2 $r3")));
  EXPECT_FALSE(are_independent(insn("add b32 $r1 $r2 $r3"), insn("add b32 $r4 $r1 $r3")));    // result read
  EXPECT_FALSE(are_independent(insn("add b32 $r1 $r2 $r3"), insn("add b32 $r2 $r4 $r4")));    // operand overwritten
  EXPECT_FALSE(are_independent(insn("add b32 $r1 $r2 $r3"), insn("mov b32 $r1 $r4")));        // same result
  EXPECT_FALSE(are_independent(insn("mul $r1 u16 $r2l u16 $r3h"), insn("mov b32 $r3 $r4")));  // a half of it
  EXPECT_FALSE(are_independent(insn("ld b64 $r4d g14[$r1]"), insn("mov b32 $r5 $r2")));       // second word of a pair
}

TEST(PairEncodings, FlagsAndAddressRegistersOrderInstructions) {
  EXPECT_FALSE(are_independent(insn("set $c0 # l s32 $r1 $r2"), insn("(lg $c0) mov b32 $r3 $r4")));
  EXPECT_TRUE(are_independent(insn("set $c1 # l s32 $r1 $r2"), insn("(lg $c0) mov b32 $r3 $r4")));
  EXPECT_FALSE(are_independent(insn("add b32 $c0 $r1 $r2 $r3"), insn("addc b32 $r4 $r5 $r6 $c0")));
  EXPECT_FALSE(are_independent(insn("shl $a1 $r1 0x2"), insn("mov b32 $r2 b32 s[$a1+0x10]")));
}

TEST(PairEncodings, MemoryOrdersInstructions) {
  EXPECT_FALSE(are_independent(insn("st b32 s[0x20] $r1"), insn("add b32 $r2 b32 s[0x24] $r3")));
  EXPECT_FALSE(are_independent(insn("st b32 g14[$r1] $r2"), insn("ld b32 $r3 g14[$r4]")));
  EXPECT_FALSE(are_independent(insn("ld b32 $r1 g14[$r2]"), insn("ld b32 $r3 g14[$r4]")));
  EXPECT_TRUE(are_independent(insn("ld b32 $r1 g14[$r2]"), insn("add b32 $r3 b32 s[0x24] $r4")));
}

TEST(PairEncodings, ShortFormsMeet) {
  std::vector<CodeItem> items(3);
  items[0].insn = insn("mov b32 $r1 $r2");
  items[1].insn = insn("ld b32 $r3 g14[$r4]");
  items[2].insn = insn("mov b32 $r5 $r6");
  for (const int i : {0, 2}) items[static_cast<std::size_t>(i)].short_form = items[static_cast<std::size_t>(i)].insn;
  std::vector<CodeItem> labelled = items;
  pair_short_forms(items);
  EXPECT_EQ(items[1].insn.dst.index, 5);
  labelled[2].starts_block = true;
  pair_short_forms(labelled);
  EXPECT_EQ(labelled[1].insn.dst.index, 3);
}

}  // namespace
}  // namespace g80::codegen
