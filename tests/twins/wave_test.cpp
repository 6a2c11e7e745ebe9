// SPDX-License-Identifier: Apache-2.0
// The inside of the twins in the machine's waves: it is what the machine shows outside, edge for edge, and what stands
// outside is drawn as if no twin were there.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "input/input_error.h"
#include "tb/check/fault_target.h"
#include "tests/machine/machine_run.h"
#include "tests/support/vcd_reader.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;
using testing::execute;
using testing::MachineRun;
using testing::Vcd;

class TwinWaveTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::string(GetParam()) == ".fst" && !testing::has_fst2vcd())
      GTEST_SKIP() << "fst2vcd is not installed (Debian package gtkwave)";
    dir_ = fs::temp_directory_path() / fmt::format("g80_twin_waves_{}", ::getpid());
    fs::create_directories(dir_);
  }
  void TearDown() override { fs::remove_all(dir_); }

  /// One SM's part of a reduction, with bank conflicts, barriers and loads.
  Vcd draw(const std::string& rtl, std::vector<std::string> scopes, bool no_sleep = false,
           const std::string& on = "launch", const char* blocks = "2") const {
    MachineRun run{"reduction_interleaved", "tiny", {{"blocks", blocks}, {"block", "64"}}};
    run.machine.lockstep = false;
    run.machine.rtl = rtl;
    run.machine.no_sleep = no_sleep;
    run.machine.wave = WaveOptions{};
    run.machine.wave->file = (dir_ / fmt::format("wave{}", GetParam())).string();
    run.machine.wave->scopes = std::move(scopes);
    run.machine.wave_on = parse_event(on);
    EXPECT_TRUE(as_expected(execute(run).result));
    return Vcd(run.machine.wave->file);
  }
  fs::path dir_;
};

/// Every moment at which one of the two changes: they are equal after it.
void expect_equal_always(const Vcd& vcd, const std::string& a, const std::string& b, std::size_t at_least) {
  std::vector<std::uint64_t> times = vcd.change_times(a);
  EXPECT_GE(times.size(), at_least) << a << " hardly moves";
  const std::vector<std::uint64_t> more = vcd.change_times(b);
  times.insert(times.end(), more.begin(), more.end());
  for (const std::uint64_t time : times) {
    ASSERT_EQ(vcd.at(a, time), vcd.at(b, time)) << a << " and " << b << " at " << time << " ps";
  }
}

const char* const kSm = "gpu.tpc0.sm0";
const char* const kNoSps = "!*.sp_array.rtl";  // half of all signals, and made no other way than the rest

TEST_P(TwinWaveTest, RegistersInsideAreThoseTheBlockShows) {
  const Vcd vcd = draw("all", {"*.sm0", "*.coalescer0", "*.sm0_transaction", kNoSps});
  const std::string scheduler = fmt::format("{}.warp_scheduler.", kSm),
                    conflict = fmt::format("{}.bank_conflict.", kSm);
  expect_equal_always(vcd, scheduler + "rtl.last_q", scheduler + "last", 100);
  expect_equal_always(vcd, scheduler + "rtl.hidden_q", scheduler + "hidden", 100);
  expect_equal_always(vcd, scheduler + "rtl.pick_q.valid", fmt::format("{}.pick.valid", kSm), 100);
  expect_equal_always(vcd, scheduler + "rtl.pick_q.warp", fmt::format("{}.pick.warp", kSm), 50);
  expect_equal_always(vcd, scheduler + "rtl.pick_q.stall", fmt::format("{}.pick.stall", kSm), 100);
  expect_equal_always(vcd, conflict + "rtl.pending_q", conflict + "pending", 0);
  expect_equal_always(vcd, conflict + "rtl.pass_q.lanes", fmt::format("{}.smem_pass.lanes", kSm), 20);
  const std::string coalescer = "gpu.tpc0.coalescer0.";
  expect_equal_always(vcd, coalescer + "rtl.offered_q", coalescer + "offered", 4);
  expect_equal_always(vcd, coalescer + "rtl.request.virtual_address", "gpu.tpc0.sm0_transaction.virtual_address", 4);
}

// The law of registers: at an edge q takes the d that stood before it. It holds for every signal of the sources whose
// name ends so, at every edge of the gated clock; and inputs stand before the edge as the wires do.
TEST_P(TwinWaveTest, EveryRegisterTakesAtTheEdgeWhatStoodBeforeIt) {
  const Vcd vcd =
      draw("all", GetParam() == std::string(".vcd") ? std::vector<std::string>() : std::vector<std::string>{kNoSps});
  unsigned pairs = 0, moved = 0;
  const std::uint64_t begin = vcd.first_time;
  for (const auto& [name, changes] : vcd.signals) {
    const std::size_t inside = name.find(".rtl.");
    if (inside == std::string::npos) continue;
    std::size_t mark = name.find("_q", inside);  // pick_q of pick_q.stall, entry_q of u_queue.entry_q[3]
    while (mark != std::string::npos && mark + 2 < name.size() && name[mark + 2] != '.' && name[mark + 2] != '[')
      mark = name.find("_q", mark + 1);
    if (mark == std::string::npos) continue;
    std::string next = name;
    next[mark + 1] = 'd';
    ASSERT_EQ(vcd.signals.count(next), 1u) << name;
    ++pairs;
    if (changes.size() > 1) ++moved;
    const std::string block = name.substr(0, inside + 5);
    for (const auto& [time, clk] : vcd.signals.at(block + "clk_i")) {
      if (clk == 0 || time == begin || vcd.at(block + "rst_ni", time - 1) == 0) continue;
      ASSERT_EQ(vcd.at(name, time), vcd.at(next, time - 1)) << name << " at " << time << " ps";
    }
    for (const auto& [time, value] : changes) {
      ASSERT_TRUE(time == begin ||
                  (vcd.signals.at(block + "clk_i").count(time) != 0 && vcd.at(block + "clk_i", time) == 1))
          << name << " moves at " << time << " ps, where the clock does not rise";
    }
  }
  EXPECT_GT(pairs, 150u);
  EXPECT_GT(moved, 60u);
  for (const auto& [time, clk] : vcd.signals.at(fmt::format("{}.warp_scheduler.rtl.clk_i", kSm))) {
    if (clk == 0 || time == begin) continue;
    for (const char* field : {"resident", "ready", "wait_memory", "wait_barrier"}) {
      ASSERT_EQ(vcd.at(fmt::format("{}.warp_scheduler.rtl.ready_i.{}", kSm, field), time - 1),
                vcd.at(fmt::format("{}.ready.{}", kSm, field), time - 1))
          << field << " at " << time << " ps";
    }
  }
}

TEST_P(TwinWaveTest, WhatStandsOutsideIsDrawnAsWithoutTwins) {
  const Vcd with = draw("all", {kNoSps}), without = draw("", {});
  std::size_t inside = 0;
  for (const auto& [name, changes] : with.signals) {
    if (name.find(".rtl.") != std::string::npos) {
      ++inside;
      continue;
    }
    ASSERT_EQ(without.signals.count(name), 1u) << name;
    EXPECT_EQ(changes, without.signals.at(name)) << name;
  }
  EXPECT_GT(inside, 400u);
  EXPECT_EQ(with.signals.size(), without.signals.size() + inside);
}

// Only the gated clock differs. One format is enough: it takes long.
class AwakeTwinWaveTest : public TwinWaveTest {};
INSTANTIATE_TEST_SUITE_P(Formats, AwakeTwinWaveTest, ::testing::Values(".vcd"));

TEST_P(AwakeTwinWaveTest, ATwinThatNeverSleepsShowsTheSameAtItsEdges) {
  const Vcd sleeps = draw("all", {"*.sm0", kNoSps}, false, "launch", "1"),
            awake = draw("all", {"*.sm0", kNoSps}, true, "launch", "1");
  const std::string clk = fmt::format("{}.warp_scheduler.rtl.clk_i", kSm);
  EXPECT_LT(sleeps.signals.at(clk).size(), awake.signals.at(clk).size());
  const std::uint64_t begin = sleeps.first_time;
  for (const auto& [name, changes] : sleeps.signals) {
    const std::size_t inside = name.find(".rtl.");
    if (inside == std::string::npos || changes == awake.signals.at(name)) continue;
    const std::string signal = name.substr(inside + 5);
    if (signal.rfind("clk_i", 0) == 0) continue;
    for (const auto& [time, value] : sleeps.signals.at(name.substr(0, inside + 5) + "clk_i")) {
      if (value == 0 || time == begin) continue;
      ASSERT_EQ(sleeps.at(name, time - 1), awake.at(name, time - 1)) << name << " before " << time << " ps";
      ASSERT_EQ(sleeps.at(name, time), awake.at(name, time)) << name << " at " << time << " ps";
    }
  }
}

TEST_P(TwinWaveTest, AnEventMayNameASignalOfTheSource) {
  const std::string signal = fmt::format("{}.warp_scheduler.rtl.pick_q.stall", kSm);
  const Vcd vcd =
      draw("warp_scheduler", {"*.sm0.warp_scheduler"}, false, "sm0.warp_scheduler.rtl.pick_q.stall == StallMemory");
  const auto& stalls = vcd.signals.at(signal);
  EXPECT_GT(stalls.begin()->first, 0u);
  EXPECT_EQ(stalls.begin()->second, static_cast<std::uint64_t>(StallReason::kMemory));
}

TEST(TwinFaults, AreRefusedAndThoseOfTheWiresBesideAreNot) {
  MachineOptions options;
  options.lockstep = false;
  options.rtl = "warp_scheduler";
  const GpuBackend machine(load_config("tiny"), options);
  for (const char* inside : {"sm0.warp_scheduler.rtl.last_q", "sm0.warp_scheduler.hidden"}) {
    try {
      find_fault_target(inside);
      ADD_FAILURE() << inside << " was accepted";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("is an RTL signal"));
    }
  }
  EXPECT_EQ(find_fault_target("sm0.pick.valid").width, 1u);
  EXPECT_EQ(find_fault_target("sm0.bank_conflict.pending").width, 16u);
}

INSTANTIATE_TEST_SUITE_P(Formats, TwinWaveTest, ::testing::Values(".vcd", ".fst"),
                         [](const auto& info) { return std::string(info.param).substr(1); });

}  // namespace
}  // namespace g80
