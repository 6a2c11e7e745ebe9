// SPDX-License-Identifier: Apache-2.0
// A result never overtakes the operand reads of an older instruction of its warp, however slowly they are granted.
#include <map>
#include <utility>
#include <vector>

#include "tests/sm/sm_bench.h"

namespace g80 {
namespace {

using testing::SmBench;
using OperandCollectorTest = testing::SystemCTest;

/// What the instructions of straight code wrote, by warp and pc, in the order of the blocks.
using Written = std::map<std::pair<unsigned, std::uint32_t>, std::vector<std::uint32_t>>;
Written written_by(const SmBench& bench) {
  Written written;
  for (const SmLog::Retire& retire : bench.log.retire) {
    std::vector<std::uint32_t>& words = written[{retire.warp, retire.fetched.pc}];
    for (unsigned i = 0; i < retire.num_registers; ++i)
      words.insert(words.end(), retire.value[i].lane, retire.value[i].lane + kWarpSize);
  }
  return written;
}

TEST_F(OperandCollectorTest, RegistersAreReadBeforeAYoungerInstructionOverwritesThem) {
  std::vector<std::string> lines;
  for (unsigned r = 1; r < 16; ++r) lines.push_back(fmt::format("mov b32 $r{} 0x{:x}", r, 0x3f800000 + 0x10000 * r));
  for (unsigned round = 0; round < 6; ++round) {
    for (unsigned i = 0; i < 5; ++i)
      lines.push_back(fmt::format("add f32 $r{} (mul $r{} $r{}) $r{}", 1 + i, 6 + i, 11 + i, 11 + (i + 1) % 5));
    for (unsigned i = 0; i < 5; ++i)
      lines.push_back(fmt::format("mov b32 $r{} 0x{:x}", 15 - i, 0x40000000 + 0x100 * (10 * round + i)));
  }
  lines.push_back("exit (never) nop");
  // With one collector unit, and with sixteen that fill up with waiting reads: of one bank a mad reads for three
  // scheduler cycles.
  Written written;
  for (const bool contended : {false, true}) {
    renew_context();
    SmBench bench(contended ? std::vector<std::string>{"sm.register_banks=1", "sm.collector_units=16"}
                            : std::vector<std::string>{"sm.collector_units=1"});
    bench.launch.threads = bench.launch.block_x = 128;
    bench.code(lines);
    ASSERT_TRUE(bench.run(2));
    if (!contended) written = written_by(bench);
    if (!contended) continue;
    EXPECT_EQ(written_by(bench), written);
    EXPECT_GT(bench.sm.registers.counters().bank_conflicts, 500u) << "the bank was not contended";
  }
}

// Eight fp64 lanes finish an instruction in two scheduler cycles, but its two registers take two slots of the only
// bank, and the SPs come first. What has left for a long pipe must find room in writeback.
TEST_F(OperandCollectorTest, NoMoreResultsAreOnTheirWayThanHaveRoom) {
  SmBench bench(
      {"device.compute_minor=3", "sm.register_banks=1", "sm.num_dps=8", "sm.dp_latency=78", "sm.collector_units=16"});
  bench.launch.threads = bench.launch.block_x = 256;
  std::vector<std::string> lines = {"mov b32 $r2 0.5f"};
  for (unsigned round = 0; round < 12; ++round) {
    for (unsigned i = 0; i < 4; ++i) lines.push_back(fmt::format("cvt f64 $r{}d f32 $r2", 4 + 2 * i));
    for (unsigned i = 0; i < 16; ++i) lines.push_back(fmt::format("mov b32 $r{} 0x{:x}", 12 + i, 0x3f800000 + round));
  }
  lines.push_back("exit (never) nop");
  bench.code(lines);
  unsigned most = 0;
  bench.each_cycle = [&](unsigned) {
    const auto sent = bench.sm.operand_collector.registers().sfu_dp_sent;
    most =
        std::max<unsigned>(most, static_cast<std::uint8_t>(sent - bench.sm.operand_collector.sfu_dp_results_i.read()));
  };
  ASSERT_TRUE(bench.run(1));
  for (const SmLog::Retire& retire : bench.log.retire) {
    if (retire.num_registers != 2) continue;  // the conversions, of 0.5 in each lane
    for (unsigned l = 0; l < kWarpSize; ++l) {
      EXPECT_EQ(retire.value[0][l], 0u);
      EXPECT_EQ(retire.value[1][l], 0x3fe00000u);
    }
  }
  EXPECT_GE(most, kMaxWaitingResults - 1) << "the limit was not reached";
  EXPECT_LE(most, kMaxWaitingResults);
}

// Every half-warp of an access is on the port in one cycle: that of its dispatch, or the next one.
TEST_F(OperandCollectorTest, OperandsOfTheAddressUnitTravelAHalfWarpACycle) {
  SmBench bench;
  bench.launch.threads = bench.launch.block_x = 128;
  std::vector<std::string> lines = {"cvt u32 $r1 u16 $r0l", "shl b32 $r2 $r1 0x2", "add b32 $r2 $r2 0x40000",
                                    "shl $a1 $r1 0x2"};
  for (unsigned i = 0; i < 6; ++i) {
    lines.push_back("st b32 g14[$r2] $r1");
    lines.push_back("st b32 s[$a1+0x40] $r1");
    lines.push_back("mov b32 $r3 b32 s[0x10]");
  }
  lines.push_back("exit (never) nop");
  bench.code(lines);
  const auto& dispatch = bench.sm.operand_collector.address_o;
  const auto& port = bench.sm.operand_collector.address_operands_o;
  bool second = false;  // half-warp of a dispatch with operands is due
  unsigned halves = 0;
  bench.each_cycle = [&](unsigned cycle) {
    if (cycle % 2 == 0) return;
    const AddressDispatch& now = dispatch.read();
    const bool starts = now.valid && now.operands;
    ASSERT_FALSE(second && starts) << "the port is taken";
    if (starts || second) {
      const std::uint32_t lane = port.read().data[0][0];  // the thread's number
      EXPECT_EQ(lane % kWarpSize, second ? kHalfWarp : 0u);
      for (unsigned l = 0; l < kHalfWarp; ++l) EXPECT_EQ(port.read().data[0][l], lane + l);
      ++halves;
    }
    second = starts && (now.lanes >> kHalfWarp) != 0;
  };
  ASSERT_TRUE(bench.run(1));
  EXPECT_EQ(halves, 4u * 12 * 2);
}

}  // namespace
}  // namespace g80
