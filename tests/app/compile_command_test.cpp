// SPDX-License-Identifier: Apache-2.0
// g80 compile, and g80 run on the sources it takes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/shell.h"

namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using ::g80::test::Outcome;
using ::g80::test::shell;

Outcome run_g80(const std::string& arguments) { return shell(std::string(G80_PROGRAM) + " " + arguments); }

/// A file of this test, in a folder of its own: tests run at the same time.
std::string file(const std::string& name, const std::string& text) {
  const char* const test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / (std::string("g80_compile_") + test);
  std::filesystem::create_directories(folder);
  const std::string path = (folder / name).string();
  if (!text.empty()) std::ofstream(path) << text;
  return path;
}

/// Two kernels; `twice` writes 2 * tid.
const char* const kPtx =
    ".version 3.2\n.target sm_20\n.address_size 64\n"
    ".entry _Z5twicePj(.param .u64 p) { .reg .b32 %r<3>; .reg .b64 %d<3>; ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; "
    "mul.wide.u32 %d2, %r1, 4;\n"
    "add.u64 %d1, %d1, %d2; shl.b32 %r2, %r1, 1; st.global.u32 [%d1], %r2; ret; }\n"
    ".entry _Z5emptyv() { ret; }\n";

TEST(CompileCommand, WritesACubinWithEveryKernelOrTheOneAskedFor) {
  const std::string source = file("two.ptx", kPtx), cubin = file("two.cubin", "");
  EXPECT_EQ(run_g80("compile " + source + " -o " + cubin).output, "");
  EXPECT_THAT(run_g80("disasm " + cubin).output, HasSubstr("_Z5emptyv"));
  EXPECT_EQ(run_g80("compile " + source + " --entry twice -o " + cubin).code, 0);
  const std::string text = run_g80("disasm " + cubin).output;
  EXPECT_THAT(text, HasSubstr("_Z5twicePj"));
  EXPECT_THAT(text, Not(HasSubstr("_Z5emptyv")));
  const Outcome missing = run_g80("compile " + source + " --entry thrice -o " + cubin);
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.output, HasSubstr("the program has no kernel 'thrice'; it has twice(unsigned int*), empty()"));
}

TEST(CompileCommand, TellsWhatAKernelNeeds) {
  const Outcome outcome = run_g80("compile -v --block 128 -o - " + file("two.ptx", kPtx));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output,
              HasSubstr("twice(unsigned int*)\n  2 registers, 24 bytes shared, 0 bytes constants, 0 bytes local"));
  EXPECT_THAT(outcome.output, HasSubstr("8600gts  blocks of 128 threads: 6 per SM, 24 of 24 warps (100 %)"));
}

TEST(CompileCommand, RefusalsNameLineAndReason) {
  const Outcome outcome =
      run_g80("compile -o - " + file("bad.ptx", ".version 3.2\n.target sm_20\n.entry k()\n{\nfrob;\n}\n"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.output, HasSubstr("bad.ptx:5: PTX has no instruction 'frob'"));
  EXPECT_EQ(run_g80("compile x.txt").code, 2);
  EXPECT_EQ(run_g80("compile missing.ptx").code, 2);
  EXPECT_EQ(run_g80("compile missing.cu").code, 2);
  EXPECT_EQ(run_g80("compile --arch sm_20 " + file("two.ptx", kPtx)).code, 2);
  EXPECT_EQ(run_g80("compile --frob " + file("two.ptx", kPtx)).code, 2);
}

TEST(CompileCommand, TakesNvccsSpellings) {
  const std::string source = file("two.ptx", kPtx);
  for (const char* options : {"-arch=sm_13", "-arch sm_13", "--arch=compute_13", "-gencode arch=compute_13,code=sm_13",
                              "-code=sm_13 -arch=compute_13 -m64 -O3 -cubin"}) {
    const Outcome outcome = run_g80(std::string("compile -o - ") + options + " -maxrregcount=16 -fmad=false " + source);
    EXPECT_EQ(outcome.code, 0) << options;
    EXPECT_EQ(outcome.output.find("architecture {sm_13}"), 0u) << options << outcome.output.substr(0, 200);
  }
  if (shell("clang --version").code != 0) GTEST_SKIP() << "clang was not found";
  const std::string program = file("macro.cu", "__global__ void k(int* p) { *p = VALUE; }\n"),
                    ptx = file("macro.ptx", "x");
  EXPECT_EQ(run_g80("compile -ptx -DVALUE=4711 -I. -o " + ptx + " " + program).output, "");
  std::ifstream stream(ptx);
  EXPECT_THAT(std::string((std::istreambuf_iterator<char>(stream)), {}), HasSubstr("4711"));
}

TEST(CompileCommand, SourceLinesTravelIntoTheDisassembly) {
  const std::string source = file("two.ptx", kPtx), cubin = file("lines.cubin", "");
  EXPECT_EQ(run_g80("compile " + source + " -o " + cubin).code, 0);
  EXPECT_THAT(run_g80("disasm --source " + cubin).output,
              HasSubstr("// " + source + ":5: add.u64 %d1, %d1, %d2; shl.b32"));
  EXPECT_THAT(run_g80("disasm " + cubin).output, Not(HasSubstr("//")));
  EXPECT_EQ(run_g80("disasm -S --words -").code, 2);
  if (shell("clang --version").code != 0) GTEST_SKIP() << "clang was not found";
  file("half.h", "__device__ int half(int x) {\n  return x / 2;\n}\n");
  const std::string cuda = file("half.cu", "#include \"half.h\"\n__global__ void k(int* p) {\n  *p = half(*p);\n}\n");
  // A relative path stays as it was given; the header is called what clang calls it.
  const std::string folder = std::filesystem::path(cuda).parent_path().string();
  const Outcome made =
      shell("cd " + folder + " && " + G80_PROGRAM + " compile half.cu -o lines.cubin && " + G80_PROGRAM +
            " disasm -S lines.cubin && mv half.cu gone.cu && " + G80_PROGRAM + " disasm -S lines.cubin");
  EXPECT_EQ(made.code, 0) << made.output;
  EXPECT_THAT(made.output, HasSubstr("\n// half.cu:3: *p = half(*p);\n    "));
  EXPECT_THAT(made.output, HasSubstr("\n// ./half.h:2: return x / 2;\n    "));
  EXPECT_THAT(made.output, HasSubstr("\n// half.cu:3\n    "));  // its file is gone
}

TEST(CompileCommand, WhatIsWrongWithACudaKernelIsSaidOfItsSource) {
  if (shell("clang --version").code != 0) GTEST_SKIP() << "clang was not found";
  const std::string refused = file("spaces.cu",
                                   "__global__ void k(int* p, int n) {\n  __shared__ int s[32];\n  s[n] = n;\n  int* "
                                   "q[2] = {s, p};\n  *p =\n    q[*p][n];\n}\n");
  const Outcome two_spaces = run_g80("compile -o - " + refused);
  EXPECT_EQ(two_spaces.code, 2);
  EXPECT_THAT(two_spaces.output, HasSubstr(refused + ":6: this pointer may point to global or shared memory"));
  // What is wrong with a kernel as a whole is said of its first line.
  const std::string large = file(
      "large.cu",
      "\n__global__ void k(int* p) {\n  __shared__ int s[5000];\n  s[*p] = 1;\n  __syncthreads();\n  *p = s[3];\n}\n");
  EXPECT_THAT(run_g80("compile -o - " + large).output,
              HasSubstr(large + ":2: 'k(int*)' uses 20024 bytes of shared memory"));
  const std::string warned = file("warned.cu", "__global__ void k(int** p) {\n  *p[1] = 3;\n  *p[2] = 4;\n}\n");
  EXPECT_THAT(
      run_g80("compile -o " + file("warned.cubin", "") + " " + warned).output,
      HasSubstr(warned +
                ":2: the memory space of this pointer is unknown; assuming global memory (here and in 1 more place)"));
  EXPECT_THAT(run_g80("compile --ptx -o - " + refused).output, HasSubstr(".visible .entry _Z1kPii("));
}

TEST(CompileCommand, RunTakesPtxAndCuda) {
  const std::string dump = file("out.hex", "x");
  const std::string launch = " --entry twice --grid 1 --block 8 --model golden --arg 'u32[8]>" + dump + "'";
  const Outcome ptx = run_g80("run " + file("two.ptx", kPtx) + launch);
  EXPECT_EQ(ptx.code, 0) << ptx.output;
  std::ifstream stream(dump);
  std::string words((std::istreambuf_iterator<char>(stream)), {});
  EXPECT_THAT(words, HasSubstr("00000000 00000002 00000004 00000006"));
  if (shell("clang --version").code != 0) GTEST_SKIP() << "clang was not found";
  std::filesystem::remove(dump);
  const Outcome cuda = run_g80(
      "run " + file("twice.cu", "__global__ void twice(unsigned* p) { p[threadIdx.x] = 2 * threadIdx.x; }\n") + launch);
  EXPECT_EQ(cuda.code, 0) << cuda.output;
  std::ifstream again(dump);
  EXPECT_EQ(std::string((std::istreambuf_iterator<char>(again)), {}), words);
}

}  // namespace
