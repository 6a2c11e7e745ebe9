// SPDX-License-Identifier: Apache-2.0
// Makefiles of the time, not a line of them changed: the folder of build/release/cuda in the place of NVIDIA's toolkit.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/runtime/program_runner.h"

namespace {

using namespace g80::testing;
namespace fs = std::filesystem;

const std::string kToolkit = fs::path(G80_PROGRAM).parent_path().parent_path() / "cuda";

class Makefiles : public ::testing::Test {
 protected:
  void SetUp() override {
#ifdef G80_SANITIZED
    GTEST_SKIP() << "programs that g++ links have no sanitizers, the runtime has";
#endif
    if (!has_clang()) GTEST_SKIP() << "clang is not installed";
    if (run("make --version").code != 0) GTEST_SKIP() << "make is not installed";
    setenv("G80_RUN", "--model golden", 1);
    unsetenv("G80_DEVICE");
    unsetenv("G80_GUARD");
  }
  void TearDown() override { unsetenv("G80_RUN"); }

  /// A copy of a folder of tests/runtime/makefiles: make writes into it.
  static std::string tree(const std::string& name) {
    const std::string to = temporary("makefiles_" + name);
    fs::copy(source("tests/runtime/makefiles/" + name), to,
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    return to;
  }
  static std::string nvcc(const std::string& arguments) { return kToolkit + "/bin/nvcc " + arguments; }
};

TEST_F(Makefiles, TheSdksCommonMkBuilds) {
  const std::string folder = tree("sdk"), at = "make -C " + folder + " CUDA_INSTALL_PATH=" + kToolkit;
  const Outcome made = run(at + " fastmath=1 maxregisters=12");
  ASSERT_EQ(made.code, 0) << made.output;
  EXPECT_EQ(run(folder + "/bin/linux/scale").output, "Test PASSED\n");
  for (const char* file : {"/data/scale.cubin", "/data/scale.ptx"}) EXPECT_TRUE(fs::exists(folder + file)) << file;
  const Outcome debug =
      run("rm " + folder + "/bin/linux/scale; " + at + " dbg=1");  // links with libraries of other names
  EXPECT_EQ(debug.code, 0) << debug.output;
  EXPECT_EQ(run(folder + "/bin/linux/scale").output, "Test PASSED\n");
  const Outcome emulated = run(at + " -B emu=1");
  EXPECT_NE(emulated.code, 0);
  EXPECT_NE(emulated.output.find("-deviceemu: run the program with G80_RUN=\"--model golden\" instead"),
            std::string::npos)
      << emulated.output;
}

TEST_F(Makefiles, RodiniasBuildWithCompilersOfEitherName) {
  const std::string folder = tree("rodinia"), at = "make -C " + folder + " CUDA_DIR=" + kToolkit;
  const Outcome made = run(at);
  ASSERT_EQ(made.code, 0) << made.output;
  EXPECT_NE(made.output.find("step(float const*, float*, int): "), std::string::npos) << "of --ptxas-options=-v";
  EXPECT_EQ(run(folder + "/heat").output, "sum 64.0, middle 17.50, root 8.0\n");
  EXPECT_EQ(run(folder + "/norm").output, "norm agrees\n");
  const Outcome named = run(at + " -B heat NVCC='" + G80_PROGRAM + " cc' CC=" + kToolkit + "/bin/nvcc");
  EXPECT_EQ(named.code, 0) << named.output;
  EXPECT_EQ(run(folder + "/heat").output, "sum 64.0, middle 17.50, root 8.0\n");
}

TEST_F(Makefiles, OneWrittenByHandFindsNvccInThePath) {
  const std::string folder = tree("plain"), make = "PATH=" + kToolkit + "/bin:$PATH make -C " + folder;
  const Outcome made = run(make);
  ASSERT_EQ(made.code, 0) << made.output;
  EXPECT_EQ(run(folder + "/histogram").output, "release 3.2, driver 3020, right\n");
  EXPECT_EQ(run(make + " -q").code, 0) << "nothing is left to do";
  EXPECT_EQ(run("touch " + folder + "/histogram.h; " + make + " -q").code, 1) << "nvcc -M has named the header";
}

TEST_F(Makefiles, ADryRunTellsAndDoesNothing) {
  const std::string folder = temporary("dry");
  fs::create_directories(folder);
  std::ofstream(folder + "/k.cu") << "__global__ void k(int* p) { *p = 1; }\nint main() {}\n";
  const Outcome outcome = run("cd " + folder + " && " + nvcc("-dryrun -keep k.cu -o k"));
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  std::istringstream lines(outcome.output);
  unsigned count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_EQ(line.rfind("#$ ", 0), 0u) << line;
  EXPECT_GE(count, 3u) << "device, host, link";
  EXPECT_NE(outcome.output.find(" -lcudart"), std::string::npos);
  unsigned files = 0;
  for (const auto& entry : fs::directory_iterator(folder)) files += entry.path().filename() != "k.cu";
  EXPECT_EQ(files, 0u);
}

TEST_F(Makefiles, StepsOfNvccHaveItsOptions) {
  const std::string folder = temporary("steps");
  fs::create_directories(folder + "/obj");
  std::ofstream(folder + "/k.h") << "int seven();\n";
  std::ofstream(folder + "/k.cu") << "#include \"k.h\"\n__global__ void k(int* p) { *p = 7; }\n"
                                     "int seven() { int* d, h = 0; cudaMalloc(&d, 4); k<<<1, 1>>>(d);\n"
                                     "cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); return h; }\n";
  std::ofstream(folder + "/m.cpp") << "#include \"k.h\"\nint main() { return seven(); }\n";
  const std::string in = "cd " + folder + " && ";
  const std::string rule = run(in + nvcc("-MM -odir obj k.cu")).output;
  EXPECT_EQ(rule.rfind("obj/k.o : k.cu ", 0), 0u) << rule;
  EXPECT_NE(rule.find(" k.h"), std::string::npos) << rule;
  EXPECT_EQ(rule.find("/usr/include"), std::string::npos) << rule;
  EXPECT_EQ(run(in + nvcc("-M k.cu -o k.d && grep -q 'k.o : k.cu' k.d && grep -q cuda_runtime.h k.d")).code, 0);
  const std::string link = "g++ m.cpp -L. -lk -L" + kToolkit + "/lib -lcudart -o m && ./m";
  const Outcome library = run(in + nvcc("-lib -Xcompiler '-O2 -fPIC' k.cu -o libk.a && ") + link);
  EXPECT_EQ(library.code, 7) << library.output;
  const Outcome beside = run(in + nvcc("-MMD -c k.cu -o obj/k.o && cat obj/k.d"));
  EXPECT_NE(beside.output.find("k.h"), std::string::npos) << beside.output;
  const Outcome linked = run(in + nvcc("-o n m.cpp obj/k.o -lcuda -lcutil_x86_64 && ./n"));
  EXPECT_EQ(linked.code, 7) << linked.output;
  const std::string version = run(nvcc("--version")).output;
  EXPECT_NE(version.find("Cuda compilation tools, release 3.2, V"), std::string::npos) << version;
  EXPECT_EQ(run(nvcc("-V")).output, version);
}

}  // namespace
