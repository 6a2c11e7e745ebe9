// SPDX-License-Identifier: Apache-2.0
// The multipliers of the SFUs on the pins of their Verilated module, without the block: every encoding of an fp32
// multiply with random modifiers and operands against the instruction set's definition.
#include <gtest/gtest.h>

#include "hw/bundles/exec_bundles.h"
#include "hw/isa/disassembler.h"
#include "hw/isa/opcode_table.h"
#include "tb/golden/semantics.h"
#include "tests/exec/operand_source.h"
#include "tests/support/random_seed.h"
#include "tests/twins/exec_unit_pins.h"

#include "Vsfu_multipliers.h"

namespace g80 {
namespace {

class SfuMultipliersPins : public testing::ExecUnitPins<Vsfu_multipliers> {
 public:
  SfuMultipliersPins(unsigned log2_lanes, unsigned stages) : ExecUnitPins(2u << log2_lanes, stages) {
    model_.cfg_log2_lanes_i = static_cast<std::uint8_t>(log2_lanes);
    reset();
  }
  /// Results are found under the number that this returns.
  std::uint32_t send(const isa::Words& words, const golden::AluInput& in) {
    return send_pairs(words, [&](unsigned first) {
      SpLanes lanes;
      for (unsigned l = 0; l < pair_; ++l) {
        lanes.a[l] = in.s[0][first + l];
        lanes.b[l] = in.s[1][first + l];
      }
      return lanes;
    });
  }
};

TEST(SfuMultipliersEncodings, AgreeWithTheDefinition) {
  constexpr unsigned kWordsPerRow = 1500, kStages = 13;
  test::OperandSource source(random_seed());
  for (const unsigned log2_lanes : {2u, 3u}) {
    SfuMultipliersPins pins(log2_lanes, kStages);
    unsigned rows = 0, complaints = 0;
    for (const isa::Row& row : isa::OpcodeTable::get().rows()) {
      if (row.graphics || row.op != isa::Op::kFmul) continue;
      std::vector<std::pair<isa::Instruction, golden::AluInput>> sent;
      pins.results.clear();
      std::uint32_t last = 0;
      for (unsigned i = 0; i < 20 * kWordsPerRow && sent.size() < kWordsPerRow; ++i) {
        const std::uint64_t word = (source.next64() & ~row.mask) | row.match;
        const isa::Words words{static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
        isa::Instruction insn;
        if (isa::decode(words.w0, words.w1, isa::Arch::kSm13, insn) != isa::DecodeError::kNone || insn.op != row.op)
          continue;
        golden::AluInput in{};
        source.fill(in);
        last = pins.send(words, in);
        sent.emplace_back(insn, in);
      }
      pins.finish();
      EXPECT_EQ(sent.size(), kWordsPerRow) << row.syntax;
      ++rows;
      for (std::size_t i = 0; i < sent.size(); ++i) {
        const auto& [insn, in] = sent[i];
        std::string first;
        const golden::AluOutput& seen = pins.results.at(static_cast<std::uint32_t>(last - sent.size() + 1 + i));
        const unsigned wrong = test::wrong_lanes(insn, in, seen, first);
        if (wrong == 0) continue;
        if (++complaints > 20) FAIL() << "more than 20 instructions differ";
        ADD_FAILURE() << isa::disassemble(insn) << "\n" << wrong << " lanes, " << first;
      }
    }
    EXPECT_GE(rows, 6u);
  }
}

}  // namespace
}  // namespace g80
