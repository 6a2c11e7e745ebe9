// SPDX-License-Identifier: Apache-2.0
// The CUDA programs of kernels/ from PTX that clang did not optimise, or little: everything on a stack in local memory,
// functions that are called, pointers without a known space. Their results are what the host expects, as those of the
// optimised ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <vector>

#include "tests/runtime/program_runner.h"

namespace {

using namespace g80::testing;

std::string contents(const std::filesystem::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The programs that check their own results, those of textbooks with a mistake left out.
std::vector<std::string> self_checking_programs() {
  std::vector<std::string> names;
  for (const auto& folder : std::filesystem::directory_iterator(source("kernels"))) {
    const std::string name = folder.path().filename().string(), text = contents(folder.path() / (name + ".cu"));
    if (text.find("program.finish()") != std::string::npos) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// One program of all of them: clang reads the headers once, not for each.
std::string together(const std::vector<std::string>& names) {
  std::set<std::string> headers;
  std::string bodies, calls;
  for (const std::string& name : names) {
    const std::string file = source("kernels/" + name + "/" + name + ".cu"), text = contents(file);
    static const std::regex include("#include <[^>]*>");
    for (std::sregex_iterator it(text.begin(), text.end(), include), end; it != end; ++it) headers.insert(it->str());
    bodies += "namespace " + name + " {\n#include \"" + file + "\"\n}\n";
    calls += "  std::printf(\"" + name + ": %d\\n\", " + name + "::main(argc, argv));\n";
  }
  std::string all;
  for (const std::string& header : headers) all += header + "\n";
  return all + "#include \"" + source("kernels/cuda_program.h") + "\"\n" + bodies +
         "int main(int argc, char** argv) {\n" + calls + "}\n";
}

class Unoptimised : public ::testing::TestWithParam<const char*> {};

TEST_P(Unoptimised, ProgramsComputeTheSame) {
  if (!has_clang()) GTEST_SKIP() << "clang is not installed";
  unsetenv("G80_RUN");
  unsetenv("G80_DEVICE");
  const std::vector<std::string> names = self_checking_programs();
  ASSERT_GE(names.size(), 20u);
  const std::string file = write("together.cu", together(names)), ptx = temporary("together.ptx"),
                    cubin = temporary("together.cubin");
  const Outcome clang =
      run("clang -x cuda --cuda-gpu-arch=sm_20 -nocudainc -nocudalib --cuda-path=" + temporary("none") +
          " -Xclang -target-sdk-version=11.0 -fdeclspec -isystem " + source("toolchain/cuda/include") +
          " -include cuda_runtime.h --cuda-device-only -S -w -U__CUDA_ARCH__ -D__CUDA_ARCH__=100 -ffp-contract=off" +
          " -mllvm -nvptx-prec-divf32=1 -mllvm -nvptx-prec-sqrtf32=0 -Xclang -cl-single-precision-constant -O" +
          GetParam() + " " + file + " -o " + ptx);
  ASSERT_EQ(clang.code, 0) << clang.output;
  const Outcome made = run(std::string(G80_PROGRAM) + " compile --fmad=false " + ptx + " -o " + cubin);
  ASSERT_EQ(made.code, 0) << made.output;
  const Outcome ran = compile_and_run("-w " + file + " --gpu-module " + cubin, "together", "G80_RUN='--model golden'");
  for (const std::string& name : names) EXPECT_NE(ran.output.find(name + ": 0\n"), std::string::npos) << ran.output;
}

INSTANTIATE_TEST_SUITE_P(Levels, Unoptimised, ::testing::Values("0", "1"),
                         [](const auto& info) { return std::string("O") + info.param; });

}  // namespace
