// SPDX-License-Identifier: Apache-2.0
// Starts of the SMs apart from each other, and that the mean over them does not depend on chance.
#include "validation/staggered_start.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "validation/rows.h"

namespace g80::silicon {
namespace {

/// When each block of one warp is through the waiting, counted from the first that is; by SM, the earliest first.
std::map<unsigned, std::vector<Cycle>> begins(unsigned blocks, std::uint32_t apart) {
  ExperimentRunner runner;
  Bench bench("8600gts", runner);
  Experiment experiment = Bench::experiment(
      ".kernel starts\n.reg 8\n.param ptr buffer\n" + staggered(bench.num_sms(), apart) + "  exit nop\n", blocks, 32);
  experiment.watch = Watch::kEvents;
  std::uint32_t exit_pc = 0;
  const Observation seen = bench.run(experiment);
  for (const MachineEvent& event : seen.events) {
    if (event.kind == EventKind::kIssue) exit_pc = std::max(exit_pc, event.pc);
  }
  EXPECT_LE(exit_pc, kStaggeredBytes);
  std::map<unsigned, std::vector<Cycle>> cycles;
  Cycle first = 0;
  for (const MachineEvent& event : seen.events) {
    if (event.kind != EventKind::kIssue || event.pc != exit_pc) continue;
    if (first == 0) first = event.cycle;
    cycles[event.unit].push_back(event.cycle - first);
  }
  return cycles;
}

// The SMs begin within a few hundred cycles of each other by themselves.
TEST(Staggered, SmsBeginOneAfterTheOther) {
  constexpr Cycle kApart = 4000, kAbout = 500;
  const auto cycles = begins(12, kApart);
  ASSERT_EQ(cycles.size(), 4u);
  std::vector<Cycle> of_sms;
  for (const auto& [sm, blocks] : cycles) {
    ASSERT_EQ(blocks.size(), 3u);
    EXPECT_LT(blocks.back() - blocks.front(), kAbout) << "the blocks of SM " << sm << " belong together";
    of_sms.push_back(blocks.front());
  }
  std::sort(of_sms.begin(), of_sms.end());
  for (std::size_t i = 1; i < of_sms.size(); ++i) {
    EXPECT_GT(of_sms[i] - of_sms[i - 1], kApart - kAbout);
    EXPECT_LT(of_sms[i] - of_sms[i - 1], kApart + kAbout);
  }
}

// What a copy gets must not change with the cycle at which the machine starts. Of this one a single start does; its
// mean of five moves less.
TEST(Copies, DoNotDependOnTheCycleOfTheStart) {
  const auto measured = [](const char* id, std::vector<std::string> sets) {
    const std::vector<Row>& rows = bandwidth_rows();
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return std::string(id) == r.id; });
    return Silicon(std::move(sets)).measure(*row).model;
  };
  const char* const id = "uncoalesced_128";
  std::vector<double> seen;
  for (const char* start : {"clock.reset_cycles=8", "clock.reset_cycles=10", "clock.reset_cycles=14"})
    seen.push_back(measured(id, {start}));
  const double mean = std::accumulate(seen.begin(), seen.end(), 0.0) / static_cast<double>(seen.size());
  for (const double one : seen) EXPECT_NEAR(one / mean, 1, 0.05);
}

}  // namespace
}  // namespace g80::silicon
