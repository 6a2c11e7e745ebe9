// SPDX-License-Identifier: Apache-2.0
// Decoder and encoder against each other, on random words and on the encodings the machine refuses.
#include "hw/isa/encoding.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "hw/isa/disassembler.h"
#include "hw/isa/field_codec.h"
#include "hw/isa/instruction_compare.h"
#include "hw/isa/opcode_table.h"
#include "hw/isa/row_encoding.h"
#include "toolchain/assembler/line_assembler.h"

namespace g80::isa {
namespace {

constexpr unsigned kSeed = 20260101;

Instruction decoded(std::uint32_t w0, std::uint32_t w1, DecodeError expected = DecodeError::kNone,
                    Arch arch = Arch::kSm13) {
  Instruction insn;
  EXPECT_EQ(decode(w0, w1, arch, insn), expected) << std::hex << w0 << " " << w1;
  return insn;
}

void expect_round_trip(std::uint32_t w0, std::uint32_t w1) {
  Instruction insn;
  const DecodeError error = decode(w0, w1, Arch::kSm13, insn);
  if (insn.op == Op::kInvalid) return;
  const Words words = encode(insn);
  ASSERT_EQ(words.w0, w0) << std::hex << w0 << " " << w1;
  if (words.is_long) {
    ASSERT_EQ(words.w1, w1) << std::hex << w0 << " " << w1;
  }
  Instruction again;
  ASSERT_EQ(decode(words.w0, words.w1, Arch::kSm13, again), error);
  const char* const difference = first_difference(insn, again);
  ASSERT_EQ(difference, nullptr) << difference;
}

TEST(ElementBytes, AreThoseOfTheType) {
  EXPECT_EQ(element_bytes(MemType::kU8), 1u);
  EXPECT_EQ(element_bytes(MemType::kS16), 2u);
  EXPECT_EQ(element_bytes(MemType::kB32), 4u);
  EXPECT_EQ(element_bytes(MemType::kB64), 8u);
  EXPECT_EQ(element_bytes(MemType::kB128), 16u);
}

TEST(Encoding, RandomWordsOfEveryRowComeBack) {
  std::mt19937_64 random(kSeed);
  SCOPED_TRACE(kSeed);
  for (const Row& row : OpcodeTable::get().rows()) {
    for (int i = 0; i < 200; ++i) {
      std::uint64_t word = (random() & ~row.mask) | row.match;
      if (row.form == Form::kLong && (word >> 32 & 3) == 3)
        word ^= std::uint64_t{1} << 32;  // that is the immediate form
      expect_round_trip(static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32));
    }
  }
}

TEST(Encoding, RandomWordsDecodeToAnErrorOrComeBack) {
  std::mt19937 random(kSeed + 1);
  SCOPED_TRACE(kSeed + 1);
  for (int i = 0; i < 200000; ++i) expect_round_trip(random(), random());
}

TEST(Encoding, MarkedTextOfRandomInstructionsAssemblesBack) {
  std::mt19937_64 random(kSeed + 2);
  SCOPED_TRACE(kSeed + 2);
  for (const Row& row : OpcodeTable::get().rows()) {
    for (int i = 0; i < 20; ++i) {
      std::uint64_t word = (random() & ~row.mask) | row.match;
      if (row.form == Form::kLong && (word >> 32 & 3) == 3) word ^= std::uint64_t{2} << 32;
      const auto w0 = static_cast<std::uint32_t>(word), w1 = static_cast<std::uint32_t>(word >> 32);
      Instruction insn;
      if (!has_text(insn, decode(w0, w1, Arch::kSm13, insn))) continue;
      const Words words = assemble(disassemble_marked(insn));
      ASSERT_EQ(words.w0, w0) << disassemble_marked(insn);
      // The mark is for ignored bits, a second word for the same lanes, and an increment that is hidden by custom.
      insn.ignored0 = insn.ignored1 = 0;
      const std::string text = disassemble_marked(insn);
      const std::size_t mark = text.find(".raw");
      EXPECT_TRUE(mark > text.size() || insn.quad_lane > 5 || text.substr(mark) == ".raw 0x2000000") << text;
      if (words.is_long) {
        ASSERT_EQ(words.w1, w1) << disassemble_marked(insn);
      }
    }
  }
}

TEST(Encoding, NoTwoRowsClaimOneWordExceptWhereTheFirstWins) {
  const OpcodeTable& table = OpcodeTable::get();
  for (const Row& row : table.rows()) {
    const Row* const found =
        table.find(static_cast<std::uint32_t>(row.match), static_cast<std::uint32_t>(row.match >> 32));
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->op, row.op) << row.syntax << " is hidden by " << found->syntax;
  }
}

// What compares instructions field by field misses none of them: the encoder has a word of its own for each.
TEST(Encoding, WordsThatDifferInABitDifferInAField) {
  std::mt19937_64 random(kSeed + 3);
  SCOPED_TRACE(kSeed + 3);
  for (const Row& row : OpcodeTable::get().rows()) {
    const std::uint64_t word = (random() & ~row.mask) | row.match;
    Instruction insn;
    decode(static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32), Arch::kSm13, insn);
    if (insn.op == Op::kInvalid) continue;
    for (unsigned bit = 0; bit < insn.bytes * 8u; ++bit) {
      const std::uint64_t other = word ^ std::uint64_t{1} << bit;
      Instruction changed;
      decode(static_cast<std::uint32_t>(other), static_cast<std::uint32_t>(other >> 32), Arch::kSm13, changed);
      if (changed.op == Op::kInvalid) continue;
      ASSERT_NE(first_difference(insn, changed), nullptr) << row.syntax << std::hex << " " << word << " " << other;
    }
  }
}

TEST(Encoding, AnAlwaysTrueGuardNamesNoFlagRegister) {
  Instruction insn = decoded(0x20000a05, 0x0400c7d1);
  const Words words = encode(insn);
  insn.flag_src = 2;
  EXPECT_EQ(encode(insn).w1, words.w1);
  insn.cond = 1;
  EXPECT_NE(encode(insn).w1, words.w1);
}

TEST(Disassembler, ShowsAGuardThatIsNeverTrue) {
  EXPECT_EQ(disassemble(decoded(0x20000a05, 0x0400c051)).substr(0, 13), "exit (never) ");
  EXPECT_EQ(disassemble(decoded(0x20000a05, 0x0400c7d1)).substr(0, 9), "exit add ");
}

TEST(Disassembler, LeavesOutAnOffsetOfZero) {
  const auto text_of = [](const std::string& text) {
    const Words words = assemble(text);
    return disassemble(decoded(words.w0, words.w1));
  };
  for (const char* text : {"mov b32 $r1 b32 s[$a1]", "mov b32 $r1 b32 s[$a1+0x4]", "mov b32 $r1 b32 s[0x10]"})
    EXPECT_EQ(text_of(text), text);
}

TEST(Encoding, AGuardThatNoFieldHoldsIsRefused) {
  Instruction insn = decoded(0x20000a05, 0x0400c7d1);
  insn.cond = 1;
  insn.flag_src = 4;
  EXPECT_THROW(encode(insn), std::invalid_argument);
  insn.flag_src = 3;
  insn.cond = 33;
  EXPECT_THROW(encode(insn), std::invalid_argument);
}

TEST(Decoder, ABytesOperandInSharedMemoryIsAnUnsignedByte) {
  std::mt19937_64 random(kSeed + 4);
  SCOPED_TRACE(kSeed + 4);
  unsigned found[2] = {0, 0};
  for (const Row& row : OpcodeTable::get().rows()) {
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t word = (random() & ~row.mask) | row.match;
      Instruction insn;
      if (decode(static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32), Arch::kSm13, insn) !=
              DecodeError::kNone ||
          insn.src[0].kind != OperandKind::kShared || (insn.src_type != NumType::kU8 && insn.src_type != NumType::kS8))
        continue;
      ++found[insn.src_type == NumType::kS8];
      EXPECT_EQ(insn.src[0].type, MemType::kU8) << disassemble(insn);
    }
  }
  EXPECT_GT(found[0], 0u);
  EXPECT_GT(found[1], 0u);
}

TEST(Decoder, FillsTheFieldsOfALongAdd) {
  const Instruction insn = decoded(0x20000a05, 0x0400c7d1);  // exit add b32 $c1 $r1 $r5 $r3
  EXPECT_EQ(insn.op, Op::kAdd);
  EXPECT_EQ(insn.form, Form::kLong);
  EXPECT_EQ(insn.unit, Unit::kSp);
  EXPECT_EQ(insn.bytes, 8);
  EXPECT_TRUE(insn.exit);
  EXPECT_EQ(insn.cond, kAlways);
  EXPECT_TRUE(insn.writes_flags);
  EXPECT_EQ(insn.flag_dst, 1);
  EXPECT_EQ(insn.dst.index, 1);
  EXPECT_EQ(insn.src[0].index, 5);
  EXPECT_EQ(insn.src[1].index, 3);
  EXPECT_EQ(insn.src[2].kind, OperandKind::kNone);
  EXPECT_EQ(insn.dst_type, NumType::kB32);
}

TEST(Decoder, ScalesMemoryOffsetsToBytes) {
  EXPECT_EQ(decoded(0x1100e804, 0).src[0].offset, 0x10);  // mov b32 $r1 b32 s[0x10]
  const Instruction post = decoded(0xd6004811, 0x40a00780);
  EXPECT_TRUE(post.post_increment);
  EXPECT_EQ(post.addr_reg, 1);
  EXPECT_EQ(post.increment, 0x24);
}

TEST(Decoder, RefusesWhatTheMachineRefuses) {
  decoded(0x00000001, 0x00000780, DecodeError::kGraphicsOnly);            // ld a[]
  decoded(0x00000001, 0x80000780, DecodeError::kGraphicsOnly);            // interp, of the group with 4 in front
  decoded(0x80000001, 0x00000780, DecodeError::kGraphicsOnly);            // interp
  decoded(0x00000003, 0x00000000, DecodeError::kGraphicsOnly);            // discard
  decoded(0x10000001, 0x04000788 | 0x3c000, DecodeError::kGraphicsOnly);  // mov into o[]
  decoded(0x10000001, 0x80000780, DecodeError::kIllegalOpcode);
  decoded(0xc0000003, 0x00000000, DecodeError::kIllegalOpcode);  // indirect bra: later chips
  decoded(0xe0000003, 0x00000000, DecodeError::kIllegalOpcode);
  decoded(0x00000002, 0x00000000, DecodeError::kIllegalOpcode);         // short control other than trap, brkpt
  decoded(0xd0000001, 0xe0c0078c, DecodeError::kIllegalOpcode);         // atomic operation 3
  decoded(0x12000a01, 0x2400c780, DecodeError::kIllegalPostIncrement);  // ld c0[$a0++]
  EXPECT_EQ(disassemble(0x12000a01, 0x2400c780, Arch::kSm13), "<illegal post-increment>");
}

TEST(Decoder, RefusesSharedOperandsOfTheWrongSizeOrSignButKeepsTheirText) {
  // set u16 with s16 s[], set s16 with u16 s[], add b16 with b32 s[], cvt of a byte with u16 s[]
  EXPECT_EQ(decoded(0x30008001, 0x6020c780, DecodeError::kIllegalMemorySign).src[0].type, MemType::kS16);
  EXPECT_EQ(decoded(0x30004001, 0x6820c780, DecodeError::kIllegalMemorySign).src[0].type, MemType::kU16);
  decoded(0x30004001, 0x6020c780, DecodeError::kNone);  // of the right sign
  decoded(0x30008001, 0x6820c780, DecodeError::kNone);
  EXPECT_EQ(decoded(0x2000c001, 0x00200780, DecodeError::kIllegalMemorySize).op, Op::kAdd);
  EXPECT_EQ(decoded(0xa0004001, 0x04208780, DecodeError::kIllegalMemoryByte).op, Op::kCvtI2I);
  EXPECT_EQ(disassemble(0x2000c001, 0x00200780, Arch::kSm13), "add b16 $r0l b32 s[0x0] $r0l");
}

TEST(Decoder, KnowsTheFeatureLevels) {
  decoded(0xd00e0405, 0xc0c00780, DecodeError::kIllegalOpcode, Arch::kSm10);  // red add u32
  decoded(0xd00e0405, 0xc0c00780, DecodeError::kNone, Arch::kSm11);
  decoded(0xd00e0409, 0xc0800780, DecodeError::kIllegalOpcode, Arch::kSm11);  // red add u64
  decoded(0xd00e0409, 0xc0800780, DecodeError::kNone, Arch::kSm12);
  decoded(0x10000201, 0x600007c0, DecodeError::kIllegalOpcode, Arch::kSm11);  // vote
  decoded(0x10000201, 0x600007c0, DecodeError::kNone, Arch::kSm12);
  decoded(0xe0020409, 0x40018780, DecodeError::kIllegalOpcode, Arch::kSm12);  // fma f64
  decoded(0xe0020409, 0x40018780, DecodeError::kNone, Arch::kSm13);
  decoded(0xb0000002, 0, DecodeError::kIllegalOpcode, Arch::kSm10);  // brkpt
}

TEST(Decoder, RunsTheUndocumentedMultiplyAddAsUnsigned24) {
  const Instruction insn = decoded(0x70020c05, 0xa0010780);
  EXPECT_EQ(insn.op, Op::kMad24);
  EXPECT_EQ(insn.src_type, NumType::kU24);
  EXPECT_FALSE(insn.saturate);
  EXPECT_NE(insn.ignored1, 0u);
  expect_round_trip(0x70020c05, 0xa0010780);
}

TEST(Decoder, KeepsIgnoredBits) {
  const Instruction joinat = decoded(0xa0259003, 0x00000780);
  EXPECT_EQ(joinat.ignored1, 0x780u);
  EXPECT_EQ(encode(joinat).w1, 0x780u);
}

TEST(Encoder, NamesTheFieldThatHasNoEncoding) {
  Instruction insn = decoded(0x2000840c, 0);  // short add: registers up to $r63
  insn.dst.index = 64;
  try {
    encode(insn);
    FAIL() << "expected an exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("d32_s"), std::string::npos) << error.what();
  }
}

// Members that a field of a row may hold, and so may not hold if their value is too large.
struct Member {
  const char* name;
  void (*set)(Instruction&, std::uint32_t);
  std::int64_t (*get)(const Instruction&);
};
template <class T>
void set(T& member, std::uint32_t value) {
  member = static_cast<T>(value);
}
#define MEMBER(member)                                                                                                 \
  {                                                                                                                    \
#member,                                                                                                           \
        [](Instruction & i,                                                                                            \
           std::uint32_t value) { set(i.member, value); }, [](const Instruction& i) { return std::int64_t{i.member}; } \
  }
constexpr Member kMembers[] = {
    MEMBER(cond),          MEMBER(flag_src),      MEMBER(flag_dst),      MEMBER(dst.index),   MEMBER(src[0].index),
    MEMBER(src[1].index),  MEMBER(src[2].index),  MEMBER(src[0].bank),   MEMBER(src[1].bank), MEMBER(src[2].bank),
    MEMBER(src[0].offset), MEMBER(src[1].offset), MEMBER(src[2].offset), MEMBER(addr_reg),    MEMBER(increment),
    MEMBER(immediate),     MEMBER(space),         MEMBER(lane_mask),     MEMBER(compare),     MEMBER(quad_lane),
    MEMBER(pm_event),      MEMBER(tex),           MEMBER(sampler),       MEMBER(tex_sources), MEMBER(tex_mask),
    MEMBER(tex_offset[0]), MEMBER(target),        MEMBER(barrier),       MEMBER(bar_count)};
#undef MEMBER

// encode() compares what it has encoded with what it was given; the assembler, which knows the row, does not.
TEST(Encoding, ARowHoldsAValueOrRefusesItAndDisturbsNoOther) {
  std::mt19937_64 random(kSeed + 4);
  SCOPED_TRACE(kSeed + 4);
  unsigned refused = 0, held = 0;
  for (const Row& row : OpcodeTable::get().rows()) {
    if (row.alias || row.graphics) continue;
    for (int i = 0; i < 400; ++i) {
      std::uint64_t word = (random() & ~row.mask) | row.match;
      if (row.form == Form::kLong && (word >> 32 & 3) == 3) word ^= std::uint64_t{1} << 32;
      Instruction insn;
      const auto w0 = static_cast<std::uint32_t>(word), w1 = static_cast<std::uint32_t>(word >> 32);
      if (decode(w0, w1, Arch::kSm13, insn) != DecodeError::kNone || find_row(insn) != &row) continue;
      const RowEncoding before = encode_row(row, insn);
      ASSERT_EQ(before.problem, nullptr) << row.syntax;
      for (const Member& member : kMembers) {
        Instruction changed = insn;
        // A power of two is the first value that does not fit; one less than it the last that does.
        member.set(changed, (1u << random() % 32) - static_cast<std::uint32_t>(random() % 2));
        const RowEncoding after = encode_row(row, changed);
        refused += after.problem != nullptr;
        if (after.problem != nullptr || (after.words.w0 == before.words.w0 && after.words.w1 == before.words.w1))
          continue;
        Instruction back;
        decode(after.words.w0, after.words.w1, Arch::kSm13, back);
        ++held;
        ASSERT_EQ(member.get(back), member.get(changed)) << row.syntax << ": " << member.name;
      }
    }
  }
  EXPECT_GT(refused, 10'000u);
  EXPECT_GT(held, 10'000u);
}

// Bits that the chip ignores are written as the table has them.
TEST(OpcodeTable, ItsWordsHaveNoIgnoredBits) {
  Instruction insn;
#define G80_INSN(op, form, w0, mask0, w1, mask1, unit, arch, fixed, syntax)       \
  decode(w0, (w1) | (Form::form == Form::kImmediate ? 3 : 0), Arch::kSm13, insn); \
  if (std::string_view(fixed).find("alias") == std::string_view::npos) {          \
    EXPECT_EQ(insn.ignored0 | insn.ignored1, 0u) << (syntax);                     \
  }
#include "hw/isa/opcodes.def"
}

TEST(OpcodeTable, EveryFieldIsUsedByARow) {
  const OpcodeTable& table = OpcodeTable::get();
  for (const Field& field : table.fields()) {
    bool used = false;
    for (const Row& row : table.rows())
      for (const Field* of_row : row.fields) used = used || of_row == &field;
    EXPECT_TRUE(used) << field.name;
  }
}

TEST(OpcodeTable, EveryOperationHasARow) {
  for (unsigned op = 1; op < static_cast<unsigned>(Op::kCount); ++op)
    EXPECT_FALSE(OpcodeTable::get().rows_of(static_cast<Op>(op)).empty()) << op;
}

}  // namespace
}  // namespace g80::isa
