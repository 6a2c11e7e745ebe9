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

/// An SDK has headers of our names, and a library. The toolkit comes first in its Makefiles and has neither.
TEST_F(Makefiles, AnSdkBuildsWithItsOwnHeadersAndItsOwnLibrary) {
  const std::string folder = tree("sdk"), at = "make -C " + folder + " CUDA_INSTALL_PATH=" + kToolkit;
  const std::string program = folder + "/C/bin/linux/scale", data = folder + "/C/src/scale/data";
  const Outcome made = run(at + " fastmath=1 maxregisters=12");
  ASSERT_EQ(made.code, 0) << made.output;
  EXPECT_TRUE(fs::exists(folder + "/C/lib/libcutil_x86_64.a"));
  EXPECT_EQ(run(program).output, "own cutil, Test PASSED\n");
  for (const char* file : {"/scale.cubin", "/scale.ptx"}) EXPECT_TRUE(fs::exists(data + file)) << file;
  const Outcome debug = run("rm " + program + "; " + at + " dbg=1");  // links with libraries of other names
  EXPECT_EQ(debug.code, 0) << debug.output;
  EXPECT_EQ(run(program).output, "own cutil, Test PASSED\n");
  const Outcome emulated = run(at + " -B emu=1");
  EXPECT_NE(emulated.code, 0);
  EXPECT_NE(emulated.output.find("-deviceemu: run the program with G80_RUN=\"--model golden\" instead"),
            std::string::npos)
      << emulated.output;
}

TEST_F(Makefiles, ASuiteThatNeedsABuiltSdkBuilds) {
  const std::string sdk = tree("sdk"), folder = tree("ispass") + "/programs";
  const std::string make = "cd " + folder + " && PATH=" + kToolkit + "/bin:$PATH CUDA_INSTALL_PATH=" + kToolkit +
                           " NVIDIA_COMPUTE_SDK_LOCATION=" + sdk + " make -f Makefile.ispass-2009";
  fs::remove_all(sdk + "/C/lib");
  EXPECT_NE(run(make).output.find("ERROR *** could not find"), std::string::npos);
  ASSERT_EQ(run("make -C " + sdk + "/C/common CUDA_INSTALL_PATH=" + kToolkit).code, 0);
  const Outcome made = run(make);
  ASSERT_EQ(made.code, 0) << made.output;
  EXPECT_EQ(run(folder + "/bin/release/BFS").output, "own cutil, level of 1 is 1\n");
  EXPECT_EQ(run(folder + "/bin/release/STO").output, "10416 squares, 0 accesses\n");
}

TEST_F(Makefiles, RodiniasTopLevelBuilds) {
  const std::string folder = tree("rodinia"), programs = folder + "/bin/linux/cuda/";
  const std::string make = "PATH=" + kToolkit + "/bin:$PATH make -C " + folder + " CUDA_DIR=" + kToolkit;
  const Outcome made = run(make);
  ASSERT_EQ(made.code, 0) << made.output;
  EXPECT_NE(made.output.find("step(float const*, float*, int): "), std::string::npos) << "of --ptxas-options=-v";
  EXPECT_EQ(run(programs + "heat").output, "sum 64.0, middle 17.50, root 8.0\n");
  EXPECT_EQ(run(programs + "norm").output, "norm agrees\n");
  EXPECT_EQ(run("G80_DEVICE=gtx280 " + programs + "flow -verbose").output, "4.058495, verbose\n");
  const Outcome named = run("make -C " + folder + "/cuda/heat -B heat CUDA_DIR=" + kToolkit + " NVCC='" + G80_PROGRAM +
                            " cc' CC=" + kToolkit + "/bin/nvcc");
  EXPECT_EQ(named.code, 0) << named.output;
  EXPECT_EQ(run(folder + "/cuda/heat/heat").output, "sum 64.0, middle 17.50, root 8.0\n");
}

/// A program that wants an SDK has ours without one, by nvcc and, where the toolkit's folder stands for it, by path.
TEST_F(Makefiles, AnSdksPlaceIsInTheToolkit) {
  const std::string folder = tree("rodinia") + "/cuda/cfd";
  for (const std::string sdk : {"/nowhere", "/sdk", "/sdk/C", "/samples"}) {
    const Outcome made = run("PATH=" + kToolkit + "/bin:$PATH make -B -C " + folder + " CUDA_DIR=" + kToolkit +
                             " SDK_DIR=" + (sdk == "/nowhere" ? sdk : kToolkit + sdk));
    EXPECT_EQ(made.code, 0) << made.output;
    EXPECT_EQ(run("G80_DEVICE=gtx280 " + folder + "/flow").output, "4.058495, brief\n") << sdk;
  }
  const std::string file = folder + "/host.cpp";
  std::ofstream(file)
      << "#include <cutil_inline.h>\n#include <shrUtils.h>\nint main() { cutilSafeCall(cudaFree(0)); }\n";
  for (const char* place : {"/C/common/inc", "/common/inc", "/shared/inc"}) {
    const Outcome host = run("cd " + folder + " && g++ -I" + kToolkit + "/include -I" + kToolkit + "/sdk" + place +
                             " host.cpp -L" + kToolkit + "/lib64 -L" + kToolkit +
                             "/sdk/C/lib -lcutil_x86_64 -lshrutil_x86_64 -lcudart -o host && ./host");
    EXPECT_EQ(host.code, 0) << host.output;
  }
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
