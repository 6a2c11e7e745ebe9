// SPDX-License-Identifier: Apache-2.0
// How runs end that do not finish: hangs are proved and explained, faults name the instruction, launches that a device
// cannot carry out are refused before anything runs.
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "hw/common/set_bits.h"
#include "hw/gpu/gpu.h"
#include "input/input_error.h"
#include "source_dir.h"
#include "tb/check/machine_activity.h"
#include "tb/check/watchdog.h"
#include "tb/machine/gpu_backend.h"
#include "tb/scenario/golden_backend.h"
#include "tb/scenario/run_scenario.h"
#include "tb/scenario/scenario_file.h"
#include "tests/machine/machine_run.h"
#include "tests/machine/random_configuration.h"
#include "tests/support/random_seed.h"
#include "toolchain/assembler/assembler.h"

namespace g80 {
namespace {

using ::testing::HasSubstr;

RunResult run(const std::string& kernel, const std::string& device, const RunOptions& options,
              const std::vector<std::string>& sets = {}) {
  const Scenario scenario = read_scenario(std::string(G80_SOURCE_DIR) + "/kernels/" + kernel + "/scenario.toml");
  const Module module = load_module(scenario);
  const Config config = scenario_config(scenario, device, sets);
  GpuBackend backend(config, MachineOptions());
  return run_scenario(scenario, module, config, options, backend);
}

/// At every edge, where each warp is said to be. When its next instruction is handed out, all of it must have been so.
class PlacesAtEveryEdge final : public TraceSink, public SmObserver {
 public:
  explicit PlacesAtEveryEdge(GpuBackend& machine) : gpu_(machine.gpu()) {
    gpu_.shader.attach_trace(*this);
    gpu_.sm(0).attach(*this, RetirementPort::Reads::kProfile);
  }
  ~PlacesAtEveryEdge() override {
    gpu_.shader.detach_trace(*this);
    gpu_.sm(0).detach(*this);
  }
  std::uint64_t looks = 0, unresolved = 0;
  std::vector<std::string> wrong;

 private:
  struct Said {
    std::uint32_t pc;
    bool control;
    Cycle cycle;
  };
  void changed(std::uint32_t) override {}
  void edge_begin(Domain& shader) override {
    SmPins& sm = gpu_.sm(0);
    sm.flush_reports();
    sm.read_state(state_);
    for (const CtaSlot& slot : state_.slot) {
      if (!slot.valid) continue;
      for (const unsigned w : set_bits(slot.live & ~state_.ended))
        said_[w].push_back({state_.warp[w].pc, (state_.control >> w & 1) != 0, shader.edge()});
    }
  }
  void observe(const SmReport& report) override {
    for (const SmReport::WarpStart& start : report.start) said_[start.warp].clear();
    for (const SmReport::HandOut& out : report.hand_out) {
      for (const Said& said : said_[out.warp]) {
        ++looks;
        unresolved += said.control && said.pc == last_[out.warp];
        if (said.pc == out.pc || (said.control && said.pc == last_[out.warp])) continue;
        wrong.push_back(fmt::format("cycle {}, warp {}: at 0x{:x}, between 0x{:x} and 0x{:x}{}", said.cycle, out.warp,
                                    said.pc, last_[out.warp], out.pc, said.control ? ", control" : ""));
      }
      said_[out.warp].clear();
      last_[out.warp] = out.pc;
    }
  }

  Gpu& gpu_;
  SmState state_;
  std::array<std::vector<Said>, kMaxWarps> said_;
  std::array<std::uint32_t, kMaxWarps> last_{};
};

TEST(Places, AWarpIsAtItsUnresolvedControlInstructionOrAtItsNextOne) {
  for (const char* kernel : {"divergence_in_warp", "reduction_interleaved", "dot_product"}) {
    for (const std::vector<std::string>& sets : {std::vector<std::string>{},
                                                 {"sm.fetch_bytes=8", "sm.branch_latency=40"},
                                                 {"sm.fetch_bytes=16", "sm.ibuffer_entries=4", "sm.stack_on_chip=1",
                                                  "icache.l1_latency=40", "sm.branch_latency=100"}}) {
      SCOPED_TRACE(fmt::format("{} {}", kernel, fmt::join(sets, " ")));
      const Scenario scenario = testing::scenario_of(kernel);
      const Module module = load_module(scenario);
      const Config config = scenario_config(scenario, "tiny", sets);
      GpuBackend machine(config, MachineOptions());
      PlacesAtEveryEdge places(machine);
      run_scenario(scenario, module, config, {}, machine);
      EXPECT_GT(places.looks, 1000u);
      EXPECT_GT(places.unresolved, 100u);
      EXPECT_TRUE(places.wrong.empty()) << places.wrong.size() << " of " << places.looks << "; "
                                        << places.wrong.front();
    }
  }
}

/// One launch of a kernel with the parameter `out`, a buffer of 256 bytes, on the smallest machine.
RunResult launch(const std::string& body, std::array<std::uint32_t, 3> grid, std::array<std::uint32_t, 3> block,
                 std::uint32_t offset = 0, std::uint64_t max_cycles = 0, const std::vector<std::string>& sets = {}) {
  const Module module = assemble(".arch sm_11\n.kernel probe\n.param ptr out\n" + body, "probe.sasm");
  GpuBackend gpu(load_config("tiny", sets), MachineOptions());
  gpu.load(module);
  const std::uint32_t out = gpu.allocate(256, "out");
  RunResult result;
  result.launches.push_back(
      gpu.launch({gpu.config(), module.kernels.front(), grid, block, {out + offset}, 0, max_cycles}));
  return result;
}

TEST(Watchdog, NamesBlockAndWarpsOfABarrierThatCannotOpen) {
  RunOptions options;
  options.args = {{"blocks", "1"}, {"block", "128"}, {"n", "128"}};
  const RunResult result = run("dot_product_hang", "tiny", options);
  // clang-format off
  ASSERT_EQ(result.launches.size(), 1u);
  EXPECT_EQ(result.launches[0].end, LaunchEnd::kBarrierDeadlock);
  EXPECT_EQ(exit_code(result), kExitHang);
  EXPECT_THAT(result.launches[0].message, HasSubstr("barrier 0 of block (0,0)"));
  EXPECT_THAT(result.launches[0].message, HasSubstr("\n    2 of 4 expected warps arrived: 0, 1\n"));
  EXPECT_THAT(result.launches[0].message, HasSubstr("\n    ended without reaching it, but still count (sm.barrier_expected = launched): warps 2, 3\n"));
  // clang-format on
}

TEST(Watchdog, AStuckDeviceRefusesToBeReadInsteadOfWaitingForEver) {
  RunOptions options;
  options.args = {{"blocks", "1"}, {"block", "128"}, {"n", "128"}};
  options.dump = {{"partial_c", ::testing::TempDir() + "g80_stuck.hex"}};
  const RunResult result = run("dot_product_hang", "tiny", options);
  EXPECT_THAT(result.launches.back().message, HasSubstr("no buffer was written"));
}

TEST(Watchdog, ProvesALivelock) {
  const RunResult result = run("reduction_endless", "tiny", {});
  EXPECT_EQ(result.launches.at(0).end, LaunchEnd::kLivelock);
  EXPECT_EQ(exit_code(result), kExitHang);
  EXPECT_THAT(result.launches[0].message, HasSubstr("same architectural state"));
}

// Its control-stack entries go to memory and come back in each turn.
TEST(Watchdog, ProvesALivelockWithEntriesInMemory) {
  std::string body = "loop:\n";
  for (unsigned i = 0; i < 7; ++i) body += "  joinat loop\n";
  body += "  mov b32 $r1 0x1\n";
  for (unsigned i = 0; i < 7; ++i) body += "  join (never) nop\n";
  const RunResult result = launch(body + "  bra loop\n  exit nop\n", {1, 1, 1}, {32, 1, 1}, 0, 1'000'000);
  EXPECT_EQ(result.launches[0].end, LaunchEnd::kLivelock) << result.launches[0].message;
}

TEST(Watchdog, ProvesThatWarpsWaitForALockThatNobodyReleases) {
  const std::string body =
      "  mov b32 $r1 b32 s[out]\n  mov b32 $r3 0x1\n  joinat met\n"
      "loop:\n  mov b32 $r2 $r124\n  cas b32 $r2 g14[$r1] $r2 $r3\n  set $c0 # lg u32 $r2 $r124\n"
      "  (lg $c0) bra loop\n"
      "met:\n  join (never) nop\n  mov b32 $r2 $r124\n  exch b32 $r2 g14[$r1] $r2\n  exit nop\n";
  // All want one word: the more there are and the slower memory is, the longer takes a turn.
  for (const std::vector<std::string>& sets :
       {std::vector<std::string>{}, {"clock.dram_mhz=50", "gpu.hang_cycles=1000"}}) {
    for (const unsigned blocks : {1, 2, 5}) {
      const LaunchResult result = launch(body, {blocks, 1, 1}, {96, 1, 1}, 0, 60'000'000, sets).launches[0];
      EXPECT_EQ(result.end, LaunchEnd::kLivelock) << result.message;
      EXPECT_THAT(result.message, HasSubstr("no device memory has changed"));
    }
  }
}

/// A launch of two blocks of two warps under a watchdog that suspects a kernel after 4000 cycles.
LaunchResult suspected(const std::string& body, std::uint64_t max_cycles = 4'000'000) {
  return launch(".local 16\n.shared word u32 4\n" + body, {2, 1, 1}, {64, 1, 1}, 0, max_cycles,
                {"gpu.hang_cycles=1000"})
      .launches[0];
}

/// The same on the reference, which compares states after a million instructions without a change.
LaunchResult launch_on_reference(const std::string& body, unsigned threads = 512) {
  const Module module =
      assemble(".arch sm_11\n.kernel probe\n.param ptr out\n.local 16\n.shared word u32 4\n" + body, "probe.sasm");
  GoldenBackend reference(load_config("8600gts"));
  reference.load(module);
  const std::uint32_t out = reference.allocate(256, "out");
  return reference.launch(
      {reference.config(), module.kernels.front(), {1, 1, 1}, {threads, 1, 1}, {out}, 0, 20'000'000});
}

/// Bit n for each line n of the source that a message names.
std::uint64_t lines_named(const std::string& text) {
  const std::string name = "(probe.sasm:";
  std::uint64_t lines = 0;
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
    lines |= std::uint64_t{1} << std::stoul(text.substr(at + name.size()));
  return lines;
}

// Lane 0 comes back to the others when it has counted to the end of its patience in memory: it may end.
TEST(Watchdog, TellsOnceWhereLanesWaitForLong) {
  const std::string body =
      "  mov b32 $r1 b32 s[out]\n  cvt u32 $r3 u16 $r0l\n  set $c0 # g u32 $r3 $r124\n  joinat met\n"
      "  (lg $c0) bra met\nturn:\n  ld b32 $r2 g14[$r1]\n  add b32 $r2 $r2 0x1\n  st b32 g14[$r1] $r2\n"
      "  set $c1 # lg u32 $r2 $r124\n  (lg $c1) bra turn\nmet:\n  join nop\n  exit nop\n";
  for (const auto& [cycles, times] : {std::pair{15'000u, 0u}, {80'000u, 1u}}) {
    ::testing::internal::CaptureStderr();
    const LaunchResult result = suspected(body, cycles);
    const std::string text = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(result.end, LaunchEnd::kMaxCycles) << result.message;
    const std::string note = "g80: note: no block has ended for long, in kernel probe (launch 1), 0 of 2 blocks done";
    EXPECT_EQ(text.find(note) != std::string::npos, times == 1) << cycles << ": " << text;
    EXPECT_EQ(text.find(note, text.find(note) + 1), std::string::npos) << text;
    EXPECT_THAT(text, HasSubstr(times == 1 ? "lanes fffffffe wait" : "")) << text;
  }
}

// All lanes go round together, and so do those of the next warp; nobody waits.
TEST(Watchdog, TellsWhereWholeWarpsGoRoundForLong) {
  ::testing::internal::CaptureStderr();
  suspected("  mov b32 $r2 $r124\nturn:\n  add b32 $r2 $r2 0x1\n  st b32 s[0x14] $r2\n  bra turn\n  exit nop\n",
            80'000);
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(text, HasSubstr("no block has ended for long, in kernel probe (launch 1), 0 of 2 blocks done"));
  EXPECT_EQ(lines_named(text), lines_named(text) & 0b111'0000'0000) << text;
  EXPECT_NE(lines_named(text), 0u) << text;
}

// Whatever the fetch has in hand, and wherever the loop lies: every line named is one of the loop.
TEST(Watchdog, NamesALineOfTheLoop) {
  static const std::pair<const char*, std::string> kLoops[] = {
      {"one branch", "loop:\n  bra loop\n"},
      {"a branch behind a short instruction", "loop:\n  mov b32 $r2 $r3\n  bra loop\n"},
      {"a condition", "loop:\n  set $c0 # e u32 $r124 $r124\n  (lg $c0) bra loop\n"},
      {"memory", "loop:\n  ld b32 $r2 g14[$r1]\n  set $c0 # e u32 $r2 $r124\n  (lg $c0) bra loop\n"},
      {"a barrier", "loop:\n  bar inc wait 0x0 0xfff\n  bra loop\n"},
      {"a store", "loop:\n  st b32 g14[$r1] $r124\n  bra loop\n"},
      {"a counter", "loop:\n  add b32 $r5 $r5 0x1\n  bra loop\n"}};
  for (const auto& [what, loop] : kLoops) {
    for (unsigned shift = 0; shift < 4; ++shift) {
      SCOPED_TRACE(fmt::format("{}, {} instructions before it", what, 2 * shift));
      std::string body = "  mov b32 $r1 b32 s[out]\n";
      for (unsigned i = 0; i < 2 * shift; ++i) body += "  mov b32 $r3 $r124\n";
      const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
      const auto label = 6 + lines(body), behind = label + lines(loop);  // five lines are in front of the body
      body += loop;
      for (unsigned i = 0; i < 9; ++i) body += "  add b32 $r3 $r3 0x1\n";
      body += "  st b32 g14[$r1] $r3\n  exit nop\n";
      for (const LaunchResult& result : {suspected(body), launch_on_reference(body)}) {
        EXPECT_EQ(result.end, LaunchEnd::kLivelock) << result.message;
        const std::uint64_t named = lines_named(result.message);
        const std::uint64_t of_the_loop = (std::uint64_t{1} << behind) - (std::uint64_t{2} << label);
        EXPECT_NE(named, 0u) << result.message;
        EXPECT_EQ(named & ~of_the_loop, 0u) << result.message;
      }
    }
  }
}

// What a warp stores again and again is what is there already, and a barrier only delays.
TEST(Watchdog, ProvesThatWarpsSpinWhoseStoresChangeNothing) {
  const std::string ask =  // the flag at out[0] stays zero
      "  mov b32 $r1 b32 s[out]\n  ld b32 $r2 g14[$r1]\n  set $c0 # e u32 $r2 $r124\n";
  const std::string barrier = "  bar inc wait 0x0 0xfff\n";
  static const std::pair<const char*, std::string> kSpinners[] = {
      {"s[]", ask + "  st b32 s[0x14] $r2\n"},
      {"g[]", ask + "  add b32 $r1 $r1 0x4\n  mov b32 $r3 0x7\n  st b32 g14[$r1] $r3\n"},
      {"l[], spilled",
       "  mov b32 $r1 b32 s[out]\n  st b32 l[0x0] $r1\n  mov b32 $r1 0x1\n  ld b32 $r1 l[0x0]\n"
       "  ld b32 $r2 g14[$r1]\n  set $c0 # e u32 $r2 $r124\n"},
      {"barriers", ask + barrier},
      {"the flag is told in s[]", ask + "  st b32 s[0x14] $r2\n" + barrier + "  mov b32 $r2 b32 s[0x14]\n" +
                                      "  set $c0 # e u32 $r2 $r124\n" + barrier}};
  for (const auto& [what, body] : kSpinners) {
    const std::string text = "again:\n" + body + "  (lg $c0) bra again\n  exit nop\n";
    for (const LaunchResult& result : {suspected(text), launch_on_reference(text)}) {
      EXPECT_EQ(result.end, LaunchEnd::kLivelock) << what << "\n" << result.message;
      EXPECT_LT(result.shader_cycles, 400'000u) << what;
      EXPECT_THAT(result.message, HasSubstr("repeats forever")) << what;
    }
  }
}

// The warps come back to the same registers, but a word in memory counts their turns.
TEST(Watchdog, AKernelThatCountsItsTurnsInMemoryIsNoLivelock) {
  const std::string count = "  add b32 $r2 $r2 0x1\n  set $c0 # l u32 $r2 $r3\n", forget = "  mov b32 $r2 $r124\n";
  const std::string zero = "  st b32 g14[$r1] $r124\n";
  static const std::pair<const char*, std::string> kCounters[] = {
      {"s[]", "  mov b32 $r2 b32 s[0x14]\n" + count + "  st b32 s[0x14] $r2\n"},
      {"s[], and barriers", "  mov b32 $r2 b32 s[0x14]\n" + count + "  st b32 s[0x14] $r2\n  bar inc wait 0x0 0xfff\n"},
      {"s[], device memory is read",
       "  ld b32 $r2 g14[$r1]\n  mov b32 $r2 b32 s[0x14]\n" + count + "  st b32 s[0x14] $r2\n"},
      {"g[]", "  ld b32 $r2 g14[$r1]\n" + count + "  st b32 g14[$r1] $r2\n"},
      {"l[]", "  ld b32 $r2 l[0x0]\n" + count + "  st b32 l[0x0] $r2\n"}};
  for (const auto& [what, body] : kCounters) {
    const LaunchResult result = suspected(
        "  mov b32 $r1 b32 s[out]\n  mov b32 $r2 $r124\n  mov b32 $r3 0x400\n"
        "  st b32 s[0x14] $r2\n  st b32 l[0x0] $r2\nagain:\n" +
        body + forget + "  (lg $c0) bra again\n  exit nop\n");
    EXPECT_EQ(result.end, LaunchEnd::kFinished) << what << "\n" << result.message;
    EXPECT_GT(result.shader_cycles, 20'000u) << what << ": too short to be suspected";
  }
}

// $clock / 2^17 is the same in many turns.
TEST(Watchdog, AKernelThatWaitsForTheClockIsNoLivelock) {
  const std::string read = "  mov $r2 $clock\n  shr u32 $r2 $r2 0x11\n";
  const LaunchResult result = suspected(read + "  mov b32 $r3 $r2\nagain:\n" + read +
                                        "  set $c0 # e u32 $r2 $r3\n  (lg $c0) bra again\n  exit nop\n");
  EXPECT_EQ(result.end, LaunchEnd::kFinished) << result.message;
}

/// Loops while the word at out[0], or $r3, is zero, with a turn of `count`; what that counts in is stored behind it.
std::string counting_loop(const std::string& count, bool reads_memory) {
  return "  mov b32 $r1 b32 s[out]\n  mov b32 $r3 $r124\n  mov b32 $r4 $r124\n  mov b32 $r5 $r124\n  mov b32 $r6 0x1\n"
         "again:\n" +
         count + (reads_memory ? "  ld b32 $r2 g14[$r1]\n" : "  mov b32 $r2 $r3\n") +
         "  set $c0 # e u32 $r2 $r124\n  (lg $c0) bra again\n"
         "  mov $r7 $a1\n  add b32 $r4 $r4 $r7\n  st b32 g14[$r1] $r4\n  exit nop\n";
}

/// Lanes that want a lock, the word at out[0], with `turn` between two attempts: one gets it and never gives it back.
std::string lock_loop(const std::string& turn) {
  return "  mov b32 $r1 b32 s[out]\n  mov b32 $r3 0x1\n  mov b32 $r6 0x64\n  mov $r8 $clock\n  mov b32 $r9 $r124\n"
         "  joinat met\nagain:\n  mov b32 $r2 $r124\n  cas b32 $r2 g14[$r1] $r2 $r3\n"
         "  set $c0 # e u32 $r2 $r124\n  (lg $c0) bra met\n" +
         turn + "  bra again\nmet:\n  join (never) nop\n  exit nop\n";
}

/// Waits until $r6 cycles have passed; `step` in each turn.
std::string wait(const std::string& step = "") {
  return "  mov $r4 $clock\n  joinat waited\nwait:\n" + step +
         "  mov $r5 $clock\n  sub b32 $r5 $r5 $r4\n  set $c0 # l u32 $r5 $r6\n  (lg $c0) bra wait\n"
         "waited:\n  join (never) nop\n";
}

// The clock only decides when a warp tries again.
TEST(Watchdog, ProvesThatWarpsSpinThatWaitForTheClockInBetween) {
  static const std::pair<const char*, std::string> kTurns[] = {
      {"a wait", wait()},
      {"a wait that counts", wait("  add b32 $r10 $r10 0x1\n")},
      {"two waits", wait() + "  mov $r4 $clock\n  joinat waited2\nwait2:\n  mov $r5 $clock\n  sub b32 $r5 $r5 $r4\n"
                             "  set $c0 # l u32 $r5 $r3\n  (lg $c0) bra wait2\nwaited2:\n  join (never) nop\n"},
      {"a wait that all lanes leave together",
       "  mov $r4 $clock\n  mov b32 $r6 0x64\nwait:\n  mov $r5 $clock\n  sub b32 $r5 $r5 $r4\n"
       "  set $c0 # l u32 $r5 $r6\n  (lg $c0) bra wait\n"},
      {"a wait of a time that the clock decides",
       "  mov $r7 $clock\n  and b32 $r6 $r7 0x7f\n" + wait("  add b32 $r7 $r7 0x1\n")},
      {"a clock that nobody looks at", "  mov $r4 $clock\n  add b32 $r9 $r9 $r4\n"}};
  for (const auto& [what, turn] : kTurns) {
    for (const LaunchResult& result : {suspected(lock_loop(turn)), launch_on_reference(lock_loop(turn))}) {
      EXPECT_EQ(result.end, LaunchEnd::kLivelock) << what << "\n" << result.message;
      EXPECT_LT(result.shader_cycles, 800'000u) << what;
    }
  }
}

// The clock ends them, by itself or by way of what depends on for how long they have waited.
TEST(Watchdog, ALoopThatTheClockEndsIsNoLivelock) {
  const std::string leave = "  (lg $c0) bra met\n";
  const std::string choice =  // $r7 is 0 or 1
      "  mov $r5 $clock\n  shr u32 $r5 $r5 0x4\n  and b32 $r5 $r5 $r3\n  set $c0 # e u32 $r5 $r124\n"
      "  mov b32 $r7 $r124\n  joinat chosen\n  (lg $c0) bra chosen\n  mov b32 $r7 $r3\nchosen:\n  join (never) nop\n";
  const std::string count = "  add b32 $r9 $r9 $r7\n", limit = "  set $c0 # g u32 $r9 $r12\n";
  static const std::pair<const char*, std::string> kTurns[] = {
      {"a time-out", "  mov $r5 $clock\n  sub b32 $r5 $r5 $r8\n  set $c0 # g u32 $r5 $r11\n" + leave},
      {"a time-out behind a wait",
       wait() + "  mov $r5 $clock\n  sub b32 $r5 $r5 $r8\n  set $c0 # g u32 $r5 $r11\n" + leave},
      {"a long wait", "  mov b32 $r6 $r11\n" + wait() + "  bra met\n"},
      {"turns of a wait are counted", wait("  add b32 $r9 $r9 0x1\n") + "  set $c0 # g u32 $r9 $r12\n" + leave},
      {"its choices are counted", choice + count + limit + leave},
      {"its choices are counted with a guard",
       "  mov $r5 $clock\n  shr u32 $r5 $r5 0x4\n  and b32 $r5 $r5 $r3\n  set $c1 # e u32 $r5 $r124\n"
       "  (lg $c1) add b32 $r9 $r9 $r3\n" +
           limit + leave},
      {"its choices are counted in memory",
       choice + "  mov b32 $r9 b32 s[0x14]\n" + count + "  st b32 s[0x14] $r9\n" + limit + leave},
      {"its choice is stored", choice + "  st b32 l[0x0] $r7\n  ld b32 $r7 l[0x0]\n" + count + limit + leave}};
  for (const auto& [what, turn] : kTurns) {
    const auto body = [&](unsigned cycles, unsigned turns) {
      return fmt::format("  mov b32 $r11 0x{:x}\n  mov b32 $r12 0x{:x}\n  st b32 s[0x14] $r124\n{}", cycles, turns,
                         lock_loop(turn));
    };
    const LaunchResult result = suspected(body(80'000, 64));
    EXPECT_EQ(result.end, LaunchEnd::kFinished) << what << "\n" << result.message;
    EXPECT_GT(result.shader_cycles, 20'000u) << what << ": too short to be suspected";
    const LaunchResult on_reference = launch_on_reference(body(4'000'000, 150'000), 64);
    EXPECT_EQ(on_reference.end, LaunchEnd::kFinished) << what << "\n" << on_reference.message;
    EXPECT_GT(on_reference.sms.front().warp_instructions, 1'500'000u) << what << ": too short to be suspected";
  }
}

// What a loop computes and does not look at decides nothing.
TEST(Watchdog, ProvesThatWarpsSpinThatCountTheirTurns) {
  static const std::pair<const char*, std::string> kCounters[] = {
      {"a register", "  add b32 $r4 $r4 0x1\n"},
      {"half a register", "  add b16 $r4h $r4h $r6l\n"},
      {"a pair", "  add b32 $c1 $r4 $r4 $r6\n  addc b32 $r5 $r5 $r124 $c1\n"},
      {"an address register", "  add $a1 $a1 0x4\n"},
      {"a float", "  mov b32 $r7 0x3f800000\n  add rn f32 $r4 $r4 $r7\n"},
      {"some lanes", "  set $c1 # l u32 $r0 $r6\n  (lg $c1) add b32 $r4 $r4 $r6\n"},
      {"a step from s[]", "  add b32 $r4 b32 s[out] $r4\n"},
      {"a register that holds something else meanwhile",
       "  mov b32 $r7 0x1\n  add b32 $r8 $r1 $r7\n  add b32 $r8 $r8 0xffffffff\n  ld b32 $r9 g14[$r8]\n"
       "  add b32 $r7 $r4 0x1\n  mov b32 $r4 $r7\n"},
      {"a guard that only guards counting", "  add b32 $c1 $r4 $r4 $r6\n  (lg $c1) add b32 $r5 $r5 $r6\n"}};
  for (const auto& [what, count] : kCounters) {
    for (const bool reads_memory : {true, false}) {
      SCOPED_TRACE(fmt::format("{}{}", what, reads_memory ? ", memory is read" : ""));
      const std::string body = counting_loop(count, reads_memory);
      const LaunchResult result = suspected(body);
      EXPECT_EQ(result.end, LaunchEnd::kLivelock) << result.message;
      EXPECT_LT(result.shader_cycles, 400'000u);
      EXPECT_EQ(launch_on_reference(body).end, LaunchEnd::kLivelock);
    }
  }
}

// The same counters, but something depends on them sooner or later.
TEST(Watchdog, ALoopThatACounterEndsIsNoLivelock) {
  const std::string limit = "  set $c0 # lg u32 $r4 $r8\n", ask = "  ld b32 $r2 g14[$r1]\n";
  static const std::pair<const char*, std::string> kLoops[] = {
      {"a register", "  add b32 $r4 $r4 0x1\n" + limit},
      {"half a register",
       "  mov b32 $r7 $r4\n  add b16 $r5h $r5h $r6l\n  shr u32 $r4 $r5 0x10\n  set $c0 # lg u32 $r7 $r8\n"},
      {"a carry", "  add b32 $c1 $r5 $r5 $r9\n  addc b32 $r4 $r4 $r124 $c1\n  set $c0 # e u32 $r4 $r124\n"},
      {"an address register", "  add $a1 $a1 0x1\n  mov $r4 $a1\n" + limit},
      {"a guard", "  add b32 $r5 $r5 0x1\n  set $c1 # e u32 $r5 $r8\n  (lg $c1) mov b32 $r4 $r8\n" + limit},
      {"through registers, one turn each",
       "  mov b32 $r4 $r7\n  mov b32 $r7 $r10\n  mov b32 $r10 $r5\n  add b32 $r5 $r5 0x1\n" + limit},
      {"a register that holds something else meanwhile",
       "  mov b32 $r7 $r5\n  add b32 $r5 $r7 0x1\n  mov b32 $r7 $r124\n  mov b32 $r4 $r5\n" + limit},
      {"one lane",
       "  and b32 $r7 $r0 0x1f\n  set $c1 # e u32 $r7 $r124\n  (lg $c1) add b32 $r4 $r4 $r6\n"
       "  (e $c1) mov b32 $r4 $r8\n" +
           limit},
      {"the address of an operand in s[]",
       "  add b32 $r5 $r5 0x1\n  set $c1 # e u32 $r5 $r8\n  mov b32 $r7 $r124\n  mov b32 $r11 0x4\n  (lg $c1) mov b32 "
       "$r7 $r11\n"
       "  shl $a1 $r7 0x0\n  mov b32 $r4 b32 s[$a1+0x14]\n  set $c0 # e u32 $r4 $r124\n"}};
  const auto text = [&](const std::string& loop, unsigned turns) {
    return fmt::format(
        "  mov b32 $r1 b32 s[out]\n  mov b32 $r2 $r124\n  mov b32 $r4 $r124\n  mov b32 $r5 $r124\n  mov b32 $r6 0x1\n"
        "  mov b32 $r7 $r124\n  mov b32 $r8 0x{:x}\n  mov b32 $r9 0x{:x}\n  mov b32 $r10 $r124\n  st b32 s[0x14] "
        "$r124\n"
        "  st b32 s[0x18] $r6\n  shl $a1 $r124 0x0\nagain:\n{}  (lg $c0) bra again\n  exit nop\n",
        turns, 0xffffffffu / turns, loop);
  };
  for (const auto& [what, loop] : kLoops) {
    SCOPED_TRACE(what);
    const LaunchResult in_registers = suspected(text(loop, 0x1000));
    EXPECT_EQ(in_registers.end, LaunchEnd::kFinished) << in_registers.message;
    EXPECT_GT(in_registers.shader_cycles, 20'000u) << "too short to be suspected";
    const LaunchResult with_memory = suspected(text(ask + loop, 0x200));
    EXPECT_EQ(with_memory.end, LaunchEnd::kFinished) << with_memory.message;
    EXPECT_GT(with_memory.shader_cycles, 20'000u) << "too short to be suspected";
    const LaunchResult on_reference = launch_on_reference(text(loop, 0xf000));
    EXPECT_EQ(on_reference.end, LaunchEnd::kFinished) << on_reference.message;
  }
}

// What cannot be proved is told with the place of the lanes that run and of those that wait.
TEST(Watchdog, ALimitNamesTheLanesThatSpinAndThoseThatWait) {
  const LaunchResult result = suspected(
      "  mov b16 $r1l u16 s[0x2]\n  mov b32 $r2 $r124\n  cvt u32 $r0 u16 $r0l\n  joinat met\n"
      "  set $c0 # lg u32 $r0 $r124\n  (lg $c0) bra met\n"
      "again:\n  add b32 $r2 $r2 0x1\n  st b32 s[0x14] $r2\n  bra again\nmet:\n  join nop\n  exit nop\n",
      50'000);
  EXPECT_EQ(result.end, LaunchEnd::kMaxCycles);
  EXPECT_THAT(result.message,
              ::testing::ContainsRegex("warp 0: .*; lanes 00000001, pc 0x.*\\(probe.sasm:1[345]\\).*; lanes fffffffe "
                                       "wait to go on at pc 0x[0-9a-f]+ \\(probe.sasm:17\\)"));
}

/// One block waits for a store of another, which computes far longer than the watchdog's patience.
TEST(Watchdog, ABlockThatWaitsForALateStoreIsNoLivelock) {
  const LaunchResult result = launch(
                                  "  mov b32 $r1 b32 s[out]\n  mov b32 $r2 u16 s[0xc]\n"
                                  "  set $c0 # lg u32 $r2 $r124\n  (lg $c0) bra wait\n  mov b32 $r3 0x9c40\n"
                                  "work:\n  add b32 $r3 $r3 0xffffffff\n  set $c0 # lg u32 $r3 $r124\n"
                                  "  (lg $c0) bra work\n  mov b32 $r3 0x1\n  st b32 g14[$r1] $r3\n  exit nop\n"
                                  "wait:\n  ld b32 $r2 g14[$r1]\n  set $c0 # e u32 $r2 $r124\n"
                                  "  (lg $c0) bra wait\n  exit nop\n",
                                  {2, 1, 1}, {32, 1, 1}, 0, 60'000'000)
                                  .launches[0];
  EXPECT_EQ(result.end, LaunchEnd::kFinished) << result.message;
  EXPECT_GT(result.shader_cycles, 400'000u) << "too short to be suspected";
}

TEST(Watchdog, ABlockThatWaitsForItsTurnIsNoLivelock) {
  // One block beside three others, each alone far longer than the watchdog's patience on the smallest machine.
  const RunResult result = launch(
      "  mov b32 $r1 0x4e20\nloop:\n  add b32 $r1 $r1 0xffffffff\n  set $c0 # lg u32 $r1 $r124\n"
      "  (lg $c0) bra loop\n  exit nop\n",
      {4, 1, 1}, {32, 1, 1});
  EXPECT_EQ(result.launches[0].end, LaunchEnd::kFinished) << result.launches[0].message;
  EXPECT_GT(result.launches[0].shader_cycles, 400'000u) << "too short to be suspected";
}

struct Launched {
  LaunchResult last;
  Cycle first_accepted = 0;  // shader edge of the first doorbell
};

/// A kernel on the smallest machine, with `faults` planted.
Launched launch_all(const std::string& kernel, const Assignments& args, const std::vector<std::string>& sets,
                    const std::vector<std::string>& faults = {}, bool lockstep = false) {
  const Scenario scenario = read_scenario(std::string(G80_SOURCE_DIR) + "/kernels/" + kernel + "/scenario.toml");
  const Module module = load_module(scenario);
  const Config config = scenario_config(scenario, "tiny", sets);
  MachineOptions machine;
  machine.lockstep = lockstep;
  machine.faults = faults;
  GpuBackend backend(config, machine);
  RunOptions options;
  options.args = args;
  options.max_cycles = 50'000'000;
  Launched launched;
  launched.last = run_scenario(scenario, module, config, options, backend).launches.back();
  launched.first_accepted =
      backend.gpu().shader.last_edge_by(backend.gpu().command_processor.launches().front().accepted);
  return launched;
}

TEST(Watchdog, ASlowMemoryIsNoHang) {
  const auto end = [](const char* kernel, const std::vector<std::string>& sets) {
    return launch_all(kernel, {}, sets).last.end;
  };
  EXPECT_EQ(end("coordinates", {"partition.cycles_per_transaction=64"}), LaunchEnd::kFinished)
      << "its stores go on when no warp is left";
  EXPECT_EQ(end("sfu_functions", {"xbar.request_latency=1024"}), LaunchEnd::kFinished)
      << "instructions come from far away";
}

// A branch on its way through the control path decides what the warp does next: its block is not at rest.
TEST(Watchdog, ABranchThatTakesItsTimeIsNoLivelock) {
  for (const unsigned latency : {40, 56, 100}) {
    const LaunchResult launch = launch_all("reduction_interleaved", {{"blocks", "20"}, {"block", "64"}},
                                           {fmt::format("sm.branch_latency={}", latency), "clock.core_mhz=140.5",
                                            "clock.dram_mhz=51.908", "gpu.hang_cycles=1000", "sm.collector_units=1",
                                            "sm.scheduler=greedy_then_oldest", "sm.divergence_first=fallthrough"})
                                    .last;
    EXPECT_EQ(launch.end, LaunchEnd::kFinished) << latency << "\n" << launch.message;
  }
}

TEST(Watchdog, ASlowHostLinkIsNoHang) {
  GpuBackend machine(
      load_config("tiny", {"gpu.hang_cycles=1000", "host.link_mb_per_s=1", "host.link_latency_ns=100000"}), {});
  std::vector<std::uint32_t> in(96), out(in.size());
  std::iota(in.begin(), in.end(), 5u);
  const std::uint32_t address = machine.allocate(4 * in.size(), "data");
  machine.write(address, in.data(), 4 * in.size());
  machine.read(address, out.data(), 4 * out.size());
  EXPECT_EQ(out, in);
}

// The last store is long in the slow DRAM, then the fence of the launch lies in its queue until the host looks.
TEST(Watchdog, AGridWhoseEndTheHostHasNotSeenIsNoHang) {
  for (const unsigned wl : {200, 220, 240, 255}) {
    for (const unsigned cl : {100, 150, 202}) {
      const LaunchResult launch = launch_all("global_sync", {{"blocks", "2"}, {"block", "64"}},
                                             {"clock.dram_mhz=30", fmt::format("dram.wl={}", wl),
                                              fmt::format("dram.cl={}", cl), "gpu.hang_cycles=1000"})
                                      .last;
      EXPECT_EQ(launch.end, LaunchEnd::kFinished) << "wl " << wl << ", cl " << cl << "\n" << launch.message;
    }
  }
}

TEST(Watchdog, NoTimingThatIsAllowedIsAHang) {
  static const std::pair<const char*, Assignments> kRuns[] = {
      // clang-format off
      {"coordinates", {{"grid_x", "2"}, {"grid_y", "2"}}}, {"global_sync", {{"blocks", "2"}, {"block", "64"}}},
      {"atomics", {{"blocks", "1"}, {"block", "20"}}},     {"texture_read", {{"block", "32"}}},
      {"divergence_in_warp", {{"blocks", "2"}, {"block", "128"}}},                          {"constant_read", {{"blocks", "2"}, {"block", "64"}}},
      {"local_spill", {{"blocks", "2"}, {"block", "48"}}}};
  // clang-format on
  testing::ConfigurationGenerator machines(random_seed());
  for (unsigned trial = 0; trial < 28; ++trial) {
    std::vector<std::string> sets = machines.timing("tiny");
    sets.push_back("gpu.hang_cycles=1000");
    if (trial % 7 == 4) sets.push_back("sm.stack_on_chip=1");
    const auto& [kernel, args] = kRuns[trial % std::size(kRuns)];
    const LaunchResult launch = launch_all(kernel, args, sets).last;
    ASSERT_EQ(launch.end, LaunchEnd::kFinished)
        << kernel << " --set " << fmt::format("{}", fmt::join(sets, " --set ")) << "\n"
        << launch.message;
  }
}

// Many lanes of many SMs wait for one word, and a memory that is slow serves one after the other.
TEST(Watchdog, AQueueOfAtomicsIsNoRequestThatNobodyAnswers) {
  const LaunchResult launch =
      launch_all("atomics", {{"blocks", "17"}, {"block", "20"}},
                 {"gpu.sms_per_tpc=4", "gpu.hang_cycles=1000", "clock.dram_mhz=100", "sm.max_ctas=2"}, {}, true)
          .last;
  EXPECT_EQ(launch.end, LaunchEnd::kFinished) << launch.message;
}

/// Polls watchdogs while a grid runs, one at every edge, and measures for how long nothing was in flight meanwhile.
class AtEveryEdge final : public TraceSink {
 public:
  explicit AtEveryEdge(GpuBackend& machine)
      : gpu_(machine.gpu()), watchdog_(gpu_), seldom_(gpu_), activity_(gpu_), domains_(machine.domains()) {
    for (Domain* domain : domains_) domain->attach_trace(*this);
  }
  ~AtEveryEdge() override {
    for (Domain* domain : domains_) domain->detach_trace(*this);
  }
  std::string hang;
  Picoseconds longest_rest = 0;
  std::uint64_t looks = 0;

 private:
  void changed(std::uint32_t) override {}
  void edge_begin(Domain& domain) override {
    const Picoseconds now = domain.edge_time(domain.edge());
    const bool runs = gpu_.command_processor.registers().grid_running;
    if (runs && !ran_) {
      watchdog_.begin();
      seldom_.begin();
    }
    ran_ = runs;
    const bool rests = runs && !activity_.anything_in_flight();
    if (!rests) held_until_ = now;
    longest_rest = std::max(longest_rest, now - held_until_);
    if (!runs) return;
    ++looks;
    HangReport report = watchdog_.poll();
    if (hang.empty()) hang = report.text;
    if (!rests && looks % kSeldom != 0) return;
    report = seldom_.poll();
    if (hang.empty()) hang = report.text;
  }

  static constexpr unsigned kSeldom = 1024;  // edges

  Gpu& gpu_;
  Watchdog watchdog_;
  Watchdog seldom_;  // polled seldom, and at the worst moments: whenever nothing is in flight
  const MachineActivity activity_;
  const std::vector<Domain*> domains_;
  bool ran_ = false;
  Picoseconds held_until_ = 0;
};

// Between two blocks work is on a wire and held by neither: a look at that moment is no proof of a hang.
TEST(Watchdog, WorkBetweenTwoBlocksIsNotAtRest) {
  constexpr double kMostEdges = 16;  // of the slowest clock; the watchdog waits for four times as many
  static const std::pair<const char*, Assignments> kRuns[] = {{"coordinates", {{"grid_x", "2"}, {"grid_y", "2"}}},
                                                              {"global_sync", {{"blocks", "2"}, {"block", "64"}}},
                                                              {"atomics", {{"blocks", "1"}, {"block", "20"}}},
                                                              {"texture_read", {{"block", "32"}}},
                                                              {"constant_read", {{"blocks", "2"}, {"block", "64"}}}};
  testing::ConfigurationGenerator machines(random_seed());
  for (unsigned trial = 0; trial < 20; ++trial) {
    const auto& [kernel, args] = kRuns[trial % std::size(kRuns)];
    std::vector<std::string> sets = machines.timing("tiny");
    sets.insert(sets.end(), {"gpu.hang_cycles=1000", "host.launch_cycles=20000"});
    SCOPED_TRACE(fmt::format("{} --set {}", kernel, fmt::join(sets, " --set ")));
    const Scenario scenario = testing::scenario_of(kernel);
    const Module module = load_module(scenario);
    const Config config = scenario_config(scenario, "tiny", sets);
    GpuBackend machine(config, MachineOptions());
    AtEveryEdge edges(machine);
    RunOptions options;
    options.args = args;
    EXPECT_EQ(exit_code(run_scenario(scenario, module, config, options, machine)), kExitPass);
    EXPECT_EQ(edges.hang, "");
    EXPECT_GT(edges.looks, 100u);
    const double slowest = std::min({config.clock.shader_mhz, config.clock.core_mhz, config.clock.dram_mhz});
    EXPECT_LE(static_cast<double>(edges.longest_rest) * slowest / 1e6, kMostEdges);
  }
}

/// Something in the machine stops for ever: what is in flight is named, with the place where it is.
TEST(Watchdog, AMachineThatIsStuckIsAHangThatNamesThePlace) {
  constexpr const char *kStores = "global_sync", *kDeep = "divergence_in_warp";
  static const struct {
    const char* kernel;
    const char* fault;
    const char* place;
  } kStuck[] = {
      {kStores, "tpc0.arbiter.ready=0", "gpu.tpc0.coalescer0"},
      {kStores, "tpc0.tlb.ready=0", "gpu.tpc0.arbiter"},
      {kStores, "request_crossbar.ready=0", "gpu.chip_port"},
      {kStores, "texture_l2_0.request_ready=0", "gpu.request_crossbar"},
      {kStores, "channel0.partition.ready=0", "gpu.texture_l2_0"},
      {kStores, "texture_l2_0.partition_ready=0", "gpu.channel0.partition"},
      {kStores, "reply_crossbar.ready=0", "gpu.texture_l2_0"},
      {kStores, "tpc0.router.reply_ready=0", "gpu.reply_crossbar"},
      {kStores, "gpu.tpc0_reply.valid=0", "gpu.tpc0.sm0.load_table"},
      {"texture_read", "tpc0.texture_reply.valid=0", "gpu.tpc0.texture_unit"},
      {"sfu_functions", "gpu.tpc0_line.valid=0", "gpu.tpc0.second_level"},
      {kDeep, "tpc0.sm0.load_table.stack.valid=0", "gpu.tpc0.sm0.reconvergence_stack"},
      {kDeep, "tpc0.sm0.load_table.stack.valid=0",
       "`join nop` (" G80_SOURCE_DIR "/kernels/divergence_in_warp/divergence_in_warp.sasm:21)"},
      {kDeep, "tpc0.sm0.address_unit.stack_ready=0", "gpu.tpc0.sm0.reconvergence_stack"},
  };
  constexpr Cycle kUnderWay = 150;  // shader cycles from the doorbell: the first block runs
  for (const auto& stuck : kStuck) {
    SCOPED_TRACE(stuck.fault);
    const std::vector<std::string> sets = {"gpu.hang_cycles=5000", "sm.stack_on_chip=1"};
    const Assignments args = stuck.kernel == kDeep ? Assignments{{"block", "64"}} : Assignments{};
    const Cycle from = launch_all(stuck.kernel, args, sets).first_accepted + kUnderWay;
    const LaunchResult launch = launch_all(stuck.kernel, args, sets, {fmt::format("{}@{}..", stuck.fault, from)}).last;
    EXPECT_EQ(launch.end, LaunchEnd::kHang) << launch.message;
    EXPECT_LT(launch.shader_cycles, 60'000u);
    EXPECT_THAT(launch.message, HasSubstr("nothing has moved since cycle"));
    EXPECT_THAT(launch.message, HasSubstr(stuck.place));
  }
}

/// Shader cycles until the watchdog says that the machine hangs outside of launches, or 0.
Cycle cycles_until_hung(const std::string& fault, const std::function<void(GpuBackend&)>& use, std::string& text) {
  MachineOptions options;
  options.faults = {fault};
  GpuBackend machine(load_config("tiny", {"gpu.hang_cycles=5000"}), options);
  try {
    use(machine);
  } catch (const MachineHung& hang) {
    text = hang.what();
    return machine.shader_cycle();
  }
  return 0;
}

// Nothing passes the crossbar: the copy that writes the page tables never ends.
TEST(Watchdog, ACopyThatNeverEndsIsAHang) {
  std::string text;
  const Cycle cycles = cycles_until_hung(
      "request_crossbar.ready=0@1..", [](GpuBackend& machine) { machine.allocate(256, "out"); }, text);
  EXPECT_GT(cycles, 20'000u);
  EXPECT_LT(cycles, 60'000u);
  EXPECT_THAT(text, HasSubstr("hang outside of launches, shader cycle"));
  EXPECT_THAT(text, HasSubstr("nothing has moved since cycle"));
  EXPECT_THAT(text, HasSubstr("gpu.chip_port"));
}

TEST(Watchdog, ABarrierThatCannotOpenIsFoundAsSoonAsNothingElseMoves) {
  const LaunchResult launch =
      launch_all("dot_product_hang", {{"blocks", "1"}, {"block", "128"}, {"n", "128"}}, {"gpu.hang_cycles=5000"}).last;
  EXPECT_EQ(launch.end, LaunchEnd::kBarrierDeadlock);
  EXPECT_LT(launch.shader_cycles, 20'000u)
      << "about 7000 cycles until it hangs, 5000 of patience, 4096 between two looks";
  EXPECT_THAT(launch.message, HasSubstr("nothing is in flight"));
}

TEST(Watchdog, ALimitIsNoProof) {
  RunOptions options;
  options.max_cycles = 500;
  options.args = {{"block", "64"}};
  const RunResult result = run("vec_add", "tiny", options);
  EXPECT_EQ(result.launches.at(0).end, LaunchEnd::kMaxCycles);
  EXPECT_EQ(exit_code(result), kExitHang);
  EXPECT_THAT(result.launches[0].message, HasSubstr("a hang could not be proved"));
}

TEST(Faults, AStoreBehindABufferNamesTheInstruction) {
  const RunResult result = launch("  mov b32 $r1 b32 s[out]\n  mov b32 $r2 $r1\n  st b32 g14[$r1] $r2\n  exit nop\n",
                                  {2, 1, 1}, {64, 1, 1}, 0x10000);
  const std::string& text = result.launches[0].message;
  EXPECT_EQ(result.launches[0].end, LaunchEnd::kFault);
  EXPECT_EQ(exit_code(result), kExitFault);
  EXPECT_THAT(text, HasSubstr("page not present: block (0,0), warp 0, lane 0, pc 0x"));
  EXPECT_THAT(text, HasSubstr("`st b32 g14[$r1] $r2`"));
  EXPECT_THAT(text, HasSubstr("65536 bytes beyond the start of 'out'"));
}

TEST(Faults, AMisalignedLoadNamesItsAddress) {
  const RunResult result =
      launch("  mov b32 $r1 b32 s[out]\n  ld b32 $r2 g14[$r1]\n  exit nop\n", {1, 1, 1}, {32, 1, 1}, 2);
  EXPECT_EQ(exit_code(result), kExitFault);
  EXPECT_THAT(result.launches[0].message, HasSubstr("misaligned address: block (0,0), warp 0, lane 0"));
  EXPECT_THAT(result.launches[0].message, HasSubstr("`ld b32 $r2 g14[$r1]` (probe.sasm:5), address 0x"));
}

TEST(Faults, ATrapStopsTheGrid) {
  const RunResult result = launch("  trap\n  exit nop\n", {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(exit_code(result), kExitFault);
  EXPECT_THAT(result.launches[0].message, HasSubstr("trap: block (0,0), warp 0"));
  EXPECT_THAT(result.launches[0].message, HasSubstr("`trap`"));
}

TEST(LaunchErrors, AreToldBeforeAnythingRuns) {
  RunOptions options;
  options.args = {{"block", "1024"}};
  EXPECT_THROW(run("vec_add", "8600gts", options), InputError);
  EXPECT_THROW(run("atomics", "8800gtx", {}), InputError) << "compute capability 1.0 has no atomics";
}

}  // namespace
}  // namespace g80
