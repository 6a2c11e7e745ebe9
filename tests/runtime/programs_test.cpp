// SPDX-License-Identifier: Apache-2.0
// CUDA programs as a user has them: compiled by g80 cc, run, their output compared. On the golden reference, one of
// them on the cycle model.
#include <gtest/gtest.h>

#include <sstream>
#include <utility>
#include <vector>

#include "tests/runtime/program_runner.h"
#include "tests/support/random_seed.h"

namespace {

using namespace g80::testing;

constexpr const char* kGolden = "G80_RUN='--model golden'";

class Programs : public ProgramTest {};

TEST_F(Programs, TheLanguageWorks) {
  const Outcome outcome =
      compile_and_run("-arch=sm_11 " + source("tests/runtime/programs/language.cu"), "language", kGolden);
  EXPECT_EQ(outcome.output, "PASSED\n");
  EXPECT_EQ(outcome.code, 0);
}

TEST_F(Programs, WhatCompilersOfTheTimeDidNotExploitHoldsOnTheDeviceAndOnTheHost) {
  const std::string program = source("tests/runtime/programs/old_semantics.cu");
  for (const char* host_flags : {"", "-O0 ", "-O3 "}) {
    const Outcome outcome = compile_and_run(host_flags + ("-w " + program), "old_semantics", kGolden);
    EXPECT_EQ(outcome.output, "PASSED\n") << host_flags;
    EXPECT_EQ(outcome.code, 0) << host_flags;
  }
}

TEST_F(Programs, ValuesThatAreComputedAgainAreTheSame) {
  for (const char* const registers : {"", "-maxrregcount=13", "-maxrregcount=10"}) {
    const Outcome ran = compile_and_run("-w " + source("tests/runtime/programs/recomputed_values.cu") + " " + registers,
                                        "recomputed", "G80_DEVICE=8800gtx G80_RUN='--model golden'");
    EXPECT_EQ(ran.output, "PASSED\n") << registers;
  }
}

TEST_F(Programs, AMemberOfADependentBaseIsFoundWithoutThis) {
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

TEST_F(Programs, ALoopThatDoesNothingMayBeEndless) {
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

TEST_F(Programs, ABoolThatNothingElseWritesIsAPredicate) {
  const std::string ptx = temporary("lane_locks.ptx"), program = source("tests/runtime/programs/lane_locks.cu");
  ASSERT_EQ(run(std::string(G80_PROGRAM) + " cc -arch=sm_11 -w -ptx " + program + " -o " + ptx).code, 0);
  EXPECT_EQ(run("grep -c '[.]s16' " + ptx).output, "0\n");
}

TEST_F(Programs, LanesTakeALockOneAfterTheOther) {
  const std::string program = source("tests/runtime/programs/lane_locks.cu");
  EXPECT_EQ(compile_and_run("-arch=sm_11 -w " + program, "lane_locks", kGolden).output, "PASSED\n");
  EXPECT_EQ(run("G80_DEVICE=tiny " + temporary("lane_locks")).output, "PASSED\n");
}

TEST_F(Programs, ALoopThatOnlyCountsItsOperationsIsUnrolledAsBefore) {
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

TEST_F(Programs, ALaneThatWaitsForOneBehindTheLoopIsAHang) {
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

TEST_F(Programs, ProfilerTriggersCountWarpsUnderTheNamesOfTheProfiler) {
  const std::string text =
      "#include <cuda_runtime.h>\n"
      "template <int kCounter> __device__ void mark() { __prof_trigger(kCounter); }\n"
      "__global__ void kernel() { mark<0>(); if (threadIdx.x < 40) mark<5>(); }\n"
      "int main() { kernel<<<3, 96>>>(); return cudaThreadSynchronize(); }\n";
  const std::string statistics = temporary("triggers.json");
  const Outcome outcome = compile_and_run("-arch=sm_11 " + write("triggers.cu", text), "triggers",
                                          "G80_DEVICE=tiny G80_RUN='--stats " + statistics + "'");
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  std::ifstream stream(statistics);
  const std::string json{std::istreambuf_iterator<char>(stream), {}};
  for (const char* counter : {"\"prof_trigger_00\": 9", "\"prof_trigger_05\": 6", "\"prof_trigger_01\": 0"}) {
    EXPECT_NE(json.find(counter), std::string::npos) << counter;
  }
  const std::string wrong =
      "__global__ void kernel(int n) { __prof_trigger(n); __prof_trigger(8); __prof_trigger(7); }\n";
  const Outcome refused =
      compile("-c " + write("wrong.cu", "#include <cuda_runtime.h>\n" + wrong), temporary("wrong.o"));
  EXPECT_NE(refused.code, 0);
  EXPECT_NE(refused.output.find("error: __prof_trigger: the counter must be a constant"), std::string::npos)
      << refused.output;
  EXPECT_NE(refused.output.find("error: __prof_trigger: the counters are 0 to 7"), std::string::npos) << refused.output;
}

/// Exit handlers write it, when static objects of the program may be gone.
TEST_F(Programs, ATimelineIsWrittenAtTheEnd) {
  const std::string text =
      "#include <cuda_runtime.h>\n"
      "__global__ void kernel() {}\n"
      "int main() { kernel<<<1, 32>>>(); return cudaThreadSynchronize(); }\n";
  const std::string timeline = temporary("timeline.json");
  const Outcome outcome = compile_and_run("-arch=sm_11 " + write("timeline.cu", text), "timeline",
                                          "G80_DEVICE=tiny G80_RUN='--timeline-level all --timeline " + timeline + "'");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  std::ifstream stream(timeline);
  const std::string json{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_NE(json.find("exit"), std::string::npos);
  ASSERT_GT(json.size(), 3u);
  EXPECT_EQ(json.substr(json.size() - 3), "}}\n") << "its end is missing";
}

TEST_F(Programs, EachUseOfTheDeviceHasATimelineOfItsOwn) {
  const std::string text =
      "#include <cuda_runtime.h>\n"
      "__global__ void first() {}\n__global__ void second() {}\n"
      "int main() {\n  first<<<1, 32>>>();\n  cudaDeviceReset();\n  second<<<1, 32>>>();\n"
      "  return cudaThreadSynchronize();\n}\n";
  const Outcome outcome =
      compile_and_run("-arch=sm_11 " + write("uses.cu", text), "uses",
                      "G80_DEVICE=tiny G80_RUN='--timeline-level all --timeline " + temporary("uses.json") + "'");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  for (const char* name : {"uses.json", "uses.2.json"})
    EXPECT_EQ(run("grep -q exit " + temporary(name)).code, 0) << name;
}

/// On the cycle model instruction by instruction with the reference, and on the reference with the other side of
/// branches first.
TEST_F(Programs, FunctionsAreCalledAndReturn) {
  const Outcome outcome =
      compile_and_run("-arch=sm_11 " + source("tests/runtime/programs/calls.cu"), "calls", "G80_DEVICE=8600gts");
  EXPECT_EQ(outcome.output, "PASSED\n");
  const Outcome other = run("G80_RUN='--model golden --set sm.divergence_first=fallthrough' " + temporary("calls"));
  EXPECT_EQ(other.output, "PASSED\n");
}

/// On the cycle model beside the reference, and on the reference with the other side of branches first.
TEST_F(Programs, AValueComesFromOneMemoryOrAnother) {
  const Outcome outcome = compile_and_run("-arch=sm_11 " + source("tests/runtime/programs/two_memories.cu"),
                                          "two_memories", "G80_DEVICE=8600gts");
  EXPECT_EQ(outcome.output, "PASSED\n");
  const Outcome other =
      run("G80_RUN='--model golden --set sm.divergence_first=fallthrough' " + temporary("two_memories"));
  EXPECT_EQ(other.output, "PASSED\n");
}

/// Coalescing is decided by the width of an access, so a structure must not be taken apart (CUDA Programming Guide 1.1,
/// 5.1.2.1).
TEST_F(Programs, AStructureTravelsInTheAccessesThatItsAlignmentAllows) {
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
TEST_F(Programs, AMarkedFunctionIsCalledHoweverSmallItIs) {
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

TEST_F(Programs, MathematicsIsWithinItsBounds) {
  const Outcome outcome =
      compile_and_run("-arch=sm_10 " + source("tests/runtime/programs/math_bounds.cu"), "math_bounds", kGolden);
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("PASSED"), std::string::npos) << outcome.output;
}

TEST_F(Programs, DoublePrecisionIsWithinItsBounds) {
  const std::string environment = std::string("G80_DEVICE=gtx280 ") + kGolden;
  const Outcome outcome =
      compile_and_run("-arch=sm_13 " + source("tests/runtime/programs/double_bounds.cu"), "double_bounds", environment);
  EXPECT_EQ(outcome.code, 0) << outcome.output;
}

#if !defined(G80_HAS_MPFR)
TEST_F(Programs, SpecialFunctionsAreWithinTheirBounds) { GTEST_SKIP() << "built without MPFR"; }
#else
/// Gamma, Bessel and inverse error functions in both precisions, judged by MPFR.
TEST_F(Programs, SpecialFunctionsAreWithinTheirBounds) {
  for (const std::string options : {"-DSINGLE -arch=sm_10 ", "-arch=sm_13 "}) {
    const std::string file = options + source("tests/runtime/programs/special_bounds.cu") + " -lmpfr -lgmp";
    const Outcome outcome = compile_and_run(file, "special_bounds", std::string("G80_DEVICE=gtx280 ") + kGolden, "1");
    EXPECT_EQ(outcome.code, 0) << options << outcome.output;
    EXPECT_NE(outcome.output.find("PASSED"), std::string::npos) << outcome.output;
  }
}
#endif

TEST_F(Programs, ExtendedWordsAre64BitIntegersAndEveryRoundingRounds) {
  for (const std::string level : {"10", "12", "13"}) {
    const std::string options = "-DARCH=" + level + "0 -arch=sm_" + level + " ";
    const Outcome outcome = compile_and_run(options + source("tests/runtime/programs/wide_words.cu"), "wide_words",
                                            std::string("G80_DEVICE=gtx280 ") + kGolden);
    EXPECT_EQ(outcome.output, "PASSED\n") << level;
    EXPECT_EQ(outcome.code, 0) << level;
  }
}

TEST_F(Programs, NamesMeanTheSameForEveryTypeOfArgument) {
  for (const char* arch : {"-arch=sm_10 ", "-arch=sm_13 "}) {
    const std::string environment = std::string("G80_DEVICE=gtx280 ") + kGolden;
    const Outcome outcome =
        compile_and_run(arch + source("tests/runtime/programs/overloads.cu"), "overloads", environment);
    EXPECT_EQ(outcome.code, 0) << arch << outcome.output;
  }
}

/// What a program printed on a real GPU, without the lines about it.
std::string recorded_output(const std::string& name) {
  std::ifstream stream(source("kernels/" + name + "/golden/nvidia_h200.txt"));
  std::string text;
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind("# ", 0) != 0) text += line + "\n";
  }
  return text;
}

TEST_F(Programs, AProgramOf2008RunsUnchangedAndTellsModelledTime) {
  const std::string program = temporary("square_array");
  ASSERT_EQ(compile(source("kernels/square_array/square_array.cu"), program).code, 0);
  const Outcome golden = run(std::string(kGolden) + " " + program + " 1");
  const Outcome timed = run("G80_RUN='--check off' " + program + " 1");
  const Outcome again = run("G80_RUN='--wave-on-failure x.fst' " + program + " 1");
  EXPECT_EQ(again.code, 2) << again.output;
  EXPECT_NE(again.output.find("--wave-on-failure needs a second run"), std::string::npos) << again.output;
  EXPECT_EQ(golden.output.substr(0, golden.output.find("kernel:")), recorded_output("square_array"));
  EXPECT_NE(golden.output.find("kernel: 0.000000 ms"), std::string::npos) << "the reference has no time";
  EXPECT_EQ(golden.output.substr(0, golden.output.find("kernel:")),
            timed.output.substr(0, timed.output.find("kernel:")));
  float ms = 0;
  ASSERT_EQ(std::sscanf(timed.output.c_str() + timed.output.find("kernel:"), "kernel: %f ms", &ms), 1) << timed.output;
  // One block of 64 elements a thread: 262144 bytes through one SM, at least the DRAM's time for them both ways.
  EXPECT_GT(ms, 0.008f);
  EXPECT_LT(ms, 1.0f);
}

TEST_F(Programs, AFaultIsExplainedAndReturned) {
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

TEST_F(Programs, BehindAndInFrontOfABufferLiesItsNeighbour) {
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

TEST_F(Programs, AHangIsExplainedAndEndsWithReset) {
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

// Of 2007 to 2010 are many programs in which the lanes of a warp exchange values without a barrier and without
// volatile.
TEST_F(Programs, LanesOfAWarpSeeEachOthersStores) {
  const std::string program = source("tests/runtime/programs/warp_synchronous.cu");
  const Outcome golden = compile_and_run(program, "warp_synchronous", kGolden);
  EXPECT_EQ(golden.code, 0) << golden.output;
  EXPECT_EQ(run("G80_DEVICE=tiny " + temporary("warp_synchronous")).code, 0);
}

// LLVM takes a barrier for a function that writes no variable of this file.
TEST_F(Programs, ThreadsSeeBehindABarrierWhatOthersWrote) {
  const std::string program = "-arch=sm_11 " + source("tests/runtime/programs/across_barriers.cu");
  const Outcome outcome = compile_and_run(program, "across_barriers", "G80_DEVICE=tiny");
  EXPECT_EQ(outcome.output, "PASSED\n");
  EXPECT_EQ(outcome.code, 0);
}

TEST_F(Programs, SpacesOfAWebPageAreSpaces) {
  const std::string text =
      "int main(void)\n{\n\u00a0\u00a0return\u00a00;\n}\n__global__\u00a0void k(int\u00a0*a) {\u00a0*a\u00a0= 7; }\n";
  const Outcome outcome = compile(write("pasted.cu", text), temporary("pasted"));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output, "");
}

TEST_F(Programs, AFileBesideTheSourceIsFoundInAngleBrackets) {
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

// Those of CUDA 4.1 and 4.2 bring their own forms of what helper_cuda.h has in later ones.
TEST_F(Programs, AProgramOf2012BringsItsOwnChecks) {
  const std::string file = write("own_checks.cu", R"(
#include <sdkHelper.h>
#include <shrQATest.h>
#include <shrUtils.h>
#define checkCudaErrors(call) own_check(call, __LINE__)
inline void own_check(cudaError error, int line) { if (error != cudaSuccess) exit(line); }
#define getLastCudaError(text) own_check(cudaGetLastError(), __LINE__)
int gpuGetMaxGflopsDeviceId() { return MAX(0, 8 - _ConvertSMVer2Cores(1, 1)); }
int findCudaDevice(int argc, const char** argv) {
  return checkCmdLineFlag(argc, argv, "device") ? getCmdLineArgumentInt(argc, argv, "device=") : gpuGetMaxGflopsDeviceId();
}
__global__ void add(int* to, int value) { to[threadIdx.x] += value; }
int main(int argc, char** argv) {
  shrQAStart(argc, argv);
  int h = 2, *d;
  StopWatchInterface* timer = 0;
  sdkCreateTimer(&timer);
  checkCudaErrors(cudaMalloc((void**)&d, sizeof h));
  checkCudaErrors(cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice));
  add<<<1, 1>>>(d, findCudaDevice(argc, (const char**)argv));
  getLastCudaError("add");
  checkCudaErrors(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
  shrLog("%d of %d\n", h, ConvertSMVer2Cores(1, 3));
  shrQAFinishExit(argc, (const char**)argv, h == 42 ? QA_PASSED : QA_FAILED);
}
)");
  const Outcome outcome = compile_and_run(file, "own_checks", kGolden, "--device=40");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("42 of 8"), std::string::npos) << outcome.output;
}

TEST_F(Programs, ALibraryThatIsNotThereIsOneSentence) {
  for (const char* header : {"cufft.h", "cublas.h", "curand.h", "cuda_d3d9_interop.h", "thrust/device_vector.h"}) {
    const std::string file =
        write("library.cu", std::string("#include <") + header + ">\nint main() { return unknown(cufftHandle()); }\n");
    const Outcome outcome = compile(file, temporary("library"));
    EXPECT_EQ(outcome.code, 2) << header;
    EXPECT_NE(outcome.output.find("not part of g80"), std::string::npos) << outcome.output;
    EXPECT_EQ(outcome.output.find("unknown"), std::string::npos) << "no error but the one that matters\n"
                                                                 << outcome.output;
  }
}

TEST_F(Programs, LanesVoteAndKernelsAreFoundByTheirNames) {
  const std::string file = write("votes.cu", R"(
#include <stdio.h>
extern "C" __global__ void votes(int* to, int few) { to[threadIdx.x] = __any(threadIdx.x == 3) + 2 * __all(threadIdx.x < few); }
int main() {
  int h[32], *d, can = 1;
  double x = 1.5;
  cudaFuncAttributes attributes;
  cudaMalloc((void**)&d, sizeof h);
  if (cudaMemset2DAsync(d, 16, 1, 16, 8) || cudaSetDoubleForDevice(&x) || cudaDeviceCanAccessPeer(&can, 0, 0) || can)
    return 1;
  if (cudaFuncGetAttributes(&attributes, "votes")) return 2;
  if (cudaFuncGetAttributes(&attributes, "boats") != cudaErrorInvalidDeviceFunction) return 2;
  // A char* is the name of a kernel, or the kernel: the parameter of these calls was a char* for both
  if (cudaFuncGetAttributes(&attributes, (const char*)votes) ||
      cudaFuncSetCacheConfig((char*)votes, cudaFuncCachePreferL1))
    return 4;
  const char* const kernels[] = {(const char*)votes, "votes"};
  for (const char* kernel : kernels) {
    cudaMemset(d, 0, sizeof h);
    cudaConfigureCall(1, 32);
    cudaSetupArgument(d, 0);
    cudaSetupArgument(31, sizeof d);
    if (cudaLaunch(kernel)) return 3;
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    if (h[3] != 1) return 5;
  }
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d ", h[31]);
  votes<<<1, 32>>>(d, 32);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
}
)");
  const Outcome outcome = compile_and_run("-arch=sm_12 " + file, "votes", std::string("G80_DEVICE=gtx280 ") + kGolden);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output, "1 3\n");
}

TEST_F(Programs, ArgumentsLieWhereTheCallsPutThem) {
  const std::string file = write("arguments.cu", R"(
#include <cuda_runtime.h>
#include <stdio.h>
extern "C" __global__ void put(char a, short b, float3 c, short d, int* to) {
  to[0] = a, to[1] = b, to[2] = (int)c.x, to[3] = (int)c.z, to[4] = d;
}
int main() {
  int *to, h[5];
  const float3 c = {1, 2, 3};
  cudaMalloc((void**)&to, sizeof h);
  cudaConfigureCall(1, 1);
  cudaSetupArgument((char)-3, 0);
  cudaSetupArgument((short)5, 2);
  cudaSetupArgument(c, 4);
  cudaSetupArgument((short)-9, 16);
  cudaSetupArgument(to, 24);
  if (cudaLaunch("put")) return 1;
  cudaMemcpy(h, to, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4]);
}
)");
  EXPECT_EQ(compile_and_run(file, "arguments", kGolden).output, "-3 5 1 3 -9\n");
}

TEST_F(Programs, ANameInTwoFilesNamesNothing) {
  const std::string one = write("one.cu", R"(
#include <cuda_runtime.h>
#include <stdio.h>
texture<float, 1> image;
__device__ int word = 1;
__device__ int other = 3;
int second();
__global__ void of_one(int* to) { *to = word + other + (int)tex1Dfetch(image, 0); }
int main() {
  const textureReference* texture;
  int value = 0;
  printf("%d ", cudaGetTextureReference(&texture, "image") == cudaErrorDuplicateTextureName);
  printf("%d ", cudaMemcpyFromSymbol(&value, "word", 4) == cudaErrorDuplicateVariableName);
  printf("%d ", cudaMemcpyFromSymbol(&value, word, 4));
  printf("%d ", value);
  printf("%d ", cudaMemcpyFromSymbol(&value, "other", 4));
  printf("%d ", value);
  printf("%d\n", second());
}
)");
  const std::string two = write("two.cu", R"(
#include <cuda_runtime.h>
texture<float, 1> image;
__device__ int word = 2;
__global__ void of_two(int* to) { *to = word + (int)tex1Dfetch(image, 0); }
int second() {
  int value = 0;
  cudaMemcpyFromSymbol(&value, word, 4);
  return value;
}
)");
  EXPECT_EQ(compile_and_run(one + " " + two, "names", kGolden).output, "1 1 0 1 0 3 2\n");
}

TEST_F(Programs, TexturesMayHaveArguments) {
  const std::string file = write("textures.cu", R"(
#include <cuda_runtime.h>
#include <stdio.h>
texture<float, 1, cudaReadModeElementType> plain(0, cudaFilterModePoint, cudaAddressModeClamp);
texture<float, 1, cudaReadModeElementType> wrapped(1, cudaFilterModePoint, cudaAddressModeWrap,
                                                   cudaCreateChannelDesc<float>());
__global__ void read(float* to) { to[threadIdx.x] = tex1D(plain, 9) + 10 * tex1D(wrapped, 1.3f); }
int main() {
  float in[8], out[8], *to;
  for (int i = 0; i < 8; ++i) in[i] = i;
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray* array;
  cudaMallocArray(&array, &floats, 8, 1);
  cudaMemcpyToArray(array, 0, 0, in, sizeof in, cudaMemcpyHostToDevice);
  cudaBindTextureToArray(plain, array, floats);
  cudaBindTextureToArray(wrapped, array, floats);
  cudaMalloc((void**)&to, sizeof out);
  read<<<1, 8>>>(to);
  cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost);
  printf("%g %g\n", out[0], out[7]);
}
)");
  EXPECT_EQ(compile_and_run(file, "textures", kGolden).output, "27 27\n");
}

/// In lock-step on a chip of compute capability 1.3, on another with the locks of 1.2, and by the reference alone.
TEST_F(Programs, AtomicOperationsOnSharedMemoryCount) {
  const std::string program = temporary("shared_atomics");
  ASSERT_EQ(compile("-arch=sm_12 " + source("tests/runtime/programs/shared_atomics.cu"), program).code, 0);
  for (const char* environment :
       {"-u G80_RUN G80_DEVICE=gtx280", "G80_RUN='--set device.compute_minor=2' G80_DEVICE=8600gts",
        "G80_RUN='--set sm.locks_per_warp=32 --set sm.lock_flags=16' G80_DEVICE=gtx280",
        "G80_RUN='--model golden' G80_DEVICE=gtx280"}) {
    const Outcome outcome = run("env " + std::string(environment) + " " + program);
    EXPECT_EQ(outcome.code, 0) << environment << "\n" << outcome.output;
    EXPECT_EQ(outcome.output, "PASSED\n") << environment;
  }
}

/// Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA, 2009, for a GTX 280.
TEST_F(Programs, ATransposeByRowsCampsOnOnePartitionAndOneByDiagonalsDoesNot) {
  const std::string program = temporary("camping");
  ASSERT_EQ(compile("-arch=sm_12 " + source("tests/runtime/programs/partition_camping.cu"), program).code, 0);
  const auto slowdown = [&](const std::string& hash) {
    const Outcome outcome =
        run("env G80_DEVICE=gtx280 G80_RUN='--check off --set partition.hash=" + hash + "' " + program);
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    return std::atof(outcome.output.c_str());
  };
  EXPECT_GT(slowdown("plain"), 1.3);
  EXPECT_LT(slowdown("xor"), 1.1) << "without plain interleaving there is next to nothing to gain";
}

/// Programs that compare what they got themselves, in lock-step on the machine.
TEST_F(Programs, ThatCheckThemselvesPass) {
  const std::string folder = temporary("files");
  std::filesystem::create_directories(folder);
  struct Row {
    const char *file, *arguments;
  };
  for (const Row& row :
       {Row{"pointers.cu", ""}, Row{"textures.cu", ""}, Row{"runtime_calls.cu", ""}, Row{"utilities.cu", "/files"},
        Row{"driver_calls.cpp", "/files/text.ptx"}, Row{"plain_names.cu", ""}}) {
    SCOPED_TRACE(row.file);
    const std::string arguments = row.arguments[0] == '\0' ? "" : temporary("") + row.arguments;
    const Outcome outcome = compile_and_run("-arch=sm_11 " + source(std::string("tests/runtime/programs/") + row.file),
                                            "self_checking", "-u G80_RUN", arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    EXPECT_NE(outcome.output.find("PASSED\n"), std::string::npos) << outcome.output;
  }
}

/// The machine's texel addresses and copies in lock-step with the reference's, and the reference by itself.
TEST_F(Programs, ArraysKeepWhatAnyCopyPutsThere) {
  const std::string program = temporary("arrays");
  ASSERT_EQ(compile("-arch=sm_11 " + source("tests/runtime/programs/arrays.cu"), program).code, 0);
  const unsigned seed = g80::random_seed();
  const auto outcome = [&](const std::string& environment, unsigned run_seed) {
    return run("env " + environment + " " + program + " " + std::to_string(run_seed)).output;
  };
  for (unsigned i = 0; i < 20; ++i)
    EXPECT_NE(outcome(kGolden, seed * 100 + i).find("PASSED\n"), std::string::npos) << "seed " << seed * 100 + i;
  EXPECT_NE(outcome("-u G80_RUN", seed * 100).find("PASSED\n"), std::string::npos) << "seed " << seed * 100;
}

TEST_F(Programs, ForALaterChipTellWhichDeviceRunsThem) {
  const std::string file = write("later.cu",
                                 "__global__ void k(double* p) { *p += 1; }\n"
                                 "int main() { k<<<1, 1>>>(0); return 0; }\n");
  ASSERT_EQ(compile("-arch=sm_13 " + file, temporary("later")).code, 0);
  const Outcome outcome = run("G80_DEVICE=8600gts " + temporary("later"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(
      outcome.output.find("the program was compiled for sm_13, GeForce 8600 GTS has compute capability 1.1: compile "
                          "it with -arch=sm_11, or choose G80_DEVICE=gtx280"),
      std::string::npos)
      << outcome.output;
}

TEST_F(Programs, VotesAndDoublesHaveNamesWithoutUnderscores) {
  const Outcome outcome = compile_and_run("-arch=sm_13 " + source("tests/runtime/programs/plain_names_13.cu"),
                                          "plain_names_13", std::string("G80_DEVICE=gtx280 ") + kGolden);
  EXPECT_EQ(outcome.output, "PASSED\n");
}

TEST_F(Programs, TheTextbooksMistakesAreReported) {
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

TEST_F(Programs, SeveralFilesMakeOneProgram) {
  const std::string first = write("first.cu", R"(
#include <cstdio>
static __constant__ int step = 3;
static __global__ void add(int* data) { data[threadIdx.x] += step; }
void other(int* data);
int host_sum(const int* data, int n);
int main() {
  int h[32] = {0}, *d;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  add<<<1, 32>>>(d);
  other(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", host_sum(h, 32));
}
)");
  const std::string second = write("second.cu", R"(
static __constant__ int step = 40;
static __global__ void add(int* data) { data[threadIdx.x] += step; }
void other(int* data) { add<<<1, 32>>>(data); }
)");
  const std::string third = write("third.cpp", R"(
#include <cuda_runtime.h>
int host_sum(const int* data, int n) {
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += data[k];
  return cudaSetDevice(0) == cudaSuccess ? sum : -1;
}
)");
  const Outcome outcome = compile_and_run(first + " " + second + " " + third, "several", kGolden);
  EXPECT_EQ(outcome.output, "1376\n");
}

TEST_F(Programs, MachineCodeWrittenByHandCanStandInForAKernel) {
  const std::string file = write("by_hand.cu", R"(
#include <cstdio>
__global__ void answer(int* to) { *to = 1; }
int main() {
  int h = 0, *d;
  cudaMalloc(&d, 4);
  answer<<<1, 1>>>(d);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
}
)");
  const std::string code = write("by_hand.sasm",
                                 ".kernel _Z6answerPi\n.param u64 to\n  add b32 $r0 b32 s[to] $r124\n"
                                 "  mov b32 $r1 0x2a\n  st b32 g14[$r0] $r1\n  exit nop\n");
  EXPECT_EQ(compile_and_run(file + " --gpu-module " + code, "by_hand", kGolden).output, "42\n");
}

void expect_refused(const std::string& arguments, const std::string& part) {
  const Outcome outcome = compile(arguments, temporary("refused"));
  EXPECT_EQ(outcome.code, 2) << arguments << "\n" << outcome.output;
  EXPECT_NE(outcome.output.find(part), std::string::npos) << arguments << "\n" << outcome.output;
}

TEST_F(Programs, WhatTheChipDoesNotHaveIsACompileTimeError) {
  const auto kernel = [](const std::string& name, const std::string& body) {
    return write(name, "#include <stdio.h>\n__global__ void k(int* a, float* f) { " + body + " }\nint main() {}\n");
  };
  expect_refused(kernel("printf.cu", "printf(\"%d\", *a);"), "printf in a kernel needs compute capability 2.0");
  expect_refused(kernel("ballot.cu", "*a = __ballot(1);"), "needs compute capability 2.0");
  expect_refused(kernel("atomic.cu", "atomicAdd(a, 1);"), "compile with -arch=sm_11");
  expect_refused("-arch=sm_11 " + kernel("wide.cu", "atomicAdd((unsigned long long*)a, 1ull);"),
                 "need compute capability 1.2");
  expect_refused("-arch=sm_11 " + kernel("float.cu", "atomicAdd(f, 1.0f);"), "needs compute capability 2.0");
  expect_refused(kernel("malloc.cu", "*a = *(int*)malloc(4);"), "in a kernel need compute capability 2.0");
  const std::string recursive = "__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n";
  expect_refused(write("recursion.cu", recursive + "__global__ void k(int* a) { *a = fib(*a); }\nint main() {}\n"),
                 "recursion.cu:1: 'fib(int)' calls itself; recursion needs sm_20");
  expect_refused(write("pointer.cu", "__global__ void k(int* a, int (*p)(int)) { *a = p(*a); }\nint main() {}\n"),
                 "a call through a function pointer, or of a virtual function, needs sm_20");
  expect_refused(kernel("new.cu", "*(int**)a = new int[4];"), "'operator new[](unsigned long)' has no body");
  std::string declared, read;
  for (int k = 0; k < 17; ++k) {
    const std::string name = "t" + std::to_string(k);
    declared += "texture<float, 1> " + name + ";\n";
    read += " + tex1D(" + name + ", *out)";
  }
  expect_refused(
      write("many.cu", declared + "__global__ void k(float* out) { *out = 0" + read + "; }\nint main() {}\n"),
      "this is texture 17 of the file; only the first 16 can be read at coordinates that are floats");
  expect_refused(write("three.cu",
                       "texture<float3, 1> t;\n"
                       "__global__ void k(float* out) { *out = tex1Dfetch(t, 0).x; }\n"
                       "int main() {}\n"),
                 "the elements of a texture are 1, 2 or 4 numbers");
  expect_refused(write("surface.cu", "surface<void, 2> s;\nint main() {}\n"), "surfaces need compute capability 2.0");
  const std::string computed =
      write("computed.cu",
            "__device__ int f(int i) { return i + 1; }\n__global__ void k(int* a) {\n"
            "  static const int table[2] = {f(1), f(2)};\n  *a = table[*a & 1];\n}\nint main() {}\n");
  expect_refused(
      computed,
      "computed.cu:3: the static variable 'k(int*)::table' of device code needs an initialiser that is a constant");
  expect_refused(kernel("typo.cu", "*a = no_such_thing;"), "use of undeclared identifier 'no_such_thing'");
}

TEST(Options, AreRefusedWithASentence) {
  const std::string file = write("empty.cu", "int main() {}\n");
  expect_refused(file + " -arch=sm_20", "allowed are sm_10, sm_11, sm_12 and sm_13");
  const std::string one_atomic =
      write("one_atomic.cu", "__global__ void k(int* a) { atomicAdd(a, 1); }\nint main() {}\n");
  expect_refused(
      one_atomic + " -gencode arch=compute_11,code=sm_11 -gencode=arch=compute_10,code=\\\"sm_10,compute_10\\\"",
      "compile with -arch=sm_11");
  EXPECT_EQ(compile(one_atomic + " -gencode arch=compute_20,code=sm_20 -gencode arch=compute_12,code=sm_12 "
                                 "-gencode=arch=compute_11,code=sm_11",
                    temporary("one_atomic"))
                .code,
            0);
  expect_refused(file + " --frobnicate", "--frobnicate is not an option");
  expect_refused(file + " -maxrregcount=200", "allowed are 4 to 124");
  expect_refused(file + " --fmad=maybe", "allowed are true and false");
  expect_refused(file + " -deviceemu", "--model golden");
  expect_refused(temporary("no_such.cu"), "there is no such file");
  expect_refused("", "no source file");
  expect_refused(file + " -x fortran", "allowed are cu, c++ and c");
  expect_refused(file + " -Xptxas --frob", "known are -v");
  expect_refused(file + " -gencode arch=compute_20,code=sm_20", "allowed are sm_10");
}

TEST(Options, OfMakefilesOfTheTimeAreTaken) {
  if (!has_clang()) GTEST_SKIP() << "clang is not installed";
  const std::string file = write("make.cu", "__global__ void k(int* a) { atomicAdd(a, VALUE); }\nint main() {}\n");
  struct Row {
    const char *options, *said;  // "": without a word
  };
  for (const Row& row : {
           Row{"-arch sm_11 -m64 -O2 --compiler-options -fno-strict-aliasing", ""},
           Row{"-gencode=arch=compute_11,code=\\\"sm_11,compute_11\\\"", ""},
           Row{"-gencode arch=compute_11,code=sm_11 -gencode arch=compute_13,code=sm_13 -gencode "
               "arch=compute_20,code=sm_20",
               "g80: note: of 3 -gencode options the lowest is used: sm_11\n"},
           Row{"-arch=compute_11 -code=sm_11 --ptxas-options=-v,-O3", "registers, 24 bytes shared"},
           Row{"--gpu-architecture sm_11 -po maxrregcount=16 -Xopencc -O3 -use_fast_math", ""},
           Row{"-arch=sm_11 -ccbin /usr/bin/g++ -maxrregcount 32 -keep-dir x --host-compilation C++ -Xptxas -O2", ""},
           Row{"-arch=sm_11 -m32", "g80: note: -m32: host programs are always 64-bit"},
           Row{"-arch=sm_11 -G", "g80: note: -G: cuda-gdb is not supported"},
       }) {
    SCOPED_TRACE(row.options);
    const Outcome outcome = compile(file + " -DVALUE=3 " + row.options, temporary("make"));
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    if (row.said[0] == '\0') {
      EXPECT_EQ(outcome.output, "");
    } else {
      EXPECT_NE(outcome.output.find(row.said), std::string::npos) << outcome.output;
    }
  }
}

TEST(Options, KernelsInAFileOfAnotherNameAreFound) {
  if (!has_clang()) GTEST_SKIP() << "clang is not installed";
  const std::string text =
      "#include \"stdafx.h\"\n#include <stdio.h>\n__global__ void k(int* a) { *a = 7; }\n"
      "int main() { int h, *d; cudaMalloc((void**)&d, 4); k<<<1, 1>>>(d); cudaMemcpy(&h, d, 4, "
      "cudaMemcpyDeviceToHost);\n"
      "printf(\"%d\\n\", h); }\n";
  const Outcome found = compile_and_run(write("example.cpp", text), "example", kGolden);
  EXPECT_EQ(found.output, "7\n");
  EXPECT_NE(compile(temporary("example.cpp"), temporary("example")).output.find("compiled as CUDA"), std::string::npos);
  EXPECT_EQ(compile("-x cu " + write("example.inc", text), temporary("example")).output, "");
}

/// What texels a launch sees that writes them is open: the chip's texture caches do not look.
TEST_F(Programs, TexelsThatTheLaunchWritesAreOldOrNew) {
  const std::string source = write("texels.cu", R"(
#include <stdio.h>
texture<int, 1> texels;
__global__ void add(int* words, int* out) {
  const int before = tex1Dfetch(texels, 0);
  if (threadIdx.x == 0 && blockIdx.x == 0) ((volatile int*)words)[0] = before + 1;
  atomicAdd(&words[1], 1);
  __syncthreads();
  for (volatile int i = 0; i < 20; i = i + 1) {}
  out[blockIdx.x * 64 + threadIdx.x] = tex1Dfetch(texels, 0) - before + 2 * (tex1Dfetch(texels, 16) != 0);
}
int main() {
  int *words, *out, seen[256], wrong = 0;
  cudaMalloc((void**)&words, 256);
  cudaMalloc((void**)&out, sizeof seen);
  cudaMemset(words, 0, 256);
  cudaBindTexture(0, texels, words, 256);
  for (int launch = 0; launch < 2; ++launch) {
    add<<<4, 64>>>(words, out);
    cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 256; ++i) wrong += seen[i] != 0 && seen[i] != 1;
  }
  printf("%d wrong, %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
  return wrong;
}
)");
  for (const char* device : {"tiny", "gtx280"}) {
    const Outcome ran = compile_and_run("-arch=sm_11 " + source, "texels", std::string("G80_DEVICE=") + device);
    EXPECT_EQ(ran.output, "0 wrong, no error\n") << device;
  }
}

}  // namespace
