// SPDX-License-Identifier: Apache-2.0
// The registers of a kernel leave room for the blocks with which its program launches it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "source_dir.h"
#include "toolchain/cuda/compile/device_pass.h"
#include "toolchain/cuda/compile/launch_sizes.h"

namespace g80::cuda {
namespace {

using Sizes = std::map<std::string, unsigned>;

std::string configure(const std::string& xy, const std::string& z) {
  return "  %1 = call i32 @__cudaPushCallConfiguration(i64 4294967297, i32 1, i64 " + xy + ", i32 " + z +
         ", i64 noundef 0, i8* noundef null)\n  br i1 %2, label %3, label %4\n";
}
std::string launch(const std::string& stub) {
  return "  %5 = call i32 @cudaLaunchKernel(i8* bitcast (void (i32*)* @" + stub + " to i8*), i64 %6)\n";
}
constexpr const char* kAddStub = "_Z18__device_stub__addPi";  // add(int*)

TEST(LaunchSizes, AreReadFromTheConstantsOfTheHostCode) {
  const std::string one_line = "4294967808", tile = "68719476752";  // 512 x 1; 16 x 16
  EXPECT_EQ(launched_threads(configure(one_line, "1") + launch(kAddStub)), (Sizes{{"add(int*)", 512}}));
  EXPECT_EQ(launched_threads(configure(tile, "2") + launch(kAddStub)), (Sizes{{"add(int*)", 512}}));
  EXPECT_EQ(launched_threads(configure(tile, "1") + launch(kAddStub) + configure(one_line, "1") + launch(kAddStub) +
                             configure(tile, "1") + launch(kAddStub)),
            (Sizes{{"add(int*)", 512}}))
      << "the largest";
  EXPECT_EQ(launched_threads(configure(tile, "1") + "  call void @_ZN1n17__device_stub__tkILi3EEEvPf(float* %1)\n"),
            (Sizes{{"void n::tk<3>(float*)", 256}}))
      << "a stub that is called";
  EXPECT_EQ(launched_threads("  %1 = call i32 @cudaConfigureCall(i64 4294967297, i32 1, i64 " + one_line +
                             ", i32 1, i64 0, %struct.CUstream_st* null)\n" + launch(kAddStub)),
            (Sizes{{"add(int*)", 512}}))
      << "the API of the time";
  EXPECT_EQ(launched_threads(configure(tile, "1") + launch("__device_stub__plain")), (Sizes{{"plain", 256}}));
}

TEST(LaunchSizes, WhatIsNoConstantIsNotGuessed) {
  EXPECT_EQ(launched_threads(configure("%9", "1") + launch(kAddStub)), Sizes{});
  EXPECT_EQ(launched_threads(configure("4294967808", "%9") + launch(kAddStub)), Sizes{});
  EXPECT_EQ(launched_threads(configure("4294967808", "2") + launch(kAddStub)), Sizes{}) << "no chip has 1024 threads";
  EXPECT_EQ(launched_threads(configure("4294967808", "1") + "}\ndefine void @_Z18__device_stub__addPi(i32* %0) {\n" +
                             launch(kAddStub)),
            Sizes{})
      << "a configuration of another function";
  EXPECT_EQ(launched_threads(launch(kAddStub)), Sizes{});
}

/// Of the program's first kernel.
KernelInfo compiled(const std::string& program, unsigned most = 0) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("none"));
  const std::string source = folder.file("program.cu");
  std::ofstream(source) << program;
  const std::string headers = G80_SOURCE_DIR "/toolchain/cuda/include";
  CompileOptions options;
  options.max_registers = most;
  const std::optional<std::string> ptx = compile_to_ptx(source, {}, headers, folder);
  if (!ptx) throw std::runtime_error("clang rejected the program");
  return compile_program(*ptx, source, options, {}, headers, folder).kernels.at(0);
}

/// The registers of a kernel with 20 words in use at once, whose program does `host`.
unsigned registers(const std::string& host, unsigned most = 0) {
  return compiled(
             "#define ROW 16\n"
             "__global__ void turn(int* p) {\n"
             "  int v[20];\n"
             "#pragma unroll\n"
             "  for (int i = 0; i < 20; ++i) v[i] = p[i * 512 + threadIdx.x];\n"
             "  __syncthreads();\n"
             "#pragma unroll\n"
             "  for (int i = 0; i < 20; ++i) p[i * 512 + threadIdx.x] = v[i * 7 % 20];\n"
             "}\n" +
                 host + "\n",
             most)
      .registers;
}

TEST(LaunchSizes, BoundTheRegistersOfAKernelThatWouldBeRefused) {
  if (std::system("clang --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "clang is not at hand";
  EXPECT_GT(registers(""), 20u) << "nobody launches it";
  EXPECT_EQ(registers("int main() { turn<<<1, 512>>>(0); }"), 16u);
  EXPECT_EQ(registers("static void go(int n) { turn<<<4, dim3(ROW, n)>>>(0); } int main() { go(32); }"), 16u);
  EXPECT_GT(registers("int main() { turn<<<1, 256>>>(0); }"), 20u) << "32 would fit";
  EXPECT_GT(registers("int main(int n, char**) { turn<<<1, n>>>(0); }"), 20u);
  for (const char* host :
       {"dim3 block(512); int main() { turn<<<1, block>>>(0); }",
        "dim3 block(32, 16); void go() { turn<<<1, block>>>(0); }", "int n = 512; int main() { turn<<<1, n>>>(0); }",
        "void for_another_file() { turn<<<1, 512>>>(0); } int main() {}",
        "int main() { cudaConfigureCall(1, 512, 0, 0); cudaLaunch((const char*)turn); }",
        "class App { dim3 block; public: App() : block(16, 32) {} void run() { turn<<<1, block>>>(0); } };\n"
        "int main() { App().run(); }",
        "__attribute__((noinline)) void go(dim3 block) { turn<<<1, block>>>(0); }\nint main() { go(dim3(512)); }",
        "int main() { for (int n = 128; n <= 512; n *= 2) turn<<<1, n>>>(0); }",
        "int main(int n, char**) { if (n > 1) turn<<<1, 512>>>(0); else turn<<<1, 64>>>(0); }",
        "int main(int n, char**) { switch (n) { case 1: turn<<<1, 64>>>(0); break; case 2: turn<<<1, 512>>>(0); } }"}) {
    EXPECT_EQ(registers(host), 16u) << host;
  }
  EXPECT_GT(registers("int n = 512; int main(int c, char**) { n = c; turn<<<1, n>>>(0); }"), 20u);
  EXPECT_EQ(registers("int main() { turn<<<1, 512>>>(0); }", 18), 18u) << "the user's limit comes first";
  EXPECT_GT(registers("int main() { turn<<<1, 512>>>(0); }\n#ifndef __CUDA_ARCH__\n#error host\n#endif"), 20u)
      << "the kernels compile without the host code";
}

/// 27 points in a loop over planes: LLVM would step the address of each row by itself, 17 of them through the loop.
TEST(LaunchSizes, AddressesOfAnUnrolledStencilAreNotKeptWhereRegistersAreShort) {
  if (std::system("clang --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "clang is not at hand";
  const KernelInfo info = compiled(R"(
__global__ void step(const float* u, const float* k, float* v, int nx, int ny, int nz) {
  const int x = blockIdx.x * 32 + threadIdx.x + 4, y = blockIdx.y * 16 + threadIdx.y + 4;
  for (int z = 4; z < nz - 4; ++z) {
    const int c = (z * ny + y) * nx + x;
    float s = 0;
#pragma unroll
    for (int r = 1; r <= 4; ++r)
      s += k[r] * (u[c + r] + u[c - r] + u[c + r * nx] + u[c - r * nx] + u[c + r * nx * ny] + u[c - r * nx * ny]);
    v[c] = s - v[c];
  }
}
int main() { step<<<1, dim3(32, 16)>>>(0, 0, 0, 64, 64, 64); }
)");
  EXPECT_LE(info.registers, 16u);
  EXPECT_EQ(info.spill_loads + info.spill_stores, 0u) << "112 with the addresses";
}

}  // namespace
}  // namespace g80::cuda
