// SPDX-License-Identifier: Apache-2.0
// A result never overtakes the operand reads of an older instruction of its warp, however slowly they are granted.
#include "tests/sm/golden_compare.h"

namespace g80 {
namespace {

using testing::GoldenRun;
using testing::SmBench;
using OperandCollectorTest = testing::SystemCTest;

TEST_F(OperandCollectorTest, RegistersAreReadBeforeAYoungerInstructionOverwritesThem) {
  // One bank: each mad reads for three scheduler cycles, so that sixteen collector units fill up with waiting reads.
  SmBench bench({"sm.register_banks=1", "sm.collector_units=16"});
  bench.launch.threads = bench.launch.block_x = 128;
  std::vector<std::string> lines;
  for (unsigned r = 1; r < 16; ++r) lines.push_back(fmt::format("mov b32 $r{} 0x{:x}", r, 0x3f800000 + 0x10000 * r));
  for (unsigned round = 0; round < 6; ++round) {
    for (unsigned i = 0; i < 5; ++i)
      lines.push_back(fmt::format("add f32 $r{} (mul $r{} $r{}) $r{}", 1 + i, 6 + i, 11 + i, 11 + (i + 1) % 5));
    for (unsigned i = 0; i < 5; ++i)
      lines.push_back(fmt::format("mov b32 $r{} 0x{:x}", 15 - i, 0x40000000 + 0x100 * (10 * round + i)));
  }
  lines.push_back("exit (never) nop");
  bench.code(lines);
  std::vector<std::uint32_t> words;
  for (unsigned i = 0; i < 2 * lines.size(); ++i) words.push_back(bench.get(testing::kCodeBase + 4 * i));
  GoldenRun reference(bench, words, 2);
  ASSERT_TRUE(reference.run()) << reference.fault;
  ASSERT_TRUE(bench.run(2));
  EXPECT_EQ(compare(bench, reference), "");
  EXPECT_GT(bench.sm.registers.counters().bank_conflicts, 500u) << "the bank was not contended";
}

}  // namespace
}  // namespace g80
