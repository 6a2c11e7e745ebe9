// SPDX-License-Identifier: Apache-2.0
// How runs end that do not finish: hangs are explained, faults name the instruction, launches that a device cannot
// carry out are refused before anything runs.
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "hw/gpu/gpu.h"
#include "input/input_error.h"
#include "source_dir.h"
#include "tb/check/machine_activity.h"
#include "tb/check/watchdog.h"
#include "tb/machine/gpu_backend.h"
#include "tests/machine/machine_run.h"
#include "tests/machine/probe.h"
#include "tests/machine/random_configuration.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

using ::testing::HasSubstr;
using testing::launch;
using testing::launch_all;

RunResult run(const std::string& kernel, const std::string& device, const RunOptions& options,
              const std::vector<std::string>& sets = {}) {
  const Scenario scenario = testing::scenario_of(kernel);
  const Module module = load_module(scenario);
  const Config config = scenario_config(scenario, device, sets);
  GpuBackend backend(config, MachineOptions());
  return run_scenario(scenario, module, config, options, backend);
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
