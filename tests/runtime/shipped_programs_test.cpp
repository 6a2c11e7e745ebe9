// SPDX-License-Identifier: Apache-2.0
// The CUDA programs of kernels/ with the command that a person types, `g80 cc X.cu -o x && ./x`: no other option, so
// the compiler contracts to multiply-adds. Each says that it passed, on every preset.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/runtime/program_runner.h"

namespace {

using namespace g80::testing;
namespace fs = std::filesystem;

std::vector<std::string> shipped_programs() {
  std::vector<std::string> names;
  for (const fs::directory_entry& folder : fs::directory_iterator(source("kernels"))) {
    const std::string name = folder.path().filename().string();
    if (fs::exists(folder.path() / (name + ".cu"))) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> presets() {
  std::vector<std::string> names;
  for (const fs::directory_entry& file : fs::directory_iterator(source("configs"))) {
    const std::string name = file.path().stem().string();
    if (file.path().extension() == ".toml" && name != "common") names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

class ShippedProgram : public ::testing::TestWithParam<std::string> {};

TEST_P(ShippedProgram, PassesOnEveryPreset) {
  if (!has_clang()) GTEST_SKIP() << "clang is not installed";
  const std::string name = GetParam(), folder = fs::path(temporary("x")).parent_path().string();
  const Outcome made =
      run("cd " G80_SOURCE_DIR " && " G80_PROGRAM " cc kernels/" + name + "/" + name + ".cu -o " + folder + "/x");
  ASSERT_EQ(made.code, 0) << made.output;
  ASSERT_GE(presets().size(), 5u);
  for (const std::string& preset : presets()) {
    SCOPED_TRACE(preset);
    const Outcome ran = run("cd " + folder + " && env -u G80_RUN G80_DEVICE=" + preset + " ./x");
    EXPECT_EQ(ran.code, 0) << ran.output;
    EXPECT_NE(ran.output.find("PASSED\n"), std::string::npos) << ran.output;
    EXPECT_EQ(ran.output.find("FAILED"), std::string::npos) << ran.output;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, ShippedProgram, ::testing::ValuesIn(shipped_programs()),
                         [](const auto& info) { return info.param; });

}  // namespace
