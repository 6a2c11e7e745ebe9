// SPDX-License-Identifier: Apache-2.0
// What `g80 cc` and its programs say when something is missing, in terms of the program and of what its user asked for.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#include "tests/runtime/program_runner.h"

namespace {

using namespace g80::testing;

class Messages : public ProgramTest {
 protected:
  static void expect_contains(const Outcome& outcome, const std::string& text) {
    EXPECT_NE(outcome.output.find(text), std::string::npos) << "expected: " << text << "\n" << outcome.output;
  }
  static void expect_one_sentence(const Outcome& outcome, const std::string& text) {
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.output, "g80: " + text + "\n");
  }
  const std::string good = write("good.cu", "__global__ void k(int* p) { *p = 1; }\nint main() {}\n");
};

TEST_F(Messages, NameTheChipThatTheUserAskedFor) {
  const std::string file = write("wrong.cu", "__global__ void k(int* p) { *p = nowhere; }\nint main() {}\n");
  for (const char* arch : {"sm_10", "sm_11", "sm_13"}) {
    const Outcome outcome = compile(std::string("-arch=") + arch + " " + file, temporary("wrong"));
    EXPECT_EQ(outcome.code, 2);
    expect_contains(outcome, std::string("1 error generated when compiling for ") + arch + ".\n");
    EXPECT_EQ(outcome.output.find("sm_20"), std::string::npos) << outcome.output;
  }
}

TEST_F(Messages, SayWhichCapabilityAFunctionNeeds) {
  const auto refusal = [](const std::string& call) {
    return compile(write("below.cu",
                         "__global__ void k(double* d, float* f, long long* l, unsigned long long* u, int* i) { " +
                             call + "; }\nint main() {}\n"),
                   temporary("below"))
        .output;
  };
  for (const char* call :
       {"*d = __dadd_rn(*d, 1)", "*d = __dmul_rz(*d, 2)", "*d = __fma_rd(*d, *d, *d)", "*d = __ddiv_rn(*d, 3)",
        "*d = __drcp_rn(*d)", "*d = __dsqrt_rn(*d)", "*i = __double2int_rn(*d)", "*u = __double2ull_rz(*d)",
        "*f = __double2float_ru(*d)", "*d = __ll2double_rd(*l)", "*d = __int2double_rn(*i)",
        "*l = __double_as_longlong(*d)", "*d = __longlong_as_double(*l)", "*i = __double2hiint(*d)",
        "*d = __hiloint2double(*i, 1)"}) {
    EXPECT_NE(
        refusal(call).find("is unavailable: double precision needs compute capability 1.3: compile with -arch=sm_13"),
        std::string::npos)
        << call;
  }
  EXPECT_NE(refusal("*i = __any(*i)").find("'__any' is unavailable: votes need compute capability 1.2"),
            std::string::npos);
  EXPECT_NE(refusal("atomicAdd(i, 1)")
                .find("need compute capability 1.1, in shared memory 1.2: compile with "
                      "-arch=sm_11 or sm_12"),
            std::string::npos);
  expect_contains(compile("-arch=sm_11 " + write("shared.cu",
                                                 "__global__ void k(unsigned* p) { __shared__ unsigned s; "
                                                 "atomicAdd(&s, 1u); *p = s; }\nint main() {}\n"),
                          temporary("below")),
                  "shared.cu:1: atom of .u32 in shared memory needs compute capability 1.2: compile with -arch=sm_12; "
                  "this code is for sm_11\n");
  EXPECT_NE(refusal("atomicMin(u, 1ull)").find("needs compute capability 3.5"), std::string::npos);
  EXPECT_NE(refusal("atomicXor(u, 1ull)").find("needs compute capability 3.5"), std::string::npos);
}

TEST_F(Messages, NameAParameterByItsKernelOfTheSource) {
  const Outcome outcome =
      compile(write("long_parameter.cu",
                    "struct Big { int a[80]; };\n__global__ void k(int* p, Big b) { *p = b.a[3]; }\n"
                    "int main() {}\n"),
              temporary("long_parameter"));
  EXPECT_EQ(outcome.code, 2);
  expect_contains(outcome, "'2 of k(int*, Big)'");
  EXPECT_EQ(outcome.output.find("_Z"), std::string::npos) << outcome.output;
}

TEST_F(Messages, OfAMissingOrFullTmpdirAreOneSentence) {
  const std::string cc = std::string(G80_PROGRAM) + " cc -c " + good + " -o " + temporary("good.o");
  const std::string none = temporary("none"), file = write("file", "");
  expect_one_sentence(run("TMPDIR=" + none + " " + cc), "cc: TMPDIR is '" + none + "', which is no folder");
  expect_one_sentence(run("TMPDIR=" + file + " " + cc), "cc: TMPDIR is '" + file + "', which is no folder");
  // A limit on the size of files takes the place of a full disk: clang's first file is longer.
  std::filesystem::create_directories(temporary("tmp"));
  expect_one_sentence(run("trap '' XFSZ; ulimit -f 1; TMPDIR=" + temporary("tmp") + " " + cc),
                      "cc: clang cannot write its output or its temporary files in " + temporary("tmp") + " (" +
                          std::strerror(EFBIG) + "); TMPDIR names another folder");
  EXPECT_EQ(run("ls " + temporary("tmp")).output, "") << "nothing stays behind";
  EXPECT_EQ(run("TMPDIR=" + temporary("tmp") + " " + cc).output, "");
  EXPECT_EQ(run("TMPDIR= " + cc).output, "") << "as if it were not set";
}

TEST_F(Messages, OfAProgramForALaterChipNameTheDevicesThatRunIt) {
  const std::string file = write("later.cu",
                                 "#include <stdio.h>\n__global__ void k(double* p) { *p = *p + 1; }\n"
                                 "int main() {\n  double *d, h = 1;\n  cudaMalloc((void**)&d, 8);\n"
                                 "  cudaMemcpy(d, &h, 8, cudaMemcpyHostToDevice);\n  k<<<1, 1>>>(d);\n"
                                 "  cudaMemcpy(&h, d, 8, cudaMemcpyDeviceToHost);\n  printf(\"%g\\n\", h);\n}\n");
  const Outcome outcome = compile_and_run("-arch=sm_13 " + file, "later", "G80_RUN='--model golden'");
  expect_one_sentence(
      outcome,
      "the program was compiled for sm_13, GeForce 8600 GTS has compute capability 1.1: compile it with "
      "-arch=sm_11, or choose G80_DEVICE=gtx280");
  EXPECT_EQ(run("G80_DEVICE=gtx280 G80_RUN='--model golden' " + temporary("later")).output, "2\n");
  expect_contains(run("G80_DEVICE=gtx " + temporary("later")), "G80_DEVICE=gtx: no preset or file 'gtx'; ");
  expect_contains(run("G80_RUN='--device gtx' " + temporary("later")),
                  "G80_RUN: --device gtx: no preset or file 'gtx'; ");
}

TEST_F(Messages, OfAProgramOfTheCollectionRefuseANumberThatItCannotHold) {
  const std::string program = temporary("dot_product");
  ASSERT_EQ(compile(source("kernels/dot_product/dot_product.cu"), program).output, "");
  for (const char* n : {"4294967300", "99999999999999999999", "0", "-4", "4x"}) {
    const Outcome outcome = run(program + " n=" + n);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.output, program + ": 'n=" + n + "' needs a number from 1 to 2147483647\n");
  }
}

TEST_F(Messages, OfALaunchShowTheBytesOfSharedMemoryThatItAsksFor) {
  const std::string file = write("shared_size.cu",
                                 "#include <stdlib.h>\n#include <stdio.h>\n__global__ void k() {}\n"
                                 "int main(int, char** v) {\n  k<<<1, 1, strtoull(v[1], 0, 0)>>>();\n"
                                 "  puts(cudaGetErrorString(cudaGetLastError()));\n}\n");
  ASSERT_EQ(compile(file, temporary("shared_size")).output, "");
  for (const std::string model : {"golden", "gpu"}) {
    const auto outcome = [&](const std::string& bytes) {
      return run("G80_RUN='--model " + model + "' " + temporary("shared_size") + " " + bytes).output;
    };
    EXPECT_EQ(outcome("16000"), "no error\n");
    // 16 bytes are the header of the block.
    for (const auto& [asked, taken] : {std::pair{"17000", "17016"}, std::pair{"5000000000", "5000000016"},
                                       std::pair{"18446744073709551615", "18446744073709551615"}}) {
      EXPECT_NE(outcome(asked).find(std::string("a block takes ") + taken + " bytes of shared memory"),
                std::string::npos)
          << outcome(asked);
    }
  }
}

}  // namespace
