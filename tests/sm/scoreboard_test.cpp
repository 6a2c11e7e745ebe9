// SPDX-License-Identifier: Apache-2.0
// Hazards: an instruction is clear exactly when nothing it reads or writes is about to be written.
#include "hw/sm/scoreboard.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/support/fetched_instruction.h"

namespace g80 {
namespace {

bool follows_freely(const std::string& first, const std::string& second) {
  return is_clear(test::fetched(second).decoded(), test::fetched(first).decoded().writes);
}

TEST(IsClear, SeesEveryKindOfDependence) {
  EXPECT_FALSE(follows_freely("add b32 $r1 $r2 $r3", "add b32 $r4 $r1 $r3"));
  EXPECT_FALSE(follows_freely("add b32 $r1 $r2 $r3", "add b32 $r4 $r3 $r1"));
  EXPECT_FALSE(follows_freely("add b32 $r1 $r2 $r3", "mov b32 $r1 0x5"));
  EXPECT_TRUE(follows_freely("add b32 $r1 $r2 $r3", "add b32 $r2 $r3 $r4"));
  EXPECT_FALSE(follows_freely("mov b16 $r1h $r2l", "add b32 $r4 $r1 $r3"));
  EXPECT_FALSE(follows_freely("ld b128 $r4q g14[$r0]", "mov b32 $r1 $r7"));
  EXPECT_TRUE(follows_freely("ld b128 $r4q g14[$r0]", "mov b32 $r1 $r8"));
  EXPECT_FALSE(follows_freely("mov b32 $r5 $r0", "st b64 g14[$r0] $r4d"));
  EXPECT_FALSE(follows_freely("mov b32 $r0 $r5", "st b64 g14[$r0] $r4d"));
  EXPECT_FALSE(follows_freely("set $c1 # l s32 $r1 $r2", "(lg $c1) mov b32 $r1 $r2"));
  EXPECT_TRUE(follows_freely("set $c1 # l s32 $r1 $r2", "(lg $c2) mov b32 $r1 $r2"));
  EXPECT_FALSE(follows_freely("set $c1 # l s32 $r1 $r2", "(lg $c1) bra 0x8"));
  EXPECT_FALSE(follows_freely("set $c1 # l s32 $r1 $r2", "addc $r4 (mul u24 $r5 $r6) $r7 $c1"));
  EXPECT_TRUE(follows_freely("set $c1 # l s32 $r1 $r2", "add $r4 (mul u24 $r5 $r6) $r7"));
  EXPECT_FALSE(follows_freely("set $c1 # l s32 $r1 $r2", "(lg $c1) vote any $c2"));
  EXPECT_FALSE(follows_freely("set $c1 # l s32 $r1 $r2", "mov $r4 $c1"));
  EXPECT_FALSE(follows_freely("shl $a1 $r1 0x2", "mov b32 $r1 b32 s[$a1]"));
  EXPECT_FALSE(follows_freely("shl $a1 $r1 0x2", "ld lock $c0 $r5 b32 s[$a1]"));
  EXPECT_FALSE(follows_freely("mov b32 $r4 b32 s[$a1++0x4]", "mov b32 $r5 b32 s[$a1]"));
  EXPECT_TRUE(follows_freely("mov b32 $r4 b32 s[$a1++0x4]", "mov b32 $r5 b32 s[$a2]"));
  EXPECT_FALSE(follows_freely("texfetch live $r4:#:$r5:# $t0 $s0 $r4", "mov b32 $r1 $r5"));
  EXPECT_TRUE(follows_freely("texfetch live $r4:#:$r5:# $t0 $s0 $r4", "mov b32 $r1 $r6"));
}

TEST(DecodedInstruction, KnowsTheFirstChipThatHasIt) {
  EXPECT_EQ(test::fetched("add b32 $r1 $r2 $r3").decoded().arch, isa::Arch::kSm10);
  EXPECT_EQ(test::fetched("ld lock $c0 $r5 b32 s[$a1]").decoded().arch, isa::Arch::kSm12);
}

}  // namespace
}  // namespace g80
