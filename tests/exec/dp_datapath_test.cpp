// SPDX-License-Identifier: Apache-2.0
// The stages of the fp64 unit against the chip's results and against the reference.
#include "hw/exec/dp_datapath.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tb/golden/semantics.h"
#include "tests/conformance/vector_file.h"
#include "tests/exec/datapath_forms.h"
#include "tests/exec/fp64_operands.h"
#include "tests/support/data_dirs.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

static_assert(test::all_visited<dp::Control, dp::Operands, dp::Header, dp::Unpacked, dp::Rows, dp::Product, dp::Aligned,
                                dp::Added, dp::Counted, dp::Shifted, dp::Rounded, dp::Result, dp::Datapath>());

struct DpStages : dp::Datapath {
  void run(unsigned lanes) {
    for (unsigned i = 0; i < kStages; ++i) compute(i, lanes);
  }
};

bool is_64_bit_result(const isa::Instruction& insn) {
  return insn.dst_type == isa::NumType::kF64 || insn.dst_type == isa::NumType::kU64 ||
         insn.dst_type == isa::NumType::kS64;
}

/// The operands of one lane as the collector would give them to the unit.
void set_operands(const isa::Instruction& insn, const golden::AluInput& in, unsigned lane, unsigned slot,
                  dp::Operands& out) {
  const auto pair = [&](unsigned s) { return std::uint64_t{in.hi[s][lane]} << 32 | in.s[s][lane]; };
  const unsigned second = insn.src[1].kind != isa::OperandKind::kNone ? 1 : 2;
  out.a[slot] = pair(0);
  if (insn.op == isa::Op::kDadd) {
    out.c[slot] = pair(second);
  } else {
    out.b[slot] = pair(second);
    out.c[slot] = pair(2);
  }
}

void expect_dp_reference(isa::Instruction insn, const golden::AluInput& in, unsigned group) {
  insn.writes_flags = true;
  golden::AluOutput expected{};
  golden::execute(insn, in, expected);
  DpStages stages;
  stages.operands.control = dp::control_of(insn);
  for (unsigned first = 0; first < kWarpSize; first += group) {
    for (unsigned l = 0; l < group; ++l) set_operands(insn, in, first + l, l, stages.operands);
    stages.run(group);
    for (unsigned l = 0; l < group; ++l) {
      const unsigned lane = first + l;
      const std::uint64_t value = std::uint64_t{expected.hi[lane]} << 32 | expected.lo[lane];
      const std::uint64_t mask = is_64_bit_result(insn) ? ~std::uint64_t{0} : 0xffffffffu;
      const auto text = [&] {
        return ::testing::Message() << std::hex << "operation " << static_cast<unsigned>(insn.op) << " round "
                                    << static_cast<unsigned>(insn.round) << " types "
                                    << static_cast<unsigned>(insn.dst_type) << " "
                                    << static_cast<unsigned>(insn.src_type) << ": " << stages.operands.a[l] << " "
                                    << stages.operands.b[l] << " " << stages.operands.c[l] << " neg " << insn.src[0].neg
                                    << insn.src[1].neg << insn.src[2].neg;
      };
      ASSERT_EQ(stages.result.value[l] & mask, value & mask) << text();
      ASSERT_EQ(unsigned{stages.result.flags[l]}, unsigned{expected.flags[lane]}) << text();
    }
  }
}

TEST(DpDatapath, GivesTheResultsOfTheChip) {
  const std::string directory = test::conformance_dir().value_or("no folder");
  const auto rows = conformance::read_rows(directory, "sem_fp64.tsv");
  if (!rows) GTEST_SKIP() << "sem_fp64.tsv is not in " << directory;
  ASSERT_FALSE(rows->empty());
  for (const conformance::Row& row : *rows) {
    const auto words = conformance::hex_words(row[2]);
    isa::Instruction insn;
    ASSERT_EQ(isa::decode(words[0], words[1], isa::Arch::kSm13, insn), isa::DecodeError::kNone);
    ASSERT_EQ(insn.unit, isa::Unit::kDp) << row[3];
    golden::AluInput in{};
    for (unsigned i = 0; i < 3; ++i) {
      const isa::Operand& source = insn.src[i];
      if (source.kind == isa::OperandKind::kNone) continue;
      ASSERT_TRUE(source.index == 4 || source.index == 6 || source.index == 8) << row[3];
      const std::uint64_t value = conformance::hex(row[4 + (source.index - 4u) / 2]);
      in.s[i][0] = static_cast<std::uint32_t>(value);
      in.hi[i][0] = static_cast<std::uint32_t>(value >> 32);
    }
    DpStages stages;
    stages.operands.control = dp::control_of(insn);
    set_operands(insn, in, 0, 0, stages.operands);
    stages.run(1);
    const std::uint64_t mask = insn.dst.kind == isa::OperandKind::kPair ? ~std::uint64_t{0} : 0xffffffffu;
    ASSERT_EQ(stages.result.value[0] & mask, conformance::hex(row[8]) & mask)
        << row[3] << ": " << row[4] << " " << row[5] << " " << row[6];
    if (insn.writes_flags) {
      ASSERT_EQ(unsigned{stages.result.flags[0]}, conformance::hex(row[9])) << row[3];
    }
  }
}

TEST(DpDatapath, ExecutesEveryFormThatTheDecoderGivesTheUnit) {
  const unsigned seed = random_seed();
  std::mt19937 forms(seed);
  std::mt19937_64 random(seed);
  const unsigned rows = test::each_form(
      forms, 1000, [](const isa::Instruction& insn) { return insn.unit == isa::Unit::kDp; },
      [&](const isa::Instruction& insn) {
        golden::AluInput in{};
        test::fill_fp64(random, insn.src_type == isa::NumType::kF32, in);
        expect_dp_reference(insn, in, 1u << random() % 4);
      });
  EXPECT_EQ(rows, 22u) << "rows of the opcode table";
}

// a * b - c with c next to the product, and as far away from it as every distance of the alignment.
TEST(DpDatapath, FusedSumsAreExactAtEveryDistanceOfTheirOperands) {
  std::mt19937_64 random(random_seed());
  isa::Instruction insn;
  insn.op = isa::Op::kDfma;
  insn.dst_type = insn.src_type = insn.src2_type = isa::NumType::kF64;
  for (isa::Operand& source : insn.src) source.kind = isa::OperandKind::kPair;
  for (int distance = -220; distance <= 220; ++distance) {
    for (unsigned variant = 0; variant < 16; ++variant) {
      insn.round = static_cast<isa::Round>(variant % 4);
      golden::AluInput in{};
      for (unsigned l = 0; l < kWarpSize; ++l) {
        // Both ends of the exponents: denormal results, and an addend that is a denormal.
        const std::uint64_t low = variant / 4 == 0 ? 600 : variant / 4 == 1 ? 1023 : variant / 4 == 2 ? 512 : 450;
        const std::uint64_t sum = 2 * low - 1023;
        const std::int64_t other = static_cast<std::int64_t>(sum) + distance;
        const auto fraction = [&] {
          const std::uint64_t bits = random() >> 12;
          return random() % 4 == 0 ? bits & ~std::uint64_t{0} << random() % 52 : bits;
        };
        const std::uint64_t signs = random();
        const std::uint64_t value[3] = {low << 52 | fraction() | signs << 63, low << 52 | fraction(),
                                        static_cast<std::uint64_t>(other < 0 ? 0 : other) << 52 | fraction()};
        for (unsigned i = 0; i < 3; ++i) {
          in.s[i][l] = static_cast<std::uint32_t>(value[i]);
          in.hi[i][l] = static_cast<std::uint32_t>(value[i] >> 32);
        }
      }
      ASSERT_NO_FATAL_FAILURE(expect_dp_reference(insn, in, 8));
    }
  }
}

TEST(DpDatapath, KeepsTheProductAsTwoWordsUntilTheyAreAdded) {
  DpStages stages;
  stages.operands.control.multiplies = stages.operands.control.adds = true;
  stages.operands.a[0] = stages.operands.b[0] = 0x3ff5555555555555;
  stages.operands.c[0] = 0;
  stages.run(1);
  EXPECT_NE(stages.low.carry_low[0], 0u);
  EXPECT_NE(stages.high.carry_high[0], 0u);
  EXPECT_EQ(stages.high.sum_low[0] + stages.high.carry_low[0],
            std::uint64_t{0x15555555555555} * std::uint64_t{0x15555555555555});
}

}  // namespace
}  // namespace g80
