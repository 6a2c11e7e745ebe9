// SPDX-License-Identifier: Apache-2.0
// Source that compilers of CUDA's time took and standard C++ of today does not.
#include <gtest/gtest.h>

#include "tests/runtime/program_runner.h"
#include "toolchain/cuda/compile/command.h"
#include "toolchain/cuda/compile/dialect.h"

namespace {

using namespace g80::testing;
using g80::cuda::in_clangs_dialect;

constexpr const char* kOnGolden = "G80_RUN='--model golden'";

class OldSource : public ProgramTest {};

TEST(Dialect, MainGetsTheTypeThatItLacks) {
  EXPECT_EQ(in_clangs_dialect("main() {}"), "int main() {}");
  EXPECT_EQ(in_clangs_dialect("int x;\nmain(int c, char** v)\n{}"), "int x;\nint main(int c, char** v)\n{}");
  EXPECT_EQ(in_clangs_dialect("#include \"a.h\"\nmain () // here\n{ return f(); }"),
            "#include \"a.h\"\nint main () // here\n{ return f(); }");
  EXPECT_EQ(in_clangs_dialect("void f() {} /* here */ main(void (*g)(int)) { k << <1, 1>> >(g); }"),
            "void f() {} /* here */ int main(void (*g)(int)) { k <<< 1, 1>>> (g); }");
  EXPECT_EQ(in_clangs_dialect("#define X \\\n  {\nmain() {}"), "#define X \\\n  {\nint main() {}");
  for (const char* text : {"int main() {}", "int\nmain() {}", "int /* here */ main() {}", "void f() { main(); }",
                           "struct A { A() {} } main;", "#define M main() {\nint M }", "int domain() {} int main_() {}",
                           "// main() {", "\"main() {\";", "std::string main(", "#define A \\\n main() {\n", "main",
                           "main(", "main()", "int f(); A* main() {}", "main();"}) {
    EXPECT_EQ(in_clangs_dialect(text), text);
  }
}

TEST_F(OldSource, MainMayLackItsType) {
  const std::string cuda = write("typeless.cu",
                                 "#include <stdio.h>\nvoid host();\n__global__ void k(int* p) { *p = 5; }\n"
                                 "main() {\n  int *d, h = 0;\n  cudaMalloc((void**)&d, 4);\n  k<<<1, 1>>>(d);\n"
                                 "  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);\n  printf(\"%d\\n\", h);\n}\n");
  EXPECT_EQ(compile_and_run(cuda, "typeless", kOnGolden).output, "5\n");
  const std::string host = write("typeless.cpp", "#include <stdio.h>\nmain() { puts(\"host\"); }\n");
  EXPECT_EQ(compile_and_run(host, "typeless_host", kOnGolden).output, "host\n");
}

constexpr const char* kLookup = R"(#include <stdio.h>
template <class T> __host__ __device__ T twice(T x) { return behind(x) + behind(x); }
__host__ __device__ float behind(float x) { return x + 1; }
template <class T> __global__ void k(T* p) { p[threadIdx.x] = twice(p[threadIdx.x]); }
int main() {
  float *d, h[3] = {1, 2, 3};
  cudaMalloc((void**)&d, 12);
  cudaMemcpy(d, h, 12, cudaMemcpyHostToDevice);
  k<<<1, 3>>>(d);
  cudaMemcpy(h, d, 12, cudaMemcpyDeviceToHost);
  printf("%g %g %g %g\n", h[0], h[1], h[2], twice(10.0f));
}
)";

TEST_F(OldSource, ATemplateFindsFunctionsThatAreDeclaredBehindIt) {
  const Outcome outcome = compile_and_run(write("behind.cu", kLookup), "behind", kOnGolden);
  EXPECT_EQ(outcome.output, "4 6 8 22\n");
  const std::string host = write("behind.cpp",
                                 "#include <stdio.h>\ntemplate <class T> T twice(T x) { return 2 * behind(x); }\n"
                                 "int behind(int x) { return x + 1; }\nint main() { printf(\"%d\\n\", twice(3)); }\n");
  EXPECT_EQ(compile_and_run(host, "behind_host", kOnGolden).output, "8\n");
}

/// What standard C++ accepts means what it says: the functions in front of a template are chosen, and templates that
/// nobody uses are checked.
TEST_F(OldSource, ATemplateThatFindsItsFunctionsIsCompiledAsTheStandardSays) {
  const std::string file = write("front.cu", R"(#include <stdio.h>
__device__ int chosen(double) { return 1; }
template <class T> __global__ void k(T* p) { *p = chosen(2); }
__device__ int chosen(int) { return 2; }
int main() {
  int *d, h = 0;
  cudaMalloc((void**)&d, 4);
  k<<<1, 1>>>(d);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
}
)");
  EXPECT_EQ(compile_and_run(file, "front", kOnGolden).output, "1\n");
  const Outcome unused =
      compile(write("unused.cu", "template <class T> __global__ void k(T* p) { *p = nowhere; }\nint main() {}\n"),
              temporary("u"));
  EXPECT_EQ(unused.code, 2);
  EXPECT_NE(unused.output.find("unused.cu:1:51: error: use of undeclared identifier 'nowhere'"), std::string::npos)
      << unused.output;
}

TEST_F(OldSource, AnArrayOfPointersBeginsWithSharedArrays) {
  const std::string file = write("shared_pointers.cu", R"(#include <stdio.h>
struct Both { float* row[2]; float n; char text[3]; };
extern __shared__ int dynamic[];
__shared__ int outside[32];
__device__ int* choose(int i) { int* const all[3] = {outside, dynamic, outside + 4}; return all[i]; }
__global__ void k(float* out, int* chosen, int lines) {
  __shared__ float a[2][32];
  const int t = threadIdx.x;
  float* rows[2] = {a[0], a[1]};
  const Both both = {{a[1], a[0]}, 7, "[("};
  float(*whole[2])[32] = {a + 1, a};
  rows[0][t] = t, rows[1][t] = 100 + t, outside[t] = 1000 + t, dynamic[t] = 2000 + t;
  __syncthreads();
  float sum = 0;
  for (int line = 0; line < lines; ++line) sum += rows[line][t] * (line + 1);  // 1, 2
  out[t] = sum + both.row[t & 1][t] * 1000 + both.n + (*whole[t & 1])[t] * 1000000;
  chosen[t] = *(choose(t % 3) + t % 8);
}
int main() {
  float *d, h[32];
  int *d2, h2[32], wrong = 0;
  cudaMalloc((void**)&d, sizeof h);
  cudaMalloc((void**)&d2, sizeof h2);
  k<<<1, 32, sizeof h2>>>(d, d2, 2);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(h2, d2, sizeof h2, cudaMemcpyDeviceToHost);
  for (int t = 0; t < 32; ++t) {
    const float other = t & 1 ? t : 100 + t, sum = t + 2 * (100 + t);
    const int from[3] = {1000 + t % 8, 2000 + t % 8, 1004 + t % 8};
    wrong += h[t] != sum + other * 1000 + 7 + other * 1000000 || h2[t] != from[t % 3];
  }
  printf("%d wrong\n", wrong);
}
)");
  EXPECT_EQ(compile_and_run(file, "shared_pointers", kOnGolden).output, "0 wrong\n");
  EXPECT_EQ(compile_and_run("-arch=sm_13 --fmad=false " + file, "shared_pointers_13", "G80_DEVICE=gtx280").output,
            "0 wrong\n");
}

/// There a pointer would have one value for all kernels.
TEST_F(OldSource, AStaticPointerToASharedArrayIsRefusedInTermsOfTheProgram) {
  const Outcome outcome =
      compile(write("static_pointer.cu",
                    "__global__ void k(float* p) {\n  __shared__ float a[4];\n"
                    "  static float* row[2] = {a, a + 1};\n  *p = *row[threadIdx.x & 1];\n}\nint main() {}\n"),
              temporary("static_pointer"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(
      outcome.output.find("static_pointer.cu: 'k(float*)::row' is initialised with the address of 'k(float*)::a', "
                          "which is a variable of a kernel or function"),
      std::string::npos)
      << outcome.output;
}

/// clang's text of a program of 60 MB is longer than the limit for a user's files.
TEST(Intermediate, FilesMayHaveAnySize) {
  const std::string path = write("long.ll", "text");
  std::filesystem::resize_file(path, 130u << 20);
  EXPECT_EQ(g80::cuda::read_intermediate(path).size(), 130u << 20);
  EXPECT_EQ(g80::cuda::read_intermediate(write("short.ll", "text")), "text");
  EXPECT_ANY_THROW(g80::cuda::read_intermediate(temporary("none.ll")));
  std::filesystem::remove(path);
}

}  // namespace
