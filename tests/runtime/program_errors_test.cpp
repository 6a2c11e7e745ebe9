// SPDX-License-Identifier: Apache-2.0
// What the user of a CUDA program reads about a hang or a fault, and what the program gets.
#include <gtest/gtest.h>

#include "tests/runtime/program_runner.h"

namespace {

using namespace g80::testing;

class ProgramErrors : public ProgramTest {};

TEST_F(ProgramErrors, ALaneThatWaitsForOneBehindTheLoopIsAHang) {
  const std::string text = R"(#include <cstdio>
__device__ int lock;
__global__ void kernel(int* count) {
  int turns = 0; while (atomicCAS(&lock, 0, 1) != 0) ++turns;
  *count += turns;
  atomicExch(&lock, 0);
}
int main() {
  int* count;
  cudaMalloc((void**)&count, 4);
  kernel<<<6, 64>>>(count);
  printf("%s\n", cudaGetErrorString(cudaThreadSynchronize()));
}
)";
  ASSERT_EQ(compile("-arch=sm_11 " + write("spin.cu", text), temporary("spin")).code, 0);
  for (const std::string& environment : {std::string(kGolden), std::string("G80_DEVICE=tiny")}) {
    const Outcome outcome = run("env " + environment + " " + temporary("spin"));
    EXPECT_NE(outcome.output.find("g80: kernel kernel(int*): livelock"), std::string::npos) << outcome.output;
    EXPECT_NE(outcome.output.find("goes round with lanes fffffffe"), std::string::npos) << outcome.output;
    EXPECT_NE(outcome.output.find("lanes 00000001 wait "), std::string::npos) << outcome.output;
    EXPECT_NE(outcome.output.find("spin.cu:4)"), std::string::npos) << outcome.output;
    EXPECT_NE(outcome.output.find("the launch timed out and was terminated\n"), std::string::npos) << outcome.output;
  }
}

TEST_F(ProgramErrors, AFaultIsExplainedAndReturned) {
  const std::string file = write("fault.cu", R"(
#include <cstdio>
__global__ void store(int* to) { to[threadIdx.x] = 1; }
int main() {
  int* memory;
  cudaMalloc(&memory, 64);
  store<<<1, 32>>>(memory + 1000000);
  const cudaError_t error = cudaThreadSynchronize();
  printf("%s\n", cudaGetErrorString(error));
  return error == cudaErrorLaunchFailure ? 0 : 1;
}
)");
  const Outcome golden = compile_and_run(file, "fault", kGolden);
  EXPECT_EQ(golden.code, 0) << golden.output;
  EXPECT_NE(golden.output.find("g80: kernel store(int*): fault"), std::string::npos) << golden.output;
  EXPECT_NE(golden.output.find("unspecified launch failure"), std::string::npos) << golden.output;
  const Outcome timed = run("G80_DEVICE=tiny " + temporary("fault"));
  EXPECT_EQ(timed.code, 0) << timed.output;
  EXPECT_NE(timed.output.find("page not present: block (0,0)"), std::string::npos) << timed.output;
}

TEST_F(ProgramErrors, BehindAndInFrontOfABufferLiesItsNeighbour) {
  const std::string program = temporary("neighbours");
  ASSERT_EQ(compile(source("tests/runtime/programs/neighbours.cu"), program).code, 0);
  for (const std::string model : {"--model golden", "--check lockstep"}) {
    const std::string run_it = "G80_DEVICE=tiny G80_RUN='" + model + "' ";
    EXPECT_EQ(run(run_it + program).output, "no error: 3e0, 11111111\n") << model;
    EXPECT_EQ(run(run_it + program + " behind").output, "no error: 11111111, 0\n") << model;
    EXPECT_EQ(run(run_it + program + " first").output, "no error: 0, 0\n") << model;
    const Outcome guarded = run("G80_GUARD=1 " + run_it + program);
    EXPECT_NE(guarded.output.find("g80: kernel copy(int const*, int*): fault"), std::string::npos) << guarded.output;
    EXPECT_NE(guarded.output.find("unspecified launch failure\n"), std::string::npos) << guarded.output;
    EXPECT_EQ(run("G80_GUARD=0 " + run_it + program).output, "no error: 3e0, 11111111\n") << model;
  }
  const Outcome named = run("G80_GUARD=1 G80_DEVICE=tiny " + program);
  EXPECT_NE(named.output.find("beyond the start of 'allocation 1'"), std::string::npos) << named.output;
  const Outcome wrong = run("G80_GUARD=yes " + program);
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.output.find("G80_GUARD is 'yes'; allowed are 0 and 1"), std::string::npos) << wrong.output;
}

TEST_F(ProgramErrors, AHangIsExplainedAndEndsWithReset) {
  const std::string file = write("hang.cu", R"(
#include <cstdio>
__global__ void spin(int* flag) {
  if (threadIdx.x < 32) __syncthreads();
  else while (flag[0] == 0);
}
int main() {
  int* flag;
  cudaMalloc(&flag, 64);
  spin<<<1, 64>>>(flag);
  printf("%s\n", cudaGetErrorString(cudaThreadSynchronize()));
  printf("%d\n", cudaFree(flag) == cudaErrorLaunchTimeout);
  cudaThreadExit();
  printf("%d\n", cudaMalloc(&flag, 64) == cudaSuccess);
}
)");
  const Outcome outcome = compile_and_run(file, "hang", "G80_DEVICE=tiny");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("g80: kernel spin(int*): livelock"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("the launch timed out and was terminated\n1\n1\n"), std::string::npos)
      << outcome.output;
}

TEST_F(ProgramErrors, TheTextbooksMistakesAreReported) {
  const Outcome barrier =
      compile_and_run(source("kernels/dot_product_hang/dot_product_hang.cu"), "mistake", "-u G80_RUN");
  EXPECT_EQ(barrier.code, 0) << barrier.output;
  EXPECT_NE(barrier.output.find("can never open"), std::string::npos) << barrier.output;
  EXPECT_NE(barrier.output.find("g80: mistake.flight.txt contains the last events, up to shader cycle "),
            std::string::npos)
      << barrier.output;
  const Outcome endless = compile_and_run(source("kernels/reduction_endless/reduction_endless.cu"), "mistake",
                                          "G80_RUN='--check off --set gpu.hang_cycles=20000'");
  EXPECT_EQ(endless.code, 0) << endless.output;
  EXPECT_NE(endless.output.find("livelock"), std::string::npos) << endless.output;
}

}  // namespace
