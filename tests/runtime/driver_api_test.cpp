// SPDX-License-Identifier: Apache-2.0
// The driver API: a module from a cubin, its kernel by name, both ways of passing parameters, errors.
#include <cuda.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

#include "runtime/api.h"
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
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(cuLaunch(put), CUDA_ERROR_INVALID_VALUE) << "the kernel has 12 bytes of parameters";
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("it has 12 bytes of parameters, and 8 are given"),
            std::string::npos);
  EXPECT_EQ(cuParamSetSize(put, 12), CUDA_SUCCESS);
  EXPECT_EQ(cuLaunchKernel(put, 1, 1, 1, 600, 1, 1, 0, nullptr, parameters, nullptr), CUDA_ERROR_INVALID_VALUE);
  const CUdeviceptr nowhere = 0;
  EXPECT_EQ(cuParamSetv(put, 0, const_cast<CUdeviceptr*>(&nowhere), 8), CUDA_SUCCESS);
  EXPECT_EQ(cuLaunch(put), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(cuCtxDestroy(context), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
}

/// R: it runs, S: it sleeps, ...
char state_of(pid_t thread) {
  std::ifstream stream("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string line;
  std::getline(stream, line);
  const std::size_t name = line.rfind(')');  // "12 (name) S ..."
  return name != std::string::npos && name + 2 < line.size() ? line[name + 2] : '?';
}

class DriverCalls : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("G80_DEVICE", "8600gts", 1);
    setenv("G80_RUN", "--model golden --max-cycles 100000", 1);
    ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
    ASSERT_EQ(cuCtxCreate(&context_, 0, 0), CUDA_SUCCESS);
  }
  void TearDown() override { cuCtxDestroy(context_); }
  CUcontext context_ = nullptr;
};

TEST_F(DriverCalls, SayWhyAnImageDoesNotSuitTheDevice) {
  const auto refusal = [](const std::string& image, CUresult expected) {
    CUmodule module = nullptr;
    std::string log(400, '\0');
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
    EXPECT_EQ(cuModuleLoadDataEx(&module, image.c_str(), 2, options, values), expected);
    return std::string(log.c_str());
  };
  EXPECT_EQ(
      refusal(write_cubin(assemble(".arch sm_13\n.kernel k\nexit nop\n", "k.sasm")), CUDA_ERROR_NO_BINARY_FOR_GPU),
      "image: the code needs sm_13, GeForce 8600 GTS has compute capability 1.1: choose G80_DEVICE=gtx280");
  EXPECT_EQ(refusal("\x7f"
                    "ELF\2\1\1",
                    CUDA_ERROR_INVALID_IMAGE)
                .rfind("image: this is an ELF file; ", 0),
            0u);
}

TEST_F(DriverCalls, WaitForTheCallOfAnotherThread) {
  unsigned word = 0;
  const auto bad = reinterpret_cast<CUstream>(&word);
  CUDA_MEMCPY2D rows{};
  const auto expect_wait = [](CUresult expected, const std::function<CUresult()>& call) {
    std::unique_lock<std::recursive_mutex> other_call(cuda::api_mutex());
    std::atomic<pid_t> thread{0};
    std::future<CUresult> result = std::async(std::launch::async, [&] {  // a thread without a context
      thread = gettid();
      return call();
    });
    // Until it has an answer, or sleeps because it waits.
    const auto has_result = [&] { return result.wait_for(std::chrono::seconds(0)) == std::future_status::ready; };
    while (!has_result() && (thread == 0 || state_of(thread) != 'S')) std::this_thread::yield();
    EXPECT_FALSE(has_result());
    other_call.unlock();
    EXPECT_EQ(result.get(), expected);
  };
  expect_wait(CUDA_ERROR_INVALID_CONTEXT, [&] { return cuMemcpyHtoD(CUdeviceptr{1} << 32, &word, 4); });
  expect_wait(CUDA_ERROR_INVALID_CONTEXT, [&] { return cuMemcpyHtoDAsync(0, &word, 4, bad); });
  expect_wait(CUDA_ERROR_INVALID_CONTEXT, [&] { return cuMemcpyDtoHAsync(&word, 0, 4, bad); });
  expect_wait(CUDA_ERROR_INVALID_CONTEXT, [&] { return cuMemcpyDtoDAsync(0, 0, 4, bad); });
  expect_wait(CUDA_ERROR_INVALID_CONTEXT, [&] { return cuMemcpy2DAsync(&rows, bad); });
  expect_wait(CUDA_ERROR_INVALID_CONTEXT, [&] { return cuMemcpyHtoA(nullptr, 0, &word, 4); });
  expect_wait(CUDA_SUCCESS, [] { return cuInit(0); });
}

TEST_F(DriverCalls, RefuseTexturesLargerThanTheChipHas) {
  CUmodule module = nullptr;
  CUtexref texture = nullptr;
  CUdeviceptr memory = 0;
  std::size_t offset = 0;
  const std::string image = write_cubin(assemble(".texture image 0\n.kernel k\nexit nop\n", "image.sasm"));
  ASSERT_EQ(cuModuleLoadData(&module, image.c_str()), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleGetTexRef(&texture, module, "image"), CUDA_SUCCESS);
  constexpr std::size_t kMost = std::size_t{1} << 27;
  ASSERT_EQ(cuMemAlloc(&memory, kMost + 4), CUDA_SUCCESS);
  CUDA_ARRAY_DESCRIPTOR rows{1, 32768, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  EXPECT_EQ(cuTexRefSetAddress2D(texture, &rows, memory, 64), CUDA_SUCCESS);
  ++rows.Height;
  EXPECT_EQ(cuTexRefSetAddress2D(texture, &rows, memory, 64), CUDA_ERROR_INVALID_VALUE);
  rows = {65536, 1, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  EXPECT_EQ(cuTexRefSetAddress2D(texture, &rows, memory, 70000), CUDA_SUCCESS);
  ++rows.Width;
  EXPECT_EQ(cuTexRefSetAddress2D(texture, &rows, memory, 70000), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuTexRefSetAddress(&offset, texture, memory, kMost), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetAddress(&offset, texture, memory, kMost + 1), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuTexRefSetFormat(texture, CU_AD_FORMAT_UNSIGNED_INT32, 1), CUDA_SUCCESS);
  ASSERT_EQ(cuTexRefSetAddress(&offset, texture, memory, kMost + 4), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetFormat(texture, CU_AD_FORMAT_UNSIGNED_INT8, 1), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverCalls, RefuseATextureWhoseArrayIsGone) {
  CUmodule module = nullptr;
  CUtexref texture = nullptr;
  CUarray array = nullptr;
  const CUDA_ARRAY_DESCRIPTOR row{16, 0, CU_AD_FORMAT_FLOAT, 1};
  const std::string image = write_cubin(assemble(".texture image 0\n.kernel k\nexit nop\n", "image.sasm"));
  ASSERT_EQ(cuModuleLoadData(&module, image.c_str()), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleGetTexRef(&texture, module, "image"), CUDA_SUCCESS);
  ASSERT_EQ(cuArrayCreate(&array, &row), CUDA_SUCCESS);
  ASSERT_EQ(cuTexRefSetArray(texture, array, CU_TRSA_OVERRIDE_FORMAT), CUDA_SUCCESS);
  ASSERT_EQ(cuArrayDestroy(array), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetFilterMode(texture, CU_TR_FILTER_MODE_LINEAR), CUDA_ERROR_INVALID_VALUE);
}

/// With a variable that memory holds twice.
const std::string kLarge =
    std::string(".device big u8 1500000\n.constant table u32 2 = 6, 7\n.texture image 0\n") + kSource;

class UnloadedModules : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    setenv("G80_DEVICE", "tiny", 1);
    setenv("G80_RUN", (std::string("--set device.memory_bytes=4194304 --model ") + GetParam()).c_str(), 1);
    ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
    ASSERT_EQ(cuCtxCreate(&context_, 0, 0), CUDA_SUCCESS);
  }
  static std::size_t free_bytes() {
    std::size_t free = 0, total = 0;
    EXPECT_EQ(cuMemGetInfo(&free, &total), CUDA_SUCCESS);
    return free;
  }
  const std::string image_ = write_cubin(assemble(kLarge, "large.sasm"));
  CUcontext context_ = nullptr;
};

TEST_P(UnloadedModules, FinishTheirWorkAndLeaveNothing) {
  CUdeviceptr memory = 0;
  ASSERT_EQ(cuMemAlloc(&memory, 4), CUDA_SUCCESS);
  std::size_t before = free_bytes();
  for (unsigned round = 1; round <= 5; ++round) {
    CUmodule module = nullptr, other = nullptr;
    CUfunction put = nullptr, again = nullptr;
    CUtexref image = nullptr;
    CUdeviceptr total = 0, table = 0;
    std::size_t bytes = 0;
    unsigned word = 0;
    ASSERT_EQ(cuModuleLoadData(&module, image_.c_str()), CUDA_SUCCESS) << "round " << round;
    EXPECT_LT(free_bytes() + 1500000, before + 1);
    ASSERT_EQ(cuModuleGetFunction(&put, module, "put"), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleGetTexRef(&image, module, "image"), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleGetGlobal(&total, &bytes, module, "total"), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleGetGlobal(&table, &bytes, module, "table"), CUDA_SUCCESS);
    ASSERT_EQ(cuMemcpyDtoH(&word, total, 4), CUDA_SUCCESS);
    EXPECT_EQ(word, 5u);
    ASSERT_EQ(cuMemsetD32(total, 50 + round, 1), CUDA_SUCCESS);
    ASSERT_EQ(cuMemcpyDtoH(&word, table + 4, 4), CUDA_SUCCESS);
    EXPECT_EQ(word, 7u);
    ASSERT_EQ(cuModuleLoadData(&other, image_.c_str()), CUDA_SUCCESS);
    void* parameters[] = {&memory, &round};
    ASSERT_EQ(cuLaunchKernel(put, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleUnload(module), CUDA_SUCCESS);

    EXPECT_EQ(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuModuleGetFunction(&again, module, "put"), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuLaunchKernel(put, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuTexRefSetFlags(image, 0), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuMemcpyDtoH(&word, total, 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpyDtoH(&word, table, 4), CUDA_ERROR_INVALID_VALUE);
    ASSERT_EQ(cuMemcpyDtoH(&word, memory, 4), CUDA_SUCCESS);
    EXPECT_EQ(word, round) << "the launch before was done";

    // The other one, which has the same names, lives.
    ASSERT_EQ(cuModuleGetFunction(&put, other, "put"), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleGetGlobal(&total, &bytes, other, "total"), CUDA_SUCCESS);
    ASSERT_EQ(cuMemcpyDtoH(&word, total, 4), CUDA_SUCCESS);
    EXPECT_EQ(word, 5u);
    unsigned value = 100 + round;
    parameters[1] = &value;
    ASSERT_EQ(cuLaunchKernel(put, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr), CUDA_SUCCESS);
    ASSERT_EQ(cuMemcpyDtoH(&word, memory, 4), CUDA_SUCCESS);
    EXPECT_EQ(word, value);
    ASSERT_EQ(cuModuleUnload(other), CUDA_SUCCESS);
    if (round == 1) before = free_bytes();  // the first launch of all takes memory for tables
    EXPECT_EQ(free_bytes(), before) << "round " << round;
  }
  EXPECT_EQ(cuCtxDestroy(context_), CUDA_SUCCESS);
}

TEST_P(UnloadedModules, MakeRoomForOthers) {
  CUmodule first = nullptr, second = nullptr, third = nullptr;
  ASSERT_EQ(cuModuleLoadData(&first, image_.c_str()), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleLoadData(&second, image_.c_str()), CUDA_SUCCESS);
  const std::size_t full = free_bytes();
  for (int k = 0; k < 3; ++k) EXPECT_EQ(cuModuleLoadData(&third, image_.c_str()), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(free_bytes(), full) << "what does not fit leaves nothing";
  EXPECT_EQ(cuModuleUnload(first), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleLoadData(&third, image_.c_str()), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleUnload(third), CUDA_SUCCESS);
  CUcontext other = nullptr;
  ASSERT_EQ(cuCtxCreate(&other, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleUnload(second), CUDA_ERROR_INVALID_HANDLE) << "of another context";
  ASSERT_EQ(cuModuleLoadData(&third, image_.c_str()), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleLoadData(&first, image_.c_str()), CUDA_ERROR_OUT_OF_MEMORY) << "contexts share the memory";
  EXPECT_EQ(cuCtxDestroy(other), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxDestroy(context_), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxCreate(&context_, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleUnload(second), CUDA_ERROR_INVALID_HANDLE) << "of a context that has ended";
  EXPECT_EQ(cuCtxDestroy(context_), CUDA_SUCCESS);
}

INSTANTIATE_TEST_SUITE_P(Models, UnloadedModules, ::testing::Values("golden", "gpu --check lockstep"),
                         [](const auto& model) {
                           return std::string(model.param).substr(0, model.param[1] == 'o' ? 6 : 3);
                         });

}  // namespace
}  // namespace g80
