// SPDX-License-Identifier: Apache-2.0
// The Debian package, unpacked into an empty folder: programs, data and libraries work from there, and nothing in it
// knows where it was built. docs/library.md.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "source_dir.h"
#include "tests/support/shell.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;
using test::Outcome;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const fs::path kSource = G80_SOURCE_DIR, kBuild = G80_BINARY_DIR;

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Package : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    root_ = fs::path(::testing::TempDir()) / ("g80_package_" + std::to_string(::getpid()));
    fs::create_directories(root_ / "work");
    packed_ = test::shell("cd '" + root_.string() + "' && cpack --config '" + (kBuild / "CPackConfig.cmake").string() +
                          "' -G DEB -B '" + (root_ / "cpack").string() + "' && dpkg-deb -x cpack/g80_*.deb image");
    fs::remove_all(root_ / "cpack/_CPack_Packages");
    prefix_ = root_ / "image/usr";
  }
  static void TearDownTestSuite() { fs::remove_all(root_); }
  void SetUp() override { ASSERT_EQ(packed_.code, 0) << packed_.output; }

  /// In an empty folder, with the unpacked programs first in the path and without variables of g80.
  static Outcome run(const std::string& command) {
    return test::shell("cd '" + (root_ / "work").string() + "' && unset G80_DATA_DIR G80_CONFIG_DIR && export PATH='" +
                       (prefix_ / "bin").string() + "':$PATH P='" + prefix_.string() + "' && " + command);
  }
  static std::string package_file() {
    for (const auto& entry : fs::directory_iterator(root_ / "cpack"))
      if (entry.path().extension() == ".deb") return entry.path().string();
    return {};
  }
  /// Configures and builds an example against the unpacked package.
  static Outcome build_example(const std::string& name) {
    return run("cmake -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=$P -S $P/share/doc/g80/examples/" + name +
               " -B " + name + " && cmake --build " + name);
  }

  static inline fs::path root_, prefix_;
  static inline Outcome packed_;
};

TEST_F(Package, HasItsVersionAndWhatItDependsOn) {
  const Outcome fields = run("dpkg-deb -f '" + package_file() + "' Package Version Depends");
  EXPECT_EQ(fields.code, 0);
  EXPECT_THAT(fields.output, HasSubstr("Package: g80\n"));
  EXPECT_THAT(fields.output, HasSubstr("Version: " G80_VERSION "\n"));
  for (const char* library : {"libsystemc (>= 2.3.4)", "libfmt9", "libc6"})
    EXPECT_THAT(fields.output, HasSubstr(library));
}

TEST_F(Package, NamesNoFolderOfTheBuild) {
  std::vector<std::string> found;
  unsigned files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(prefix_)) {
    if (entry.is_symlink()) {
      if (fs::read_symlink(entry.path()).is_absolute()) found.push_back(entry.path().string() + " is an absolute link");
      if (!fs::exists(entry.path())) found.push_back(entry.path().string() + " leads nowhere");
    } else if (entry.is_regular_file()) {
      ++files;
      if (contents(entry.path()).find(kSource.string()) != std::string::npos) found.push_back(entry.path().string());
    }
  }
  EXPECT_GT(files, 550u);
  EXPECT_THAT(found, IsEmpty());
}

TEST_F(Package, HasEveryHeaderThatItsHeadersInclude) {
  const fs::path include = prefix_ / "include/g80";
  std::vector<std::string> missing;
  unsigned headers = 0;
  for (const auto& entry : fs::recursive_directory_iterator(include)) {
    if (!entry.is_regular_file()) continue;
    ++headers;
    std::istringstream lines(contents(entry.path()));
    for (std::string line; std::getline(lines, line);) {
      const std::string begin = "#include \"";
      if (line.rfind(begin, 0) != 0) continue;
      const std::string name = line.substr(begin.size(), line.find('"', begin.size()) - begin.size());
      if (!fs::exists(include / name)) missing.push_back(entry.path().string() + " includes " + name);
    }
  }
  EXPECT_GT(headers, 250u);
  EXPECT_THAT(missing, IsEmpty());
}

TEST_F(Package, TheProgramRunsKernelsAndCudaProgramsFromThere) {
  const Outcome version = run("g80 --version");
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.output, HasSubstr(G80_VERSION));
  const Outcome kernel = run("g80 run vec_add --device tiny --arg block=64");
  EXPECT_EQ(kernel.code, 0) << kernel.output;
  const Outcome compiled = run("g80 compile $P/share/g80/kernels/saxpy/saxpy.cu -o saxpy.cubin");
  EXPECT_EQ(compiled.code, 0) << compiled.output;
  const Outcome program = run("$P/lib/g80/cuda/bin/nvcc $P/share/g80/kernels/scan/scan.cu -o scan && ./scan");
  EXPECT_EQ(program.code, 0) << program.output;
  // Other linkers do not say where the library lies, which may be anywhere.
  const Outcome linked = run(
      "$P/lib/g80/cuda/bin/nvcc -c $P/share/g80/kernels/scan/scan.cu -o scan.o && export T=$P/lib/g80/cuda/lib64 && "
      "g++ scan.o -L$T -lcudart -o scan2 && LD_LIBRARY_PATH=$T ./scan2");
  EXPECT_EQ(linked.code, 0) << linked.output;
  const Outcome view = run("g80-view none.fst");
  EXPECT_EQ(view.code, 2);
  EXPECT_THAT(view.output, HasSubstr("none.fst: there is no such file"));
}

TEST_F(Package, WithoutItsDataTheProgramSaysWhatIsMissing) {
  const Outcome moved = run("mkdir -p alone/bin && cp $P/bin/g80 alone/bin && alone/bin/g80 list kernels");
  EXPECT_EQ(moved.code, 2);
  EXPECT_THAT(moved.output, HasSubstr("alone/share/g80: there is no such folder; set G80_DATA_DIR to"));
  EXPECT_EQ(run("G80_DATA_DIR=$P/share/g80 alone/bin/g80 list kernels").code, 0);
  const Outcome wrong = run("G80_DATA_DIR=/none alone/bin/g80 list kernels");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.output, HasSubstr("G80_DATA_DIR=/none: there is no such folder"));
}

TEST_F(Package, OneBlockRunsOnSignalsOfAnotherProject) {
  const Outcome built = build_example("one_block");
  ASSERT_EQ(built.code, 0) << built.output;
  const Outcome outcome = run("cd one_block && ./one_block 4 wave");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("pass 4 serves lanes"));
  EXPECT_THAT(contents(root_ / "work/one_block/wave.vcd"), HasSubstr("request"));
}

TEST_F(Package, TheWholeGpuRunsBesideModulesOfAnotherProject) {
  const Outcome built = build_example("whole_gpu");
  ASSERT_EQ(built.code, 0) << built.output;
  const Outcome outcome = run("cd whole_gpu && ./whole_gpu tiny meter");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("0 of 1024 elements differ"));
  EXPECT_THAT(outcome.output, HasSubstr("saw 8 blocks end"));
  EXPECT_THAT(contents(root_ / "work/whole_gpu/meter.vcd"), HasSubstr("ended"));
}

TEST_F(Package, DriverAndGoldenAgreeInAnotherProject) {
  const Outcome built = build_example("driver_golden");
  ASSERT_EQ(built.code, 0) << built.output;
  const Outcome outcome = run("driver_golden/driver_golden $P/share/g80/kernels/vec_add/vec_add.sasm vec_add");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr(": equal"));
}

TEST_F(Package, PkgConfigLinksWhatItNames) {
  const Outcome built =
      run("export PKG_CONFIG_PATH=$P/lib/pkgconfig && pkg-config --modversion g80-golden && "
          "printf '%s\\n' '#include <cstdio>' '#include \"toolchain/assembler/assembler.h\"' '#include "
          "\"tb/golden/grid.h\"' "
          "'int main() { const g80::Module m = g80::assemble(\".kernel k\\n exit nop\\n\", \"k.sasm\");' "
          "'g80::golden::MemoryImage image; std::printf(\"%d\\n\", int(g80::golden::run_grid({m.kernels[0].code, "
          "m.arch}, {}, "
          "image).warp_instructions)); }' > pc.cpp && "
          "g++ -std=c++17 pc.cpp $(pkg-config --cflags --libs g80-golden g80-toolchain) -o pc && ./pc");
  EXPECT_EQ(built.code, 0) << built.output;
  EXPECT_EQ(built.output, G80_VERSION "\n1\n");
}

TEST_F(Package, AnotherStandardThanThatOfSystemCIsRefusedWhenAProjectIsConfigured) {
  const auto configured = [](const std::string& components, const std::string& options) {
    return run(
        "rm -rf standard && mkdir standard && printf '%s\\n' 'cmake_minimum_required(VERSION 3.25)' "
        "'project(p LANGUAGES CXX)' 'find_package(g80 CONFIG REQUIRED " +
        components + ")' > standard/CMakeLists.txt && cmake -G Ninja -DCMAKE_PREFIX_PATH=$P " + options +
        " -S standard -B standard/build 2>&1 | tr -s ' \\n' ' '");
  };
  for (const char* components : {"COMPONENTS gpu", ""}) {
    const Outcome refused = configured(components, "-DCMAKE_CXX_STANDARD=20");
    EXPECT_THAT(refused.output, HasSubstr("its SystemC are built with C++17 and link with no other standard, but "
                                          "CMAKE_CXX_STANDARD is 20; set it to 17"));
  }
  const char* const written = "Build files have been written";
  EXPECT_THAT(configured("COMPONENTS gpu", "-DCMAKE_CXX_STANDARD=17").output, HasSubstr(written));
  EXPECT_THAT(configured("COMPONENTS golden toolchain", "-DCMAKE_CXX_STANDARD=20").output, HasSubstr(written));
}

TEST_F(Package, AnUnknownComponentIsNamed) {
  const Outcome outcome =
      run("mkdir -p wrong && printf '%s\\n' 'cmake_minimum_required(VERSION 3.25)' 'project(p LANGUAGES CXX)' "
          "'find_package(g80 CONFIG REQUIRED COMPONENTS blocs)' > wrong/CMakeLists.txt && "
          "cmake -G Ninja -DCMAKE_PREFIX_PATH=$P -S wrong -B wrong/build");
  EXPECT_NE(outcome.code, 0);
  EXPECT_THAT(outcome.output, HasSubstr("g80 has no component 'blocs'"));
}

}  // namespace
}  // namespace g80
