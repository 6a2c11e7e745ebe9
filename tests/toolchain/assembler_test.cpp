// SPDX-License-Identifier: Apache-2.0
// The .sasm assembler: layout of data and code, and its messages.
#include "toolchain/assembler/assembler.h"

#include <gtest/gtest.h>

#include "hw/isa/disassembler.h"
#include "toolchain/assembler/line_assembler.h"

namespace g80 {
namespace {

Kernel kernel_of(const std::string& body) { return assemble(".kernel k\n" + body, "t.sasm").kernels.at(0); }

std::string problem(const std::string& source) {
  try {
    assemble(source, "t.sasm");
  } catch (const SourceError& error) {
    return error.what();
  }
  return "no problem";
}

TEST(Assembler, PlacesParametersAtNaturalAlignment) {
  const Kernel k = kernel_of(".param ptr a\n.param u64 b\n.param u16 c\n.param f32 d\nmov b32 $r1 b32 s[d]\n");
  ASSERT_EQ(k.params.size(), 4u);
  EXPECT_EQ(k.params[0].offset, 0x10u);
  EXPECT_EQ(k.params[1].offset, 0x18u);
  EXPECT_EQ(k.params[2].offset, 0x20u);
  EXPECT_EQ(k.params[3].offset, 0x24u);
  EXPECT_EQ(k.smem, 0x28u);
  isa::Instruction insn;
  isa::decode(k.code[0], k.code[1], isa::Arch::kSm10, insn);
  EXPECT_EQ(insn.src[0].offset, 0x24u);
}

TEST(Assembler, PlacesSharedVariablesAfterTheParameters) {
  const Kernel k =
      kernel_of(".param u16 a\n.shared bytes u8 3\n.shared wide u64 2\n.equ end wide+16\nmov b32 $r0 end\n");
  EXPECT_EQ(k.smem, 0x28u);
  EXPECT_EQ(k.code, (std::vector<std::uint32_t>{0x10288001, 0x00000003}));  // bytes 0x14, wide 0x18
}

TEST(Assembler, BuildsTheLiteralPool) {
  const Kernel k =
      kernel_of(".const mask u16 0x3ff\n.const pi f32 = 1.5, -2, 0x40000000\n.const big u64 -1\nld $r1 b32 c1[pi+4]\n");
  ASSERT_EQ(k.constants.size(), 1u);
  EXPECT_EQ(k.constants[0].words,
            (std::vector<std::uint32_t>{0x3ff, 0x3fc00000, 0xc0000000, 0x40000000, 0xffffffff, 0xffffffff}));
  EXPECT_EQ(isa::disassemble(k.code[0], k.code[1], isa::Arch::kSm10), "ld $r1 b32 c1[0x8]");
}

TEST(Assembler, PlacesModuleVariables) {
  const Module m = assemble(
      ".arch sm_12\n.constant a u8 3 = 1, 2\n.constant b f64 1 = 1.0\n.device x u32 4 = 9\n.device y ptr 1\n.texture t "
      "5\n"
      ".kernel k\nld $r1 b32 c14[y]\ntexfetch all $r0:$r1:$r2:$r3 $tt $st $r0\nmov b32 $r2 b\n",
      "t.sasm");
  EXPECT_EQ(m.arch, isa::Arch::kSm12);
  EXPECT_EQ(m.constants[0].words, (std::vector<std::uint32_t>{0x0201}));
  EXPECT_EQ(m.constants[1].offset, 8u);
  EXPECT_EQ(m.constants[1].words, (std::vector<std::uint32_t>{0, 0x3ff00000}));
  EXPECT_EQ(m.device_variables[1].offset, 4u);
  EXPECT_EQ(m.device_variables[0].words, (std::vector<std::uint32_t>{9, 0, 0, 0}));
  const std::vector<std::uint32_t>& code = m.kernels[0].code;
  EXPECT_EQ(isa::disassemble(code[0], code[1], m.arch), "ld $r1 b32 c14[0x4]");
  EXPECT_EQ(isa::disassemble(code[2], code[3], m.arch), "texfetch all $r0:$r1:$r2:$r3 $t5 $s5 $r0 0x0 0x0 0x0");
}

TEST(Assembler, VariablesOfABankFollowEachOther) {
  const Module m = assemble(
      ".constant a u32 1 c5 = 11\n.constant b u32 1 c5 = 22\n.constant c u32 1\n.device x u32 1\n.constant d u8 1 c14\n"
      ".device y u32 1\n"
      ".kernel k\n.const e u32 c3 1\n.const f u32 2\n.const g u64 c3 3\n.const h u32 c5 4\n.const i u32 @ 16 5\n"
      ".const j u32 6\nnop\n",
      "t.sasm");
  EXPECT_EQ(m.constants[0].offset, 0u);
  EXPECT_EQ(m.constants[1].offset, 4u);
  EXPECT_EQ(m.constants[2].offset, 0u);
  EXPECT_EQ(m.constants[3].offset, 4u);
  EXPECT_EQ(m.device_variables[1].offset, 8u);
  const std::vector<ConstantSegment>& own = m.kernels[0].constants;
  ASSERT_EQ(own.size(), 4u);
  EXPECT_EQ(own[0].words, (std::vector<std::uint32_t>{1, 0, 3, 0}));
  EXPECT_EQ(own[1].words, (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(own[2].offset, 8u);  // behind the variables of the module
  EXPECT_EQ(own[3].words, (std::vector<std::uint32_t>{5, 6}));
}

TEST(Assembler, RefusesTwoVariablesOfTheSameBytes) {
  EXPECT_EQ(problem(".constant a u32 2 @ 4\n.constant b u8 1 @ 11\n"),
            "t.sasm:2:11: 'b' has bytes of c0 from 11 on, which overlap those of 'a'");
  EXPECT_EQ(problem(".constant a u32 1 @ 4\n.constant b u32 4 @ 0\n"),
            "t.sasm:2:11: 'b' has bytes of c0 from 0 on, which overlap those of 'a'");
  EXPECT_EQ(problem(".device x u32 1\n.device y u32 1 @ 2\n"),
            "t.sasm:2:9: the address of 'y' has bytes of c14 from 2 on, which overlap those of the address of 'x'");
  EXPECT_EQ(problem(".constant a u32 1 c1\n.kernel k\n.const b u32 @ 0 = 1\n"),
            "t.sasm:3:8: 'b' has bytes of c1 from 0 on, which overlap those of 'a'");
  EXPECT_EQ(problem(".kernel k\n.const a u32 1\nnop\n.kernel l\n.const a u32 1\n.const b u32 @ 0 = 1\n"),
            "t.sasm:6:8: 'b' has bytes of c1 from 0 on, which overlap those of 'a'");
}

TEST(Assembler, CountsTheRegistersNamed) {
  EXPECT_EQ(kernel_of("mov b32 $r9 $r124\n").reg, 10u);
  EXPECT_EQ(kernel_of("ld b128 $r4q g14[$r2]\n").reg, 8u);
  EXPECT_EQ(kernel_of("mov b16 $r3h $r11l\n").reg, 12u);
  EXPECT_EQ(kernel_of(".reg 20\nnop\n").reg, 20u);
  EXPECT_EQ(kernel_of("nop\n").reg, 1u);
}

TEST(Assembler, CountsBarriers) { EXPECT_EQ(kernel_of("bar inc wait 0x3 0xfff\n").bar, 3u); }

TEST(Assembler, PairsShortInstructions) {
  EXPECT_EQ(kernel_of("add b32 $r1 $r1 $r2\nadd b32 $r1 $r1 $r2\n").code.size(), 2u);
  EXPECT_EQ(kernel_of("add b32 $r1 $r1 $r2\n").code.size(), 2u);  // alone: long
  EXPECT_EQ(kernel_of("add b32 $r1 $r1 $r2\nadd b32 $r1 $r1 $r2\nadd b32 $r1 $r1 $r2\n").code.size(), 4u);
  EXPECT_EQ(kernel_of("add b32 $r1 $r1 $r2 .long\nadd b32 $r1 $r1 $r2\n").code.size(), 4u);
}

TEST(Assembler, NeverPairsAcrossALabel) {
  const Kernel k = kernel_of("add b32 $r1 $r1 $r2\nhere: add b32 $r1 $r1 $r2\nbra here\n");
  EXPECT_EQ(k.code.size(), 6u);
  EXPECT_EQ(isa::disassemble(k.code[4], k.code[5], isa::Arch::kSm10), "bra 0x8");
}

TEST(Assembler, LeavesExplicitShortPairsTogether) {
  const Kernel k = kernel_of("add b32 $r1 $r1 $r2\nadd b32 $r1 $r1 $r2 .short\nadd b32 $r1 $r1 $r2 .short\n");
  EXPECT_EQ(k.code.size(), 4u);
  EXPECT_EQ(k.code[0] & 1u, 1u);
}

TEST(Assembler, LabelsWorkBackwardsForwardsAndAtTheEnd) {
  const Kernel k =
      kernel_of("joinat done // comment\n(lg $c0) bra done ; comment\nnop\ndone:\nother: join nop\nbra end\nend:\n");
  EXPECT_EQ(isa::disassemble(k.code[0], k.code[1], isa::Arch::kSm10), "joinat 0x18");
  EXPECT_EQ(isa::disassemble(k.code[2], k.code[3], isa::Arch::kSm10), "(lg $c0) bra 0x18");
  EXPECT_EQ(isa::disassemble(k.code[8], k.code[9], isa::Arch::kSm10), "bra 0x28");
}

TEST(Assembler, KernelsHaveTheirOwnNames) {
  const Module m = assemble(".kernel a\nx: bra x\n.kernel b\nnop\nx: bra x\n", "t.sasm");
  EXPECT_EQ(isa::disassemble(m.kernels[1].code[2], m.kernels[1].code[3], isa::Arch::kSm10), "bra 0x8");
}

TEST(Assembler, RawWordsArePlacedAsTheyAre) {
  EXPECT_EQ(kernel_of(".word 0xc0000003 0x0\n.word 0x10008004\n.word 0x10008004\n").code,
            (std::vector<std::uint32_t>{0xc0000003, 0, 0x10008004, 0x10008004}));
}

TEST(Assembler, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(problem(""), "t.sasm:1:1: the source has no .kernel");
  EXPECT_EQ(problem(".kernel k\n"), "t.sasm:1:1: kernel 'k' has no instruction");
  EXPECT_EQ(problem("nop\n"), "t.sasm:1:1: an instruction must be inside a kernel, but no .kernel precedes it");
  EXPECT_EQ(problem(".arch sm_20\n"), "t.sasm:1:1: architecture 'sm_20' is not one of sm_10 sm_11 sm_12 sm_13");
  EXPECT_EQ(problem(".reg 4\n"), "t.sasm:1:1: .reg belongs to a kernel, but no .kernel precedes it");
  EXPECT_EQ(problem(".kernel k\n.wibble 4\n"), "t.sasm:2:1: unknown directive '.wibble'");
  EXPECT_EQ(problem(".kernel k\n.reg 129\n"), "t.sasm:2:6: the register count is 129, outside 1 to 128");
  EXPECT_EQ(problem(".kernel k\n.reg 9223372036854775808\n"),
            "t.sasm:2:6: the register count is 9223372036854775808, outside 1 to 128");
  EXPECT_EQ(problem(".equ most 129\n.kernel k\n.reg most\n"),
            "t.sasm:3:6: the register count is 129, outside 1 to 128");
  EXPECT_EQ(problem(".kernel k\n  add b32 $r1 $r2\n"), "t.sasm:2:18: a register ($r0..) is expected here");
  EXPECT_EQ(problem(".kernel k\nx: nop\nx: nop\n"), "t.sasm:3:1: the name 'x' is already in use");
  EXPECT_EQ(problem(".kernel k\nbra y\n"), "t.sasm:2:5: unknown name 'y'");
  EXPECT_EQ(problem(".kernel k\n.param s64 y\n"),
            "t.sasm:2:8: 's64' is not a type (u8 s8 u16 s16 u32 s32 f32 u64 f64 ptr)");
  EXPECT_EQ(problem(".kernel k\n.shared x u32 5000\n"), "t.sasm:2:9: 'x' ends at byte 20016 of s[], which has 16384");
  EXPECT_EQ(problem(".constant x u8 2 = 1, 2, 3\n"), "t.sasm:1:20: 3 values for 2 elements");
  EXPECT_EQ(problem(".constant x u8 2 = 1, 256\n"), "t.sasm:1:23: the value is 256, outside -128 to 255");
  EXPECT_EQ(problem(".kernel k\nnop\n.kernel k\n"), "t.sasm:3:9: a second kernel named 'k'");
  EXPECT_EQ(problem(".kernel k\nadd b32 $r1 $r1 $r2 .short\nnop\n"),
            "t.sasm:2:1: this instruction has only a short form of 4 bytes: it needs a second short "
            "instruction after it");
  EXPECT_EQ(problem(".kernel k\nred add u32 g14[$r1] $r2\n"), "t.sasm:2:1: this instruction needs sm_11");
  EXPECT_EQ(problem(".kernel k\nnop \x01\n"), "t.sasm:2:5: this character is not allowed in assembly source");
}

TEST(Assembler, FilesThatDoNotExistAreASentence) {
  try {
    assemble_file("no/such/file.sasm");
    FAIL() << "expected an exception";
  } catch (const SourceError& error) {
    EXPECT_STREQ(error.what(), "no/such/file.sasm: the file cannot be read (No such file or directory)");
  }
}

}  // namespace
}  // namespace g80
