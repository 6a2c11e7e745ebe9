// SPDX-License-Identifier: Apache-2.0
// A block that becomes slower, or loses what it has cached, changes no result, so lock-step lets it pass. The record of
// cycles catches it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/report/cycle_record.h"
#include "hw/common/domain.h"
#include "hw/gpu/gpu.h"
#include "tests/must_fail/planted_run.h"

namespace g80::must_fail {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Regression {
  const char* name;    // of the test
  const char* kernel;  // as the suite runs it on `tiny`
  // What is planted. {N} is shader cycle N of the first launch.
  const char* fault;
  const char* shows;  // what the comparison with the record says
};

void PrintTo(const Regression& regression, std::ostream* out) { *out << regression.fault; }

/// A run of a kernel on the machine `tiny`, in lock-step, with the arguments of the record.
struct TinyRun {
  RunResult result;
  Cycle accepted = 0;  // shader cycle of the first launch
};

TinyRun run_on_tiny(const std::string& kernel, const std::vector<std::string>& faults) {
  const Scenario scenario = read_scenario(std::string(G80_SOURCE_DIR) + "/kernels/" + kernel + "/scenario.toml");
  const Module module = load_module(scenario);
  const Config config = scenario_config(scenario, "tiny", {});
  MachineOptions options;
  options.faults = faults;
  GpuBackend machine(config, options);
  TinyRun run;
  run.result = run_scenario(scenario, module, config, {}, machine);
  run.result.manifest.device = "tiny";
  const Cycle accepted_edge = machine.gpu().command_processor.launches().front().accepted_edge;
  run.accepted = machine.gpu().shader.last_edge_by(machine.gpu().core.edge_time(accepted_edge));
  for (const InjectedFault& fault : machine.injected_faults()) EXPECT_GT(fault.changes, 0u) << fault.text;
  return run;
}

std::vector<std::string> differences(const TinyRun& run) {
  static const std::vector<CycleRow> record =
      read_cycle_record(std::string(G80_SOURCE_DIR) + "/tests/machine/cycles.tsv");
  return cycle_differences(record, {cycle_row(run.result)}, false);
}

/// `text` with its places in time.
std::string placed(std::string text, const TinyRun& clean) {
  for (std::size_t at = text.find('{'); at != std::string::npos; at = text.find('{')) {
    const std::size_t end = text.find('}', at);
    const Cycle cycle = clean.accepted + std::stoul(text.substr(at + 1, end - at - 1));
    text.replace(at, end + 1 - at, std::to_string(cycle));
  }
  return text;
}

class CycleRegression : public ::testing::TestWithParam<Regression> {};

TEST_P(CycleRegression, ChangesNoResultAndIsCaughtByTheRecord) {
  const TinyRun clean = run_on_tiny(GetParam().kernel, {});
  ASSERT_THAT(differences(clean), IsEmpty());
  const std::string fault = placed(GetParam().fault, clean);
  const TinyRun planted = run_on_tiny(GetParam().kernel, {fault});
  EXPECT_EQ(exit_code(planted.result), kExitPass) << fault << " is more than a loss of time";
  EXPECT_TRUE(planted.result.compared);
  const std::vector<std::string> seen = differences(planted);
  ASSERT_THAT(seen, SizeIs(1)) << fault;
  EXPECT_THAT(seen[0], HasSubstr(" on tiny: shader_cycles ")) << fault;
  EXPECT_THAT(seen[0], HasSubstr(GetParam().shows)) << fault;
}

const Regression kRegressions[] = {
    {"the_scheduler_sees_no_warp_for_3000_cycles", "global_sync", "sm0.warp_scheduler.hidden=0xffffffff@{1000}..{4000}",
     "stall.unit_busy"},
    {"the_instruction_cache_is_emptied", "global_sync", "sm0.instruction_cache.kernel=99@{800}",
     "instruction_cache_misses"},
    {"the_constant_cache_is_emptied", "constant_read", "sm0.constant_cache.kernel=99@{1500}", "constant_cache_misses"},
    {"the_second_level_of_the_caches_is_emptied", "constant_read", "tpc0.second_level.flush=99@{1}..{1500}",
     "shader_cycles"},
    {"the_tlb_is_emptied", "global_sync", "tpc0.tlb.flush=99@{2000}", "tpc.tlb_misses"},
    {"the_coalescer_pauses", "global_sync", "tpc0.coalescer0.wait=1@{1000}..{1600}", "stall.memory"},
    {"the_request_crossbar_pauses", "global_sync", "request_crossbar.ready=0@{1500}..{2000}", "stall.memory"},
    {"the_reply_crossbar_pauses", "global_sync", "reply_crossbar.ready=0@{1500}..{2000}", "stall.memory"},
    {"the_dram_refreshes_too_often", "global_sync", "channel0.controller.refreshes=8@{2000}", "stall.memory"},
    {"the_launcher_ends_blocks_late", "global_sync", "sm0.cta_launcher.fresh[0]=0xffffffff@{1000}..{2000}",
     "stall.no_warp"},
    {"the_texture_cache_is_emptied", "texture_read", "tpc0.texture_unit.flush=99@{1500}", "tpc.reply_flits"},
};

INSTANTIATE_TEST_SUITE_P(Blocks, CycleRegression, ::testing::ValuesIn(kRegressions),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace g80::must_fail
