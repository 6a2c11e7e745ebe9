// SPDX-License-Identifier: Apache-2.0
// What a machine may change and what it may not, for every kernel of the project: results depend on the kernel and its
// data, time depends on the machine as well, and nothing depends on who looks. docs/checks.md says it in words.
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <set>

#include "hw/gpu/gpu.h"
#include "tb/machine/random_state.h"
#include "tests/machine/small_run.h"
#include "tests/machine/variations.h"
#include "tests/machine/work_counts.h"
#include "tests/support/random_seed.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

using testing::contents_of;
using testing::Counts;
using testing::different_counts;
using testing::execute;
using testing::expect_counters_add_up;
using testing::first_difference;
using testing::Keeps;
using testing::kernel_names;
using testing::MachineOutcome;
using testing::MachineRun;
using testing::scenario_of;
using testing::small_run;
using testing::Variation;
using testing::work_of;

MachineRun varied(MachineRun run, const Variation& variation) {
  run.sets.insert(run.sets.end(), variation.sets.begin(), variation.sets.end());
  run.machine = variation.machine;
  return run;
}

/// A kernel that is meant to hang may say which choice makes it hang.
bool applies(const Variation& variation, const Scenario& scenario) {
  for (const ScenarioText& setting : scenario.config) {
    const std::string key = setting.text.substr(0, setting.text.find('=') + 1);
    for (const std::string& set : variation.sets) {
      if (scenario.expect != Expectation::kPass && set.rfind(key, 0) == 0) return false;
    }
  }
  // Where one block waits for another and only one is resident, the block waited for must come first.
  const auto sets = [&](const char* key) {
    return std::any_of(variation.sets.begin(), variation.sets.end(),
                       [&](const std::string& set) { return set.rfind(key, 0) == 0; });
  };
  return scenario.order_dependent.empty() || !sets("gpu.cta_order=") || !sets("gpu.num_tpcs=");
}

std::string statistics(const RunResult& result) { return statistics_json({result}) + statistics_csv({result}); }

void expect_same(const MachineOutcome& seen, const MachineOutcome& base, Keeps keeps, const Scenario& scenario) {
  EXPECT_TRUE(as_expected(seen.result)) << verdict(seen.result) << "\n" << run_details(seen.result);
  EXPECT_EQ(exit_code(seen.result), exit_code(base.result));
  EXPECT_EQ(seen.result.launches.back().end, base.result.launches.back().end);
  EXPECT_EQ(first_difference(seen.buffers, base.buffers), "");
  expect_counters_add_up(seen.result);
  if (keeps == Keeps::kStatistics) {
    EXPECT_EQ(statistics(seen.result), statistics(base.result));
  }
  const bool same_course = scenario.order_dependent.empty() && scenario.expect == Expectation::kPass;
  if (keeps >= Keeps::kInstructions && same_course) {
    EXPECT_EQ(different_counts(work_of(seen.result, keeps), work_of(base.result, keeps)), "");
  }
}

class KernelProperties : public ::testing::TestWithParam<std::string> {
 protected:
  struct Run {
    unsigned sms;
    std::uint64_t shader_cycles;
  };
  /// Every variation against the base machine; returns those that ran.
  std::vector<Run> check(const std::vector<Variation>& variations) {
    std::vector<Run> runs;
    const Scenario scenario = scenario_of(GetParam());
    const MachineRun run = small_run(GetParam());
    const MachineOutcome base = execute(run);
    EXPECT_TRUE(as_expected(base.result)) << verdict(base.result) << "\n" << run_details(base.result);
    for (const Variation& variation : variations) {
      if (!applies(variation, scenario)) continue;
      SCOPED_TRACE(variation.name);
      try {
        const MachineOutcome outcome = execute(varied(run, variation));
        expect_same(outcome, base, variation.keeps, scenario);
        runs.push_back(
            {static_cast<unsigned>(outcome.result.launches.front().sms.size()), totals(outcome.result).shader_cycles});
      } catch (const std::exception& error) {
        ADD_FAILURE() << error.what();
      }
    }
    return runs;
  }
};

TEST_P(KernelProperties, GivesTheSameOnAnyNumberOfMultiprocessorsAndOnSixteenNotLater) {
  const std::vector<Run> runs = check(testing::shapes());
  EXPECT_EQ(runs.size(), 12u);
  const Scenario scenario = scenario_of(GetParam());
  // Blocks that wait for a place on one SM start at once on sixteen. A grid that one SM holds as a whole may well be
  // slower on more, as TPCs do not share their caches.
  for (const LaunchResult& launch : execute(small_run(GetParam())).result.launches) {
    if (launch.end != LaunchEnd::kFinished || launch.grid[0] * launch.grid[1] <= kMaxCtasPerSm) return;
  }
  for (const Run& one : runs) {
    for (const Run& sixteen : runs) {
      if (one.sms != 1 || sixteen.sms != 16) continue;
      EXPECT_LT(sixteen.shader_cycles, one.shader_cycles);
    }
  }
}
TEST_P(KernelProperties, GivesTheSameUnderEveryPolicy) { check(testing::policies()); }
TEST_P(KernelProperties, GivesTheSameOnMachinesOfOtherSizeAndSpeed) { check(testing::machines()); }
TEST_P(KernelProperties, IsNotDisturbedByWhoLooks) { check(testing::onlookers()); }

TEST_P(KernelProperties, GivesTheSameUnderCombinations) {
  const unsigned seed = 1 + random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 random(seed);
  std::vector<Variation> list;
  for (unsigned i = 0; i < 12; ++i) list.push_back(testing::combination(random));
  check(list);
}

// A crossing whose bits could not come late would change nothing.
TEST_P(KernelProperties, TakesOtherCyclesWithLateCrossings) {
  const std::uint64_t first = random_seed();
  MachineRun run = small_run(GetParam());
  const std::uint64_t plain = totals(execute(run).result).shader_cycles;
  for (std::uint64_t seed = first; seed < first + 8; ++seed) {
    run.machine.late_crossings = seed;
    if (totals(execute(run).result).shader_cycles != plain) return;
  }
  ADD_FAILURE() << plain << " cycles with 8 seeds from " << first << " on";
}

INSTANTIATE_TEST_SUITE_P(Properties, KernelProperties, ::testing::ValuesIn(kernel_names()),
                         [](const auto& info) { return info.param; });

// Waves change no counter; equal runs give equal files, and so do runs that differ in who looks only. What is drawn
// does not depend on the format: of the second one, two runs are enough. Nor are all kernels needed where each block is
// drawn at work.
class WaveProperties : public KernelProperties {};
TEST_P(WaveProperties, AreTheSameEveryTime) {
  const MachineRun run = small_run(GetParam());
  const std::string plain = statistics(execute(run).result);
  for (const char* suffix : {".vcd", ".fst"}) {
    std::string first;
    for (Variation variation : testing::onlookers()) {
      if (variation.machine.random_state) continue;  // waves show the bits
      if (suffix == std::string(".fst") && variation.name != "again" && variation.name != "threads") continue;
      SCOPED_TRACE(variation.name + suffix);
      WaveOptions wave;
      wave.file = ::testing::TempDir() + "g80_properties_" + GetParam() + suffix;
      wave.to = 15'000;
      wave.scopes = {"!*.rtl"};  // the inside of twins: tests/twins/wave_test.cpp
      variation.machine.wave = wave;
      EXPECT_EQ(statistics(execute(varied(run, variation)).result), plain);
      const std::string drawn = contents_of(wave.file);
      EXPECT_GT(drawn.size(), 10'000u);
      if (first.empty()) first = drawn;
      EXPECT_TRUE(drawn == first) << wave.file << " is another one";
      std::filesystem::remove(wave.file);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, WaveProperties,
                         ::testing::Values("vec_add", "texture_read", "global_sync", "matrix_mul", "local_spill",
                                           "sfu_functions"),
                         [](const auto& info) { return info.param; });

// Two SMs share a TPC here, and the caches are those of a chip.
TEST(RandomState, ChangesNothingOnALargerChip) {
  for (const char* kernel : {"vec_add", "reduction_sequential", "texture_read", "atomics"}) {
    SCOPED_TRACE(kernel);
    MachineRun run{kernel, "8600gts"};
    const MachineOutcome plain = execute(run);
    run.machine.random_state = random_seed();
    const MachineOutcome drawn = execute(run);
    EXPECT_EQ(statistics(drawn.result), statistics(plain.result));
    EXPECT_EQ(testing::first_difference(drawn.buffers, plain.buffers), "");
  }
}

// Not only registers: the words of every cache, and the places of every queue, start from random bits.
TEST(RandomState, ReachesCachesAndQueues) {
  testing::SystemCTest::renew_context();
  const Config config = load_config("tiny");
  Gpu gpu("gpu", config, GpuOptions{});
  RandomState state({&gpu.shader, &gpu.core, &gpu.dram}, random_seed());
  const std::uint64_t between_clocks = state.fields();
  EXPECT_GT(between_clocks, 1000u) << "queues between clocks";
  sc_core::sc_start(100, sc_core::SC_NS);
  const unsigned sms = config.gpu.num_tpcs * config.gpu.sms_per_tpc;
  const unsigned words = (sms * (config.icache.l1_bytes + config.ccache.l1_bytes) +
                          config.gpu.num_tpcs * (config.ccache.l2_bytes + config.tex.l1_bytes) +
                          config.ccache.l3_bytes + config.gpu.num_partitions * config.tex.l2_bytes) /
                         4;
  EXPECT_GT(state.fields() - between_clocks, words + 10'000);
}

// An exception that is none would hide what it should show.
TEST(OrderDependence, OnlyMarkedKernelsRunAnotherCourseAndEachOfThemDoes) {
  for (const std::string& kernel : kernel_names()) {
    const Scenario scenario = scenario_of(kernel);
    if (scenario.order_dependent.empty()) continue;  // the other tests demand an equal course
    const Counts base = work_of(execute(small_run(kernel)).result, Keeps::kWork);
    bool differs = false;
    for (const Variation& variation : testing::shapes()) {
      differs |=
          !different_counts(work_of(execute(varied(small_run(kernel), variation)).result, Keeps::kWork), base).empty();
    }
    EXPECT_TRUE(differs) << kernel << " is marked as order dependent: " << scenario.order_dependent;
  }
}

// What the scenario of block_flag says of a machine that holds one block at a time.
TEST(OrderDependence, BlockFlagNeedsBothBlocksAtOnceUnlessBlockZeroComesFirst) {
  MachineRun run{"block_flag", "8600gts"};
  run.sets = {"gpu.num_tpcs=1", "gpu.sms_per_tpc=1", "sm.max_ctas=1"};
  EXPECT_EQ(exit_code(execute(run).result), kExitPass);
  run.max_cycles = 100'000;
  run.sets.push_back("gpu.cta_order=shuffled");
  std::set<int> ends;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    MachineRun shuffled = run;
    shuffled.sets.push_back(fmt::format("gpu.seed={}", seed));
    ends.insert(exit_code(execute(shuffled).result));
  }
  EXPECT_EQ(ends, (std::set<int>{kExitPass, kExitHang}));
}

// A kernel that stores where it runs is what these tests are for: it must be seen.
TEST(Comparison, SeesAKernelThatTellsWhereItRuns) {
  const std::filesystem::path folder = ::testing::TempDir() + fmt::format("g80_where_{}", getpid());
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "where.sasm") << ".kernel where\n.reg 4\n.param ptr out\n"
                                          "cvt u32 $r1 u16 u16 s[0xc]\n"
                                          "shl b32 $r1 $r1 0x2\n"
                                          "add b32 $r1 b32 s[out] $r1\n"
                                          "mov $r2 $physid\n"
                                          "st b32 g14[$r1] $r2\n"
                                          "exit nop\n";
  std::ofstream(folder / "scenario.toml") << "kernel = \"where.sasm\"\nsummary = \"where\"\n"
                                             "[buffer.out]\ntype = \"u32\"\ncount = 16\n"
                                             "[[launch]]\ngrid = [16]\nblock = [1]\nparams = [\"out\"]\n";
  const MachineRun run{folder.string(), "8600gts"};
  const MachineOutcome base = execute(run);
  for (const Variation& shape : testing::shapes()) {
    const bool same_shape = shape.name == "2_tpcs_of_2";
    EXPECT_EQ(first_difference(execute(varied(run, shape)).buffers, base.buffers).empty(), same_shape) << shape.name;
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace g80
