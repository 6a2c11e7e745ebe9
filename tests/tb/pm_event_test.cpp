// SPDX-License-Identifier: Apache-2.0
// pmevent: what a program counts with __prof_trigger arrives under the profiler's names, once for each warp that
// executes it.
#include <fstream>

#include "tests/machine/machine_run.h"

namespace g80 {
namespace {

TEST(PmEvent, IsCountedPerWarpAndByTheNumberOfTheEvent) {
  const std::filesystem::path folder = ::testing::TempDir() + fmt::format("g80_pm_event_{}", getpid());
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "events.sasm") << ".kernel events\n.reg 4\n.param ptr out\n.const two u32 2\n"
                                           "cvt u32 $r0 u16 $r0l\n"
                                           "pmevent 0x0\n"
                                           "set $c0 # g u32 $r0 c1[two]\n"
                                           "joinat both\n"
                                           "(lg $c0) bra both\n"  // the lanes 0 to 2 of a block's first warp go on
                                           "pmevent 0x3\n"
                                           "pmevent 0x3\n"
                                           "both:\njoin nop\n"
                                           "pmevent 0x7\n"
                                           "pmevent 0x9\n"  // reserved
                                           "exit nop\n";
  std::ofstream(folder / "scenario.toml") << "kernel = \"events.sasm\"\nsummary = \"events\"\n"
                                             "[buffer.out]\ntype = \"u32\"\ncount = 16\n"
                                             "[[launch]]\ngrid = [5]\nblock = [128]\nparams = [\"out\"]\n";
  testing::MachineRun run{folder.string(), "8600gts"};
  const testing::MachineOutcome outcome = testing::execute(run);
  ASSERT_TRUE(as_expected(outcome.result)) << run_details(outcome.result);
  testing::expect_counters_add_up(outcome.result);
  const LaunchResult& launch = outcome.result.launches.front();
  std::map<std::string, std::uint64_t> expected, first, chip;
  for (unsigned event = 0; event < 8; ++event) expected[fmt::format("prof_trigger_{:02}", event)] = 0;
  expected["prof_trigger_00"] = 5 * 4;  // every warp
  expected["prof_trigger_03"] = 5 * 2;  // one warp of a block, twice
  expected["prof_trigger_07"] = 5 * 4;
  for (const ProfilerValue& value : profiler_values(launch, 1)) {
    const std::string name = value.counter->name;
    if (name.rfind("prof_trigger", 0) != 0) continue;
    chip[name] = value.chip;
    first[name] = value.unit;
  }
  EXPECT_EQ(chip, expected);
  EXPECT_EQ(first["prof_trigger_00"], launch.sms.front().blocks * 4);  // the profiler looks at one SM
  EXPECT_LT(first["prof_trigger_00"], chip["prof_trigger_00"]);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace g80
