// SPDX-License-Identifier: Apache-2.0
// --rtl-check in a whole machine: a twin with one mistake beside its block stops the run at the first pin that differs,
// and true twins do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rtl/adapters/bank_conflict_rtl.h"
#include "rtl/adapters/coalescer_rtl.h"
#include "rtl/adapters/warp_scheduler_rtl.h"
#include "tb/twins/twins.h"
#include "tests/machine/machine_run.h"
#include "tests/twins/must_fail/selected_mutant.h"

#include "twin_mutants.h"

namespace g80 {
namespace {

using ::testing::ContainsRegex;
using testing::execute;
using testing::MachineRun;

/// A tree sum with bank conflicts.
MachineRun reduction() { return {"reduction_interleaved", "tiny", {{"blocks", "2"}, {"block", "64"}}}; }

template <template <class> class Twin, class Model>
void expect_stopped(unsigned mutant, const char* block, const char* difference) {
  MachineRun run = reduction();
  using Mutant = Twin<testing::SelectedMutant<Model>>;
  run.machine.twins.emplace(typeid(typename Mutant::SystemCBlock), make_twin_beside<Mutant>);
  testing::selected_mutant = mutant;
  try {
    execute(run);
    ADD_FAILURE() << block << ": the run ended as if nothing were wrong";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), ContainsRegex(std::string(block) +
                                            ": its RTL twin differs at edge [0-9]+ of gpu[.][a-z]+ "
                                            "[(][0-9]+ ps, shader cycle [0-9]+[)]: " +
                                            difference + "\n +inputs at this edge: [a-z]"));
    std::printf("%s\n", error.what());
  }
}

TEST(RtlCheck, StopsAtTheFirstPinThatDiffers) {
  expect_stopped<WarpSchedulerTwin, Vwarp_scheduler_mutants>(1, "gpu.tpc0.sm0.warp_scheduler",
                                                             "pick_o[.]warp: block 0x[0-9a-f]+, twin 0x[0-9a-f]+");
  expect_stopped<BankConflictTwin, Vbank_conflict_mutants>(5, "gpu.tpc0.sm0.bank_conflict",
                                                           "replay_o: block 0x0, twin 0x1");
  expect_stopped<CoalescerTwin, Vcoalescer_mutants>(4, "gpu.tpc0.coalescer0", "access_i, pop: block 0x1, twin 0x0");
}

TEST(RtlCheck, StopsAtACounterThatNoPinShows) {
  expect_stopped<BankConflictTwin, Vbank_conflict_mutants>(8, "gpu.tpc0.sm0.bank_conflict",
                                                           "counters[.]conflicts: block 0x[0-9a-f]+, twin 0x[0-9a-f]+");
}

// A fault changes the block. Its twin gets what the other twins show, and is as it would be without the fault.
TEST(RtlCheck, StopsInTheModelOfTheMultiprocessorAtTheBlockThatDiffers) {
  MachineRun run = reduction();
  run.machine.rtl_check = "sm";
  run.machine.faults = {"sm0.warp_scheduler.last^=0x1@1500"};
  try {
    execute(run);
    ADD_FAILURE() << "the run ended as if nothing were wrong";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), ContainsRegex("gpu.tpc0.sm0.warp_scheduler: its RTL twin differs at edge 150[0-9] of"));
    std::printf("%s\n", error.what());
  }
}

TEST(RtlCheck, FindsNothingInTrueTwinsAndChangesNothing) {
  MachineRun run = reduction();
  const auto plain = execute(run);
  for (const char* twins : {"all", "sm"}) {
    run.machine.rtl_check = twins;
    const auto checked = execute(run);
    EXPECT_EQ(statistics_json({checked.result}), statistics_json({plain.result}));
    EXPECT_EQ(testing::first_difference(checked.buffers, plain.buffers), "");
  }
}

}  // namespace
}  // namespace g80
