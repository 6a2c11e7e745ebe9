// SPDX-License-Identifier: Apache-2.0
// The driver API: a module from a cubin, its kernel by name, both ways of passing parameters, errors.
#include <cuda.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "toolchain/assembler/assembler.h"
#include "toolchain/cubin/cubin.h"

namespace g80 {
namespace {

constexpr const char* kSource = R"(
.device total u32 1 = 5
.kernel put
.param u64 to
.param u32 value
  add b32 $r0 b32 s[to] $r124
  add b32 $r1 b32 s[value] $r124
  st b32 g14[$r0] $r1
  exit nop
)";

TEST(DriverApi, LoadsAModuleAndLaunchesItsKernel) {
  setenv("G80_DEVICE", "8600gts", 1);
  setenv("G80_RUN", "--model golden --max-cycles 100000", 1);
  CUdevice device = -1;
  ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
  ASSERT_EQ(cuDeviceGet(&device, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuDeviceGet(&device, 1), CUDA_ERROR_INVALID_DEVICE);
  int major = 0, minor = 0;
  EXPECT_EQ(cuDeviceComputeCapability(&major, &minor, 0), CUDA_SUCCESS);
  EXPECT_EQ(10 * major + minor, 11);
  CUcontext context = nullptr;
  ASSERT_EQ(cuCtxCreate(&context, 0, 0), CUDA_SUCCESS);

  CUmodule module = nullptr;
  EXPECT_EQ(cuModuleLoad(&module, "/no/such/file.cubin"), CUDA_ERROR_FILE_NOT_FOUND);
  EXPECT_EQ(cuModuleLoadData(&module, "this is no cubin"), CUDA_ERROR_INVALID_IMAGE);
  const std::string image = write_cubin(assemble(kSource, "put.sasm"));
  ASSERT_EQ(cuModuleLoadData(&module, image.c_str()), CUDA_SUCCESS);
  CUfunction put = nullptr;
  EXPECT_EQ(cuModuleGetFunction(&put, module, "get"), CUDA_ERROR_NOT_FOUND);
  ASSERT_EQ(cuModuleGetFunction(&put, module, "put"), CUDA_SUCCESS);

  CUdeviceptr memory = 0, total = 0;
  std::size_t bytes = 0;
  unsigned word = 0;
  ASSERT_EQ(cuMemAlloc(&memory, 8), CUDA_SUCCESS);
  ASSERT_EQ(cuParamSetv(put, 0, &memory, sizeof memory), CUDA_SUCCESS);
  ASSERT_EQ(cuParamSeti(put, 8, 77), CUDA_SUCCESS);
  ASSERT_EQ(cuParamSetSize(put, 12), CUDA_SUCCESS);
  ASSERT_EQ(cuFuncSetBlockShape(put, 1, 1, 1), CUDA_SUCCESS);
  ASSERT_EQ(cuLaunchGrid(put, 1, 1), CUDA_SUCCESS);
  ASSERT_EQ(cuMemcpyDtoH(&word, memory, 4), CUDA_SUCCESS);
  EXPECT_EQ(word, 77u);
  unsigned value = 99;
  void* parameters[] = {&memory, &value};
  ASSERT_EQ(cuLaunchKernel(put, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cuMemcpyDtoH(&word, memory, 4), CUDA_SUCCESS);
  EXPECT_EQ(word, 99u);
  ASSERT_EQ(cuModuleGetGlobal(&total, &bytes, module, "total"), CUDA_SUCCESS);
  EXPECT_EQ(bytes, 4u);
  ASSERT_EQ(cuMemcpyDtoH(&word, total, 4), CUDA_SUCCESS);
  EXPECT_EQ(word, 5u);

  EXPECT_EQ(cuParamSeti(put, 254, 1), CUDA_ERROR_INVALID_VALUE) << "beyond 256 bytes";
  std::size_t few = 8;
  void* packed[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &memory, CU_LAUNCH_PARAM_BUFFER_SIZE, &few, CU_LAUNCH_PARAM_END};
  EXPECT_EQ(cuLaunchKernel(put, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, packed), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuParamSetSize(put, few), CUDA_SUCCESS);
  EXPECT_EQ(cuLaunch(put), CUDA_ERROR_INVALID_VALUE) << "the kernel has 12 bytes of parameters";
  EXPECT_EQ(cuParamSetSize(put, 12), CUDA_SUCCESS);
  EXPECT_EQ(cuLaunchKernel(put, 1, 1, 1, 600, 1, 1, 0, nullptr, parameters, nullptr), CUDA_ERROR_INVALID_VALUE);
  const CUdeviceptr nowhere = 0;
  EXPECT_EQ(cuParamSetv(put, 0, const_cast<CUdeviceptr*>(&nowhere), 8), CUDA_SUCCESS);
  EXPECT_EQ(cuLaunch(put), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(cuCtxDestroy(context), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
}

}  // namespace
}  // namespace g80
