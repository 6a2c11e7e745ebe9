// SPDX-License-Identifier: Apache-2.0
// The runtime library, called as a program calls it, on the golden reference: values, errors, what sticks and what does
// not. The GPU program is assembled here and registered as a compiler would do it.
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include "hw/config/config.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/cubin/cubin.h"
#include "toolchain/cuda/compile/gpu_binary.h"

extern "C" {
void** __cudaRegisterFatBinary(const void* wrapper);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*);
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int);
void __cudaRegisterTexture(void**, const textureReference*, const void**, const char*, int, int, int);
}

namespace g80 {
namespace {

constexpr const char* kProgram = R"(
.constant table u32 4 = 1, 2, 3, 4
.device counter u32 2 = 7
.texture image 0
.kernel store            // *to = value
.param u64 to
.param u32 value
  add b32 $r0 b32 s[to] $r124
  add b32 $r1 b32 s[value] $r124
  st b32 g14[$r0] $r1
  exit nop
.kernel read_table       // *to = table[1]
.param u64 to
  add b32 $r0 b32 s[to] $r124
  add b32 $r1 $r124 c0[table+4]
  st b32 g14[$r0] $r1
  exit nop
.kernel wide             // needs more registers than 512 threads have
.reg 60
  exit nop
.kernel endless
again:
  bra again
)";

// What stands for kernels, variables and textures in the host program.
char store_stub, read_table_stub, wide_stub, endless_stub, unknown_stub;
char table_shadow[16], counter_shadow[8];
textureReference image;

struct Wrapper {
  unsigned magic = 0x466243b1, version = 1;
  const void* data = nullptr;
  void* unused = nullptr;
};

void register_program() {
  static std::string binary;
  static Wrapper wrapper;
  if (wrapper.data != nullptr) return;
  setenv("G80_DEVICE", "8600gts", 1);
  setenv("G80_RUN", "--model golden --max-cycles 100000", 1);
  binary = cuda::embed_cubin(write_cubin(assemble(kProgram, "program.sasm")));
  wrapper.data = binary.data();
  void** handle = __cudaRegisterFatBinary(&wrapper);
  const auto kernel = [&](const char* stub, const char* name) {
    __cudaRegisterFunction(handle, stub, nullptr, name, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  };
  kernel(&store_stub, "store");
  kernel(&read_table_stub, "read_table");
  kernel(&wide_stub, "wide");
  kernel(&endless_stub, "endless");
  __cudaRegisterVar(handle, table_shadow, nullptr, "table", 0, 16, 1, 0);
  __cudaRegisterVar(handle, counter_shadow, nullptr, "counter", 0, 8, 0, 0);
  __cudaRegisterTexture(handle, &image, nullptr, "image", 2, 0, 0);
}

class Runtime : public ::testing::Test {
 protected:
  void SetUp() override {
    register_program();
    cudaDeviceReset();
  }
  static void* allocate(std::size_t bytes) {
    void* pointer = nullptr;
    EXPECT_EQ(cudaMalloc(&pointer, bytes), cudaSuccess);
    return pointer;
  }
  static cudaError_t launch(const char* stub, std::vector<void*> arguments, dim3 grid = dim3(1), dim3 block = dim3(1),
                            std::size_t shared = 0) {
    return cudaLaunchKernel(stub, grid, block, arguments.data(), shared, nullptr);
  }
};

TEST_F(Runtime, PropertiesAreThoseOfThePreset) {
  const Config config = load_config("8600gts");
  cudaDeviceProp prop;
  ASSERT_EQ(cudaGetDeviceProperties(&prop, 0), cudaSuccess);
  EXPECT_STREQ(prop.name, config.device.name.c_str());
  EXPECT_EQ(prop.totalGlobalMem, config.device.memory_bytes);
  EXPECT_EQ(prop.sharedMemPerBlock, 16384u);
  EXPECT_EQ(prop.regsPerBlock, 8192);
  EXPECT_EQ(prop.warpSize, 32);
  EXPECT_EQ(prop.memPitch, 262144u);
  EXPECT_EQ(prop.maxThreadsPerBlock, 512);
  EXPECT_EQ(prop.maxThreadsDim[2], 64);
  EXPECT_EQ(prop.maxGridSize[0], 65535);
  EXPECT_EQ(prop.maxGridSize[2], 1);
  EXPECT_EQ(prop.clockRate, 1458000);
  EXPECT_EQ(prop.major * 10 + prop.minor, 11);
  EXPECT_EQ(prop.multiProcessorCount, 4);
  EXPECT_EQ(prop.memoryBusWidth, 128);
  EXPECT_EQ(prop.deviceOverlap, 1) << "compute capability 1.1";
  EXPECT_EQ(prop.asyncEngineCount, 1);
  EXPECT_EQ(cudaGetDeviceProperties(&prop, 1), cudaErrorInvalidDevice);
}

TEST_F(Runtime, ThereIsOneDevice) {
  int count = 0, device = -1;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
}

TEST_F(Runtime, TheLastErrorIsToldOnce) {
  EXPECT_EQ(cudaSetDevice(5), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidDevice), "invalid device ordinal");
  EXPECT_STREQ(cudaGetErrorName(cudaErrorLaunchTimeout), "cudaErrorLaunchTimeout");
  EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

TEST_F(Runtime, EachThreadHasALastErrorAndKnowsOfItsKernelsThatFailed) {
  const auto elsewhere = [](const auto& call) {
    cudaError_t result = cudaSuccess;
    std::thread([&] { result = call(); }).join();
    return result;
  };
  EXPECT_EQ(elsewhere([] { return cudaSetDevice(5); }), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_EQ(cudaSetDevice(5), cudaErrorInvalidDevice);
  EXPECT_EQ(elsewhere([] { return cudaGetLastError(); }), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(launch(&endless_stub, {}), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchTimeout);
  EXPECT_EQ(elsewhere([] { return cudaDeviceSynchronize(); }), cudaSuccess) << "it has a context of its own";
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorLaunchTimeout);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchTimeout);
}

TEST_F(Runtime, CopiesMoveTheBytesAsked) {
  std::vector<unsigned char> in(1000), out(1000, 0xee);
  std::iota(in.begin(), in.end(), 0);
  auto* a = static_cast<char*>(allocate(1000));
  auto* b = static_cast<char*>(allocate(1000));
  ASSERT_EQ(cudaMemcpy(a, in.data(), 1000, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemset(b, 0x5a, 1000), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(b + 3, a + 1, 500, cudaMemcpyDeviceToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(out.data(), b, 1000, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(out[2], 0x5a);
  EXPECT_EQ(std::memcmp(&out[3], &in[1], 500), 0);
  EXPECT_EQ(out[503], 0x5a);
}

TEST_F(Runtime, CopiesOnTheDeviceMoveBoxesAndRefuseSidesThatOverlap) {
  constexpr std::size_t kPitch = 512;
  std::vector<unsigned char> in(8 * kPitch), out(8 * kPitch);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i * 7 + i / 256);
  auto* a = static_cast<char*>(allocate(8 * kPitch));
  ASSERT_EQ(cudaMemcpy(a, in.data(), in.size(), cudaMemcpyHostToDevice), cudaSuccess);
  const auto move = [&](char* to, std::size_t to_pitch, const char* from, std::size_t from_pitch, std::size_t width,
                        std::size_t rows) {
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, rows, cudaMemcpyDeviceToDevice);
  };
  EXPECT_EQ(move(a + 256, kPitch, a + 3, kPitch, 253, 8), cudaSuccess) << "the right half from the left half";
  ASSERT_EQ(cudaMemcpy(out.data(), a, out.size(), cudaMemcpyDeviceToHost), cudaSuccess);
  for (std::size_t row = 0; row < 8; ++row) {
    EXPECT_EQ(std::memcmp(&out[row * kPitch], &in[row * kPitch], 256), 0);
    EXPECT_EQ(std::memcmp(&out[row * kPitch + 256], &in[row * kPitch + 3], 253), 0);
    EXPECT_EQ(std::memcmp(&out[row * kPitch + 509], &in[row * kPitch + 509], 3), 0);
  }
  EXPECT_EQ(move(a + 252, kPitch, a, kPitch, 253, 8), cudaErrorInvalidValue);
  EXPECT_EQ(move(a + kPitch, 256, a, kPitch, 100, 4), cudaErrorInvalidValue) << "row 1 is row 0 of the other side";
  EXPECT_EQ(move(a + kPitch + 100, 256, a, kPitch, 100, 4), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(a, a + 99, 100, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(a + 99, a, 100, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(a, a + 100, 100, cudaMemcpyDeviceToDevice), cudaSuccess);
}

TEST_F(Runtime, CopiesOutsideAllocationsAreRefused) {
  char host[64];
  auto* device = static_cast<char*>(allocate(32));
  EXPECT_EQ(cudaMemcpy(device, host, 33, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device + 1, host, 32, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, device, 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host, device, 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(nullptr, device, 8, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host, device, 8, cudaMemcpyDefault), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemset(device, 0, 33), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, host, 32, cudaMemcpyHostToDevice), cudaSuccess);
}

TEST_F(Runtime, MemoryIsGivenBack) {
  std::size_t before = 0, during = 0, after = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  EXPECT_EQ(total, load_config("8600gts").device.memory_bytes);
  void* pointer = allocate(1 << 20);
  cudaMemGetInfo(&during, &total);
  EXPECT_LE(during + (1 << 20), before);
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
  cudaMemGetInfo(&after, &total);
  EXPECT_EQ(after, before);
  EXPECT_EQ(cudaFree(pointer), cudaErrorInvalidDevicePointer);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&pointer, std::size_t{3} << 30), cudaErrorMemoryAllocation);
  EXPECT_EQ(pointer, nullptr);
  void* again = allocate(4);
  unsigned word = 1;
  EXPECT_EQ(cudaMemcpy(&word, again, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(word, 0u) << "memory that was used before reads zero";
}

TEST_F(Runtime, PitchesAreAlignedAndRowsLandInThem) {
  void* device = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&device, &pitch, 300, 4), cudaSuccess);
  EXPECT_EQ(pitch, 512u);
  std::vector<unsigned char> in(4 * 300), out(4 * 310, 0), row(300);
  std::iota(in.begin(), in.end(), 1);
  ASSERT_EQ(cudaMemcpy2D(device, pitch, in.data(), 300, 300, 4, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(row.data(), static_cast<char*>(device) + 2 * pitch, 300, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(std::memcmp(row.data(), &in[600], 300), 0);
  ASSERT_EQ(cudaMemcpy2D(out.data(), 310, device, pitch, 300, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(std::memcmp(&out[930], &in[900], 300), 0);
  EXPECT_EQ(cudaMemcpy2D(out.data(), 200, device, pitch, 300, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemset2D(device, pitch, 9, 300, 5), cudaErrorInvalidValue) << "there is no fifth row";
}

TEST_F(Runtime, PitchedMemoryOfMoreBytesThanANumberHoldsIsRefused) {
  constexpr std::size_t kMost = ~std::size_t{0};
  void* device = &device;
  std::size_t pitch = 0;
  EXPECT_EQ(cudaMallocPitch(&device, &pitch, 256, (std::size_t{1} << 56) + 1), cudaErrorMemoryAllocation);
  EXPECT_EQ(device, nullptr);
  EXPECT_EQ(cudaMallocPitch(&device, &pitch, kMost, 1), cudaErrorMemoryAllocation);
  cudaPitchedPtr pointer{};
  const std::size_t side = std::size_t{1} << 28;
  EXPECT_EQ(cudaMalloc3D(&pointer, {256, side, side + 1}), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc3D(&pointer, {kMost, 1, 1}), cudaErrorMemoryAllocation);
  EXPECT_EQ(pointer.ptr, nullptr);
}

TEST_F(Runtime, ArraysAndBindingsEndWithReset) {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray* array = nullptr;
  ASSERT_EQ(cudaMallocArray(&array, &floats, 16, 0), cudaSuccess);
  image = {};
  ASSERT_EQ(cudaBindTextureToArray(&image, array, &floats), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  const float ones[16] = {1, 1, 1, 1};
  float word = 0;
  void* const memory = allocate(64);  // where the array was
  std::size_t offset = 0;
  EXPECT_EQ(cudaMemcpyToArray(array, 0, 0, ones, sizeof ones, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaBindTextureToArray(&image, array, &floats), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeArray(array), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetTextureAlignmentOffset(&offset, &image), cudaErrorInvalidTextureBinding);
  EXPECT_EQ(cudaMemcpy(&word, memory, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(word, 0.0f);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST_F(Runtime, ARefusedCopyOfAnArrayMovesNothing) {
  constexpr std::size_t kWidth = 10, kHeight = 7, kBytes = 4 * kWidth * kHeight;
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray *array = nullptr, *other = nullptr;
  ASSERT_EQ(cudaMallocArray(&array, &desc, kWidth, kHeight), cudaSuccess);
  ASSERT_EQ(cudaMallocArray(&other, &desc, kWidth, kHeight), cudaSuccess);
  const std::vector<float> ones(2 * kWidth * kHeight, 1), zeros(kWidth * kHeight, 0);
  ASSERT_EQ(cudaMemcpyToArray(other, 0, 0, ones.data(), kBytes, cudaMemcpyHostToDevice), cudaSuccess);
  struct Run {
    std::size_t x, y, bytes;  // the byte and the row at which it begins
  };
  for (const auto& [x, y, bytes] :
       {Run{4, 0, kBytes}, Run{0, 1, kBytes}, Run{0, 0, kBytes + 1}, Run{36, 6, 5}, Run{40, 0, 4}, Run{0, 7, 4}}) {
    std::vector<float> out(2 * kWidth * kHeight, 0);
    EXPECT_EQ(cudaMemcpyToArray(array, x, y, ones.data(), bytes, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpyFromArray(out.data(), other, x, y, bytes, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    EXPECT_EQ(std::count(out.begin(), out.end(), 0), static_cast<std::ptrdiff_t>(out.size()));
    EXPECT_EQ(cudaMemcpyArrayToArray(array, x, y, other, 0, 0, bytes, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpyArrayToArray(array, 0, 0, other, x, y, bytes, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
    std::vector<float> now(kWidth * kHeight, 2);
    EXPECT_EQ(cudaMemcpyFromArray(now.data(), array, 0, 0, kBytes, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(now, zeros) << x << " " << y << " " << bytes;
  }
  EXPECT_EQ(cudaMemcpyToArray(array, 36, 6, ones.data(), 4, cudaMemcpyHostToDevice), cudaSuccess) << "the last texel";
}

TEST_F(Runtime, ArraysKeepRowsAndSlices) {
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray* array = nullptr;
  ASSERT_EQ(cudaMalloc3DArray(&array, &desc, cudaExtent{5, 3, 2}), cudaSuccess);
  std::vector<float> in(30), out(30, 0);
  std::iota(in.begin(), in.end(), 1.0f);
  cudaMemcpy3DParms p{};
  p.srcPtr = {in.data(), 20, 5, 3};
  p.dstArray = array;
  p.extent = {5, 3, 2};
  p.kind = cudaMemcpyHostToDevice;
  ASSERT_EQ(cudaMemcpy3D(&p), cudaSuccess);
  cudaMemcpy3DParms back{};
  back.srcArray = array;
  back.srcPos = {1, 1, 1};
  back.dstPtr = {out.data(), 8, 2, 2};
  back.extent = {2, 2, 1};
  back.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaMemcpy3D(&back), cudaSuccess);
  EXPECT_EQ((std::vector<float>{out[0], out[1], out[2], out[3]}), (std::vector<float>{22, 23, 27, 28}));
  EXPECT_EQ(cudaMemcpyFromArray(out.data(), array, 4, 1, 4 * 7, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(out[0], 7.0f);
  EXPECT_EQ(out[4], 11.0f) << "a run goes on in the next row";
  cudaChannelFormatDesc got{};
  EXPECT_EQ(cudaGetChannelDesc(&got, array), cudaSuccess);
  EXPECT_EQ(got.x, 32);
  EXPECT_EQ(cudaMemcpy2DFromArray(out.data(), 8, array, 0, 0, 12, 2, cudaMemcpyDeviceToHost),
            cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 0, in.data(), 8, 12, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
  EXPECT_EQ(cudaFreeArray(array), cudaErrorInvalidValue);
  const cudaChannelFormatDesc three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
  EXPECT_EQ(cudaMallocArray(&array, &three, 4), cudaErrorInvalidChannelDescriptor);
}

TEST_F(Runtime, SymbolsAreFoundByShadowAndByName) {
  unsigned words[4] = {};
  ASSERT_EQ(cudaMemcpyFromSymbol(words, table_shadow, 16), cudaSuccess);
  EXPECT_EQ(words[3], 4u);
  const unsigned nine = 9;
  ASSERT_EQ(cudaMemcpyToSymbol("table", &nine, 4, 4), cudaSuccess);
  auto* result = allocate(4);
  ASSERT_EQ(launch(&read_table_stub, {&result}), cudaSuccess);
  unsigned got = 0;
  ASSERT_EQ(cudaMemcpy(&got, result, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(got, 9u) << "kernels see what was written";
  EXPECT_EQ(cudaMemcpyToSymbol(table_shadow, &nine, 4, 13), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToSymbol("no_such", &nine, 4), cudaErrorInvalidSymbol);
  std::size_t size = 0;
  EXPECT_EQ(cudaGetSymbolSize(&size, counter_shadow), cudaSuccess);
  EXPECT_EQ(size, 8u);
  void* address = nullptr;
  ASSERT_EQ(cudaGetSymbolAddress(&address, counter_shadow), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(&got, address, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(got, 7u);
  EXPECT_EQ(cudaGetSymbolAddress(&address, table_shadow), cudaErrorAddressOfConstant);
}

TEST_F(Runtime, BothWaysOfLaunchingPassTheSameArguments) {
  void* to = allocate(4);
  unsigned value = 0x1234, got = 0;
  ASSERT_EQ(launch(&store_stub, {&to, &value}), cudaSuccess);
  cudaMemcpy(&got, to, 4, cudaMemcpyDeviceToHost);
  EXPECT_EQ(got, 0x1234u);
  value = 0x5678;
  ASSERT_EQ(cudaConfigureCall(dim3(1), dim3(1)), cudaSuccess);
  ASSERT_EQ(cudaSetupArgument(&to, 8, 0), cudaSuccess);
  ASSERT_EQ(cudaSetupArgument(&value, 4, 8), cudaSuccess);
  ASSERT_EQ(cudaLaunch(&store_stub), cudaSuccess);
  cudaMemcpy(&got, to, 4, cudaMemcpyDeviceToHost);
  EXPECT_EQ(got, 0x5678u);
  EXPECT_EQ(cudaLaunch(&store_stub), cudaErrorMissingConfiguration);
}

TEST_F(Runtime, LaunchesThatCannotBeAreRefused) {
  void* to = allocate(4);
  unsigned value = 1;
  EXPECT_EQ(launch(&unknown_stub, {}), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(launch(&store_stub, {&to, &value}, dim3(1), dim3(513)), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(&store_stub, {&to, &value}, dim3(0)), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(&store_stub, {&to, &value}, dim3(1, 1, 2)), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(&store_stub, {&to, &value}, dim3(1), dim3(1), 20000), cudaErrorLaunchOutOfResources);
  EXPECT_EQ(launch(&wide_stub, {}, dim3(1), dim3(512)), cudaErrorLaunchOutOfResources);
  EXPECT_EQ(launch(&wide_stub, {}, dim3(1), dim3(64)), cudaSuccess) << "an earlier refusal does not stick";
}

/// What a launch writes to standard error.
template <class Launch>
std::string said_by(Launch launch) {
  ::testing::internal::CaptureStderr();
  launch();
  return ::testing::internal::GetCapturedStderr();
}

TEST_F(Runtime, ALaunchThatIsRefusedSaysWhyToProgramsThatIgnoreItsError) {
  using ::testing::HasSubstr;
  void* to = allocate(4);
  unsigned value = 1;
  EXPECT_THAT(said_by([&] { launch(&wide_stub, {}, dim3(1), dim3(512)); }), HasSubstr("cannot be launched"));
  EXPECT_THAT(said_by([&] { launch(&unknown_stub, {}); }), HasSubstr("has no kernel there"));
  EXPECT_THAT(said_by([&] { cudaLaunch(&store_stub); }), HasSubstr("no call of cudaConfigureCall"));
  EXPECT_THAT(said_by([&] { cudaLaunchKernel(&store_stub, dim3(1), dim3(1), nullptr, 0, nullptr); }),
              HasSubstr("no arguments are given"));
  const auto stream = reinterpret_cast<cudaStream_t>(&value);
  void* arguments[] = {&to, &value};
  EXPECT_THAT(said_by([&] { cudaLaunchKernel(&store_stub, dim3(1), dim3(1), arguments, 0, stream); }),
              HasSubstr("its stream does not exist"));
  EXPECT_EQ(said_by([&] { launch(&store_stub, {&to, &value}); }), "");
}

TEST_F(Runtime, AfterAFaultTheFirstLaunchSaysThatAllAreRefused) {
  void* nowhere = nullptr;
  unsigned value = 1;
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ(launch(&store_stub, {&nowhere, &value}), cudaSuccess);
    ASSERT_EQ(cudaThreadSynchronize(), cudaErrorLaunchFailure);
    const auto refused = [&] { EXPECT_EQ(launch(&store_stub, {&nowhere, &value}), cudaErrorLaunchFailure); };
    EXPECT_THAT(said_by(refused), ::testing::HasSubstr("launches are refused until the device is reset"));
    EXPECT_EQ(said_by(refused), "") << "once";
    ASSERT_EQ(cudaThreadExit(), cudaSuccess);
  }
}

TEST_F(Runtime, AFaultSticksUntilTheDeviceIsReset) {
  void* nowhere = nullptr;
  unsigned value = 1;
  EXPECT_EQ(launch(&store_stub, {&nowhere, &value}), cudaSuccess) << "a launch does not wait";
  EXPECT_EQ(cudaThreadSynchronize(), cudaErrorLaunchFailure);
  void* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, 4), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaThreadExit(), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&pointer, 4), cudaSuccess);
}

TEST_F(Runtime, AnEndlessKernelTimesOut) {
  EXPECT_EQ(launch(&endless_stub, {}), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchTimeout);
}

TEST_F(Runtime, EventsAndStreamsAreCheckedForWhatTheyAre) {
  cudaEvent_t start = nullptr, end = nullptr;
  cudaStream_t stream = nullptr;
  float ms = -1;
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaErrorInvalidResourceHandle) << "not recorded";
  EXPECT_EQ(cudaEventRecord(start, stream), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(end, nullptr), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaSuccess);
  EXPECT_EQ(ms, 0.0f) << "the golden reference has no time";
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(start, nullptr), cudaErrorInvalidResourceHandle);
}

TEST_F(Runtime, WorkOfAStreamIsDoneWhenItsStreamIsAsked) {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  void* host = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&host, 8), cudaSuccess);
  auto* const words = static_cast<unsigned*>(host);
  void* to = allocate(4);
  unsigned value = 7;
  words[0] = 1;
  void* arguments[] = {&to, &value};
  EXPECT_EQ(cudaLaunchKernel(&store_stub, dim3(1), dim3(1), arguments, 0, stream), cudaSuccess);
  value = 8;  // the launch has taken the arguments
  EXPECT_EQ(cudaMemcpyAsync(words, to, 4, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  EXPECT_EQ(words[0], 1u) << "nothing has happened yet";
  EXPECT_EQ(cudaEventElapsedTime(nullptr, event, event), cudaErrorInvalidValue);
  float ms = -1;
  EXPECT_EQ(cudaEventElapsedTime(&ms, event, event), cudaErrorNotReady);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue) << "work that is not ready is no error";
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  EXPECT_EQ(words[0], 7u);
  EXPECT_EQ(cudaMemcpyAsync(words, to, 5, cudaMemcpyDeviceToHost, stream), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyAsync(words + 1, to, 4, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(words), cudaSuccess) << "waits for the copy";
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(Runtime, HostMemoryIsRegisteredOnceAndGivenBackAsItCame) {
  std::vector<unsigned> own(4);
  EXPECT_EQ(cudaHostUnregister(own.data()), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostRegister(own.data(), 16, cudaHostRegisterDefault), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(own.data(), 16, cudaHostRegisterDefault), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(own.data()), cudaErrorInvalidValue) << "not allocated here";
  EXPECT_EQ(cudaHostUnregister(own.data()), cudaSuccess);
}

TEST_F(Runtime, BindingsAreCheckedAgainstMemoryAndReference) {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
  auto* memory = static_cast<char*>(allocate(4096));
  std::size_t offset = 1;
  image = {};
  EXPECT_EQ(cudaBindTexture(&offset, &image, memory, &floats, 4096), cudaSuccess);
  EXPECT_EQ(offset, 0u);
  EXPECT_EQ(cudaBindTexture(&offset, &image, memory + 16, &floats, 1024), cudaSuccess);
  EXPECT_EQ(offset, 16u);
  EXPECT_EQ(cudaGetTextureAlignmentOffset(&offset, &image), cudaSuccess);
  EXPECT_EQ(offset, 16u);
  EXPECT_EQ(cudaBindTexture(nullptr, &image, memory + 16, &floats, 1024), cudaErrorInvalidValue);
  EXPECT_EQ(cudaBindTexture(nullptr, &image, memory, &floats, 5000), cudaSuccess) << "ends behind the allocation";
  EXPECT_EQ(cudaBindTexture(nullptr, &image, memory + 4096, &floats, 64), cudaErrorInvalidValue);
  EXPECT_EQ(cudaBindTexture(nullptr, &image, memory, &floats, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaBindTexture(nullptr, &image, memory, &floats, 0x20000004u), cudaErrorInvalidValue) << "2^27 texels + 1";
  EXPECT_EQ(cudaBindTexture2D(nullptr, &image, memory, &floats, 64, 100, 256), cudaSuccess) << "ends behind it";
  EXPECT_EQ(cudaBindTexture2D(nullptr, &image, memory, &floats, 64, 32768, 262016), cudaErrorInvalidValue)
      << "ends behind the last address";
  EXPECT_EQ(cudaBindTexture2D(nullptr, &image, memory, &floats, 16, 16, 256), cudaSuccess);
  EXPECT_EQ(cudaBindTexture2D(nullptr, &image, memory, &floats, 16, 16, 60), cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaBindTexture2D(&offset, &image, memory + 16, &floats, 16, 15, 256), cudaSuccess);
  EXPECT_EQ(offset, 16u);
  EXPECT_EQ(cudaBindTexture2D(nullptr, &image, memory + 16, &floats, 16, 15, 256), cudaErrorInvalidValue);
  auto* row = static_cast<char*>(allocate(70000));
  EXPECT_EQ(cudaBindTexture2D(&offset, &image, row + 16, &bytes, 65520, 1, 70000), cudaSuccess);
  EXPECT_EQ(cudaBindTexture2D(&offset, &image, row + 16, &bytes, 65521, 1, 70000), cudaErrorInvalidValue)
      << "with the texels before the pointer it is wider than a texture can be";
  image.filterMode = cudaFilterModeLinear;
  EXPECT_EQ(cudaBindTexture2D(nullptr, &image, memory, &bytes, 16, 16, 256), cudaErrorInvalidFilterSetting);
  EXPECT_EQ(cudaUnbindTexture(&image), cudaSuccess);
  EXPECT_EQ(cudaGetTextureAlignmentOffset(&offset, &image), cudaErrorInvalidTextureBinding);
  textureReference other{};
  EXPECT_EQ(cudaBindTexture(nullptr, &other, memory, &floats, 4), cudaErrorInvalidTexture);
}

TEST_F(Runtime, WhatTheChipDoesNotHaveIsRefused) {
  void* pointer = nullptr;
  EXPECT_EQ(cudaMallocManaged(&pointer, 4), cudaErrorNotSupported);
  EXPECT_EQ(cudaHostAlloc(&pointer, 4, cudaHostAllocMapped), cudaErrorNotSupported);
  EXPECT_EQ(cudaSetDeviceFlags(cudaDeviceMapHost), cudaErrorNotSupported);
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 1024), cudaErrorUnsupportedLimit);
  ASSERT_EQ(cudaMallocHost(&pointer, 64), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(pointer), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(pointer), cudaErrorInvalidValue);
}

TEST_F(Runtime, AttributesAreThoseOfTheMachineCode) {
  cudaFuncAttributes attributes{};
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, &wide_stub), cudaSuccess);
  EXPECT_EQ(attributes.numRegs, 60);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 128) << "8192 registers, 60 per thread, blocks of whole warps by two";
  EXPECT_EQ(attributes.constSizeBytes, 16u);
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, &unknown_stub), cudaErrorInvalidDeviceFunction);
}

}  // namespace
}  // namespace g80
