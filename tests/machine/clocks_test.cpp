// SPDX-License-Identifier: Apache-2.0
// Random clocks, crossings and queues: whether blocks sleep, in which order they are stepped, which groups run ahead
// and on how many threads changes no counter, no cycle and no byte.
//
// G80_CAMPAIGN=2000 looks at 2000 machines with a kernel each, G80_CAMPAIGN=200..400 at those from number 200 on. The
// machines follow from G80_TEST_SEED and their number, so that processes may share a campaign.
#include <gtest/gtest.h>

#include "tests/machine/campaign.h"
#include "tests/machine/random_configuration.h"
#include "tests/machine/small_run.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

using testing::MachineOutcome;
using testing::MachineRun;

/// Kernels that are over within milliseconds, with accesses of every kind.
const std::pair<const char*, Assignments> kShortKernels[] = {
    {"vec_add", {{"n", "300"}, {"block", "64"}}},
    {"reduction_interleaved", {{"blocks", "2"}, {"block", "64"}}},
    {"reduction_sequential", {{"blocks", "3"}, {"block", "32"}}},
    {"matrix_mul", {{"width", "8"}, {"tile", "4"}}},
    {"global_sync", {{"blocks", "3"}, {"block", "64"}}},
    {"coordinates", {{"grid_x", "2"}, {"grid_y", "2"}}},
    {"atomics", {{"blocks", "1"}, {"block", "20"}}},
    {"local_spill", {{"blocks", "2"}, {"block", "48"}}},
    {"texture_read", {{"block", "32"}}},
    {"constant_read", {{"blocks", "2"}, {"block", "64"}}},
};

/// How it ended, every counter of it and every buffer; what went wrong, if it did.
std::pair<std::string, testing::Buffers> all_of(const MachineRun& run) {
  try {
    const MachineOutcome outcome = testing::execute(run);
    return {fmt::format("exit {}, {}\n{}", exit_code(outcome.result), verdict(outcome.result),
                        statistics_json({outcome.result})),
            outcome.buffers};
  } catch (const std::exception& error) {
    return {error.what(), {}};
  }
}

std::string first_line_that_differs(const std::string& a, const std::string& b) {
  std::istringstream lines_a(a), lines_b(b);
  std::string line_a, line_b;
  while (std::getline(lines_a, line_a) && std::getline(lines_b, line_b)) {
    if (line_a != line_b) return line_b + "\ninstead of\n" + line_a;
  }
  return "one ends sooner";
}

TEST(RandomClocks, NeitherSleepNorOrderNorThreadsChangeARun) {
  const testing::Span span = testing::campaign(40);
  const bool is_long = std::getenv("G80_CAMPAIGN") != nullptr;
  const unsigned seed = random_seed();
  unsigned passed = 0;
  for (unsigned number = span.from; number < span.to; ++number) {
    const std::uint64_t machine_seed = std::uint64_t{seed} << 32 | number;
    std::mt19937_64 random(machine_seed + 1);
    const auto& [kernel, args] = kShortKernels[random() % std::size(kShortKernels)];
    MachineRun run = testing::small_run(kernel);
    if (!is_long || random() % 4 != 0) run.args = args;
    const char* const devices[] = {"tiny", "8600gts", "9800gtx", "gtx280"};
    run.device = devices[random() % std::size(devices)];
    run.sets = testing::ConfigurationGenerator(machine_seed).clocks(run.device);
    if (random() % 2 != 0) run.machine.late_crossings = random();
    MachineRun reference = run;
    reference.machine.no_sleep = true;
    const auto expected = all_of(reference);
    EXPECT_EQ(expected.first.rfind("exit 0,", 0), 0u) << expected.first.substr(0, 2000) << "\n"
                                                      << testing::command_of(reference);
    if (expected.first.rfind("exit 0,", 0) == 0) ++passed;
    std::vector<MachineRun> others = {run, run};
    others[1].machine.shuffle = number + 1;
    const std::vector<unsigned> threads = is_long ? std::vector{2u, 3u, 8u} : std::vector{2 + number % 3};
    for (const unsigned each : threads) others.push_back(run), others.back().machine.threads = each;
    for (unsigned i = 1; i < others.size(); ++i) others[i].machine.lockstep = false;
    for (const MachineRun& other : others) {
      const auto seen = all_of(other);
      if (seen == expected) continue;
      ADD_FAILURE() << "machine " << number << " of seed " << seed << "\n"
                    << testing::command_of(other) << "\ndiffers from --no-sleep: "
                    << (seen.first != expected.first ? first_line_that_differs(expected.first, seen.first)
                                                     : testing::first_difference(seen.second, expected.second));
    }
    if (is_long && number % 50 == 49) std::printf("%u machines\n", number + 1 - span.from), std::fflush(stdout);
  }
  std::printf("%u machines, %u runs ended as expected\n", span.to - span.from, passed);
}

}  // namespace
}  // namespace g80
