// SPDX-License-Identifier: Apache-2.0
// Every kernel on the golden reference: its results equal its golden, and its counts are those of the documents it
// comes from.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <random>

#include "app/report/summary_table.h"
#include "hw/isa/float_bits.h"
#include "input/input_error.h"
#include "source_dir.h"
#include "tb/golden/grid.h"
#include "tb/golden/semantics.h"
#include "tb/scenario/buffer_data.h"
#include "tb/scenario/chip_float.h"
#include "tb/scenario/golden_backend.h"
#include "tb/scenario/memory_image.h"
#include "tb/scenario/run_scenario.h"
#include "tb/scenario/scenario_file.h"
#include "tests/support/random_seed.h"
#include "toolchain/assembler/assembler.h"

namespace g80 {
namespace {

std::string path_of(const std::string& kernel) { return std::string(G80_SOURCE_DIR) + "/kernels/" + kernel; }
Scenario scenario_of(const std::string& kernel) { return read_scenario(path_of(kernel) + "/scenario.toml"); }

RunResult run(const Scenario& scenario, const Module& module, const RunOptions& options,
              const std::vector<std::string>& sets = {}) {
  const Config config = scenario_config(scenario, "", sets);
  GoldenBackend backend(config);
  return run_scenario(scenario, module, config, options, backend);
}
RunResult run(const std::string& kernel, const Assignments& args = {}, const std::vector<std::string>& sets = {},
              std::uint64_t seed = 1) {
  const Scenario scenario = scenario_of(kernel);
  RunOptions options;
  options.args = args;
  options.seed = seed;
  return run(scenario, load_module(scenario), options, sets);
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_of(""))) {
    if (std::filesystem::exists(entry.path() / "scenario.toml")) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class EveryKernel : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryKernel, EndsAsItsScenarioSays) {
  const RunResult result = run(GetParam());
  EXPECT_TRUE(as_expected(result)) << verdict(result) << "\n" << run_details(result);
  EXPECT_EQ(result.compared, result.expectation == "pass") << "a kernel that finishes has a golden";
}

TEST_P(EveryKernel, DoesNotDependOnWhichPathOfABranchRunsFirst) {
  const RunResult result = run(GetParam(), {}, {"sm.divergence_first=fallthrough"});
  EXPECT_TRUE(as_expected(result)) << verdict(result) << "\n" << run_details(result);
}

TEST_P(EveryKernel, HoldsForOtherRandomData) {
  for (std::uint64_t seed = 2; seed < 6; ++seed) {
    const RunResult result = run(GetParam(), {}, {}, seed);
    EXPECT_TRUE(as_expected(result)) << "seed " << seed << "\n" << run_details(result);
  }
}

TEST_P(EveryKernel, HasAOneLineReadme) {
  const std::string readme = read_file(path_of(GetParam()) + "/README.md");
  EXPECT_EQ(readme.find("# " + GetParam() + "\n"), 0u);
}

TEST_P(EveryKernel, IsInTheListOfKernels) {
  EXPECT_NE(read_file(path_of("README.md")).find("[" + GetParam() + "](" + GetParam() + "/README.md)"),
            std::string::npos);
  EXPECT_NE(read_file(path_of("../README.md")).find("| [" + GetParam() + "](kernels/" + GetParam() + "/README.md) |"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryKernel, ::testing::ValuesIn(kernel_names()),
                         [](const auto& info) { return info.param; });

TEST(SquareArray, AllTrialsInBothForms) {
  for (int trial = 1; trial <= 7; ++trial) {
    for (const char* kernel : {"square_array", "square_array_branching"}) {
      const RunResult result = run(kernel, {{"trial", std::to_string(trial)}, {"blocks", "3"}});
      EXPECT_EQ(verdict(result), "ok") << kernel << " trial " << trial;
    }
  }
}

TEST(SquareArray, RandomShapesEqualTheClosedForm) {
  std::mt19937 random(random_seed());
  for (int k = 0; k < 10; ++k) {
    const Assignments args = {{"stride", std::to_string(1u << random() % 10)},
                              {"group", std::to_string(1u << random() % 10)},
                              {"offset", std::to_string(random() % 512)},
                              {"per_thread", std::to_string(1 + random() % 64)},
                              {"blocks", std::to_string(1 + random() % 3)}};
    const RunResult result = run(random() % 2 ? "square_array" : "square_array_branching", args);
    EXPECT_EQ(verdict(result), "ok") << args[0].second << " " << args[1].second << " " << args[2].second << " "
                                     << args[3].second;
  }
}

/// Addresses of the loads of each thread, in order.
class LoadRecorder final : public golden::StepObserver {
 public:
  std::map<unsigned, std::vector<unsigned>> elements;
  void stepped(const golden::BlockState&, const golden::WarpState&, const golden::StepRecord& record) override {
    if (!record.access || record.access->kind != golden::AccessKind::kLoad ||
        record.access->space != golden::Space::kGlobal)
      return;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (record.access->lanes >> lane & 1) elements[lane].push_back((record.access->address[lane] - 0x10000) / 4);
    }
  }
};

// The example of the text that square_array comes from: 512 elements, 8 threads, stride 4.
TEST(SquareArray, EightThreadsWalkThePublishedAddresses) {
  const Module module = assemble_file(path_of("square_array/square_array.sasm"));
  for (unsigned offset : {0u, 1u}) {
    golden::MemoryImage image;
    image.allow(0x10000, 2048);
    golden::Launch launch;
    launch.block_x = 8;
    launch.registers = module.kernels[0].reg;
    launch.params = {0x10000, 512, 64, 4, 2, offset, 9};
    LoadRecorder recorder;
    golden::RunOptions options;
    options.observer = &recorder;
    golden::run_grid(golden::Program(module.kernels[0].code, module.arch), launch, image, options);
    ASSERT_EQ(recorder.elements.size(), 8u);
    for (unsigned thread = 0; thread < 8; ++thread) {
      const unsigned first = thread / 4 * 256 + (thread + offset) % 4;
      ASSERT_EQ(recorder.elements[thread].size(), 64u);
      for (unsigned k = 0; k < 64; ++k) EXPECT_EQ(recorder.elements[thread][k], first + 4 * k) << "thread " << thread;
    }
  }
}

TEST(VecAdd, OneWarpOf32Diverges) {
  const RunTotals sum = totals(run("vec_add"));
  EXPECT_EQ(sum.branches, 32u);
  EXPECT_EQ(sum.divergent_branches, 1u);
}
TEST(VecAdd, OtherSizesAreRightToo) {
  for (const char* n : {"1", "31", "32", "33", "255", "256", "257", "1024", "10000"}) {
    EXPECT_EQ(verdict(run("vec_add", {{"n", n}})), "ok") << n;
  }
}
TEST(VecAdd, BlocksBeyondTheChipsLimitRunOnTheReference) {
  EXPECT_EQ(verdict(run("vec_add", {{"block", "512"}})), "ok");
}

TEST(Divergence, InsideAWarpCountsOncePerBlockAndOnWarpBoundariesNever) {
  EXPECT_EQ(totals(run("divergence_in_warp")).divergent_branches, 1u);
  EXPECT_EQ(totals(run("divergence_in_warp", {{"blocks", "5"}})).divergent_branches, 5u);
  EXPECT_EQ(totals(run("divergence_by_warp", {{"blocks", "5"}})).divergent_branches, 0u);
}

// With 256 threads: interleaved, eight warps in each of five steps, then those with a thread that adds: 4, 2, 1.
// Sequential: one warp in the steps 16, 8, 4, 2, 1.
TEST(Reductions, DivergeAsTheLectureSays) {
  EXPECT_EQ(totals(run("reduction_interleaved", {{"blocks", "1"}})).divergent_branches, 5u * 8 + 4 + 2 + 1);
  EXPECT_EQ(totals(run("reduction_sequential", {{"blocks", "1"}})).divergent_branches, 5u);
}
TEST(Reductions, AllBlockSizes) {
  for (unsigned block = 2; block <= 512; block *= 2) {
    EXPECT_EQ(verdict(run("reduction_interleaved", {{"block", std::to_string(block)}})), "ok") << block;
    EXPECT_EQ(verdict(run("reduction_sequential", {{"block", std::to_string(block)}})), "ok") << block;
  }
}

// 3 1 7 0 4 1 6 3 -> 7 2 13 3 -> 20 5 -> 25.
TEST(Reductions, TheSlidesEightNumbersMake25) {
  const std::string input = (std::filesystem::path(::testing::TempDir()) / "g80_eight.hex").string();
  const std::string output = (std::filesystem::path(::testing::TempDir()) / "g80_sum.hex").string();
  write_file(input, "40400000 3f800000 40e00000 00000000 40800000 3f800000 40c00000 40400000\n");
  for (const char* kernel : {"reduction_sequential", "reduction_interleaved"}) {
    const Scenario scenario = scenario_of(kernel);
    RunOptions options;
    options.args = {{"blocks", "1"}, {"block", "8"}};
    options.load = {{"x", input}};
    options.dump = {{"sums", output}};
    EXPECT_EQ(verdict(run(scenario, load_module(scenario), options)), "ok");
    EXPECT_EQ(read_file(output), "41c80000\n");
  }
}

TEST(DotProduct, HostSumIsThePublishedNumber) {
  EXPECT_EQ(run("dot_product").host_sum, "partial_c: 2.57236e+13 (0x55bb29de)");
}

TEST(DotProductHang, NamesBarrierAndWarps) {
  const RunResult result = run("dot_product_hang");
  EXPECT_EQ(exit_code(result), kExitHang);
  EXPECT_EQ(result.launches[0].end, LaunchEnd::kBarrierDeadlock);
  EXPECT_NE(result.launches[0].message.find("warp 0 and 3 more, at a barrier"), std::string::npos)
      << result.launches[0].message;
  EXPECT_NE(result.launches[0].message.find("warps 4, 5, 6, 7 have ended without reaching it"), std::string::npos);
}

TEST(ReductionEndless, IsALivelockNotJustSlow) {
  const RunResult result = run("reduction_endless");
  EXPECT_EQ(exit_code(result), kExitHang);
  EXPECT_EQ(result.launches[0].end, LaunchEnd::kLivelock);
  const Scenario slow = scenario_of("square_array");
  RunOptions options;
  options.max_cycles = 50000;
  EXPECT_EQ(run(slow, load_module(slow), options).launches[0].end, LaunchEnd::kMaxCycles);
}

TEST(MatrixMul, TheFourByFourExampleAndOddTiles) {
  EXPECT_EQ(verdict(run("matrix_mul", {{"width", "4"}, {"tile", "2"}})), "ok");
  EXPECT_EQ(verdict(run("matrix_mul", {{"width", "21"}, {"tile", "7"}})), "ok");
  EXPECT_EQ(verdict(run("matrix_mul", {{"width", "1"}, {"tile", "1"}})), "ok");
}

// The golden's mad and the machine's are two writings of one rule.
TEST(ChipFloat, TruncatingMadEqualsTheMachines) {
  std::mt19937 random(random_seed());
  using isa::bits_of;
  bool differs_from_rounding = false;
  for (int k = 0; k < 200000; ++k) {
    const auto number = [&] {
      const auto exponent = static_cast<int>(random() % 80) - 40;
      const float x = std::ldexp(static_cast<float>(random() >> 8 | 1u << 23), exponent);
      return random() % 2 ? -x : x;
    };
    const float a = number(), b = number(), c = number() * (random() % 4 ? 1.0f : a);
    ASSERT_EQ(bits_of(chip::mad_truncating(a, b, c)), golden::fmad32(bits_of(a), bits_of(b), bits_of(c)))
        << a << " " << b << " " << c;
    differs_from_rounding |= chip::mad_truncating(a, b, c) != chip::add(chip::mul(a, b), c);
  }
  EXPECT_TRUE(differs_from_rounding);
}

// All of a few numbers in all places: infinities, NaNs, denormals, zeros, and what overflows.
TEST(ChipFloat, SpecialNumbersEqualTheMachines) {
  const std::uint32_t numbers[] = {0,          0x80000000, 1,          0x807fffff, 0x00800000, 0x3f800000,
                                   0xbf800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
                                   0xffc00000, 0x7fffffff, 0x7f800001, 0x5f000000};
  using isa::bits_of;
  using isa::float_of;
  for (const std::uint32_t a : numbers) {
    for (const std::uint32_t b : numbers) {
      EXPECT_EQ(bits_of(chip::add(float_of(a), float_of(b))), golden::fadd32(a, b)) << std::hex << a << " " << b;
      EXPECT_EQ(bits_of(chip::mul(float_of(a), float_of(b))), golden::fmul32(a, b)) << std::hex << a << " " << b;
      for (const std::uint32_t c : numbers)
        EXPECT_EQ(bits_of(chip::mad_truncating(float_of(a), float_of(b), float_of(c))), golden::fmad32(a, b, c))
            << std::hex << a << " " << b << " " << c;
    }
  }
}

// What comes out of infinities and NaNs is the golden's to the last bit, in every kernel with one.
TEST(SpecialNumbers, EveryGoldenKnowsThem) {
  for (const char* kernel : {"vec_add", "square_array", "matrix_mul", "dot_product", "reduction_sequential",
                             "reduction_interleaved", "texture_read"}) {
    Scenario scenario = scenario_of(kernel);
    ASSERT_FALSE(scenario.golden.empty()) << kernel;
    for (BufferDecl& buffer : scenario.buffers) {
      if (buffer.type != ElementType::kF32) continue;
      buffer.init = InitKind::kValues;
      for (const char* value : {"1.5", "1.0 / 0.0", "-1.0 / 0.0", "0.0 / 0.0", "1e-40", "3e38", "-0.0", "-3e38", "1.0"})
        buffer.values.push_back({value, "value"});
    }
    const RunResult result = run(scenario, load_module(scenario), {});
    EXPECT_EQ(verdict(result), "ok") << kernel << "\n" << run_details(result);
  }
}

TEST(DotProduct, TheHostsSumOfInfinitiesIsNoNumber) {
  Scenario scenario = scenario_of("dot_product");
  scenario.buffers[0].init_text.text = "i == 0 ? 1.0 / 0.0 : i == 256 ? -1.0 / 0.0 : 1.0";
  const RunResult result = run(scenario, load_module(scenario), {});
  EXPECT_EQ(verdict(result), "ok") << run_details(result);
  EXPECT_EQ(result.host_sum, "partial_c: nan (computed by the host)");
}

TEST(Coordinates, ThreadTwoOneZeroOfBlockOneOne) {
  const std::string output = (std::filesystem::path(::testing::TempDir()) / "g80_coordinates.bin").string();
  const Scenario scenario = scenario_of("coordinates");
  RunOptions options;
  options.dump = {{"out", output}};
  EXPECT_EQ(verdict(run(scenario, load_module(scenario), options)), "ok");
  const std::vector<std::uint8_t> bytes = read_memory_image(output);
  const std::size_t position = 3 * 16 + 1 * 4 + 2;
  const auto word = [&](std::size_t k) { return element_at(bytes, 4, position * 8 + k); };
  EXPECT_EQ(bytes.size(), 64u * 32);
  EXPECT_EQ(word(0), 1u);
  EXPECT_EQ(word(1), 1u);
  EXPECT_EQ(word(2), 2u);
  EXPECT_EQ(word(3), 1u);
  EXPECT_EQ(word(4), 0u);
}
TEST(Coordinates, PartialWarpsAndOtherShapes) {
  EXPECT_EQ(verdict(run("coordinates",
                        {{"grid_x", "3"}, {"grid_y", "5"}, {"block_x", "5"}, {"block_y", "7"}, {"block_z", "3"}})),
            "ok");
  EXPECT_EQ(verdict(run("coordinates", {{"block_x", "1"}, {"block_y", "1"}, {"block_z", "64"}})), "ok");
}

TEST(Texture, OtherSizesAndSteps) {
  for (const char* step : {"1.0", "0.3333", "-0.21"}) {
    for (const char* start : {"0.5", "-7.25", "3.1"}) {
      EXPECT_EQ(verdict(run("texture_read", {{"step", step}, {"start", start}, {"size", "13"}})), "ok")
          << step << " " << start;
    }
  }
}

// A wrong kernel must be seen: one instruction changed at a time.
TEST(MustFail, AWrongInstructionIsSeen) {
  const struct {
    const char* kernel;
    const char* right;
    const char* wrong;
  } mutants[] = {{"vec_add", "add rn f32 $r1 $r1 $r2", "add rz f32 $r1 $r1 $r2"},
                 {"vec_add", "g s32 b32 s[n] $r0", "ge s32 b32 s[n] $r0"},
                 {"matrix_mul", "add f32 $r6 (mul $r7 $r8) $r6", "mul rn f32 $r7 $r7 $r8\nadd rn f32 $r6 $r7 $r6"},
                 {"reduction_sequential", "mov b32 $r6 b32 s[$a2+partial]", "mov b32 $r6 b32 s[$a1+partial]"},
                 {"dot_product", "mul rn f32 $r5 $r5 $r6", "mul rz f32 $r5 $r5 $r6"},
                 {"square_array", "(e $c0) mul rn f32 $r6 $r6 $r6", "(e $c0) add rn f32 $r6 $r6 $r6"},
                 {"texture_read", "add rn f32 $r2 b32 s[start] $r2", "mov b32 $r2 $r2"}};
  for (const auto& mutant : mutants) {
    const Scenario scenario = scenario_of(mutant.kernel);
    std::string source = read_file(path_of(mutant.kernel) + "/" + mutant.kernel + ".sasm");
    const std::size_t at = source.find(mutant.right);
    ASSERT_NE(at, std::string::npos) << mutant.right;
    source.replace(at, std::strlen(mutant.right), mutant.wrong);
    const RunResult result = run(scenario, assemble(source, "mutant.sasm"), {});
    EXPECT_NE(exit_code(result), kExitPass) << mutant.kernel << ": " << mutant.wrong;
  }
}

TEST(MustFail, ABufferThatNobodyMayTouchIsWatched) {
  const Scenario scenario = scenario_of("vec_add");
  std::string source = read_file(path_of("vec_add/vec_add.sasm"));
  source.replace(source.find("b32 s[c] $r0"), 12, "b32 s[b] $r0");
  const RunResult result = run(scenario, assemble(source, "mutant.sasm"), {});
  ASSERT_EQ(result.checks.size(), 3u);
  EXPECT_EQ(result.checks[0].differing, 0u);
  EXPECT_GT(result.checks[1].differing, 0u);
  EXPECT_GT(result.checks[2].differing, 0u);
}

TEST(Launch, WhatTheDeviceCannotDoIsRefused) {
  EXPECT_THROW(run("square_array", {{"blocks", "0"}}), InputError);
  EXPECT_THROW(run("atomics", {}, {"device.compute_minor=0"}), InputError);
  EXPECT_THROW(run("matrix_mul", {{"width", "1024"}}, {"device.memory_bytes=1048576"}), InputError);
}

}  // namespace
}  // namespace g80
