// SPDX-License-Identifier: Apache-2.0
// Compiles CUDA programs with g80 cc and runs them, as a user does from a shell.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "source_dir.h"
#include "tests/support/shell.h"

namespace g80::testing {

using test::Outcome;

constexpr const char* kGolden = "G80_RUN='--model golden'";

inline Outcome run(const std::string& command) { return test::shell(command); }

/// A folder of this process: other tests may run beside it.
struct Folder {
  Folder() : path(::testing::TempDir() + "g80_cuda_" + std::to_string(getpid())) {
    std::filesystem::create_directories(path);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::filesystem::path path;
};
inline std::string temporary(const std::string& name) {
  static const Folder folder;
  return (folder.path / name).string();
}
inline std::string source(const std::string& name) { return std::string(G80_SOURCE_DIR) + "/" + name; }
inline std::string write(const std::string& name, const std::string& text) {
  const std::string path = temporary(name);
  std::ofstream(path) << text;
  return path;
}

inline Outcome compile(const std::string& arguments, const std::string& program) {
  return run(std::string(G80_PROGRAM) + " cc " + arguments + " -o " + program);
}
/// Compiles and runs; the environment is that of the run.
inline Outcome compile_and_run(const std::string& arguments, const std::string& name, const std::string& environment,
                               const std::string& run_arguments = "") {
  const std::string program = temporary(name);
  const Outcome made = compile(arguments, program);
  if (made.code != 0) return made;
  return run("env " + environment + " " + program + " " + run_arguments);
}
inline bool has_clang() { return run("clang --version").code == 0; }

/// For tests that compile programs and choose their device themselves.
class ProgramTest : public ::testing::Test {
 protected:
  void SetUp() override {
    unsetenv("G80_RUN");  // of other tests of this process
    unsetenv("G80_DEVICE");
    if (!has_clang()) GTEST_SKIP() << "clang is not installed";
  }
};

}  // namespace g80::testing
