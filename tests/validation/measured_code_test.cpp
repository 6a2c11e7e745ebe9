// SPDX-License-Identifier: Apache-2.0
// Code that NVIDIA's compiler made and silicon was measured with: the fourth reduction of the ladder.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/data_dirs.h"
#include "validation/bench.h"

namespace g80 {
namespace {

// Code words as the assembler takes them; parameters and shared memory as the kernel has them.
std::string listing_of(const std::string& path) {
  std::string text = ".kernel reduction\n.reg 6\n.bar 1\n.param ptr in\n.param ptr out\n";
  std::ifstream file(path);
  std::size_t lines = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    const std::size_t space = line.find(' ');
    text += "  .word 0x" + line.substr(0, space);
    if (space != std::string::npos) text += " 0x" + line.substr(space + 1);
    text += "\n";
  }
  EXPECT_EQ(lines, 36u) << path;
  return text;
}

// 2^22 integers in blocks of 128 threads, two for each thread, took 0.965 ms at 1.35 GHz on 16 SMs: 318 cycles a warp.
TEST(MeasuredCode, TheFourthReductionTakesAsManyCyclesAWarpAsOnAGeForce8800Gtx) {
  const auto dir = test::binaries_dir();
  if (!dir) GTEST_SKIP() << "no kernel binaries here (G80_BINARIES_DIR)";
  const std::string code = listing_of(*dir + "/fg_reduction.hex");
  constexpr unsigned kThreads = 128, kFew = 96, kMany = 1152;  // one block in each place, and twelve
  silicon::ExperimentRunner runner;
  silicon::Bench bench("8800gtx", runner);
  const auto cycles = [&](unsigned blocks) {
    silicon::Experiment experiment;
    experiment.kernel = code;
    experiment.grid = {blocks, 1, 1};
    experiment.block = {kThreads, 1, 1};
    experiment.dynamic_shared = 4 * kThreads;
    experiment.buffers = {silicon::Words(2 * kThreads * blocks), silicon::Words(blocks)};
    std::uint32_t sum = 0;
    for (std::uint32_t& word : experiment.buffers[0]) sum += word = sum * 5 + 1;
    const silicon::Observation seen = bench.run(std::move(experiment));
    for (const std::uint32_t partial : seen.buffers[1]) sum -= partial;
    EXPECT_EQ(sum, 0u);
    return static_cast<double>(seen.result.shader_cycles);
  };
  const double warps = 1.0 * (kMany - kFew) * kThreads / 32;
  const double measured = 0.965e-3 * 1.35e9 * 16 / ((1u << 22) / 64.0);
  EXPECT_NEAR((cycles(kMany) - cycles(kFew)) * bench.num_sms() / warps, measured, 0.05 * measured);
}

}  // namespace
}  // namespace g80
