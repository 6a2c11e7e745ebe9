// SPDX-License-Identifier: Apache-2.0
// The multipliers of the SFUs on the pins of their Verilated module, without the block: every encoding of an fp32
// multiply with random modifiers and operands against the instruction set's definition.
#include <gtest/gtest.h>

#include "hw/bundles/exec_bundles.h"
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
  test::OperandSource source(random_seed());
  for (const unsigned log2_lanes : {2u, 3u}) {
    SfuMultipliersPins pins(log2_lanes, 13);
    const unsigned rows = testing::expect_definition(
        pins, 1500, [](const isa::Row& row) { return row.op == isa::Op::kFmul; }, [&] { return source.next64(); },
        [&](const isa::Instruction&, golden::AluInput& in) { source.fill(in); },
        [&](const isa::Words& words, const golden::AluInput& in) { return pins.send(words, in); });
    EXPECT_GE(rows, 6u);
  }
}

}  // namespace
}  // namespace g80
