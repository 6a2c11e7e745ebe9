// SPDX-License-Identifier: Apache-2.0
// The fp64 unit on the pins of its Verilated module, without the block: the result vectors of real chips, and every
// encoding with random modifiers and operands against the instruction set's definition.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "hw/bundles/exec_bundles.h"
#include "tb/golden/semantics.h"
#include "tests/conformance/vector_file.h"
#include "tests/exec/fp64_operands.h"
#include "tests/support/data_dirs.h"
#include "tests/support/random_seed.h"
#include "tests/twins/exec_unit_pins.h"

#include "Vdp.h"

namespace g80 {
namespace {

class DpPins : public testing::ExecUnitPins<Vdp> {
 public:
  DpPins(unsigned log2_lanes, unsigned stages) : ExecUnitPins(2u << log2_lanes, stages) {
    model_.cfg_log2_lanes_i = static_cast<std::uint8_t>(log2_lanes);
    reset();
  }
  /// Results are found under the number that this returns.
  std::uint32_t send(const isa::Words& words, const golden::AluInput& in) {
    return send_pairs(words, [&](unsigned first) {
      DpLanes lanes;
      for (unsigned l = 0; l < pair_; ++l) {
        lanes.a[l] = in.s[0][first + l];
        lanes.a_high[l] = in.hi[0][first + l];
        lanes.b[l] = in.s[1][first + l];
        lanes.b_high[l] = in.hi[1][first + l];
        lanes.c[l] = in.s[2][first + l];
        lanes.c_high[l] = in.hi[2][first + l];
      }
      return lanes;
    });
  }
};

constexpr unsigned kDpStages = 13;

TEST(DpVectors, ResultsAreExactWithEveryNumberOfLanes) {
  const std::string directory = test::conformance_dir().value_or("no folder");
  const auto rows = conformance::read_rows(directory, "sem_fp64.tsv");
  if (!rows) GTEST_SKIP() << "sem_fp64.tsv is not in " << directory;
  std::map<std::string, std::vector<const conformance::Row*>> of_words;
  for (const conformance::Row& row : *rows) of_words[row[2]].push_back(&row);
  for (unsigned log2_lanes = 0; log2_lanes < 4; ++log2_lanes) {
    DpPins pins(log2_lanes, kDpStages);
    std::size_t right = 0;
    for (const auto& [text, list] : of_words) {
      const isa::Words words{conformance::hex_words(text)[0], conformance::hex_words(text)[1]};
      isa::Instruction insn;
      ASSERT_EQ(isa::decode(words.w0, words.w1, isa::Arch::kSm13, insn), isa::DecodeError::kNone);
      for (std::size_t first = 0; first < list.size(); first += kWarpSize) {
        const auto count = static_cast<unsigned>(std::min<std::size_t>(kWarpSize, list.size() - first));
        golden::AluInput in{};
        for (unsigned l = 0; l < count; ++l) {
          for (unsigned s = 0; s < 3; ++s) {
            const isa::Operand& source = insn.src[s];
            if (source.kind == isa::OperandKind::kNone) continue;
            ASSERT_TRUE(source.index == 4 || source.index == 6 || source.index == 8) << (*list[0])[3];
            const std::uint64_t value = conformance::hex((*list[first + l])[4 + (source.index - 4u) / 2]);
            in.s[s][l] = static_cast<std::uint32_t>(value);
            in.hi[s][l] = static_cast<std::uint32_t>(value >> 32);
          }
        }
        const std::uint32_t number = pins.send(words, in);
        pins.finish();
        const golden::AluOutput& seen = pins.results.at(number);
        const std::uint64_t mask = insn.dst.kind == isa::OperandKind::kPair ? ~std::uint64_t{0} : 0xffffffffu;
        for (unsigned l = 0; l < count; ++l) {
          const conformance::Row& row = *list[first + l];
          const std::uint64_t value = (std::uint64_t{seen.hi[l]} << 32 | seen.lo[l]) & mask;
          const bool good = value == (conformance::hex(row[8]) & mask) &&
                            (!insn.writes_flags || seen.flags[l] == conformance::hex(row[9]));
          EXPECT_TRUE(good) << row[3] << " of " << row[4] << " " << row[5] << " " << row[6] << ": " << std::hex << value
                            << " " << unsigned{seen.flags[l]} << ", not " << row[8] << " " << row[9];
          right += good;
        }
      }
    }
    std::printf("%zu of %zu rows of sem_fp64.tsv, %u lanes\n", right, rows->size(), 1u << log2_lanes);
    EXPECT_EQ(right, rows->size());
    EXPECT_GT(rows->size(), 0u);
  }
}

TEST(DpEncodings, AgreeWithTheDefinition) {
  std::mt19937_64 random(random_seed());
  DpPins pins(3, kDpStages);
  const unsigned rows = testing::expect_definition(
      pins, 200, [](const isa::Row& row) { return row.unit == isa::Unit::kDp; }, random,
      [&](const isa::Instruction& insn, golden::AluInput& in) {
        test::fill_fp64(random, insn.src_type == isa::NumType::kF32, in);
      },
      [&](const isa::Words& words, const golden::AluInput& in) { return pins.send(words, in); });
  EXPECT_EQ(rows, 22u) << "rows of the opcode table";
}

}  // namespace
}  // namespace g80
