// SPDX-License-Identifier: Apache-2.0
// The CUDA programs of the collection, compiled by g80 cc and run on the machine in lock-step, against what a real GPU
// gave: bit for bit where the program says so, else within the units in the last place that it states.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <vector>

#include "source_dir.h"
#include "tests/runtime/program_runner.h"

namespace {

using namespace g80::testing;
namespace fs = std::filesystem;

/// One result of a program, as `--output` writes it: "name type count tolerance" and hexadecimal words.
struct Result {
  std::string name, type;
  unsigned ulps = 0;
  std::vector<std::uint32_t> words;
};

std::vector<Result> read_results(const fs::path& path) {
  std::vector<Result> results;
  std::ifstream file(path);
  EXPECT_TRUE(file.is_open()) << path;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream head(line);
    Result result;
    std::size_t count = 0;
    EXPECT_TRUE(head >> result.name >> result.type >> count >> result.ulps) << path << ": " << line;
    result.words.resize(count);
    for (std::uint32_t& word : result.words) EXPECT_TRUE(file >> std::hex >> word) << path << ": " << result.name;
    std::getline(file, line);  // the end of the last line of words
    results.push_back(std::move(result));
  }
  return results;
}

/// How many floats lie between two.
std::int64_t ulps_between(std::uint32_t a, std::uint32_t b) {
  const auto ordinal = [](std::uint32_t bits) {
    const auto size = static_cast<std::int64_t>(bits & 0x7fffffffu);
    return (bits >> 31) != 0 ? -size : size;
  };
  return std::abs(ordinal(a) - ordinal(b));
}

/// Those that write their results to a file; square_array prints them (programs_test.cpp).
std::vector<std::string> recorded_programs() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(G80_SOURCE_DIR) / "kernels")) {
    const std::string name = entry.path().filename().string();
    std::ifstream stream(entry.path() / (name + ".cu"));
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (text.find("cuda_program.h") != std::string::npos && fs::exists(entry.path() / "golden")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

class OnSilicon : public ::testing::TestWithParam<std::string> {};

TEST_P(OnSilicon, TheMachineGivesTheSame) {
  if (!has_clang()) GTEST_SKIP() << "clang is not installed";
  const std::string name = GetParam();
  const fs::path folder = fs::path(G80_SOURCE_DIR) / "kernels" / name;
  const std::string output = temporary(name + ".txt");
  // Recorded without contraction of multiplications and additions; see the first lines of each file.
  const Outcome outcome = compile_and_run("--fmad=false " + (folder / (name + ".cu")).string(), name,
                                          "-u G80_RUN G80_DEVICE=8600gts", "--output " + output);
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  const std::vector<Result> seen = read_results(output);
  unsigned files = 0;
  for (const auto& entry : fs::directory_iterator(folder / "golden")) {
    SCOPED_TRACE(entry.path().string());
    ++files;
    const std::vector<Result> recorded = read_results(entry.path());
    ASSERT_FALSE(recorded.empty());
    ASSERT_EQ(seen.size(), recorded.size());
    for (std::size_t r = 0; r < seen.size(); ++r) {
      SCOPED_TRACE(recorded[r].name);
      ASSERT_EQ(seen[r].name, recorded[r].name);
      ASSERT_EQ(seen[r].type, recorded[r].type);
      ASSERT_FALSE(recorded[r].words.empty());
      ASSERT_EQ(seen[r].words.size(), recorded[r].words.size());
      for (std::size_t i = 0; i < seen[r].words.size(); ++i) {
        const std::uint32_t a = seen[r].words[i], b = recorded[r].words[i];
        const bool equal = recorded[r].ulps == 0 ? a == b : ulps_between(a, b) <= recorded[r].ulps;
        ASSERT_TRUE(equal) << "element " << i << " is " << std::hex << a << ", silicon gave " << b;
      }
    }
  }
  EXPECT_GT(files, 0u);
}

INSTANTIATE_TEST_SUITE_P(Programs, OnSilicon, ::testing::ValuesIn(recorded_programs()),
                         [](const auto& info) { return info.param; });

}  // namespace
