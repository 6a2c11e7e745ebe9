// SPDX-License-Identifier: Apache-2.0
// The stages of an fp32 multiply in the SFUs' multipliers against the reference.
#include "hw/exec/multiplier_datapath.h"

#include <gtest/gtest.h>

#include <random>

#include "tb/golden/semantics.h"
#include "tests/exec/datapath_forms.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

static_assert(test::all_visited<multiplier::Control, multiplier::Operands, multiplier::Header, multiplier::Unpacked,
                                multiplier::HalfProduct, multiplier::Product, multiplier::Sum, multiplier::Normalised,
                                multiplier::Rounded, multiplier::Result, multiplier::Datapath>());

struct MultiplierStages : multiplier::Datapath {
  void run(unsigned lanes) {
    for (unsigned i = 0; i < kStages; ++i) compute(i, lanes);
  }
};

void expect_multiply_reference(isa::Instruction insn, const golden::AluInput& in, unsigned group) {
  insn.writes_flags = true;
  golden::AluOutput expected{};
  golden::execute(insn, in, expected);
  MultiplierStages stages;
  stages.operands.control = multiplier::control_of(insn);
  for (unsigned first = 0; first < kWarpSize; first += group) {
    for (unsigned l = 0; l < group; ++l) {
      stages.operands.a[l] = in.s[0][first + l];
      stages.operands.b[l] = in.s[1][first + l];
    }
    stages.run(group);
    for (unsigned l = 0; l < group; ++l) {
      ASSERT_EQ(stages.result.value[l], expected.lo[first + l])
          << std::hex << in.s[0][first + l] << " * " << in.s[1][first + l];
      ASSERT_EQ(unsigned{stages.result.flags[l]}, unsigned{expected.flags[first + l]})
          << std::hex << in.s[0][first + l] << " * " << in.s[1][first + l];
    }
  }
}

std::uint32_t random_float(std::mt19937& random) {
  constexpr std::uint32_t kSpecial[] = {0,          0x00000001, 0x007fffff, 0x00800000, 0x00800001, 0x3f7fffff,
                                        0x3f800000, 0x3f800001, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000};
  const std::uint32_t sign = random() & 0x80000000u;
  switch (random() % 5) {
    case 0: return sign | kSpecial[random() % std::size(kSpecial)];
    case 1: return sign | (random() % 256) << 23 | 1u << random() % 23;         // few bits: halfway cases
    case 2: return sign | (126 + random() % 3) << 23 | (random() & 0x7fffffu);  // near one
    case 3: return sign | (60 + random() % 8) << 23 | (random() & 0x7ff000u);   // products about the smallest normal
    default: return random();
  }
}

TEST(MultiplierDatapath, ExecutesEveryFormOfTheMultiplyAsTheReference) {
  std::mt19937 random(random_seed());
  const unsigned rows = test::each_form(
      random, 2000, [](const isa::Instruction& insn) { return insn.op == isa::Op::kFmul; },
      [&](const isa::Instruction& insn) {
        golden::AluInput in{};
        for (unsigned l = 0; l < kWarpSize; ++l) {
          in.s[0][l] = random_float(random);
          in.s[1][l] = random_float(random);
        }
        expect_multiply_reference(insn, in, 2u << random() % 3);
      });
  EXPECT_EQ(rows, 6u) << "rows of the opcode table";
}

TEST(MultiplierDatapath, KeepsTheHalvesOfTheProductUntilTheyAreAdded) {
  MultiplierStages stages;
  stages.operands.a[0] = stages.operands.b[0] = 0x3faaaaab;
  stages.run(1);
  const std::uint64_t significand = 0xaaaaab;
  constexpr std::uint64_t kMask = (std::uint64_t{1} << multiplier::kProductBits) - 1;
  // Booth's digits of the low half: its highest bit is worth -2^11, not 2^11.
  EXPECT_EQ((stages.half.sum[0] + stages.half.carry[0]) & kMask, (significand * (0xaabull - 0x1000)) & kMask);
  EXPECT_NE(stages.half.carry[0], 0u) << "no carry has travelled";
  EXPECT_EQ((stages.product.sum[0] + stages.product.carry[0]) & kMask, significand * significand);
  EXPECT_NE(stages.product.carry[0], 0u);
  EXPECT_EQ(stages.sum.product[0], significand * significand);
}

}  // namespace
}  // namespace g80
