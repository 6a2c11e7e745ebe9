// SPDX-License-Identifier: Apache-2.0
// Twins in the running GPU: not a cycle, counter or byte of memory differs from a run on SystemC blocks. That every
// kernel draws the same waves and keeps its statistics is tested with the other variations of the machine
// (tests/machine).
#include <gmock/gmock.h>

#include <cstring>
#include <regex>

#include "hw/sm/sm.h"
#include "input/input_error.h"
#include "rtl/adapters/bank_conflict_rtl.h"
#include "rtl/adapters/coalescer_rtl.h"
#include "rtl/adapters/warp_scheduler_rtl.h"
#include "source_dir.h"
#include "tb/machine/twin_select.h"
#include "tb/twins/twins.h"
#include "tests/machine/machine_run.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

using testing::execute;
using testing::first_difference;
using testing::MachineOutcome;
using testing::MachineRun;

void expect_same_on_rtl(MachineRun run, const char* blocks = "all") {
  SCOPED_TRACE(run.kernel);
  const MachineOutcome systemc = execute(run);
  EXPECT_TRUE(as_expected(systemc.result)) << run_details(systemc.result);
  run.machine.rtl = blocks;
  const MachineOutcome rtl = execute(run);
  EXPECT_EQ(statistics_json({rtl.result}), statistics_json({systemc.result}));
  EXPECT_EQ(first_difference(rtl.buffers, systemc.buffers), "");
}

std::uint64_t counted(const RunResult& result, const std::string& name) {
  std::uint64_t sum = 0;
  for (const LaunchResult& launch : result.launches) {
    for (const SmCounters& sm : launch.sms) {
      for (const NamedCount& counter : sm.other) sum += counter.first == name ? counter.second : 0;
    }
  }
  return sum;
}

TEST(TwinsInTheMachine, StandWhereTheyAreAskedForAndNowhereElse) {
  MachineOptions options;
  options.rtl = "coalescer,warp_scheduler";
  const GpuBackend machine(load_config("8600gts"), options);
  for (const auto& tpc : machine.gpu().tpcs) {
    for (const Coalescer* coalescer : tpc->coalescers) EXPECT_NE(dynamic_cast<const CoalescerRtl*>(coalescer), nullptr);
    for (const auto& pins : tpc->sms) {
      const auto* const sm = dynamic_cast<const Sm*>(pins.get());
      ASSERT_NE(sm, nullptr);
      EXPECT_NE(dynamic_cast<const WarpSchedulerRtl*>(&sm->warp_scheduler), nullptr);
      EXPECT_EQ(dynamic_cast<const BankConflictRtl*>(&sm->bank_conflict), nullptr);
    }
  }
}

TEST(TwinsInTheMachine, AllMeansEveryTwinAndAnUnknownNameIsRefused) {
  const Config config = load_config("tiny");
  Blocks blocks(select_twins("all"));
  EXPECT_NE(dynamic_cast<BankConflictRtl*>(&blocks.make<BankConflict>("a", config)), nullptr);
  EXPECT_NE(dynamic_cast<CoalescerRtl*>(&blocks.make<Coalescer>("b", config, 0u, 0u)), nullptr);
  EXPECT_NE(dynamic_cast<WarpSchedulerRtl*>(&blocks.make<WarpScheduler>("c", config)), nullptr);
  std::string names;
  for (const TwinInfo& twin : twins()) names += fmt::format("{}, ", twin.name);
  for (const char* list : {"gpu", "coalescer,", ",", "coalescer;bank_conflict", "Coalescer", "all,nothing"}) {
    try {
      select_twins(list);
      ADD_FAILURE() << list << " was accepted";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::EndsWith("allowed are " + names + "sm, all"));
      EXPECT_THAT(error.what(), ::testing::StartsWith(std::string("--rtl ") + list));
    }
  }
}

TEST(TwinsInTheMachine, TakeTheArgumentsOfTheirBlocks) {
  const Config config = load_config("tiny");
  Blocks blocks(select_twins("coalescer"));
  blocks.make<Coalescer>("a", config, 1u, 2u);
  EXPECT_THROW(blocks.make<Coalescer>("b", config, 1u, std::uint8_t{2}), ModelError);
}

// A module with an adapter is a twin; the others are parts of twins.
TEST(TwinsInTheMachine, AreAllTheModulesWithAnAdapter) {
  std::vector<std::string> listed, found;
  for (const TwinInfo& twin : twins()) listed.emplace_back(twin.source);
  const std::filesystem::path root = G80_SOURCE_DIR;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "rtl")) {
    if (entry.path().extension() != ".sv") continue;
    const std::string adapter = entry.path().stem().string() + "_rtl.h";
    if (std::filesystem::exists(root / "rtl/adapters" / adapter))
      found.push_back(std::filesystem::relative(entry.path(), root).string());
  }
  EXPECT_THAT(listed, ::testing::UnorderedElementsAreArray(found));
}

/// The text has the name, not only as the beginning of a longer one.
bool has_name(const std::string& text, const std::string& name) {
  return text.find(name) != std::string::npos && std::regex_search(text, std::regex(name + "(?!_?[a-z])"));
}

// Module, observer and adapter: no other source of the program names a twin.
TEST(TwinsInTheMachine, AreThreeFilesEach) {
  const std::filesystem::path root = G80_SOURCE_DIR;
  const auto is_source = [](const std::filesystem::path& file) {
    const std::string extension = file.extension().string();
    return extension == ".h" || extension == ".cpp" || extension == ".def" || extension == ".sv" ||
           extension == ".cmake" || file.filename() == "CMakeLists.txt";
  };
  unsigned read = 0;
  for (const char* top : {"app", "bench", "cmake", "hw", "input", "rtl", "runtime", "tb", "toolchain", "validation"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / top)) {
      if (!is_source(entry.path())) continue;
      ++read;
      const std::string file = std::filesystem::relative(entry.path(), root).string();
      const std::string text = testing::contents_of(entry.path().string());
      for (const TwinInfo& twin : twins()) {
        const std::string module(twin.source, std::strlen(twin.source) - 3), adapter = std::string(twin.name) + "_rtl";
        if (file.rfind(module, 0) == 0 || file == "rtl/adapters/" + adapter + ".h") continue;
        for (const std::string& name : {adapter, std::string(twin.name) + "_observer", "V" + std::string(twin.name)}) {
          const bool is_example = file == "cmake/SmParts.cmake";  // it explains the names with one
          EXPECT_TRUE(is_example || !has_name(text, name)) << file << " names " << name;
        }
      }
    }
  }
  EXPECT_GT(read, 300u);
}

TEST(TwinsInTheMachine, CoalesceBySegmentsOnTheGtx280) {
  for (const char* kernel : {"vec_add", "local_spill", "atomics", "reduction_sequential"})
    expect_same_on_rtl({kernel, "gtx280", {}, {"gpu.num_tpcs=2"}});
  expect_same_on_rtl({"matrix_mul", "gtx280", {{"width", "32"}}, {"gpu.num_tpcs=2"}});
  EXPECT_GT(counted(execute({"vec_add", "gtx280"}).result, "gld_coherent"), 0u) << "the segment rule was at work";
}

TEST(TwinsInTheMachine, SleepWithoutChangingAnything) {
  MachineRun run{"reduction_interleaved", "tiny", {{"blocks", "4"}, {"block", "64"}}};
  run.machine.rtl = "all";
  const MachineOutcome asleep = execute(run);
  run.machine.no_sleep = true;
  EXPECT_EQ(statistics_json({execute(run).result}), statistics_json({asleep.result}));
}

TEST(TwinsInTheMachine, StartFromRandomBits) {
  const std::uint64_t seed = random_seed();
  for (const char* blocks : {"all", "sm"}) {
    MachineRun run{"texture_read", "tiny"};
    run.machine.random_state = seed;
    expect_same_on_rtl(run, blocks);
    run = {"reduction_interleaved", "gtx280", {{"blocks", "4"}, {"block", "64"}}, {"gpu.num_tpcs=1"}};
    run.machine.random_state = seed + 1;
    expect_same_on_rtl(run, blocks);
  }
  MachineOptions beside;
  beside.random_state = seed;
  beside.rtl_check = "coalescer";
  EXPECT_THROW(GpuBackend(load_config("tiny"), beside), InputError);
}

TEST(TwinsInTheMachine, FollowEachSchedulingPolicy) {
  for (const auto& policy : kSchedulerPoliciesOfTheTwin) {
    const std::vector<std::string> set{fmt::format("sm.scheduler={}", policy.text)};
    for (const char* kernel : {"reduction_interleaved", "divergence_in_warp"})
      expect_same_on_rtl({kernel, "tiny", {{"blocks", "4"}, {"block", "64"}}, set});
    for (const char* kernel : {"sfu_functions", "texture_read"}) expect_same_on_rtl({kernel, "tiny", {}, set});
  }
}

// The straps at their smallest and at the largest values that the twins are built for.
TEST(TwinsInTheMachine, TakeEveryValueOfTheirKeysAtRunTime) {
  for (const auto& sets : {std::vector<std::string>{"coalescer.queue=1", "coalescer.cycles_per_transaction=16",
                                                    "sm.collector_units=1", "sm.load_table_entries=1", "sm.num_sfus=1",
                                                    "sm.sfu_latency=44", "sm.smem_passes_per_4_cycles=1"},
                           {"coalescer.queue=64", "coalescer.cycles_per_transaction=1", "sm.collector_units=16",
                            "sm.load_table_entries=64", "sm.num_sfus=4", "sm.smem_passes_per_4_cycles=4"}}) {
    for (const char* kernel : {"reduction_interleaved", "local_spill", "atomics"})
      expect_same_on_rtl({kernel, "8600gts", {}, sets});
  }
}

// The blocks of a multiprocessor as one model: with more than one of them, and with the units that not every chip has.
TEST(MultiprocessorInRtl, GivesTheSame) {
  expect_same_on_rtl({"reduction_sequential", "8600gts"}, "sm");
  expect_same_on_rtl({"sfu_functions", "gtx280", {}, {"gpu.num_tpcs=1"}}, "sm,coalescer");
}

TEST(MultiprocessorInRtl, GivesTheSameInTwoThreads) {
  MachineRun run{"reduction_sequential", "8600gts", {{"blocks", "4"}}};
  run.machine.threads = 2;
  expect_same_on_rtl(run, "sm");
}

TEST(MultiprocessorInRtl, IsEqualToItsBlocksAtEveryEdge) {
  MachineRun run{"texture_read", "tiny"};
  run.machine.rtl_check = "sm";
  EXPECT_TRUE(as_expected(execute(run).result));
}

TEST(MultiprocessorInRtl, IsOneChoiceForAllItsBlocks) {
  for (const auto& [rtl, beside, problem] :
       {std::tuple{"sm,fetch", "", "--rtl sm,fetch: fetch is chosen a second time, in another way"},
        {"all", "sm", "--rtl-check sm: address_unit is chosen a second time, in another way"}}) {
    try {
      select_twins(rtl, beside);
      ADD_FAILURE() << rtl << " was accepted";
    } catch (const InputError& error) {
      EXPECT_STREQ(error.what(), problem);
    }
  }
}

}  // namespace
}  // namespace g80
