// SPDX-License-Identifier: Apache-2.0
// The stages of the SPs against the instruction set's definition, bit for bit: every encoding with random modifiers and
// operands, and the result vectors of real chips.
#include "hw/exec/sp_datapath.h"

#include <gtest/gtest.h>

#include <array>

#include "hw/isa/disassembler.h"
#include "hw/isa/opcode_table.h"
#include "tests/conformance/vector_file.h"
#include "tests/exec/operand_source.h"
#include "tests/exec/sp_datapath_bench.h"
#include "tests/support/data_dirs.h"
#include "tests/support/random_seed.h"
#include "toolchain/assembler/line_assembler.h"

namespace g80 {
namespace {

using isa::Op;
using isa::OperandKind;

/// Whether the SPs compute the operation from its operands alone.
bool is_arithmetic(Op op, isa::Unit unit) { return unit == isa::Unit::kSp && op != Op::kVote; }

TEST(SpDatapath, WhatIsNoNumberHasNoSignificandToConvert) {
  isa::Instruction insn;
  const isa::Words words = isa::assemble("cvt rni s32 $r1 f32 $r2");
  isa::decode(words.w0, words.w1, isa::Arch::kSm13, insn);
  SpLaneOperands in{};
  in.a[0] = 0x3f800000, in.a[1] = 0x7f800000, in.a[2] = 0xff800000, in.a[3] = 0x7fc00001;
  SpUnpacked out;
  sp_unpack(sp_control(insn), in, out);
  EXPECT_EQ(out.x[0], 0x80000000u);
  EXPECT_EQ(out.x[1] | out.x[2] | out.x[3], 0u);
}

TEST(SpDatapath, AgreesWithTheDefinitionForEveryEncoding) {
  constexpr unsigned kWordsPerRow = 400;
  test::OperandSource source(random_seed());
  test::SpPipe pipe;
  golden::AluInput in{};
  golden::AluOutput seen{};
  std::array<unsigned, static_cast<unsigned>(Op::kCount)> tried{};
  unsigned complaints = 0;
  for (const isa::Row& row : isa::OpcodeTable::get().rows()) {
    if (row.graphics || !is_arithmetic(row.op, row.unit)) continue;
    unsigned done = 0;
    for (unsigned i = 0; i < 20 * kWordsPerRow && done < kWordsPerRow; ++i) {
      const std::uint64_t word = (source.next64() & ~row.mask) | row.match;
      isa::Instruction insn;
      const isa::DecodeError error =
          isa::decode(static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32), isa::Arch::kSm13, insn);
      if (error != isa::DecodeError::kNone) continue;
      if (insn.op != row.op) continue;  // the word belongs to another row
      source.fill(in);
      for (unsigned s = 0; s < 3; ++s) {
        for (unsigned l = 0; l < kWarpSize && insn.src[s].kind == OperandKind::kImm; ++l) in.s[s][l] = insn.immediate;
      }
      pipe.run_warp(insn, in, seen);
      std::string first;
      ++done;
      ++tried[static_cast<unsigned>(insn.op)];
      const unsigned wrong = test::wrong_lanes(insn, in, seen, first);
      if (wrong == 0) continue;
      if (++complaints > 20) FAIL() << "more than 20 instructions differ";
      ADD_FAILURE() << isa::disassemble(insn) << "\n" << wrong << " lanes, " << first;
    }
    EXPECT_EQ(done, kWordsPerRow) << row.syntax;
  }
  // The list of operations, so that none is lost with its rows.
  for (const Op op : {Op::kMov,        Op::kMovFromFlags, Op::kMovFromAddr, Op::kMovFromSpecial,
                      Op::kMovToFlags, Op::kShlAddr,      Op::kAddAddr,     Op::kAdd,
                      Op::kSub,        Op::kSubr,         Op::kAddc,        Op::kSet,
                      Op::kMax,        Op::kMin,          Op::kShl,         Op::kShr,
                      Op::kMul16,      Op::kMul24,        Op::kMad16,       Op::kMad24,
                      Op::kSad,        Op::kAnd,          Op::kOr,          Op::kXor,
                      Op::kMov2,       Op::kCvtI2I,       Op::kCvtI2F,      Op::kCvtF2I,
                      Op::kCvtF2F,     Op::kFadd,         Op::kFmul,        Op::kFmad,
                      Op::kFmax,       Op::kFmin,         Op::kFset,        Op::kSlct,
                      Op::kQuadop}) {
    EXPECT_GE(tried[static_cast<unsigned>(op)], kWordsPerRow) << static_cast<unsigned>(op);
  }
}

isa::Instruction assembled(const std::string& text) {
  const isa::Words words = isa::assemble(text, isa::Arch::kSm13);
  isa::Instruction insn;
  EXPECT_EQ(isa::decode(words.w0, words.w1, isa::Arch::kSm13, insn), isa::DecodeError::kNone) << text;
  return insn;
}

// The operations with the most paths through rounding, with more operands.
TEST(SpDatapath, AgreesWithTheDefinitionOfFloatArithmetic) {
  test::OperandSource source(random_seed() + 1);
  test::SpPipe pipe;
  golden::AluInput in{};
  golden::AluOutput seen{};
  for (const char* const text :
       {"add f32 $c0 $r7 (mul $r4 $r5) $r6", "add f32 $c0 $r7 neg (mul $r4 $r5) $r6", "add rz f32 $c0 $r7 $r4 neg $r6",
        "add rn f32 $c0 $r7 $r4 $r6", "mul rn f32 $c0 $r7 $r4 $r5", "mul rz f32 $c0 $r7 neg $r4 $r5",
        "cvt rn f16 $c0 $r7l f32 $r4", "cvt rp f16 $c0 $r7l f32 $r4", "cvt rni s32 $c0 $r7 f32 $r4",
        "cvt rm f32 $c0 $r7 s32 $r4", "cvt rpi f32 $c0 $r7 f32 $r4"}) {
    const isa::Instruction insn = assembled(text);
    for (unsigned i = 0; i < 4000; ++i) {
      source.fill(in);
      pipe.run_warp(insn, in, seen);
      std::string first;
      ASSERT_EQ(test::wrong_lanes(insn, in, seen, first), 0u) << text << "\n" << first;
    }
  }
}

// Every f16 there is, in and out.
TEST(SpDatapath, ConvertsEveryHalfFloat) {
  test::SpPipe pipe;
  golden::AluInput in{};
  golden::AluOutput seen{};
  for (const char* const text :
       {"cvt f32 $c0 $r7 f16 $r4l", "cvt neg f16 $c0 $r7l f16 $r4l", "cvt rni s32 $c0 $r7 f16 $r4l",
        "cvt rpi f16 $c0 $r7l f16 $r4l", "cvt sat rzi f32 $c0 $r7 f16 $r4l"}) {
    const isa::Instruction insn = assembled(text);
    for (unsigned first = 0; first < 0x10000; first += kWarpSize) {
      for (unsigned l = 0; l < kWarpSize; ++l) in.s[0][l] = first + l;
      pipe.run_warp(insn, in, seen);
      std::string what;
      ASSERT_EQ(test::wrong_lanes(insn, in, seen, what), 0u) << text << "\n" << what;
    }
  }
}

// A value just above a tie differs from the tie in bits that the shift to a denormal f16 drops.
TEST(SpDatapath, RoundsFloatsToDenormalHalfFloatsByTheirLastBit) {
  test::SpPipe pipe;
  golden::AluInput in{};
  golden::AluOutput seen{};
  for (const char* const text : {"cvt rn f16 $c0 $r7l f32 $r4", "cvt rp f16 $c0 $r7l f32 $r4",
                                 "cvt rm f16 $c0 $r7l f32 $r4", "cvt rz f16 $c0 $r7l f32 $r4"}) {
    const isa::Instruction insn = assembled(text);
    for (unsigned exponent = 127 - 28; exponent <= 127 - 13; ++exponent) {
      unsigned lane = 0;
      for (const std::uint32_t sign : {0u, 0x80000000u}) {
        for (unsigned bit = 9; bit < 23; ++bit)  // a tie is at one of these, or at the leading one
          in.s[0][lane++] = sign | exponent << 23 | 1u << bit | 1u;
        in.s[0][lane++] = sign | exponent << 23 | 1u;
        in.s[0][lane++] = sign | exponent << 23;
      }
      ASSERT_EQ(lane, kWarpSize);
      pipe.run_warp(insn, in, seen);
      std::string what;
      ASSERT_EQ(test::wrong_lanes(insn, in, seen, what), 0u) << text << "\n" << what;
    }
  }
}

TEST(SpDatapath, VerdictsBecomeTheFlagsThatSetWrites) {
  test::SpPipe pipe;
  SpLaneOperands operands{};
  operands.verdict = 0xa5;
  for (unsigned i = 0; i < kNumSpLanes; ++i) operands.a[i] = 0xdead0000u + i;
  const SpResult& vote = pipe.run(sp_control(assembled("vote any $c1")), operands);
  for (unsigned i = 0; i < kNumSpLanes; ++i) EXPECT_EQ(vote.flags[i], (0xa5 >> i & 1) != 0 ? 2 : 1);
  const SpResult& lock = pipe.run(sp_control(assembled("ld lock $c2 $r3 b32 s[0x10]")), operands);
  for (unsigned i = 0; i < kNumSpLanes; ++i) {
    EXPECT_EQ(lock.flags[i], (0xa5 >> i & 1) != 0 ? 2 : 1);
    EXPECT_EQ(lock.word[i], 0xdead0000u + i);
  }
}

TEST(SpDatapath, LoadsHandOnWholeWords) {
  test::SpPipe pipe;
  SpLaneOperands operands{};
  for (unsigned i = 0; i < kNumSpLanes; ++i) operands.a[i] = 0x87654321u * (i + 1);
  for (const char* const text : {"ld $r3 b32 c1[0x10]", "ld $r3l u16 s[0x10]"}) {
    const SpResult& seen = pipe.run(sp_control(assembled(text)), operands);
    for (unsigned i = 0; i < kNumSpLanes; ++i) EXPECT_EQ(seen.word[i], operands.a[i]) << text;
  }
}

// Result vectors: r4, r5 and r6 of each lane, $c0 before, and what $r7 (or $r6) and one $c hold afterwards.
class SpDatapathVectors : public ::testing::Test {
 protected:
  void check(const char* file, bool column7_is_c0, unsigned flag_register) {
    const std::string directory = test::conformance_dir().value_or("no folder");
    const auto rows = conformance::read_rows(directory, file);
    if (!rows) GTEST_SKIP() << file << " is not in " << directory;
    unsigned right = 0;
    for (const conformance::Row& row : *rows) {
      const std::vector<std::uint32_t> words = conformance::hex_words(row[2]);
      isa::Instruction insn;
      ASSERT_EQ(isa::decode(words[0], words.size() > 1 ? words[1] : 0, isa::Arch::kSm13, insn),
                isa::DecodeError::kNone);
      SpLaneOperands operands{};
      for (unsigned i = 0; i < kNumSpLanes; ++i) {
        std::uint32_t* const slots[] = {&operands.a[i], &operands.b[i], &operands.c[i]};
        for (unsigned s = 0; s < 3; ++s) *slots[s] = test::row_operand(insn, insn.src[s], row);
        operands.flags[i] =
            column7_is_c0 && insn.flag_src == 0 ? static_cast<std::uint8_t>(conformance::hex32(row[7])) : kNotWritten;
      }
      const SpResult& seen = pipe_.run(sp_control(insn), operands);
      const std::uint32_t flags = insn.writes_flags && insn.flag_dst == flag_register ? seen.flags[3]
                                  : !column7_is_c0 || flag_register != 0              ? kNotWritten
                                                                                      : conformance::hex32(row[7]);
      const bool good = seen.word[3] == conformance::hex32(row[8]) && flags == conformance::hex32(row[9]);
      right += good;
      EXPECT_TRUE(good) << row[3] << " of " << row[4] << " " << row[5] << " " << row[6] << ": " << std::hex
                        << seen.word[3] << " " << flags << ", not " << row[8] << " " << row[9];
    }
    std::printf("%u of %zu rows of %s\n", right, rows->size(), file);
    EXPECT_GT(rows->size(), 0u);
  }

  static constexpr std::uint8_t kNotWritten = 0xf;
  test::SpPipe pipe_;
};

TEST_F(SpDatapathVectors, IntegerResultsAreExact) { check("sem_int.tsv", true, 1); }
TEST_F(SpDatapathVectors, FloatResultsAreExact) { check("sem_fp32.tsv", false, 0); }
TEST_F(SpDatapathVectors, IntegerToHalfReproducesTheChipsDefect) { check("sem_quirk_i2f16.tsv", false, 0); }

TEST_F(SpDatapathVectors, QuadopResultsAreExact) {
  const std::string directory = test::conformance_dir().value_or("no folder");
  const auto rows = conformance::read_rows(directory, "sem_quadop.tsv");
  if (!rows) GTEST_SKIP() << "sem_quadop.tsv is not in " << directory;
  for (const conformance::Row& row : *rows) {
    const std::vector<std::uint32_t> words = conformance::hex_words(row[2]);
    isa::Instruction insn;
    ASSERT_EQ(isa::decode(words[0], words[1], isa::Arch::kSm13, insn), isa::DecodeError::kNone);
    SpLaneOperands operands{};
    for (unsigned i = 0; i < kNumSpLanes; ++i) {
      operands.a[i] = i < 4 ? 0xdeadbeefu : conformance::hex_words(row[4])[i - 4];  // the second quad is the row's
      operands.b[i] = i < 4 ? 0xdeadbeefu : conformance::hex_words(row[5])[i - 4];
    }
    const SpResult& seen = pipe_.run(sp_control(insn), operands);
    for (unsigned i = 0; i < 4; ++i) {
      EXPECT_EQ(seen.word[4 + i], conformance::hex_words(row[6])[i]) << row[3];
      EXPECT_EQ(seen.flags[4 + i], conformance::hex_words(row[7])[i]) << row[3];
    }
  }
}

}  // namespace
}  // namespace g80
