// SPDX-License-Identifier: Apache-2.0
// Programs with streams on the cycle model: what overlaps takes less time, and the results are those of the calls in
// turn.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "tests/runtime/program_runner.h"
#include "tests/support/random_seed.h"

namespace {

using namespace g80::testing;

class Streams : public ProgramTest {};

/// Microseconds that tests/runtime/programs/overlap.cu prints.
struct Times {
  double copy = 0, kernel = 0, in_turn = 0, in_streams = 0, other_copy = 0, beside = 0, between = 0;
};
Times times_on(const std::string& device) {
  const Outcome outcome = compile_and_run("-arch=sm_10 " + source("tests/runtime/programs/overlap.cu"), "overlap",
                                          "G80_RUN='--check off' G80_DEVICE=" + device);
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  Times times;
  std::istringstream(outcome.output) >> times.copy >> times.kernel >> times.in_turn >> times.in_streams >>
      times.other_copy >> times.beside >> times.between;
  EXPECT_GT(times.copy, 0) << outcome.output;
  EXPECT_GT(times.kernel, 0) << outcome.output;
  return times;
}

/// Of 128 KB at 4 GB/s: 128 of 152 bytes are those of a copy to the host, 128 of 168 those of one to the device.
void expect_packets(const Times& times) {
  EXPECT_NEAR(times.copy, 128 * 1.024 * 152 / 128 / 4, 1);
  EXPECT_NEAR(times.other_copy, 128 * 1.024 * 168 / 128 / 4, 1);
}

/// A launch takes 2 us on the chip; its end and the next piece of work add less than one.
constexpr double kLaunch = 3;

TEST_F(Streams, CopiesRunBesideKernelsWithComputeCapability11) {
  const Times times = times_on("8600gts");
  expect_packets(times);
  const double longer = std::max(times.kernel, times.other_copy);
  EXPECT_LT(times.beside, longer * 1.1 + kLaunch) << "the longer one, a little slowed down";
  EXPECT_GT(times.beside, longer - kLaunch) << "by itself it has a begin and an end of its own";
  EXPECT_NEAR(times.between, times.other_copy - times.kernel, kLaunch) << "both start at once";
  EXPECT_LT(times.in_streams, times.in_turn);
  // What the sample prints as expected, and three launches more.
  const double expected = times.kernel + times.copy / 4;
  EXPECT_GT(times.in_streams, expected);
  EXPECT_LT(times.in_streams, expected + 3 * kLaunch + times.copy / 4);
}

TEST_F(Streams, CopiesWaitForKernelsWithComputeCapability10) {
  const Times times = times_on("8800gtx");
  expect_packets(times);
  EXPECT_GT(times.beside, times.kernel + times.other_copy - 1);
  EXPECT_LT(times.beside, times.kernel + times.other_copy + kLaunch);
  EXPECT_NEAR(times.between, times.other_copy, kLaunch) << "one after the other, in the order of the calls";
  EXPECT_GE(times.in_streams, times.kernel + times.copy);
}

TEST_F(Streams, RandomWorkGivesTheResultsOfTheCallsInTurn) {
  const std::string program = temporary("streams");
  const Outcome made = compile("-arch=sm_10 " + source("tests/runtime/programs/streams.cu"), program);
  ASSERT_EQ(made.code, 0) << made.output;
  const auto output = [&](unsigned seed, const std::string& options) {
    return run(fmt::format("env G80_DEVICE=tiny G80_RUN='{}' {} {}", options, program, seed)).output;
  };
  const unsigned seed = g80::random_seed();
  for (unsigned s = seed; s < seed + 2; ++s) {
    for (const std::string chip : {"", "--set host.copy_channel=false "}) {
      const std::string in_order = output(s, chip + "--check lockstep");
      EXPECT_EQ(in_order.rfind("PASSED", 0), 0u) << in_order;
      if (s == seed) {
        EXPECT_EQ(output(s, fmt::format("{}--step-order shuffle:{}", chip, s)), in_order);
      }
    }
  }
  EXPECT_EQ(output(seed, "--model golden"), "PASSED 0.000 us\n");
  const std::string plain = output(seed, "--check off");
  for (const char* options : {"--no-sleep", "--x random:3", "--check sleep"}) EXPECT_EQ(output(seed, options), plain);
}

TEST_F(Streams, AKernelThatFailsEndsTheWorkBehindItInAllStreams) {
  const std::string text = R"(
#include <cuda_runtime.h>
#include <stdio.h>
__global__ void bad(int* at) { at[0] = 1; }
__global__ void good(int* at) { at[0] = 2; }
int main() {
  int *host, *data;
  cudaStream_t one, two;
  cudaMallocHost((void**)&host, 4);
  cudaMalloc((void**)&data, 4);
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  *host = 7;
  bad<<<1, 1, 0, one>>>((int*)16);
  good<<<1, 1, 0, two>>>(data);
  cudaMemcpyAsync(host, data, 4, cudaMemcpyDeviceToHost, two);
  printf("%d", cudaStreamQuery(two) == cudaErrorNotReady);
  printf(" %d", cudaGetLastError());
  printf(" %d", cudaStreamSynchronize(two));
  printf(" %d %d\n", *host, cudaMemcpy(host, data, 4, cudaMemcpyDeviceToHost));
  return 0;
}
)";
  const Outcome outcome = compile_and_run("-arch=sm_10 " + write("failing.cu", text), "failing",
                                          "-C " + temporary("") + " G80_DEVICE=tiny G80_RUN='--check lockstep'");
  EXPECT_NE(outcome.output.find("g80: kernel bad(int*): fault"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("1 0 4 7 4\n"), std::string::npos) << outcome.output;
}

}  // namespace
