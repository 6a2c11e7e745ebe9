// SPDX-License-Identifier: Apache-2.0
// The SP array on the pins of its Verilated module, without the block: the result vectors of real chips, and every
// encoding with random modifiers and operands against the instruction set's definition.
#include <gtest/gtest.h>

#include "hw/bundles/exec_bundles.h"
#include "tb/golden/semantics.h"
#include "tests/conformance/vector_file.h"
#include "tests/exec/operand_source.h"
#include "tests/support/data_dirs.h"
#include "tests/support/random_seed.h"
#include "tests/twins/exec_unit_pins.h"

#include "Vsp_array.h"

namespace g80 {
namespace {

using isa::Op;
using isa::OperandKind;

class SpArrayPins : public testing::ExecUnitPins<Vsp_array> {
 public:
  explicit SpArrayPins(unsigned stages) : ExecUnitPins(kPortLanes, stages) { reset(); }
  /// Results are found under the number that this returns.
  std::uint32_t send(const isa::Instruction& insn, const golden::AluInput& in) {
    return send_pairs(isa::encode(insn), [&](unsigned first) {
      SpLanes lanes;
      for (unsigned l = 0; l < kPortLanes; ++l) {
        lanes.a[l] = in.s[0][first + l];
        lanes.b[l] = in.s[1][first + l];
        lanes.c[l] = in.s[2][first + l];
        lanes.flags[l] = in.flags[first + l];
      }
      return lanes;
    });
  }
};

constexpr unsigned kStages = 13;

isa::Instruction decoded(std::uint32_t w0, std::uint32_t w1) {
  isa::Instruction insn;
  EXPECT_EQ(isa::decode(w0, w1, isa::Arch::kSm13, insn), isa::DecodeError::kNone);
  return insn;
}

// Result vectors: r4, r5 and r6 of each lane, $c0 before, and what $r7 (or $r6) and one $c hold afterwards.
class SpArrayVectors : public ::testing::Test {
 protected:
  void check(const char* file, bool column7_is_c0, unsigned flag_register) {
    const std::string directory = test::conformance_dir().value_or("no folder");
    const auto rows = conformance::read_rows(directory, file);
    if (!rows) GTEST_SKIP() << file << " is not in " << directory;
    SpArrayPins pins(kStages);
    std::vector<isa::Instruction> insns;
    for (const conformance::Row& row : *rows) {
      const std::vector<std::uint32_t> words = conformance::hex_words(row[2]);
      const isa::Instruction insn = decoded(words[0], words.size() > 1 ? words[1] : 0);
      golden::AluInput in{};
      for (unsigned l = 0; l < kWarpSize; ++l) {
        for (unsigned s = 0; s < 3; ++s) in.s[s][l] = test::row_operand(insn, insn.src[s], row);
        in.flags[l] =
            column7_is_c0 && insn.flag_src == 0 ? static_cast<std::uint8_t>(conformance::hex32(row[7])) : kNotWritten;
      }
      pins.send(insn, in);
      insns.push_back(insn);
    }
    pins.finish();
    ASSERT_EQ(pins.results.size(), rows->size());
    unsigned right = 0;
    for (std::size_t i = 0; i < rows->size(); ++i) {
      const conformance::Row& row = (*rows)[i];
      const golden::AluOutput& seen = pins.results.at(static_cast<std::uint32_t>(i + 1));
      const isa::Instruction& insn = insns[i];
      bool good = true;
      for (unsigned l = 0; l < kWarpSize; ++l) {
        const std::uint32_t flags = insn.writes_flags && insn.flag_dst == flag_register ? seen.flags[l]
                                    : !column7_is_c0 || flag_register != 0              ? kNotWritten
                                                                                        : conformance::hex32(row[7]);
        good = good && seen.lo[l] == conformance::hex32(row[8]) && flags == conformance::hex32(row[9]);
      }
      right += good;
      if (!good && i - right < 20) {
        ADD_FAILURE() << row[3] << " of " << row[4] << " " << row[5] << " " << row[6] << ": " << std::hex << seen.lo[3]
                      << " " << unsigned{seen.flags[3]} << ", not " << row[8] << " " << row[9];
      }
    }
    std::printf("%u of %zu rows of %s\n", right, rows->size(), file);
    EXPECT_EQ(right, rows->size());
    EXPECT_GT(rows->size(), 0u);
  }

  static constexpr std::uint8_t kNotWritten = 0xf;
};

TEST_F(SpArrayVectors, IntegerResultsAreExact) { check("sem_int.tsv", true, 1); }
TEST_F(SpArrayVectors, FloatResultsAreExact) { check("sem_fp32.tsv", false, 0); }
TEST_F(SpArrayVectors, IntegerToHalfReproducesTheChipsDefect) { check("sem_quirk_i2f16.tsv", false, 0); }

TEST_F(SpArrayVectors, QuadopResultsAreExact) {
  const std::string directory = test::conformance_dir().value_or("no folder");
  const auto rows = conformance::read_rows(directory, "sem_quadop.tsv");
  if (!rows) GTEST_SKIP() << "sem_quadop.tsv is not in " << directory;
  SpArrayPins pins(kStages);
  for (const conformance::Row& row : *rows) {
    const std::vector<std::uint32_t> words = conformance::hex_words(row[2]);
    golden::AluInput in{};
    for (unsigned l = 0; l < kWarpSize; ++l) {  // every second quad is the row's
      in.s[0][l] = l % 8 < 4 ? 0xdeadbeefu : conformance::hex_words(row[4])[l % 4];
      in.s[1][l] = l % 8 < 4 ? 0xdeadbeefu : conformance::hex_words(row[5])[l % 4];
    }
    const std::uint32_t number = pins.send(decoded(words[0], words[1]), in);
    pins.finish();
    for (unsigned l = 0; l < kWarpSize; ++l) {
      if (l % 8 < 4) continue;
      EXPECT_EQ(pins.results.at(number).lo[l], conformance::hex_words(row[6])[l % 4]) << row[3];
      EXPECT_EQ(pins.results.at(number).flags[l], conformance::hex_words(row[7])[l % 4]) << row[3];
    }
  }
}

TEST(SpArrayEncodings, AgreeWithTheDefinition) {
  test::OperandSource source(random_seed());
  SpArrayPins pins(kStages);
  const unsigned rows = testing::expect_definition(
      pins, 100, [](const isa::Row& row) { return row.unit == isa::Unit::kSp && row.op != Op::kVote; },
      [&] { return source.next64(); },
      [&](const isa::Instruction& insn, golden::AluInput& in) {
        source.fill(in);
        for (unsigned s = 0; s < 3; ++s) {
          for (unsigned l = 0; l < kWarpSize && insn.src[s].kind == OperandKind::kImm; ++l) in.s[s][l] = insn.immediate;
        }
      },
      [&](const isa::Words& words, const golden::AluInput& in) { return pins.send(decoded(words.w0, words.w1), in); });
  EXPECT_GT(rows, 60u);
}

}  // namespace
}  // namespace g80
