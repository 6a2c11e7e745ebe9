// SPDX-License-Identifier: Apache-2.0
// Every runnable case of the real kernels on the golden reference: memory exactly as expected, in either divergence
// order.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <set>

#include "tb/golden/grid.h"
#include "tests/conformance/kernel_cases.h"
#include "tests/support/data_dirs.h"

namespace g80::golden {
namespace {

using conformance::KernelCase;
using conformance::KernelCode;

Launch make_launch(const KernelCase& test, const KernelCode& kernel, FirstPath first) {
  Launch launch;
  launch.grid_x = test.grid[0], launch.grid_y = test.grid[1];
  launch.block_x = test.block[0], launch.block_y = test.block[1], launch.block_z = test.block[2];
  launch.start_pc = test.entry;
  launch.local_bytes = kernel.local_bytes;
  launch.params = test.params;
  for (const auto& [bank, bytes] : test.constant) launch.constant[bank] = bytes;
  launch.first_path = first;
  return launch;
}

class Cases : public testing::TestWithParam<FirstPath> {};

TEST_P(Cases, EveryKernelLeavesTheExpectedMemory) {
  const std::string directory = conformance::cases_directory();
  const auto cases = conformance::read_kernel_cases(directory);
  if (!cases) GTEST_SKIP() << "cases.jsonl is not in " << directory;
  std::map<std::string, KernelCode> kernels;
  std::size_t passed = 0, counts_agree = 0;
  std::set<std::string> counts_differ;
  for (const KernelCase& test : *cases) {
    if (kernels.count(test.kernel) == 0) kernels[test.kernel] = conformance::load_kernel_code(directory, test.kernel);
    const KernelCode& kernel = kernels[test.kernel];
    const Launch launch = make_launch(test, kernel, GetParam());
    MemoryImage image;
    image.allow(0, test.mem_size);
    std::vector<std::uint32_t> words = test.initial();
    std::memcpy(image.at(0), words.data(), test.mem_size);
    if (launch.block_threads() > kMaxThreadsPerCta) {
      std::printf("%s runs blocks of %u threads, more than the chip's %u: reference only\n", test.label.c_str(),
                  launch.block_threads(), kMaxThreadsPerCta);
    }
    RunOptions options;
    options.max_warp_instructions = 100'000'000;
    const Program program(kernel.words, kernel.arch);
    const RunResult result = run_grid(program, launch, image, options);
    if (result.status != RunStatus::kFinished) {
      ADD_FAILURE() << test.label << ": " << (result.fault ? describe(result.fault) : "does not end");
      continue;
    }
    std::memcpy(words.data(), image.at(0), test.mem_size);
    const std::string difference = conformance::first_difference(words, test.expected());
    EXPECT_EQ(difference, "") << test.label;
    passed += difference.empty();
    if (result.warp_instructions == test.warp_instructions) {
      ++counts_agree;
    } else {
      counts_differ.insert(test.label + ": " + std::to_string(result.warp_instructions) + " instead of " +
                           std::to_string(test.warp_instructions));
    }
  }
  test::tally("cases", passed, cases->size(),
              std::string("cases.jsonl on the golden reference (") +
                  (GetParam() == FirstPath::kTaken ? "taken" : "fall-through") + " path first)");
  std::printf("%zu of %zu cases issue the listed number of warp instructions\n", counts_agree, cases->size());
  for (const auto& text : counts_differ) std::printf("  %s\n", text.c_str());
  EXPECT_EQ(passed, cases->size());
  EXPECT_GT(cases->size(), 0u);
}

INSTANTIATE_TEST_SUITE_P(BothOrders, Cases, testing::Values(FirstPath::kTaken, FirstPath::kFallthrough),
                         [](const auto& info) {
                           return info.param == FirstPath::kTaken ? "TakenFirst" : "FallthroughFirst";
                         });

}  // namespace
}  // namespace g80::golden
