// SPDX-License-Identifier: Apache-2.0
// What CUDA C means: programs that g80 cc compiles, most of them run on the golden reference.
#include <gtest/gtest.h>

#include <sstream>
#include <utility>
#include <vector>

#include "tests/runtime/program_runner.h"

namespace {

using namespace g80::testing;

class Language : public ProgramTest {};

TEST_F(Language, TheLanguageWorks) {
  const Outcome outcome =
      compile_and_run("-arch=sm_11 " + source("tests/runtime/programs/language.cu"), "language", kGolden);
  EXPECT_EQ(outcome.output, "PASSED\n");
  EXPECT_EQ(outcome.code, 0);
}

TEST_F(Language, WhatCompilersOfTheTimeDidNotExploitHoldsOnTheDeviceAndOnTheHost) {
  const std::string program = source("tests/runtime/programs/old_semantics.cu");
  for (const char* host_flags : {"", "-O0 ", "-O3 "}) {
    const Outcome outcome = compile_and_run(host_flags + ("-w " + program), "old_semantics", kGolden);
    EXPECT_EQ(outcome.output, "PASSED\n") << host_flags;
    EXPECT_EQ(outcome.code, 0) << host_flags;
  }
}

TEST_F(Language, ValuesThatAreComputedAgainAreTheSame) {
  for (const char* const registers : {"", "-maxrregcount=13", "-maxrregcount=10"}) {
    const Outcome ran = compile_and_run("-w " + source("tests/runtime/programs/recomputed_values.cu") + " " + registers,
                                        "recomputed", "G80_DEVICE=8800gtx G80_RUN='--model golden'");
    EXPECT_EQ(ran.output, "PASSED\n") << registers;
  }
}

TEST_F(Language, AMemberOfADependentBaseIsFoundWithoutThis) {
  const std::string text = R"(
#include <cstdio>
#include <map>
#include <string>
template <class T> struct Base {
  T value;
  __host__ __device__ T twice() const { return 2 * value; }
  enum { kSize = 4 };
};
template <class T> struct Derived : Base<T> {
  __host__ __device__ T get() { value = 21; return twice() + kSize; }
};
template <class T> __global__ void k(T* out) { Derived<T> d; *out = d.get(); }
int main() {
  int *d, h = 0;
  cudaMalloc((void**)&d, 4);
  k<int><<<1, 1>>>(d);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  Derived<int> x;
  std::map<std::string, int> names;
  names["host"] = x.get();
#ifdef _MSC_VER
  names["host"] = 0;
#endif
  printf("%d %d\n", h, names["host"]);
}
)";
  EXPECT_EQ(compile_and_run(write("base.cu", text), "base", kGolden).output, "46 46\n");
  const std::string wrong =
      "template <class T> struct B { T v; };\ntemplate <class T> struct D : B<T> {\n"
      "  __device__ T get() { return v + nothing; }\n};\n__global__ void k(int* p) { D<int> d; *p = d.get(); }\n";
  const Outcome refused = compile(write("wrong.cu", wrong), temporary("wrong"));
  EXPECT_NE(refused.code, 0);
  EXPECT_NE(refused.output.find("wrong.cu:3:35: error: use of undeclared identifier 'nothing'"), std::string::npos)
      << refused.output;
  const std::string note = "g80: note: if 'v' is a member of a base class that depends on a template parameter, write";
  EXPECT_NE(refused.output.find(note), std::string::npos) << refused.output;
  EXPECT_EQ(refused.output.find("note: if 'nothing'"), std::string::npos) << refused.output;
  const Outcome newer = compile("-std=c++11 " + temporary("base.cu"), temporary("newer"));
  EXPECT_NE(newer.code, 0);
  EXPECT_NE(newer.output.find("write this->twice or Base<T>::twice"), std::string::npos) << newer.output;
}

TEST_F(Language, ALoopThatDoesNothingMayBeEndless) {
  const std::string text = R"(
#include <csignal>
#include <cstdio>
#include <unistd.h>
static __host__ __device__ void spin(unsigned n) {
  while (n & 1) n ^= 2;
}
__global__ void kernel(int* out, unsigned n) {
  spin(n);
  out[0] = 1;
}
static void still_there(int) {
  const char text[] = "endless on the host\n";
  _exit(write(1, text, sizeof text - 1) < 0);
}
int main(int argc, char**) {
  int* out;
  cudaMalloc((void**)&out, 4);
  kernel<<<1, 1>>>(out, argc);
  if (cudaThreadSynchronize() == cudaErrorLaunchTimeout) printf("endless on the device\n");
  fflush(stdout);
  signal(SIGALRM, still_there);
  alarm(1);
  spin(argc);
  printf("not endless on the host\n");
}
)";
  const Outcome outcome = compile_and_run(write("endless.cu", text), "endless", kGolden);
  EXPECT_NE(outcome.output.find("\nendless on the device\nendless on the host\n"), std::string::npos) << outcome.output;
}

TEST_F(Language, ABoolThatNothingElseWritesIsAPredicate) {
  const std::string ptx = temporary("lane_locks.ptx"), program = source("tests/runtime/programs/lane_locks.cu");
  ASSERT_EQ(run(std::string(G80_PROGRAM) + " cc -arch=sm_11 -w -ptx " + program + " -o " + ptx).code, 0);
  EXPECT_EQ(run("grep -c '[.]s16' " + ptx).output, "0\n");
}

TEST_F(Language, LanesTakeALockOneAfterTheOther) {
  const std::string program = source("tests/runtime/programs/lane_locks.cu");
  EXPECT_EQ(compile_and_run("-arch=sm_11 -w " + program, "lane_locks", kGolden).output, "PASSED\n");
  EXPECT_EQ(run("G80_DEVICE=tiny " + temporary("lane_locks")).output, "PASSED\n");
}

TEST_F(Language, ALoopThatOnlyCountsItsOperationsIsUnrolledAsBefore) {
  const std::string text =
      "#include <cuda_runtime.h>\n"
      "__global__ void kernel(int* next, int* out) {\n"
      "  for (int i = 0; i < 4; ++i) {\n"
      "    int place = atomicAdd(next, 1);\n"
      "    if (place & 1) out[place] = i;\n  }\n}\n";
  const std::string ptx = temporary("counted.ptx");
  ASSERT_EQ(run(std::string(G80_PROGRAM) + " cc -arch=sm_11 -ptx " + write("counted.cu", text) + " -o " + ptx).code, 0);
  EXPECT_EQ(run("grep -c 'atom\\.' " + ptx).output, "4\n");
}

/// On the cycle model instruction by instruction with the reference, and on the reference with the other side of
/// branches first.
TEST_F(Language, FunctionsAreCalledAndReturn) {
  const Outcome outcome =
      compile_and_run("-arch=sm_11 " + source("tests/runtime/programs/calls.cu"), "calls", "G80_DEVICE=8600gts");
  EXPECT_EQ(outcome.output, "PASSED\n");
  const Outcome other = run("G80_RUN='--model golden --set sm.divergence_first=fallthrough' " + temporary("calls"));
  EXPECT_EQ(other.output, "PASSED\n");
}

/// On the cycle model beside the reference, and on the reference with the other side of branches first.
TEST_F(Language, AValueComesFromOneMemoryOrAnother) {
  const Outcome outcome = compile_and_run("-arch=sm_11 " + source("tests/runtime/programs/two_memories.cu"),
                                          "two_memories", "G80_DEVICE=8600gts");
  EXPECT_EQ(outcome.output, "PASSED\n");
  const Outcome other =
      run("G80_RUN='--model golden --set sm.divergence_first=fallthrough' " + temporary("two_memories"));
  EXPECT_EQ(other.output, "PASSED\n");
}

/// Coalescing is decided by the width of an access, so a structure must not be taken apart (CUDA Programming Guide 1.1,
/// 5.1.2.1).
TEST_F(Language, AStructureTravelsInTheAccessesThatItsAlignmentAllows) {
  const std::string file = source("tests/runtime/programs/whole_accesses.cu");
  for (const char* arch : {"-arch=sm_10 ", "-arch=sm_13 "}) {
    const Outcome outcome = compile_and_run(arch + file, "whole_accesses", std::string("G80_DEVICE=gtx280 ") + kGolden);
    EXPECT_EQ(outcome.output, "PASSED\n") << arch;
  }
  const std::string cubin = temporary("whole_accesses.cubin");
  ASSERT_EQ(run(std::string(G80_PROGRAM) + " compile " + file + " -o " + cubin).code, 0);
  const std::string listing = run(std::string(G80_PROGRAM) + " disasm " + cubin).output;
  const std::pair<std::string, std::vector<std::string>> kKernels[] = {
      {"_Z10read_three", {"ld b128", "st b32"}},  {"_Z9copy_four", {"ld b128", "st b128"}},
      {"_Z10change_one", {"ld b128", "st b128"}}, {"_Z3red", {"ld b32", "st b32"}},
      {"_Z10of_16_bits", {"ld b32", "st b32"}},   {"_Z9two_of_16", {"ld b128", "ld b128", "st b128"}}};
  for (const auto& [kernel, accesses] : kKernels) {
    const std::size_t begin = listing.find(".kernel " + kernel);
    ASSERT_NE(begin, std::string::npos) << kernel;
    std::vector<std::string> found;
    std::istringstream lines(listing.substr(begin, listing.find(".kernel", begin + 1) - begin));
    for (std::string line; std::getline(lines, line);) {
      for (const char* access : {"ld b", "ld u", "ld s", "st b", "st u"}) {
        const std::size_t at = line.find(access);
        if (at != std::string::npos && line.find(" g1") != std::string::npos)
          found.push_back(line.substr(at, line.find(' ', at + 3) - at));
      }
    }
    EXPECT_EQ(found, accesses) << kernel;
  }
}

/// clang's PTX does not say what the source has marked; every kind of name must be found again in it.
TEST_F(Language, AMarkedFunctionIsCalledHoweverSmallItIs) {
  const std::string file = write("marked.cu", R"(
__device__ __noinline__ int plain(int x) { return x + 5; }
static __device__ __attribute__((noinline)) float here(float x, int y) { return x * y; }
namespace { __device__ __noinline__ void nameless(int* p) { p[1] = 7; } }
template <class T> __device__ __noinline__ T twice(T x) { return x + x; }
__device__ int unmarked(int x) { return x * 3; }
__global__ void k(int* a, float* f) { nameless(a + 4); *a = plain(unmarked(*a)); *f = here(twice(*f), *a); }
int main() {}
)");
  const Outcome outcome = run(std::string(G80_PROGRAM) + " compile -v " + file + " -o " + temporary("marked.cubin"));
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  for (const char* name :
       {"plain(int)", "here(float, int)", "(anonymous namespace)::nameless(int*)", "float twice<float>(float)"}) {
    EXPECT_NE(outcome.output.find("  calls " + std::string(name) + ": "), std::string::npos) << outcome.output;
  }
  EXPECT_EQ(outcome.output.find("unmarked"), std::string::npos) << outcome.output;
}

// Of 2007 to 2010 are many programs in which the lanes of a warp exchange values without a barrier and without
// volatile.
TEST_F(Language, LanesOfAWarpSeeEachOthersStores) {
  const std::string program = source("tests/runtime/programs/warp_synchronous.cu");
  const Outcome golden = compile_and_run(program, "warp_synchronous", kGolden);
  EXPECT_EQ(golden.code, 0) << golden.output;
  EXPECT_EQ(run("G80_DEVICE=tiny " + temporary("warp_synchronous")).code, 0);
}

// LLVM takes a barrier for a function that writes no variable of this file.
TEST_F(Language, ThreadsSeeBehindABarrierWhatOthersWrote) {
  const std::string program = "-arch=sm_11 " + source("tests/runtime/programs/across_barriers.cu");
  const Outcome outcome = compile_and_run(program, "across_barriers", "G80_DEVICE=tiny");
  EXPECT_EQ(outcome.output, "PASSED\n");
  EXPECT_EQ(outcome.code, 0);
}

TEST_F(Language, SpacesOfAWebPageAreSpaces) {
  const std::string text =
      "int main(void)\n{\n\u00a0\u00a0return\u00a00;\n}\n__global__\u00a0void k(int\u00a0*a) {\u00a0*a\u00a0= 7; }\n";
  const Outcome outcome = compile(write("pasted.cu", text), temporary("pasted"));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output, "");
}

TEST_F(Language, AFileBesideTheSourceIsFoundInAngleBrackets) {
  write("answer_kernel.cu", "__global__ void answer(int* to) { *to = 42; }\n");
  const std::string file = write("angled.cu", R"(
#include <stdio.h>
#include <answer_kernel.cu>
int main() {
  int h = 0, *d;
  cudaMalloc((void**)&d, 4);
  answer<<<1, 1>>>(d);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
}
)");
  EXPECT_EQ(compile_and_run(file, "angled", kGolden).output, "42\n");
}

}  // namespace
