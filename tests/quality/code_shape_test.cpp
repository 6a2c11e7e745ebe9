// SPDX-License-Identifier: Apache-2.0
// Registers, reachable instructions and loops of code short enough to count by hand.
#include "tests/quality/code_shape.h"

#include <gtest/gtest.h>

#include "toolchain/assembler/assembler.h"

namespace g80::quality {
namespace {

CodeShape shape_of(const std::string& body) {
  const Module module = assemble(".kernel k\n" + body, "t.sasm");
  return measure_code(module.kernels.at(0).code, 0, module.arch);
}

TEST(CodeShape, CountsWhatCanBeReached) {
  const CodeShape shape = shape_of("mov b32 $r5 $r0\nexit mov b32 $r1 $r5\nmov b32 $r9 $r0\nret\n");
  EXPECT_EQ(shape.instructions, 2u);
  EXPECT_EQ(shape.registers, 6u);
  EXPECT_TRUE(shape.loops.empty());
}

TEST(CodeShape, HalvesAndGroupsNameTheirRegisters) {
  EXPECT_EQ(shape_of("mov b16 $r3h $r0l\nret\n").registers, 4u);
  EXPECT_EQ(shape_of("ld b128 $r4q g14[$r0]\nret\n").registers, 8u);
  EXPECT_EQ(shape_of("mov b32 $r1 $r124\nret\n").registers, 2u);
}

TEST(CodeShape, OnlyInnermostLoopsAreListed) {
  const CodeShape shape = shape_of(
      "outer: add b32 $r1 $r1 0x1\n"
      "inner: add b32 $r2 $r2 0x1\nset $c0 # lg s32 $r2 $r3\n(lg $c0) bra inner\n"
      "set $c0 # lg s32 $r1 $r3\n(lg $c0) bra outer\n"
      "again: add b32 $r2 $r2 0x1\nbra again\n");
  EXPECT_EQ(shape.loops, (std::vector<unsigned>{3, 2}));
}

TEST(CodeShape, ALoopHoldsAllSidesOfItsBranchesAndTheFunctionsItCalls) {
  const CodeShape shape = shape_of(
      "loop: (lg $c0) bra other\nadd b32 $r1 $r1 0x1\nbra join\n"
      "other: call function\n"
      "join: (lg $c1) bra loop\nret\n"
      "function: add b32 $r2 $r2 0x1\nret\n");
  EXPECT_EQ(shape.loops, (std::vector<unsigned>{7}));
}

TEST(CodeShape, WhatEndsTheThreadIsInTheLoopButLeadsOut) {
  EXPECT_EQ(shape_of("loop: add b32 $r1 $r1 0x1\n(lg $c0) ret\nbra loop\nmov b32 $r1 $r2\nret\n").loops,
            (std::vector<unsigned>{3}));
}

}  // namespace
}  // namespace g80::quality
