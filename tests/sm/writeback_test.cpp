// SPDX-License-Identifier: Apache-2.0
// Writeback: registers, halves and flags, the release to the scoreboard, and results that want one bank.
#include "hw/sm/writeback.h"

#include "tests/support/fetched_instruction.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

using WritebackTest = testing::SystemCTest;

struct WritebackBench {
  WritebackBench()
      : config(load_config("tiny")),
        domain("shader", 0, 1000, 1, false),
        registers("registers", config),
        writeback("writeback", config, registers) {
    writeback.sp_i(sp);
    writeback.sfu_i(sfu);
    writeback.multiply_i(multiply);
    writeback.dp_i(dp);
    writeback.load_i(load);
    writeback.store_i(store);
    writeback.control_i(control);
    writeback.release_o(release);
    writeback.taken_o(taken);
    writeback.busy_banks_o(busy);
    domain.add(writeback, Rate::kHalf);
    registers.start_warp(0, 0, 16);
    sc_core::sc_start(sc_core::sc_time(4500, sc_core::SC_PS));
  }
  void cycle() { sc_core::sc_start(sc_core::sc_time(2000, sc_core::SC_PS)); }
  ExecSlot slot(const std::string& text, std::uint32_t value, LaneMask lanes) {
    ExecSlot out{};
    out.fetched = test::fetched(text);
    out.lanes = out.loaded = lanes;
    for (unsigned l = 0; l < kWarpSize; ++l) out.out.lo[l] = value, out.out.flags[l] = 3;
    return out;
  }
  static ExecResult result_of(const ExecSlot& slot) { return {true, slot.warp, slot.tag, slot.fetched.pc, &slot}; }
  Config config;
  Domain domain;
  RegisterFile registers;
  Writeback writeback;
  Wire<ExecResult> sp{"sp"}, sfu{"sfu"}, multiply{"multiply"}, dp{"dp"};
  Wire<LoadResult> load{"load"};
  Wire<StoreDone> store{"store"};
  Wire<ControlEvent> control{"control"};
  Wire<Release> release{"release"};
  Wire<LoadFreed> taken{"taken"};
  Wire<std::uint32_t> busy{"busy"};
};

TEST_F(WritebackTest, WritesTheLanesAndReleasesTheInstruction) {
  WritebackBench bench;
  const ExecSlot slot = bench.slot("add b32 $c1 $r3 $r1 $r2", 77, 0x0000000f);
  bench.sp.write(WritebackBench::result_of(slot));
  bench.cycle();
  bench.sp.write(ExecResult{});
  EXPECT_EQ(bench.registers.read(0, 3)[3], 77u);
  EXPECT_EQ(bench.registers.read(0, 3)[4], 0u);
  EXPECT_EQ(bench.registers.flags(0, 1)[0], 3u);
  EXPECT_EQ(bench.registers.flags(0, 1)[4], 0u);
  EXPECT_TRUE(bench.release.read().entry[0].valid);
  EXPECT_EQ(bench.release.read().entry[0].fetched, slot.fetched);
  bench.cycle();
  EXPECT_FALSE(bench.release.read().entry[0].valid);
  EXPECT_EQ(bench.writeback.counters().instructions, 1u);
}

TEST_F(WritebackTest, AHalfKeepsItsNeighbour) {
  WritebackBench bench;
  const ExecSlot whole = bench.slot("mov b32 $r3 $r1", 0x11112222, ~LaneMask{0});
  bench.sp.write(WritebackBench::result_of(whole));
  bench.cycle();
  const ExecSlot half = bench.slot("mov b16 $r3h $r1l", 0xffff3333, ~LaneMask{0});
  bench.sp.write(WritebackBench::result_of(half));
  bench.cycle();
  EXPECT_EQ(bench.registers.read(0, 3)[0], 0x33332222u);
}

TEST_F(WritebackTest, TheSecondResultForABankWaitsACycle) {
  WritebackBench bench;
  const ExecSlot from_sp = bench.slot("add b32 $r3 $r1 $r2", 1, ~LaneMask{0});
  const ExecSlot from_sfu = bench.slot("rcp f32 $r3 $r1", 2, ~LaneMask{0});
  bench.sp.write(WritebackBench::result_of(from_sp));
  bench.sfu.write(WritebackBench::result_of(from_sfu));
  bench.cycle();
  bench.sp.write(ExecResult{});
  bench.sfu.write(ExecResult{});
  EXPECT_EQ(bench.registers.read(0, 3)[0], 1u);
  EXPECT_EQ(bench.writeback.counters().bank_conflicts, 1u);
  bench.cycle();
  EXPECT_EQ(bench.registers.read(0, 3)[0], 2u);
}

}  // namespace
}  // namespace g80
