// SPDX-License-Identifier: Apache-2.0
// How often each block outside the multiprocessors is stepped, and what it counts, on a few small kernels. Cycles and
// results do not tell when a block stays awake for nothing, or wakes when nothing has come.
#include <algorithm>
#include <memory>

#include "tests/machine/machine_run.h"
#include "tests/support/recorded.h"
#include "tests/support/step_count.h"

namespace g80 {
namespace {

struct RecordedRun {
  const char *kernel, *device;
  Assignments args;
  std::vector<std::string> sets;
};
const RecordedRun kRuns[] = {
    {"local_spill", "tiny", {{"blocks", "6"}, {"block", "48"}}, {}},
    {"texture_read", "tiny", {{"block", "32"}}, {"tlb.l2_entries=0", "host.copy_channel=false"}},
    {"texture_read", "8600gts", {}, {}},
    {"constant_read", "8600gts", {{"blocks", "6"}, {"block", "64"}}, {"partition.cycles_per_transaction=3"}},
    {"atomics",
     "gtx280",
     {{"blocks", "3"}, {"block", "20"}},
     {"dram.window=4", "dram.write_high=3", "dram.write_low=1", "host.copy_reads=2"}},
    {"reduction_interleaved", "8800gtx", {}, {"gpu.cta_order=shuffled", "xbar.queue=2"}},
};

std::string kind_of(std::string name) {
  name.erase(std::remove_if(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; }), name.end());
  return name;
}

void add_run(const RecordedRun& run, std::map<std::string, std::uint64_t>& record) {
  const Scenario scenario = testing::scenario_of(run.kernel);
  const Module module = load_module(scenario);
  MachineOptions machine;
  machine.lockstep = false;
  const Config config = scenario_config(scenario, run.device, run.sets);
  GpuBackend backend(config, machine);
  std::vector<ClockedBase*> blocks;
  Gpu& gpu = backend.gpu();
  for (Domain* domain : {&gpu.shader, &gpu.core, &gpu.dram}) {
    for (ClockedBase* block : domain->modules()) {
      const std::string kind = kind_of(block->name());
      if (kind.find(".sm.") == std::string::npos || kind.find("_cache") != std::string::npos) blocks.push_back(block);
    }
  }
  const testing::StepCount steps(blocks);
  RunOptions options;
  options.args = run.args;
  const RunResult result = run_scenario(scenario, module, config, options, backend);
  EXPECT_EQ(exit_code(result), kExitPass) << run.kernel;
  for (unsigned i = 0; i < blocks.size(); ++i) record["steps of " + kind_of(blocks[i]->name())] += steps.of(i);
  const auto add = [&record](const std::string& of, const UnitCounters& counters) {
    for (const auto& [name, count] : counters) record[of + name] += count;
  };
  for (const LaunchResult& launch : result.launches) {
    record["shader_cycles"] += launch.shader_cycles;
    for (const UnitCounters& tpc : launch.tpcs) add("tpc.", tpc);
    for (const UnitCounters& partition : launch.partitions) add("partition.", partition);
    add("chip.", launch.chip);
  }
}

TEST(BlockRecord, StepsAndCountersAreTheRecordedOnes) {
  std::map<std::string, std::uint64_t> record;
  for (const RecordedRun& run : kRuns) add_run(run, record);
  std::string text;
  for (const auto& [name, value] : record) text += fmt::format("{}\t{}\n", name, value);
  test::expect_recorded("tests/tb/block_record.tsv", text);
}

}  // namespace
}  // namespace g80
