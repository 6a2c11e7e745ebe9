// SPDX-License-Identifier: Apache-2.0
// Writeback: registers, halves and flags, the release to the scoreboard, and results that want one bank.
#include "hw/sm/writeback.h"

#include "hw/sm/register_file.h"
#include "tests/support/fetched_instruction.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

using WritebackTest = testing::SystemCTest;

struct WritebackBench {
  explicit WritebackBench(const std::vector<std::string>& sets = {})
      : config(load_config("tiny", sets)),
        domain("shader", 0, 1000, 1, false),
        registers("registers", config),
        writeback("writeback", config) {
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
    RegisterStart warp;
    warp.valid = true;
    warp.registers = 16;
    begin.write(warp);
    registers.start_i(begin);
    registers.busy_banks_i(busy);
    registers.write_i(write);
    registers.flag_write_i(flag_write);
    registers.addr_write_i(addr_write);
    writeback.write_o(write);
    writeback.flag_write_o(flag_write);
    writeback.addr_write_o(addr_write);
    domain.add(registers, Rate::kHalf);
    sc_core::sc_start(sc_core::sc_time(4500, sc_core::SC_PS));
    begin.write(RegisterStart{});
  }
  void cycle() { sc_core::sc_start(sc_core::sc_time(2000, sc_core::SC_PS)); }
  /// The lanes from `first` on of a result that is `value` in every lane.
  static ExecResult part(const std::string& text, std::uint32_t value, LaneMask lanes, unsigned first, bool last) {
    ExecResult out;
    out.valid = true;
    out.last = last;
    out.first = static_cast<std::uint8_t>(first);
    out.fetched = test::fetched(text);
    out.lanes = out.loaded = lanes;
    out.low.fill(value);
    out.flags.fill(3);
    return out;
  }
  /// The SPs' result in two parts; its last one is on the wire when this returns.
  void from_sp(const std::string& text, std::uint32_t value, LaneMask lanes) {
    sp.write(part(text, value, lanes, 0, false));
    cycle();
    sp.write(part(text, value, lanes, 16, true));
  }
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
  Wire<RegisterStart> begin{"begin"};
  sc_core::sc_vector<Wire<RegisterWrite>> write{"write", config.sm.register_banks};
  sc_core::sc_vector<Wire<FlagWrite>> flag_write{"flag_write", kFlagWrites};
  sc_core::sc_vector<Wire<AddrWrite>> addr_write{"addr_write", kAddrWrites};
};

TEST_F(WritebackTest, WritesTheLanesAndReleasesTheInstruction) {
  WritebackBench bench;
  bench.from_sp("add b32 $c1 $r3 $r1 $r2", 77, 0x8000000f);
  EXPECT_FALSE(bench.release.read().entry[0].valid) << "half of the lanes are still on their way";
  bench.cycle();
  bench.sp.write(ExecResult{});
  EXPECT_TRUE(bench.release.read().entry[0].valid);
  EXPECT_EQ(bench.release.read().entry[0].fetched, test::fetched("add b32 $c1 $r3 $r1 $r2"));
  EXPECT_EQ(bench.busy.read(), 1u << bench.registers.bank(0, 3));
  bench.cycle();
  EXPECT_EQ(bench.registers.read(0, 3)[3], 77u);
  EXPECT_EQ(bench.registers.read(0, 3)[4], 0u);
  EXPECT_EQ(bench.registers.read(0, 3)[31], 77u);
  EXPECT_EQ(bench.registers.flags(0, 1)[0], 3u);
  EXPECT_EQ(bench.registers.flags(0, 1)[4], 0u);
  EXPECT_FALSE(bench.release.read().entry[0].valid);
  EXPECT_EQ(bench.writeback.counters().instructions, 1u);
}

TEST_F(WritebackTest, AHalfKeepsItsNeighbour) {
  WritebackBench bench;
  bench.from_sp("mov b32 $r3 $r1", 0x11112222, ~LaneMask{0});
  bench.cycle();
  bench.from_sp("mov b16 $r3h $r1l", 0xffff3333, ~LaneMask{0});
  bench.cycle();
  bench.cycle();
  EXPECT_EQ(bench.registers.read(0, 3)[0], 0x33332222u);
}

TEST_F(WritebackTest, TheSecondResultForABankWaitsACycle) {
  WritebackBench bench;
  bench.from_sp("add b32 $r3 $r1 $r2", 1, ~LaneMask{0});
  bench.sfu.write(WritebackBench::part("rcp f32 $r3 $r1", 2, ~LaneMask{0}, 28, true));
  bench.cycle();
  bench.sp.write(ExecResult{});
  bench.sfu.write(ExecResult{});
  EXPECT_EQ(bench.writeback.counters().bank_conflicts, 1u);
  bench.cycle();
  EXPECT_EQ(bench.registers.read(0, 3)[28], 1u);
  bench.cycle();
  EXPECT_EQ(bench.registers.read(0, 3)[28], 2u);
}

TEST_F(WritebackTest, RegistersOfOneBankAreWrittenOneAfterTheOther) {
  WritebackBench bench({"sm.register_banks=1"});
  LoadResult load;
  load.valid = true;
  load.fetched = test::fetched("ld b64 $r4d g14[$r2]");
  load.lanes = ~LaneMask{0};
  load.data[0][9] = 5, load.data[1][9] = 6;
  bench.load.write(load);
  bench.cycle();
  EXPECT_FALSE(bench.taken.read().valid) << "the second register waits";
  bench.cycle();
  EXPECT_TRUE(bench.taken.read().valid);
  bench.load.write(LoadResult{});
  bench.cycle();
  EXPECT_EQ(bench.registers.read(0, 4)[9], 5u);
  EXPECT_EQ(bench.registers.read(0, 5)[9], 6u);
}

}  // namespace
}  // namespace g80
