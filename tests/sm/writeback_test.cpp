// SPDX-License-Identifier: Apache-2.0
// Writeback: registers, halves and flags, the release to the scoreboard, and results that want one bank.
#include "hw/sm/writeback.h"

#include "tests/sm/register_file_wires.h"
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
    writeback.ahead_i(ahead);
    writeback.result_i(wires.result);
    writeback.load_i(load);
    writeback.store_i(store);
    writeback.control_i(control);
    writeback.release_o(release);
    writeback.load_rows_o(load_rows);
    writeback.sfu_dp_results_o(sfu_dp_results);
    writeback.busy_banks_o(wires.busy);
    writeback.written_ports_o(wires.written);
    domain.add(writeback, Rate::kHalf);
    RegisterStart warp;
    warp.valid = true;
    warp.registers = 16;
    wires.start.write(warp);
    wires.bind(registers);
    writeback.write_o(wires.write);
    writeback.flag_write_o(wires.flag_write);
    writeback.addr_write_o(wires.addr_write);
    domain.add(registers, Rate::kHalf);
    sc_core::sc_start(sc_core::sc_time(4500, sc_core::SC_PS));
    wires.start.write(RegisterStart{});
  }
  /// A result that is `value` in every lane, from now on: announced now, and its lanes come in parts of `lanes_a_part`.
  struct Coming {
    ExecUnit unit;
    std::uint32_t value;
    unsigned lanes_a_part;
    int cycles_to_last = 2;
  };
  void announce(ExecUnit unit, const std::string& text, std::uint32_t value, LaneMask lanes, unsigned lanes_a_part) {
    ResultAhead out;
    out.valid = true;
    out.fetched = test::fetched(text);
    out.lanes = out.loaded = lanes;
    ahead[unit_number(unit)].write(out);
    announced_now.push_back(unit);
    coming.push_back({unit, value, lanes_a_part});
  }
  /// A scheduler cycle; each unit shows its next part.
  void cycle() {
    sc_core::sc_start(sc_core::sc_time(2000, sc_core::SC_PS));
    for (const ExecUnit unit : announced_now) ahead[unit_number(unit)].write(ResultAhead{});
    announced_now.clear();
    for (auto& wire : wires.result) wire.write(ExecResult{});
    for (Coming& one : coming) {
      --one.cycles_to_last;
      const int part = static_cast<int>(kWarpSize / one.lanes_a_part) - 1 - one.cycles_to_last;
      if (part < 0 || one.cycles_to_last < 0) continue;
      ExecResult out;
      out.valid = true;
      out.last = one.cycles_to_last == 0;
      out.first = static_cast<std::uint8_t>(static_cast<unsigned>(part) * one.lanes_a_part);
      for (unsigned l = 0; l < one.lanes_a_part; ++l) out.low[l] = one.value + out.first + l;
      out.high.fill(~one.value);
      out.flags.fill(3);
      wires.result[unit_number(one.unit)].write(out);
    }
  }
  Config config;
  Domain domain;
  RegisterFile registers;
  Writeback writeback;
  std::vector<ExecUnit> announced_now;
  std::vector<Coming> coming;
  sc_core::sc_vector<Wire<ResultAhead>> ahead{"ahead", kExecUnits};
  Wire<LoadResult> load{"load"};
  Wire<StoreDone> store{"store"};
  Wire<ControlEvent> control{"control"};
  Wire<Release> release{"release"};
  Wire<std::uint8_t> load_rows{"load_rows"}, sfu_dp_results{"sfu_dp_results"};
  test::RegisterFileWires wires{config};
};

TEST_F(WritebackTest, ReleasesTheInstructionAndWritesItsLanesWhenTheyHaveLeft) {
  WritebackBench bench;
  bench.announce(ExecUnit::kSp, "add b32 $c1 $r3 $r1 $r2", 77, 0x8000000f, 16);
  EXPECT_FALSE(bench.release.read().entry[0].valid);
  bench.cycle();
  EXPECT_TRUE(bench.release.read().entry[0].valid) << "before any lane has left";
  EXPECT_EQ(bench.release.read().entry[0].fetched, IssuedInstruction(test::fetched("add b32 $c1 $r3 $r1 $r2")));
  EXPECT_EQ(bench.wires.busy.read(), 1u << bench.registers.bank(0, 3));
  EXPECT_EQ(bench.wires.written.read(), 0u);
  bench.cycle();
  EXPECT_EQ(bench.wires.busy.read(), 0u);
  EXPECT_EQ(bench.wires.written.read(), 1u << static_cast<unsigned>(WritePort::kSp)) << "the slot";
  EXPECT_EQ(bench.registers.read(0, 3)[3], 0u);
  EXPECT_FALSE(bench.release.read().entry[0].valid);
  bench.cycle();
  EXPECT_EQ(bench.registers.read(0, 3)[3], 80u);
  EXPECT_EQ(bench.registers.read(0, 3)[4], 0u);
  EXPECT_EQ(bench.registers.read(0, 3)[31], 108u) << "left in the slot";
  EXPECT_EQ(bench.registers.flags(0, 1)[0], 3u);
  EXPECT_EQ(bench.registers.flags(0, 1)[4], 0u);
  EXPECT_EQ(bench.registers.flags(0, 1)[31], 3u);
  EXPECT_EQ(bench.writeback.counters().instructions, 1u);
}

TEST_F(WritebackTest, WritesBothWordsOfAPair) {
  WritebackBench bench({"sm.num_dps=1"});
  bench.announce(ExecUnit::kDp, "add rn f64 $r4d $r6d $r8d", 5, ~LaneMask{0}, 2);
  for (unsigned i = 0; i < 3; ++i) bench.cycle();
  // Of the sixteen parts this bench shows those that come with and behind the announcement.
  for (const unsigned lane : {28u, 31u}) {
    EXPECT_EQ(bench.registers.read(0, 4)[lane], 5 + lane);
    EXPECT_EQ(bench.registers.read(0, 5)[lane], ~5u);
  }
}

TEST_F(WritebackTest, AHalfKeepsItsNeighbour) {
  WritebackBench bench;
  bench.announce(ExecUnit::kSp, "mov b32 $r3 $r1", 0x11112222, ~LaneMask{0}, 16);
  bench.cycle();
  bench.cycle();
  bench.cycle();
  bench.announce(ExecUnit::kSp, "mov b16 $r3h $r1l", 0xffff3333, ~LaneMask{0}, 16);
  bench.cycle();
  bench.cycle();
  bench.cycle();
  EXPECT_EQ(bench.registers.read(0, 3)[0], 0x33332222u);
}

// Three units announce at once and an SP result takes the bank of the first, or does not: the results wait for 0 to 3
// cycles, and their values come from the result wire, the row of the unit, or the queue.
class WaitingResults : public testing::SystemCTest, public ::testing::WithParamInterface<bool> {};

TEST_P(WaitingResults, KeepTheirValues) {
  const unsigned first = GetParam() ? 1 : 0;
  WritebackBench bench({"sm.sfu_mul=true", "sm.num_dps=1"});
  if (first != 0) bench.announce(ExecUnit::kSp, "add b32 $r3 $r1 $r2", 1000, 1, 16);
  bench.announce(ExecUnit::kSfu, "rcp f32 $r3 $r1", 200, ~LaneMask{0} << 20, 4);
  bench.announce(ExecUnit::kMultiply, "mul rn f32 $r8 $r1 $r2", 300, ~LaneMask{0}, 16);
  bench.announce(ExecUnit::kDp, "add rn f64 $r4d $r6d $r8d", 400, ~LaneMask{0}, 2);
  const std::vector<std::pair<unsigned, std::uint32_t>> in_order = {{3, 231}, {8, 331}, {4, 431}};
  for (unsigned cycle = 1; cycle <= first + 5; ++cycle) {
    bench.cycle();
    for (unsigned i = 0; i < in_order.size(); ++i) {
      const std::uint32_t seen = bench.registers.read(0, in_order[i].first)[31];
      EXPECT_EQ(seen, cycle < first + i + 3 ? 0u : in_order[i].second) << "$r" << in_order[i].first << ", " << cycle;
    }
  }
  EXPECT_EQ(bench.writeback.counters().bank_conflicts, first);
  EXPECT_EQ(bench.registers.read(0, 3)[0], first != 0 ? 1000u : 0u);
  EXPECT_EQ(bench.registers.read(0, 3)[24], 224u);
  EXPECT_EQ(bench.registers.read(0, 8)[0], 300u);
  EXPECT_EQ(bench.registers.read(0, 4)[28], 428u);
  EXPECT_EQ(bench.registers.read(0, 5)[31], ~400u);
}
INSTANTIATE_TEST_SUITE_P(BehindAnSpResult, WaitingResults, ::testing::Bool());

// A bank that an SP result takes in the cycle in which the load's register is whole, or not.
TEST_F(WritebackTest, ALoadsRegistersAreWrittenWhenBothHalvesAreThere) {
  for (const bool conflict : {false, true}) {
    renew_context();
    WritebackBench bench;
    LoadResult load;
    load.valid = true;
    load.fetched = test::fetched("ld b64 $r4d g14[$r2]");
    for (unsigned part = 0; part < 4; ++part) {
      load.word = static_cast<std::uint8_t>(part / 2);
      load.half = static_cast<std::uint8_t>(part % 2);
      load.lanes = load.half == 0 ? 0x00ff : 0xf00f;
      load.last = part == 3;
      for (unsigned l = 0; l < kHalfWarp; ++l) load.data[l] = 0x100 * part + l + 1;
      bench.load.write(load);
      if (conflict && part == 1) bench.announce(ExecUnit::kSp, "add b32 $r4 $r1 $r2", 1000, 0, 16);
      bench.cycle();
      EXPECT_EQ(bench.load_rows.read(), part < 1 || (conflict && part == 1) ? 0 : part < 3 ? 1 : 2) << part;
      EXPECT_EQ(bench.release.read().entry[0].valid, part == 3 || (conflict && part == 1)) << part;
    }
    bench.load.write(LoadResult{});
    bench.cycle();
    bench.cycle();
    for (const unsigned word : {0u, 1u}) {
      for (unsigned l = 0; l < kWarpSize; ++l) {
        const bool written = (0xf00f00ffu >> l & 1) != 0;
        EXPECT_EQ(bench.registers.read(0, 4 + word)[l], written ? 0x100 * (2 * word + l / 16) + l % 16 + 1 : 0u)
            << word << ' ' << l;
      }
    }
    EXPECT_EQ(bench.writeback.counters().bank_conflicts, conflict ? 1u : 0u);
    EXPECT_EQ(bench.writeback.counters().instructions, conflict ? 2u : 1u);
  }
}

// SPs and fp64 unit, whose results have two registers, could write the only bank in every slot. A load waits for it,
// and so may a read and the numbers of a new block's threads.
TEST_F(WritebackTest, ABankThatIsAlwaysWrittenIsGivenToALoadAndThenHasASlotWithoutAWrite) {
  WritebackBench bench({"sm.register_banks=1", "sm.num_dps=8"});
  LoadResult load;
  load.valid = true;
  load.fetched = test::fetched("ld b32 $r6 g14[$r2]");
  unsigned announced = 0, sent = 0, written = 0, load_waits = 0;  // slots in a row, for the bank and for the load
  std::vector<unsigned> runs, loads;
  for (unsigned cycle = 0; cycle < 600; ++cycle) {
    if (cycle % 2 == 0) {
      bench.announce(ExecUnit::kSp, "mov b32 $r3 0x5", 5, ~LaneMask{0}, 16);
    } else if (announced - bench.sfu_dp_results.read() < kMaxWaitingResults - 1) {
      bench.announce(ExecUnit::kDp, "add rn f64 $r4d $r6d $r8d", 5, ~LaneMask{0}, 16);
      ++announced;
    }
    load.valid = sent % 2 != 0 || sent / 2 - bench.load_rows.read() < kLoadRows;
    load.half = sent % 2;
    sent += load.valid;
    load.last = load.half != 0;
    bench.load.write(load);
    const unsigned before = bench.load_rows.read();
    bench.cycle();
    if (bench.load_rows.read() != before) loads.push_back(std::exchange(load_waits, 0));
    if (bench.wires.busy.read() == 0) runs.push_back(std::exchange(written, 0));
    written += bench.wires.busy.read() != 0;
    ++load_waits;
  }
  ASSERT_GE(runs.size(), 4u);
  for (const unsigned run : runs) EXPECT_LE(run, kLongRun + 5);
  EXPECT_GE(runs[2], kLongRun) << "the bank was not always wanted";
  ASSERT_GE(loads.size(), runs.size() - 1);
  for (const unsigned wait : loads) EXPECT_LE(wait, kLongRun + 5);
}

}  // namespace
}  // namespace g80
