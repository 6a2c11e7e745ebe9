// SPDX-License-Identifier: Apache-2.0
// What g80 cc refuses: what the chip does not have, libraries, wrong options; each with a sentence.
#include <gtest/gtest.h>

#include "tests/runtime/program_runner.h"

namespace {

using namespace g80::testing;

class Refused : public ProgramTest {};

void expect_refused(const std::string& arguments, const std::string& part) {
  const Outcome outcome = compile(arguments, temporary("refused"));
  EXPECT_EQ(outcome.code, 2) << arguments << "\n" << outcome.output;
  EXPECT_NE(outcome.output.find(part), std::string::npos) << arguments << "\n" << outcome.output;
}

TEST_F(Refused, IsALibraryThatIsNotThere) {
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

TEST_F(Refused, IsWhatTheChipDoesNotHave) {
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

TEST_F(Refused, AreWrongOptions) {
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

}  // namespace
