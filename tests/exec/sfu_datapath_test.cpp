// SPDX-License-Identifier: Apache-2.0
// The stages of the special function units against the chip's results and against the reference.
#include "hw/exec/sfu_datapath.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "tb/golden/semantics.h"
#include "tests/conformance/vector_file.h"
#include "tests/exec/datapath_forms.h"
#include "tests/support/data_dirs.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

static_assert(test::all_visited<sfu::Control, sfu::Operands, sfu::Header, sfu::LookedUp, sfu::Squared, sfu::Products,
                                sfu::Sum, sfu::Counted, sfu::Result, sfu::Datapath>());

/// A warp through all stages, `group` lanes at a time.
void run_sfu_warp(const isa::Instruction& insn, const LaneWords& arguments, unsigned group, golden::AluOutput& out) {
  sfu::Datapath stages;
  stages.operands.control = sfu::control_of(insn);
  for (unsigned first = 0; first < kWarpSize; first += group) {
    for (unsigned l = 0; l < group; ++l) stages.operands.value[l] = arguments[first + l];
    for (unsigned i = 0; i < sfu::Datapath::kStages; ++i) stages.compute(i, group);
    for (unsigned l = 0; l < group; ++l) {
      out.lo[first + l] = stages.result.value[l];
      out.flags[first + l] = stages.result.flags[l];
    }
  }
}

void expect_sfu_reference(isa::Instruction insn, const LaneWords& arguments, unsigned group) {
  insn.writes_flags = true;
  golden::AluInput in{};
  in.s[0] = arguments;
  golden::AluOutput expected{}, seen{};
  golden::execute(insn, in, expected);
  run_sfu_warp(insn, arguments, group, seen);
  for (unsigned l = 0; l < kWarpSize; ++l) {
    ASSERT_EQ(seen.lo[l], expected.lo[l]) << sfu::enum_text({}).names[static_cast<int>(sfu::control_of(insn).function)]
                                          << " of " << std::hex << arguments[l];
    ASSERT_EQ(unsigned{seen.flags[l]}, unsigned{expected.flags[l]}) << std::hex << arguments[l];
  }
}

constexpr isa::Op kFunctions[] = {isa::Op::kRcp, isa::Op::kRsqrt, isa::Op::kLg2,    isa::Op::kEx2,
                                  isa::Op::kSin, isa::Op::kCos,   isa::Op::kPresin, isa::Op::kPreex2};

TEST(SfuDatapath, GivesTheResultsOfTheChip) {
  const std::string directory = test::conformance_dir().value_or("no folder");
  const auto rows = conformance::read_rows(directory, "sem_sfu.tsv");
  if (!rows) GTEST_SKIP() << "sem_sfu.tsv is not in " << directory;
  const std::map<std::string, isa::Op> ops = {
      {"rcp", isa::Op::kRcp}, {"rsqrt", isa::Op::kRsqrt}, {"lg2", isa::Op::kLg2},       {"ex2", isa::Op::kEx2},
      {"sin", isa::Op::kSin}, {"cos", isa::Op::kCos},     {"presin", isa::Op::kPresin}, {"preex2", isa::Op::kPreex2}};
  ASSERT_FALSE(rows->empty());
  for (const conformance::Row& row : *rows) {
    isa::Instruction insn;
    insn.op = ops.at(row[0]);
    LaneWords arguments{};
    arguments[0] = conformance::hex32(row[1]);
    golden::AluOutput out{};
    run_sfu_warp(insn, arguments, 1, out);
    ASSERT_EQ(out.lo[0], conformance::hex32(row[2])) << row[0] << " of " << row[1];
  }
}

// One argument in 4999, from another first one for each seed.
TEST(SfuDatapath, AgreesWithTheReferenceOverTheWholeRangeOfArguments) {
  constexpr std::uint64_t kStride = 4999;
  const std::uint64_t first = random_seed() * std::uint64_t{7919} % kStride;
  for (const isa::Op op : kFunctions) {
    isa::Instruction insn;
    insn.op = op;
    std::uint64_t next = first;
    while (next < std::uint64_t{1} << 32) {
      LaneWords arguments;
      for (auto& argument : arguments.lane) argument = static_cast<std::uint32_t>(next), next += kStride;
      ASSERT_NO_FATAL_FAILURE(expect_sfu_reference(insn, arguments, 4));
    }
  }
}

// Both ends of every segment of the interpolation, in several binades, both signs.
TEST(SfuDatapath, AgreesWithTheReferenceAtTheEndsOfEverySegment) {
  for (const isa::Op op : kFunctions) {
    isa::Instruction insn;
    insn.op = op;
    for (unsigned segment = 0; segment < 128; ++segment) {
      for (const unsigned exponent :
           {0u, 1u, 2u, 63u, 103u, 104u, 126u, 127u, 128u, 129u, 133u, 134u, 253u, 254u, 255u}) {
        LaneWords arguments;
        for (unsigned l = 0; l < kWarpSize; ++l) {
          const std::uint32_t offset = l % 16 < 8 ? l % 8 : 0xffffu - l % 8;
          arguments[l] = (l / 16) << 31 | exponent << 23 | segment << 16 | offset;
        }
        ASSERT_NO_FATAL_FAILURE(expect_sfu_reference(insn, arguments, 2));
      }
    }
  }
}

TEST(SfuDatapath, ExecutesEveryFormThatTheDecoderGivesTheUnit) {
  std::mt19937 random(random_seed());
  const unsigned rows = test::each_form(
      random, 400, [](const isa::Instruction& insn) { return insn.unit == isa::Unit::kSfu; },
      [&](const isa::Instruction& insn) {
        LaneWords arguments;
        for (auto& argument : arguments.lane) {
          argument = random();
          if (random() % 8 == 0) argument &= 0xff800000u;  // a power of two, zero or infinity
          if (random() % 8 == 0) argument &= 0x807fffffu;  // a denormal
        }
        expect_sfu_reference(insn, arguments, 1u << random() % 3);
      });
  EXPECT_EQ(rows, 9u) << "rows of the opcode table";
}

}  // namespace
}  // namespace g80
