// SPDX-License-Identifier: Apache-2.0
// Random programs on random machines: threads that compute, branch, loop, call, use every memory, read each other's
// words between barriers and add to one word leave the same memory, and do the same work, whatever the machine is.
#include <gtest/gtest.h>

#include <random>

#include "app/report/statistics.h"
#include "tb/machine/gpu_backend.h"
#include "tests/machine/variations.h"
#include "tests/machine/work_counts.h"
#include "tests/sm/random_program.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

using testing::different_counts;
using testing::Keeps;
using testing::ProgramShape;
using testing::RandomProgram;
using testing::Variation;
using testing::work_of;

constexpr unsigned kCudaSpace = 14;
constexpr std::uint32_t kBlocks = 17, kThreads = 50;  // the second warp is not full
constexpr std::uint32_t kDataBase = 0x1000, kBytes = kDataBase + kBlocks * 128 * 32;

Module random_module(unsigned seed, isa::Arch arch = isa::Arch::kSm11) {
  ProgramShape shape;
  shape.arch = arch;
  shape.control = seed % 4 != 0;
  shape.nesting = seed % 4 == 2 ? 6 : 0;
  shape.exchange = true;
  shape.data_base = kDataBase;
  shape.blocks = 8;
  Module module;
  module.arch = shape.arch;
  Kernel& kernel = module.kernels.emplace_back();
  kernel.name = "random";
  kernel.reg = 20;
  kernel.smem = 0x800;
  kernel.lmem = 64;
  kernel.bar = 1;
  kernel.code = RandomProgram(seed, shape).generate();
  ConstantSegment& constants = kernel.constants.emplace_back();
  constants.bank = 1;
  std::mt19937 random(seed);
  for (unsigned i = 0; i < 64; ++i) constants.words.push_back(static_cast<std::uint32_t>(random()));
  return module;
}

struct Outcome {
  RunResult result;
  std::vector<std::uint32_t> memory;
};

Outcome run(const Module& module, unsigned seed, const Variation& variation, const char* device = "8600gts",
            std::uint32_t blocks = kBlocks) {
  GpuBackend gpu(load_config(device, variation.sets), variation.machine);
  gpu.load(module);
  std::mt19937 random(seed + 1);
  Outcome outcome;
  outcome.memory.resize(kBytes / 4);
  for (std::uint32_t& word : outcome.memory) word = static_cast<std::uint32_t>(random());
  const std::uint32_t base = gpu.allocate(kBytes, "data", Backend::Contents::kClearIfUsed);
  gpu.write(base, outcome.memory.data(), kBytes);
  gpu.set_global(kCudaSpace, base, kBytes - 1);
  std::vector<std::uint32_t> params(4);
  for (std::uint32_t& word : params) word = static_cast<std::uint32_t>(random());
  outcome.result.launches.push_back(
      gpu.launch({gpu.config(), module.kernels.front(), {blocks, 1, 1}, {kThreads, 1, 1}, params, 0, 20'000'000}));
  if (outcome.result.launches.front().end == LaunchEnd::kFinished) gpu.read(base, outcome.memory.data(), kBytes);
  return outcome;
}

/// These programs read registers that nobody wrote, and some of their warps end before a barrier.
bool applies(const Variation& variation) {
  if (variation.machine.random_state) return false;
  for (const std::string& set : variation.sets) {
    if (set == "sm.init=random" || set == "sm.init=poison" || set == "sm.barrier_expected=launched") return false;
  }
  return true;
}

class RandomPrograms : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomPrograms, GiveTheSameOnEveryMachine) {
  const unsigned seed = GetParam() + 100 * random_seed();
  const Module module = random_module(seed);
  const Outcome base = run(module, seed, {});
  ASSERT_EQ(base.result.launches[0].end, LaunchEnd::kFinished)
      << "seed " << seed << ": " << base.result.launches[0].message;
  std::vector<Variation> list = testing::all_variations();
  std::mt19937 random(seed);
  for (unsigned i = 0; i < 10;) {
    list.push_back(testing::combination(random));
    if (applies(list.back())) ++i;
  }
  for (const Variation& variation : list) {
    if (!applies(variation)) continue;
    SCOPED_TRACE(fmt::format("seed {}, {}", seed, variation.name));
    const Outcome outcome = run(module, seed, variation);
    ASSERT_EQ(outcome.result.launches[0].end, LaunchEnd::kFinished) << outcome.result.launches[0].message;
    const auto [seen, expected] = std::mismatch(outcome.memory.begin(), outcome.memory.end(), base.memory.begin());
    ASSERT_EQ(seen - outcome.memory.begin(), kBytes / 4) << fmt::format("{:08x}, was {:08x}", *seen, *expected);
    EXPECT_EQ(different_counts(work_of(outcome.result, variation.keeps), work_of(base.result, variation.keeps)), "");
    if (variation.keeps == Keeps::kStatistics) {
      EXPECT_EQ(statistics_json({outcome.result}), statistics_json({base.result}));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, ::testing::Range(1u, 4u));

/// Multiprocessors of other sizes than any variation has.
std::vector<Variation> multiprocessors() {
  std::vector<Variation> list = {
      {"tiny"},
      {"no_sleep"},
      {"one_register_bank", Keeps::kWork, {"sm.register_banks=1"}},
      {"one_collector", Keeps::kWork, {"sm.collector_units=1"}},
      {"sixteen_collectors", Keeps::kWork, {"sm.collector_units=16", "sm.register_banks=2"}},
      {"shallow_buffer", Keeps::kWork, {"sm.ibuffer_entries=4"}},
      {"long_pipes",
       Keeps::kWork,
       {"sm.alu_latency=76", "sm.sfu_latency=80", "sm.smem_latency=90", "sm.const_latency=84",
        "sm.branch_latency=200"}},
      {"fallthrough_first", Keeps::kWork, {"sm.divergence_first=fallthrough", "sm.scheduler=oldest_first"}},
      {"greedy", Keeps::kWork, {"sm.scheduler=greedy_then_oldest", "sm.smem_passes_per_4_cycles=1"}},
      {"multiplies_beside", Keeps::kWork, {"sm.sfu_mul=true", "sm.scheduler=oldest_first"}},
      {"stack_in_memory", Keeps::kWork, {"sm.stack_on_chip=1"}},
      {"double_precision", Keeps::kWork, {"device.compute_minor=3", "sm.num_dps=1"}}};
  list[1].machine.no_sleep = true;
  // Where memory answers at once, results come while operands are being read.
  for (const Variation& other : testing::machines()) {
    if (other.name != "quick_memory") continue;
    for (const unsigned i : {2u, 4u, 9u}) list[i].sets.insert(list[i].sets.end(), other.sets.begin(), other.sets.end());
  }
  return list;
}

class OneMultiprocessor : public ::testing::TestWithParam<Variation> {};

TEST_P(OneMultiprocessor, RunsAsTheReference) {
  const auto arch = static_cast<isa::Arch>(load_config("tiny", GetParam().sets).device.compute_minor);
  const unsigned first = 1000 + random_seed();
  for (unsigned seed = first; seed < first + 12; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const Outcome outcome = run(random_module(seed, arch), seed, GetParam(), "tiny", 3);  // lock-step throws
    ASSERT_EQ(outcome.result.launches[0].end, LaunchEnd::kFinished) << outcome.result.launches[0].message;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, OneMultiprocessor, ::testing::ValuesIn(multiprocessors()),
                         [](const auto& info) { return info.param.name; });

// Some of them store registers and words of s[] that nobody wrote: the reference holds the machine's bits, whatever
// they are.
TEST(InitialBits, AreTheSameInTheReference) {
  unsigned seen = 0;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const Module module = random_module(seed);
    const Outcome zero = run(module, seed, {});
    std::vector<Variation> list = {{"poison", Keeps::kWork, {"sm.init=poison"}},
                                   {"random", Keeps::kWork, {"sm.init=random", fmt::format("gpu.seed={}", seed)}},
                                   {"x", Keeps::kWork}};
    list[2].machine.random_state = seed;
    for (const Variation& variation : list) {
      SCOPED_TRACE(fmt::format("{}, seed {}", variation.name, seed));
      const Outcome other = run(module, seed, variation);  // throws if lock-step sees a difference
      EXPECT_NE(other.result.launches[0].end, LaunchEnd::kHang) << other.result.launches[0].message;
      seen += other.memory != zero.memory ? 1 : 0;
    }
  }
  EXPECT_GT(seen, 0u) << "no program read a bit that nobody wrote";
}

}  // namespace
}  // namespace g80
