// SPDX-License-Identifier: Apache-2.0
// CUDA programs as a user has them: compiled by g80 cc, run, their output compared. On the golden reference, some of
// them on the cycle model.
#include <gtest/gtest.h>

#include "tests/runtime/program_runner.h"
#include "tests/support/random_seed.h"

namespace {

using namespace g80::testing;

class Programs : public ProgramTest {};

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
