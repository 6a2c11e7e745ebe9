// SPDX-License-Identifier: Apache-2.0
// Kernels reach mapped host memory over the link, from compute capability 1.2 on.
#include <sstream>

#include <fmt/format.h>

#include "tests/runtime/program_runner.h"

namespace {

using namespace g80::testing;

class MappedMemory : public ProgramTest {};

TEST_F(MappedMemory, AKernelReadsAndWritesItAtTheRateAndLatencyOfTheLink) {
  const std::string program = temporary("zero_copy");
  const Outcome made = compile("-arch=sm_10 " + source("tests/runtime/programs/zero_copy.cu"), program);
  ASSERT_EQ(made.code, 0) << made.output;
  const auto run_on = [&](const std::string& device, const std::string& options) {
    return run(fmt::format("env G80_DEVICE={} G80_RUN='{}' {}", device, options, program));
  };
  const Outcome outcome = run_on("gtx280", "--check lockstep");
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  double mapped = 0, local = 0, far = 0, near = 0;
  std::istringstream(outcome.output) >> mapped >> local >> far >> near;
  // At 8 GB/s 2048 reads of 64 bytes come down in 84, and their packets and 1024 writes in 24 and 88 go up beside them.
  const double down = 2048 * 84 / 8000.0, up = (2048 * 24 + 1024 * 88) / 8000.0;
  EXPECT_GT(mapped, down + 2) << outcome.output;
  EXPECT_LT(mapped, down + up) << "not one direction after the other\n" << outcome.output;
  EXPECT_LT(local, 8) << outcome.output;
  // Two trips of 0.25 us instead of partition and DRAM, about 0.1 us.
  EXPECT_NEAR(far - near, 2 * 0.250 - 0.1, 0.05) << outcome.output;
  EXPECT_EQ(run_on("gtx280", "--model golden").output, "0.00 0.00 0.000 0.000\n");
  EXPECT_EQ(run_on("8600gts", "--check off").output, "refused\n");
}

TEST_F(MappedMemory, AMappingEndsWithTheDeviceAndAFailedOneLeavesNothing) {
  const std::string text = R"(
#include <cuda_runtime.h>
#include <stdio.h>
int main() {
  void *old, *host, *device = 0;
  cudaSetDeviceFlags(cudaDeviceMapHost);
  cudaHostAlloc(&old, 4, cudaHostAllocMapped);
  cudaThreadExit();
  printf("%d", cudaHostGetDevicePointer(&device, old, 0) == cudaErrorInvalidValue);
  cudaSetDeviceFlags(cudaDeviceMapHost);
  cudaHostAlloc(&host, 4, cudaHostAllocMapped);
  cudaFreeHost(old);
  printf("%d", cudaHostGetDevicePointer(&device, host, 0) == cudaSuccess && device != 0);
  const size_t sizes[] = {(size_t)-10, (size_t)3 << 30};  // no memory; no addresses
  for (int i = 0; i < 2; ++i)
    printf("%d", cudaHostAlloc(&host, sizes[i], cudaHostAllocMapped) == cudaErrorMemoryAllocation && host == 0);
  puts("");
}
)";
  EXPECT_EQ(
      compile_and_run("-arch=sm_12 " + write("mapping_ends.cu", text), "mapping_ends", "G80_DEVICE=gtx280").output,
      "1111\n");
}

TEST_F(MappedMemory, AnAtomicOnWhatTheDriverApiHasMappedIsAFault) {
  const std::string text = R"(
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdio.h>
__global__ void count(int* at) { atomicAdd(at, 1); }
int main() {
  int* host;
  CUcontext context;
  CUdeviceptr device;
  cuInit(0);
  cuCtxCreate(&context, CU_CTX_MAP_HOST, 0);
  cuMemHostAlloc((void**)&host, 4, CU_MEMHOSTALLOC_DEVICEMAP);
  cuMemHostGetDevicePointer(&device, host, 0);
  count<<<1, 32>>>((int*)(size_t)device);
  printf("%d %d\n", cudaThreadSynchronize() == cudaErrorLaunchFailure, *host);
}
)";
  const Outcome outcome =
      compile_and_run("-arch=sm_12 " + write("mapped_atomic.cu", text), "mapped_atomic", "G80_DEVICE=gtx280");
  EXPECT_NE(outcome.output.find("host memory has no atomic operations"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("1 0\n"), std::string::npos) << outcome.output;
}

}  // namespace
