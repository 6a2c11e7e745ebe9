// SPDX-License-Identifier: Apache-2.0
// One context for each thread of the host, as before CUDA 4; contexts of the driver API; handles end with their
// context.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <string>
#include <thread>

#include "tests/runtime/program_runner.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/cubin/cubin.h"

namespace {

using namespace g80::testing;
using ::testing::HasSubstr;

class Contexts : public ProgramTest {};

/// Four threads with variables, constants, textures, streams and memory of their own; each ends its context while the
/// others work. The threads take turns as the host likes.
TEST_F(Contexts, OfAThreadEndWithoutTouchingOthers) {
  const std::string text = R"(
#include <pthread.h>
#include <stdio.h>
__constant__ int factor;
__device__ int offset;
texture<int, 1> table;
__global__ void k(int* out) { const int t = threadIdx.x; out[t] = t * factor + offset + tex1Dfetch(table, t); }
static int wrong = 0;
static void check(bool right) { if (!right) __sync_fetch_and_add(&wrong, 1); }
static void* work(void* number) {
  const int id = (int)(long)number;
  for (int round = 0; round < 3; ++round) {
    int *out, *in, h[128], f = id + round, o = 1000 * id;
    cudaStream_t stream;
    cudaEvent_t event;
    check(cudaMalloc((void**)&out, sizeof h) == cudaSuccess && cudaMalloc((void**)&in, sizeof h) == cudaSuccess);
    check(cudaStreamCreate(&stream) == cudaSuccess && cudaEventCreate(&event) == cudaSuccess);
    for (int i = 0; i < 128; ++i) h[i] = id << 20;
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(factor, &f, sizeof f);
    cudaMemcpyToSymbol(offset, &o, sizeof o);
    cudaBindTexture(0, table, in, sizeof h);
    k<<<1, 128, 0, stream>>>(out);
    check(cudaEventRecord(event, stream) == cudaSuccess && cudaEventSynchronize(event) == cudaSuccess);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; ++i) check(h[i] == i * f + o + (id << 20));
    check(cudaGetLastError() == cudaSuccess);
    check(cudaThreadExit() == cudaSuccess);
    check(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
    check(cudaEventQuery(event) == cudaErrorInvalidResourceHandle);
    check(cudaFree(out) == cudaErrorInvalidDevicePointer && cudaGetLastError() == cudaErrorInvalidDevicePointer);
  }
  return 0;
}
int main() {
  pthread_t threads[4];
  for (long i = 0; i < 4; ++i) pthread_create(threads + i, 0, work, (void*)(i + 1));
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  work((void*)5L);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
)";
  ASSERT_EQ(compile("-arch=sm_10 " + write("threads.cu", text), temporary("threads")).code, 0);
  for (const char* options : {"--model golden", "--check lockstep", "--check off --threads 2"}) {
    const Outcome outcome = run(std::string("G80_DEVICE=tiny G80_RUN='") + options + "' " + temporary("threads"));
    EXPECT_EQ(outcome.output, "0 wrong\n") << options;
  }
}

TEST_F(Contexts, ShareTheMemoryOfTheDeviceAndNotTheirPointers) {
  const std::string text = R"(
#include <pthread.h>
#include <stdio.h>
static char* pointer = 0;
static void* other(void*) {
  size_t free, total;
  void* p;
  char byte = 1;
  cudaMemGetInfo(&free, &total);
  const bool half = free < total / 2;
  const bool too_much = cudaMalloc(&p, total / 2) == cudaErrorMemoryAllocation;
  const bool rest = cudaMalloc(&p, free / 2) == cudaSuccess;
  const cudaError_t far = cudaMemcpy(&byte, pointer + total / 2, 1, cudaMemcpyDeviceToHost);
  printf("%d %d %d %s %d\n", half, too_much, rest, cudaGetErrorString(far), byte);
  return 0;
}
int main() {
  size_t free, total, after;
  pthread_t thread;
  cudaMemGetInfo(&free, &total);
  const size_t most = total / 2 + (1 << 20);
  cudaMalloc((void**)&pointer, most);
  pthread_create(&thread, 0, other, 0);
  pthread_join(thread, 0);
  cudaMemGetInfo(&after, &total);
  printf("%d\n", after + most == free);
}
)";
  const std::string file = write("shares.cu", text);
  const Outcome apart = compile_and_run(file, "shares", "G80_RUN='--model golden'");
  EXPECT_THAT(apart.output, HasSubstr("1 1 1 invalid argument 1\n"));
  EXPECT_THAT(apart.output,
              HasSubstr("the memory is of another context; before CUDA 4 each thread has one of its own\n"));
  EXPECT_THAT(apart.output, HasSubstr("\n1\n")) << "a thread that ends gives its memory back";
}

TEST_F(Contexts, HaveWavesAndTimelinesOfTheirOwn) {
  const std::string text = R"(
#include <pthread.h>
__global__ void first() {}
__global__ void second() {}
static void* other(void*) { second<<<1, 32>>>(); return (void*)(long)cudaThreadSynchronize(); }
int main() {
  pthread_t thread;
  first<<<1, 32>>>();
  pthread_create(&thread, 0, other, 0);
  pthread_join(thread, 0);
  return cudaThreadSynchronize();
}
)";
  const Outcome outcome = compile_and_run("-arch=sm_11 " + write("own_files.cu", text), "own_files",
                                          "G80_DEVICE=tiny G80_RUN='--timeline " + temporary("own.json") +
                                              " --timeline-level all --wave " + temporary("own.vcd") + "'");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  for (const char* name : {"own.json", "own.2.json"}) EXPECT_EQ(run("grep -q exit " + temporary(name)).code, 0) << name;
  for (const char* name : {"own.vcd", "own.2.vcd"}) EXPECT_EQ(run("test -s " + temporary(name)).code, 0) << name;
}

constexpr const char* kSource = R"(
.device total u32 1 = 5
.texture image 0
.kernel put
.param u64 to
  exit nop
)";

class DriverContexts : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("G80_DEVICE", "8600gts", 1);
    setenv("G80_RUN", "--model golden --max-cycles 100000", 1);
    ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
  }
};

TEST_F(DriverContexts, AreOnAStackOfOneThreadAtATime) {
  CUcontext a = nullptr, b = nullptr, popped = nullptr;
  CUdeviceptr in_a = 0;
  CUdevice device = -1;
  char byte = 0;
  while (cuCtxPopCurrent(&popped) == CUDA_SUCCESS) cuCtxDestroy(popped);
  EXPECT_EQ(cuMemAlloc(&in_a, 4), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxGetDevice(&device), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
  ASSERT_EQ(cuCtxCreate(&a, 0, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAlloc(&in_a, 4), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxCreate(&b, 0, 0), CUDA_SUCCESS);
  EXPECT_NE(a, b);
  EXPECT_EQ(cuMemcpyDtoH(&byte, in_a, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuCtxPushCurrent(a), CUDA_ERROR_CONTEXT_ALREADY_CURRENT);
  ASSERT_EQ(cuCtxPopCurrent(&popped), CUDA_SUCCESS);
  EXPECT_EQ(popped, b);
  EXPECT_EQ(cuMemcpyDtoH(&byte, in_a, 1), CUDA_SUCCESS);
  std::thread([&] {
    EXPECT_EQ(cuMemFree(in_a), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuCtxDestroy(a), CUDA_ERROR_INVALID_CONTEXT) << "current to another thread";
    EXPECT_EQ(cuCtxPushCurrent(b), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxDestroy(b), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
  }).join();
  EXPECT_EQ(cuCtxPushCurrent(b), CUDA_ERROR_INVALID_CONTEXT);
  CUcontext same = nullptr;
  EXPECT_EQ(cuCtxAttach(&same, 0), CUDA_SUCCESS);
  EXPECT_EQ(same, a);
  EXPECT_EQ(cuCtxDestroy(a), CUDA_ERROR_INVALID_CONTEXT) << "used twice";
  EXPECT_EQ(cuCtxDetach(a), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree(in_a), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxDetach(a), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxDetach(a), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(DriverContexts, MoveToAnotherThreadWithTheirWork) {
  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  unsigned word = 0;
  ASSERT_EQ(cuCtxCreate(&context, 0, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAlloc(&memory, 4), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD32(memory, 77, 1), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxPopCurrent(&context), CUDA_SUCCESS);
  std::thread([&] {
    EXPECT_EQ(cuCtxPushCurrent(context), CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyDtoH(&word, memory, 4), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxPopCurrent(nullptr), CUDA_SUCCESS);
  }).join();
  EXPECT_EQ(word, 77u);
  EXPECT_EQ(cuCtxDestroy(context), CUDA_SUCCESS);
}

/// The runtime API's call ends what the driver API has made, and nothing of it may be touched.
TEST_F(DriverContexts, GiveNoHandleAwayBeyondAReset) {
  CUcontext context = nullptr;
  ASSERT_EQ(cuCtxCreate(&context, 0, 0), CUDA_SUCCESS);
  const std::string image = write_cubin(g80::assemble(kSource, "put.sasm"));
  CUmodule module = nullptr;
  CUfunction put = nullptr;
  CUtexref texture = nullptr;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUarray array = nullptr;
  CUdeviceptr memory = 0;
  const CUDA_ARRAY_DESCRIPTOR row{16, 0, CU_AD_FORMAT_FLOAT, 1};
  ASSERT_EQ(cuModuleLoadData(&module, image.c_str()), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleGetFunction(&put, module, "put"), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleGetTexRef(&texture, module, "image"), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamCreate(&stream, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuEventCreate(&event, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuArrayCreate(&array, &row), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAlloc(&memory, 4), CUDA_SUCCESS);
  ASSERT_EQ(cuParamSetSize(put, 8), CUDA_SUCCESS);
  ASSERT_EQ(cuLaunch(put), CUDA_SUCCESS);

  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  CUfunction again = nullptr;
  CUtexref texture_again = nullptr;
  std::size_t bytes = 0;
  int number = 0;
  unsigned flags = 0;
  CUarray_format format;
  CUaddress_mode mode;
  CUfilter_mode filter;
  void* parameters[] = {&memory};
  const CUresult results[] = {
      cuModuleGetFunction(&again, module, "put"),
      cuModuleGetGlobal(&memory, &bytes, module, "total"),
      cuModuleGetTexRef(&texture_again, module, "image"),
      cuModuleUnload(module),
      cuLaunch(put),
      cuLaunchGrid(put, 1, 1),
      cuLaunchGridAsync(put, 1, 1, nullptr),
      cuLaunchKernel(put, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr),
      cuFuncSetBlockShape(put, 1, 1, 1),
      cuFuncSetSharedSize(put, 4),
      cuFuncGetAttribute(&number, CU_FUNC_ATTRIBUTE_NUM_REGS, put),
      cuFuncSetCacheConfig(put, CU_FUNC_CACHE_PREFER_NONE),
      cuParamSetSize(put, 8),
      cuParamSeti(put, 0, 1),
      cuParamSetf(put, 0, 1),
      cuParamSetv(put, 0, &memory, 8),
      cuParamSetTexRef(put, CU_PARAM_TR_DEFAULT, texture),
      cuTexRefSetFormat(texture, CU_AD_FORMAT_FLOAT, 1),
      cuTexRefSetAddressMode(texture, 0, CU_TR_ADDRESS_MODE_WRAP),
      cuTexRefSetFilterMode(texture, CU_TR_FILTER_MODE_LINEAR),
      cuTexRefSetFlags(texture, 0),
      cuTexRefGetAddress(&memory, texture),
      cuTexRefGetArray(&array, texture),
      cuTexRefGetFormat(&format, &number, texture),
      cuTexRefGetAddressMode(&mode, texture, 0),
      cuTexRefGetFilterMode(&filter, texture),
      cuTexRefGetFlags(&flags, texture),
      cuStreamSynchronize(stream),
      cuStreamQuery(stream),
      cuStreamDestroy(stream),
      cuEventRecord(event, nullptr),
      cuEventQuery(event),
      cuEventDestroy(event),
  };
  for (const CUresult& result : results) EXPECT_EQ(result, CUDA_ERROR_INVALID_HANDLE) << "call " << &result - results;
  EXPECT_EQ(cuMemFree(memory), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuArrayDestroy(array), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuTexRefSetArray(texture, array, CU_TRSA_OVERRIDE_FORMAT), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuModuleLoadData(&module, image.c_str()), CUDA_SUCCESS) << "the context is there and empty";
  EXPECT_EQ(cuCtxDestroy(context), CUDA_SUCCESS);
}

}  // namespace
