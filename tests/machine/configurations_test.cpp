// SPDX-License-Identifier: Apache-2.0
// Random machines from the whole legal range of every key: whatever the rules between keys accept runs every kernel
// right, in lock-step, to its end; what they refuse, and what a device has no room for, is refused in one sentence.
//
// The work of a run is bounded, so each machine ends in reasonable time. The fixed part is small. G80_CAMPAIGN=500
// makes it 500 machines, G80_CAMPAIGN=200..500 those from number 200 on, and G80_CAMPAIGN_SECONDS ends it after that
// time, with the number to go on from.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "input/input_error.h"
#include "tests/machine/campaign.h"
#include "tests/machine/random_configuration.h"
#include "tests/machine/small_run.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

using testing::campaign;
using testing::command_of;
using testing::ConfigurationGenerator;
using testing::execute;
using testing::MachineOutcome;
using testing::MachineRun;
using testing::RandomConfiguration;
using testing::Span;

constexpr unsigned kKernelsOfAMachine = 6;

/// Kernels that pass on every machine that has room for them: where a block waits for another one, both must be
/// resident.
std::vector<std::string> campaign_kernels() {
  std::vector<std::string> names;
  for (const std::string& kernel : testing::kernel_names()) {
    const Scenario scenario = testing::scenario_of(kernel);
    if (scenario.expect == Expectation::kPass && kernel != "block_flag") names.push_back(kernel);
  }
  return names;
}

bool is_one_sentence(const std::string& text) { return !text.empty() && text.find('\n') == std::string::npos; }

double campaign_seconds() {
  const char* const given = std::getenv("G80_CAMPAIGN_SECONDS");
  return given != nullptr ? std::strtod(given, nullptr) : 1e9;
}

enum class End : std::uint8_t { kRight, kRefused, kWrong, kCutShort };

// The work of a run is bounded, because slow values multiply: a clock of a hundredth, a latency of a thousand cycles
// and a queue of one entry together make a run a million times longer. The kernels need some 20 000 edges of the three
// clocks on a preset with two SMs. A launch that reaches the limit has been compared up to there.
constexpr double kMostEdges = 2e7;      // of all clocks in a launch, of a machine with up to four SMs
constexpr double kMostSleepless = 2e5;  // the same for a repetition in which every block runs at every edge

/// Edges of all three clocks in a shader cycle, weighted with the size of the machine.
double work_of_a_cycle(const Config& config) {
  const auto& clock = config.clock;
  const double edges = (clock.shader_mhz + clock.core_mhz + clock.dram_mhz) / clock.shader_mhz;
  return edges * std::max(1.0, config.gpu.num_tpcs * config.gpu.sms_per_tpc / 4.0);
}

/// Runs it; says with the command that repeats it what is wrong.
End try_run(const MachineRun& run, MachineOutcome& outcome) {
  std::string wrong;
  try {
    outcome = execute(run);
    if (outcome.result.launches.back().end == LaunchEnd::kMaxCycles) return End::kCutShort;
    if (as_expected(outcome.result) && exit_code(outcome.result) == kExitPass) {
      testing::expect_counters_add_up(outcome.result);
      return End::kRight;
    }
    wrong =
        fmt::format("exit {}: {}\n{}", exit_code(outcome.result), verdict(outcome.result), run_details(outcome.result));
  } catch (const InputError& error) {  // exit 2: the device has no room for the kernel
    if (is_one_sentence(error.what())) return End::kRefused;
    wrong = fmt::format("refused, but not in one sentence: {}", error.what());
  } catch (const ConfigError& error) {  // exit 2: no pipe of that length
    if (is_one_sentence(error.what())) return End::kRefused;
    wrong = fmt::format("refused, but not in one sentence: {}", error.what());
  } catch (const std::exception& error) {
    wrong = error.what();
  }
  ADD_FAILURE() << wrong << "\n" << command_of(run);
  return End::kWrong;
}

TEST(RandomConfigurations, EveryLegalMachineRunsEveryKernelRight) {
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<std::string> kernels = campaign_kernels();
  ASSERT_GE(kernels.size(), kKernelsOfAMachine);
  const Span span = campaign(5);
  const unsigned seed = random_seed();
  const double limit = campaign_seconds();
  unsigned ends[4] = {}, machines = 0;
  for (unsigned number = span.from; number < span.to; ++number, ++machines) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (seconds > limit) {
      std::printf("time is over: G80_TEST_SEED=%u G80_CAMPAIGN=%u..%u goes on\n", seed, number, span.to);
      break;
    }
    const std::uint64_t machine_seed = std::uint64_t{seed} << 32 | number;
    const RandomConfiguration machine = ConfigurationGenerator(machine_seed).legal();
    std::mt19937_64 random(machine_seed + 1);
    std::vector<std::string> drawn = kernels;
    std::shuffle(drawn.begin(), drawn.end(), random);
    if (std::getenv("G80_CAMPAIGN") != nullptr)
      std::printf("machine %u at %.0f s\n", number, seconds), std::fflush(stdout);
    for (unsigned k = 0; k < kKernelsOfAMachine; ++k) {
      MachineRun run = testing::small_run(drawn[k]);
      run.device = machine.preset;
      run.sets = machine.sets;
      const Config config = load_config(run.device, run.sets);  // the rules accept it
      const double work = work_of_a_cycle(config);
      run.max_cycles = static_cast<std::uint64_t>(kMostEdges / work);
      MachineOutcome outcome;
      const End end = try_run(run, outcome);
      ++ends[static_cast<unsigned>(end)];
      // One run of each machine is repeated without sleep: whatever a block sleeps through, it would have done nothing.
      if (k != 0 || end != End::kRight || totals(outcome.result).shader_cycles * work > kMostSleepless) continue;
      const std::string asleep = statistics_json({outcome.result});
      run.machine.no_sleep = true;
      if (try_run(run, outcome) == End::kRight) {
        EXPECT_TRUE(statistics_json({outcome.result}) == asleep) << "other statistics without sleep\n"
                                                                 << command_of(run);
      }
    }
  }
  std::printf("%u machines: %u runs right, %u refused, %u wrong, %u cut short\n", machines, ends[0], ends[1], ends[2],
              ends[3]);
  constexpr unsigned kManyMachines = 50;  // of a few, all may be too small
  if (machines >= kManyMachines) {
    EXPECT_GT(ends[0], ends[1]) << "most machines have room for these kernels";
    EXPECT_GT(ends[0], 2 * ends[3]) << "most runs come to their end";
  }
  EXPECT_EQ(ends[0] + ends[1] + ends[2] + ends[3], machines * kKernelsOfAMachine);
}

TEST(RandomConfigurations, EveryOtherOneIsRefusedInOneSentence) {
  const Span span = campaign(100);
  const unsigned seed = random_seed();
  unsigned refused = 0;
  for (unsigned number = span.from; number < span.to; ++number) {
    const RandomConfiguration machine = ConfigurationGenerator(std::uint64_t{seed} << 32 | number).any();
    try {
      load_config(machine.preset, machine.sets);
    } catch (const ConfigError& error) {
      ++refused;
      EXPECT_TRUE(is_one_sentence(error.what())) << error.what();
    }
  }
  std::printf("%u of %u combinations refused\n", refused, span.to - span.from);
  EXPECT_GT(refused, 0u);
}

}  // namespace
}  // namespace g80
