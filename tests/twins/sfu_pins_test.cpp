// SPDX-License-Identifier: Apache-2.0
// The special function units on the pins of their Verilated module, without the block: the result vectors of real
// chips, and every encoding with random modifiers and arguments against the instruction set's definition.
#include <gtest/gtest.h>

#include <map>

#include "hw/bundles/exec_bundles.h"
#include "hw/isa/opcode_table.h"
#include "tb/golden/semantics.h"
#include "tests/conformance/vector_file.h"
#include "tests/exec/operand_source.h"
#include "tests/support/data_dirs.h"
#include "tests/support/random_seed.h"
#include "tests/twins/exec_unit_pins.h"

#include "Vsfu.h"

namespace g80 {
namespace {

using isa::Op;

class SfuPins : public testing::ExecUnitPins<Vsfu> {
 public:
  SfuPins(unsigned log2_units, unsigned stages) : ExecUnitPins(2u << log2_units, stages) {
    model_.cfg_log2_units_i = static_cast<std::uint8_t>(log2_units);
    reset();
  }
  /// Results are found under the number that this returns.
  std::uint32_t send(const isa::Words& words, const LaneWords& arguments) {
    return send_pairs(words, [&](unsigned first) {
      SfuLanes lanes;
      for (unsigned l = 0; l < pair_; ++l) lanes.a[l] = arguments[first + l];
      return lanes;
    });
  }
};

constexpr unsigned kSfuStages = 13;

/// An instruction without modifiers.
isa::Words plain_words(Op op) {
  for (const isa::Row& row : isa::OpcodeTable::get().rows()) {
    const isa::Words words{static_cast<std::uint32_t>(row.match), static_cast<std::uint32_t>(row.match >> 32)};
    isa::Instruction insn;
    if (row.op == op && isa::decode(words.w0, words.w1, isa::Arch::kSm13, insn) == isa::DecodeError::kNone &&
        insn.op == op && !insn.src[0].abs && !insn.src[0].neg && !insn.saturate)
      return words;
  }
  ADD_FAILURE() << "no row for " << static_cast<unsigned>(op);
  return {};
}

TEST(SfuVectors, ResultsAreExactWithEveryNumberOfUnits) {
  const std::string directory = test::conformance_dir().value_or("no folder");
  const auto rows = conformance::read_rows(directory, "sem_sfu.tsv");
  if (!rows) GTEST_SKIP() << "sem_sfu.tsv is not in " << directory;
  const std::map<std::string, Op> ops = {{"rcp", Op::kRcp},       {"rsqrt", Op::kRsqrt},  {"lg2", Op::kLg2},
                                         {"ex2", Op::kEx2},       {"sin", Op::kSin},      {"cos", Op::kCos},
                                         {"presin", Op::kPresin}, {"preex2", Op::kPreex2}};
  std::map<std::string, std::vector<const conformance::Row*>> of_function;
  for (const conformance::Row& row : *rows) of_function[row[0]].push_back(&row);
  EXPECT_EQ(of_function.size(), ops.size());
  for (unsigned log2_units = 0; log2_units < 3; ++log2_units) {
    SfuPins pins(log2_units, kSfuStages);
    std::size_t right = 0;
    for (const auto& [name, list] : of_function) {
      const isa::Words words = plain_words(ops.at(name));
      for (std::size_t first = 0; first < list.size(); first += kWarpSize) {
        const std::size_t count = std::min<std::size_t>(kWarpSize, list.size() - first);
        LaneWords arguments{};
        for (std::size_t l = 0; l < count; ++l)
          arguments[static_cast<unsigned>(l)] = conformance::hex32((*list[first + l])[1]);
        const std::uint32_t number = pins.send(words, arguments);
        pins.finish();
        for (std::size_t l = 0; l < count; ++l) {
          const conformance::Row& row = *list[first + l];
          const std::uint32_t seen = pins.results.at(number).lo[static_cast<unsigned>(l)];
          EXPECT_EQ(seen, conformance::hex32(row[2])) << name << " of " << row[1];
          right += seen == conformance::hex32(row[2]);
        }
      }
    }
    std::printf("%zu of %zu rows of sem_sfu.tsv, %u units\n", right, rows->size(), 1u << log2_units);
    EXPECT_EQ(right, rows->size());
    EXPECT_GT(rows->size(), 0u);
  }
}

TEST(SfuEncodings, AgreeWithTheDefinition) {
  test::OperandSource source(random_seed());
  SfuPins pins(1, kSfuStages);
  const unsigned rows = testing::expect_definition(
      pins, 300, [](const isa::Row& row) { return row.unit == isa::Unit::kSfu; }, [&] { return source.next64(); },
      [&](const isa::Instruction&, golden::AluInput& in) { source.fill(in); },
      [&](const isa::Words& words, const golden::AluInput& in) { return pins.send(words, in.s[0]); });
  EXPECT_GE(rows, 8u);
}

}  // namespace
}  // namespace g80
