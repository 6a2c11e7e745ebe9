// SPDX-License-Identifier: Apache-2.0
// What functions of the mathematics library execute, beside those of NVIDIA's headers in the PTX of nvopencc 3.2 and of
// libraries made from them, with the chip's range reductions counted. And loops of CUDA programs: which are unrolled.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "source_dir.h"
#include "tb/scenario/golden_backend.h"
#include "tests/quality/comparison.h"
#include "toolchain/compiler/compile.h"
#include "toolchain/cuda/compile/command.h"
#include "toolchain/cuda/compile/device_pass.h"

namespace g80::quality {
namespace {

Module compiled(const std::string& source) {
  const cuda::TemporaryFolder folder;
  const std::string file = folder.file("kernel.cu");
  std::ofstream(file) << source;
  const auto ptx = cuda::compile_to_ptx(file, {}, G80_SOURCE_DIR "/toolchain/cuda/include", folder);
  if (!ptx) throw std::runtime_error("clang refuses the source");
  return compile_ptx(*ptx, "kernel.ptx", {}).module;
}

/// Warp instructions of `out[thread] = EXPRESSION(x)` for numbers x from 1.5 to 9.25.
std::uint64_t executed(const std::string& expression) {
  const Module module = compiled(
      "extern \"C\" __global__ void k(float* out, const float* in) { float x = in[threadIdx.x]; "
      "out[threadIdx.x] = " +
      expression + "; }");
  GoldenBackend backend(load_config("8800gtx"));
  backend.load(module);
  std::vector<float> numbers(32);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = 1.5f + 0.25f * static_cast<float>(i);
  const std::uint32_t in = backend.allocate(128, "in"), out = backend.allocate(128, "out");
  backend.write(in, numbers.data(), 128);
  const LaunchResult result = backend.launch(
      Launch(backend.config(), *module.find_kernel("k"), {1, 1, 1}, {32, 1, 1}, {out, 0, in, 0}, 0, 10'000));
  EXPECT_EQ(result.end, LaunchEnd::kFinished) << result.message;
  return result.sms.at(0).warp_instructions;
}

TEST(Library, FunctionsTakeWhatNvidiasTook) {
  if (std::system("clang --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "clang is not at hand";
  const std::uint64_t nothing = executed("x");
  struct Case {
    const char* expression;
    std::uint64_t theirs;  // instructions
  };
  for (const Case& one : {Case{"expf(x)", 15},
                          {"logf(x)", 28},
                          {"sinf(x)", 33},
                          {"cosf(x)", 33},
                          {"__expf(x)", 3},
                          {"__logf(x)", 2},
                          {"x / (x + 1.0f)", 6}}) {
    const std::uint64_t ours = executed(one.expression) - nothing;
    EXPECT_LE(8 * ours, 9 * one.theirs) << one.expression << " takes " << ours;
    EXPECT_GE(9 * ours, 8 * one.theirs) << one.expression << " takes " << ours;
  }
}

struct Code {
  std::vector<unsigned> loops;  // instructions of each innermost one
  std::uint32_t local_bytes;
};
Code code_of(const std::string& body) {
  const Module module = compiled("extern \"C\" __global__ void k(float* p, int n) {\n" + body + "}\n");
  const Kernel& kernel = *module.find_kernel("k");
  return {measure_code(kernel.code, 0, module.arch).loops, kernel.lmem};
}

TEST(Unrolling, FollowsOpen64) {
  if (std::system("clang --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "clang is not at hand";
  const auto loops = [](const std::string& body) { return code_of(body).loops.size(); };
  const std::string sum = "s += p[i * n];\n", begin = "float s = 0;\n", end = "p[n] = s;\n";
  EXPECT_EQ(loops(begin + "for (int i = 0; i < 16; ++i) " + sum + end), 0u) << "few steps";
  EXPECT_EQ(loops(begin + "for (int i = 0; i < 200; ++i) " + sum + end), 1u) << "many";
  EXPECT_EQ(loops(begin + "for (int i = 0; i < n; ++i) " + sum + end), 1u) << "nobody knows how many";
  EXPECT_EQ(loops(begin + "for (int i = 1; i < 16; i *= 2) " + sum + end), 1u) << "the step is no constant";
  EXPECT_EQ(loops(begin + "for (int i = 0; i < 16; ++i, p += n) s += *p;\n" + end), 0u)
      << "the step of another variable";
  EXPECT_EQ(loops(begin + "for (int i = 1; i < 16; p += n, i *= 2) s += *p;\n" + end), 1u);
  EXPECT_EQ(loops(begin + "for (int i = 0; i < 8; ++i) { if (p[i] == 0) break; " + sum + "}" + end), 1u);
  EXPECT_EQ(loops(begin + "for (int i = 0; i < 8; ++i) { __syncthreads(); " + sum + "}" + end), 1u);
  EXPECT_EQ(loops(begin + "for (int k = 0; k < 4; ++k) for (int i = 0; i < 4; ++i) " + sum + end), 1u)
      << "only the inner one";
  EXPECT_EQ(loops(begin + "\n#pragma unroll\nfor (int i = 0; i < 200; ++i) " + sum + end), 0u);
  EXPECT_EQ(loops(begin + "\n#pragma unroll\nfor (int i = 0; i < n; ++i) " + sum + end), 1u);
  EXPECT_EQ(loops(begin + "\n#pragma unroll 4\nfor (int i = 0; i < n; ++i) " + sum + end), 2u) << "and the rest";
  EXPECT_EQ(loops(begin + "\n#pragma unroll 1\nfor (int i = 0; i < 4; ++i) " + sum + end), 1u);
}

TEST(Unrolling, KeepsASmallArrayInRegisters) {
  if (std::system("clang --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "clang is not at hand";
  const Code code = code_of(
      "float v[8];\nfor (int i = 0; i < 8; ++i) v[i] = p[i * n];\nfor (int k = 0; k < n; ++k)\n"
      "for (int i = 0; i < 8; ++i) v[i] = v[i] * v[i] + p[k];\nfor (int i = 0; i < 8; ++i) p[i * n] = v[i];\n");
  EXPECT_EQ(code.local_bytes, 0u);
  EXPECT_EQ(code.loops.size(), 1u);
}

// The product of the SDK: 16 MADs in 59 instructions with the loop unrolled by hand (Ryoo et al., PPoPP 2008).
TEST(Unrolling, GivesTheProductOfTilesItsPublishedLoop) {
  if (std::system("clang --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "clang is not at hand";
  const Code code = code_of(
      "__shared__ float a[16][16], b[16][16];\nconst int x = threadIdx.x, y = threadIdx.y;\nfloat s = 0;\n"
      "for (int at = n * 16 * blockIdx.y, end = at + n, from = 16 * blockIdx.x; at < end; at += 16, from += 16 * n) {\n"
      "a[y][x] = p[at + n * y + x];\nb[y][x] = p[from + n * y + x];\n__syncthreads();\n"
      "for (int k = 0; k < 16; ++k) s += a[y][k] * b[k][x];\n__syncthreads();\n}\np[n * y + x] = s;\n");
  ASSERT_EQ(code.loops.size(), 1u);
  EXPECT_LE(code.loops[0], 59u);
  EXPECT_GE(code.loops[0], 50u);
}

}  // namespace
}  // namespace g80::quality
