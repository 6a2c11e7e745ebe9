// SPDX-License-Identifier: Apache-2.0
// Shared libraries with kernels, for programs that load them; the toolkit's libraries; programs without main.
#include <gmock/gmock.h>

#include <filesystem>
#include <string>

#include "tests/runtime/program_runner.h"

namespace {

using namespace g80::testing;
namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kLibraries = fs::path(G80_PROGRAM).parent_path().parent_path() / "cuda/lib64";

/// Returns 3 * n, computed by a kernel in memory that the caller may give.
constexpr const char* kPlugIn = R"(
__global__ void times(int* p, int n) { p[threadIdx.x] = FACTOR * n; }
extern "C" int product(int n, int* p) {
  int h;
  if (p == 0) cudaMalloc((void**)&p, 128);
  times<<<1, 32>>>(p, n);
  return cudaMemcpy(&h, p + 31, 4, cudaMemcpyDeviceToHost) == cudaSuccess ? h : -1;
}
)";

class Libraries : public ProgramTest {
 protected:
  void SetUp() override {
#ifdef G80_SANITIZED
    GTEST_SKIP() << "a program without sanitizers cannot load a library that has them";
#endif
    ProgramTest::SetUp();
  }
  static Outcome plug_in(const std::string& name, int factor, const std::string& options) {
    return compile(
        options + " -shared -Xcompiler -fPIC -DFACTOR=" + std::to_string(factor) + " " + write("plug_in.cu", kPlugIn),
        temporary(name));
  }
};

TEST_F(Libraries, RunKernelsInAProgramThatIsNotOfCuda) {
  const std::string host = write("loads.c", R"(
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    void* library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
    if (library == 0) return puts(dlerror()), 1;
    printf("%d\n", ((int (*)(int, int*))dlsym(library, "product"))(7, 0));
    dlclose(library);
  }
  return 0;
}
)");
  ASSERT_EQ(plug_in("libthree.so", 3, "").code, 0);
  ASSERT_EQ(plug_in("libfour.so", 4, "-lcudart").code, 0);
  ASSERT_EQ(run("gcc " + host + " -ldl -o " + temporary("loads")).code, 0);
  const std::string three = temporary("libthree.so"), four = temporary("libfour.so");
  const std::string all = three + " " + four + " " + three;  // one after the other in the place of the last
  for (const char* options : {"--model golden", "--check lockstep"}) {
    const Outcome outcome =
        run(std::string("G80_DEVICE=tiny G80_RUN='") + options + "' " + temporary("loads") + " " + all);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.output, "21\n28\n21\n") << options;
  }
  if (run("python3 --version").code != 0) GTEST_SKIP() << "python3 is not installed";
  const Outcome python = run("G80_RUN='--model golden' python3 -c 'import ctypes; print(ctypes.CDLL(\"" + three +
                             "\").product(7, None))'");
  EXPECT_EQ(python.output, "21\n");
}

TEST_F(Libraries, HaveTheDeviceOfTheProgramThatLoadsThem) {
  const std::string host = write("shares_memory.cu", R"(
#include <dlfcn.h>
#include <stdio.h>
__global__ void add(int* p) { p[threadIdx.x] += 1; }
int main(int, char** argv) {
  int *p, h;
  cudaMalloc((void**)&p, 128);
  void* library = dlopen(argv[1], RTLD_NOW);
  if (library == 0) return puts(dlerror()), 1;
  const int product = ((int (*)(int, int*))dlsym(library, "product"))(7, p);
  add<<<1, 32>>>(p);
  cudaMemcpy(&h, p + 31, 4, cudaMemcpyDeviceToHost);
  printf("%d %d\n", product, h);
  return 0;
}
)");
  ASSERT_EQ(plug_in("libthree.so", 3, "").code, 0);
  const Outcome outcome =
      compile_and_run(host + " -ldl", "shares_memory", "G80_RUN='--model golden'", temporary("libthree.so"));
  EXPECT_EQ(outcome.output, "21 22\n");
}

TEST_F(Libraries, OfTheToolkitAreSharedObjectsOfOneDevice) {
  const std::string host = write("loads_driver.c", R"(
#include <dlfcn.h>
#include <stdio.h>
#define CALL(name, ...) ((int (*)())dlsym(driver, name))(__VA_ARGS__)
int main(int argc, char** argv) {
  void *driver = dlopen(argv[1], RTLD_NOW), *runtime = dlopen(argv[2], RTLD_NOW), *context = 0;
  if (driver == 0 || runtime == 0) return puts(dlerror()), 1;
  int count = 0;
  unsigned long memory = 0;
  printf("%d", CALL("cuDeviceGetCount", &count));
  printf(" %d", CALL("cuInit", 0));
  printf(" %d", CALL("cuCtxCreate", &context, 0, 0));
  printf(" %d", CALL("cuMemAlloc_v2", &memory, 4096L));
  printf(" %d", ((int (*)(void*))dlsym(runtime, "cudaFree"))((void*)memory));
  printf(" %d", CALL("cuCtxDestroy", context));
  return 0;
}
)");
  ASSERT_EQ(run("gcc -w " + host + " -ldl -o " + temporary("loads_driver")).code, 0);
  for (const char* driver : {"libcuda.so", "libcuda.so.1"}) {
    const Outcome outcome = run("G80_RUN='--model golden' LD_LIBRARY_PATH=" + kLibraries + " " +
                                temporary("loads_driver") + " " + driver + " libcudart.so");
    EXPECT_EQ(outcome.output, "3 0 0 0 0 0") << driver;
  }
}

TEST_F(Libraries, HideEverythingButTheApi) {
  const Outcome symbols = run("nm -D --defined-only " + kLibraries +
                              "/libcudart.so | awk '{ print $3 }' | sed 's/@.*//' | "
                              "grep -v '^cu' | grep -v '^__cuda' | grep -v '^__g80'");
  EXPECT_EQ(symbols.output, "sc_main\n");
}

TEST_F(Libraries, AProgramWithoutMainIsAnErrorOfTheLinker) {
  const std::string file = write("no_main.cu", "__global__ void k() {}\nint Main() { k<<<1, 1>>>(); return 0; }\n");
  const Outcome outcome = compile(file, temporary("no_main"));
  EXPECT_NE(outcome.code, 0);
  EXPECT_THAT(outcome.output, HasSubstr("main"));
  EXPECT_FALSE(fs::exists(temporary("no_main")));
  ASSERT_EQ(compile("-c " + file, temporary("no_main.o")).code, 0);
  const Outcome other =
      run("g++ " + temporary("no_main.o") + " -L" + kLibraries + " -lcudart -o " + temporary("no_main"));
  EXPECT_NE(other.code, 0);
  EXPECT_THAT(other.output, HasSubstr("undefined reference to"));
  EXPECT_THAT(other.output, HasSubstr("main"));
  EXPECT_FALSE(fs::exists(temporary("no_main")));
}

TEST_F(Libraries, AProgramOfAnyLinkerStartsWithoutAPath) {
  const std::string file =
      write("starts.cu", "int main() { int n = 0; cudaGetDeviceCount(&n); return n == 1 ? 0 : 1; }\n");
  ASSERT_EQ(compile("-c " + file, temporary("starts.o")).code, 0);
  for (const char* library : {"cudart", "cuda"}) {
    const Outcome linked =
        run("gcc " + temporary("starts.o") + " -L" + kLibraries + " -l" + library + " -o " + temporary("starts"));
    ASSERT_EQ(linked.code, 0) << library << linked.output;
    EXPECT_EQ(run("env -u LD_LIBRARY_PATH " + temporary("starts")).code, 0) << library;
  }
}

/// What a user's shared library needs of the C++ libraries: docs/library.md.
TEST_F(Libraries, OfCppGoIntoSharedOnes) {
  const fs::path build = fs::path(G80_PROGRAM).parent_path().parent_path();
  const std::string user = write("wraps.cpp", R"(
#include "toolchain/assembler/assembler.h"
extern "C" int kernels() { return int(g80::assemble(".kernel k\n exit nop\n", "k.sasm").kernels.size()); }
)");
  const std::string archives = build.string() + "/libg80_toolchain.a " + build.string() + "/libg80_isa.a -lfmt";
  const Outcome linked = run("g++ -std=c++17 -shared -fPIC -I" + source("") + " " + user + " " + archives + " -o " +
                             temporary("libwraps.so") + " -Wl,-z,defs -Wl,-z,text");
  EXPECT_EQ(linked.code, 0) << linked.output;
}

}  // namespace
