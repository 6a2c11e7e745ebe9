// SPDX-License-Identifier: Apache-2.0
// tests/quality/code_quality.tsv against the two compilers' machine code.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/quality/comparison.h"
#include "tests/support/data_dirs.h"
#include "tests/support/recorded.h"

namespace g80::quality {
namespace {

class CodeQuality : public testing::Test {
 protected:
  void SetUp() override {
    const auto binaries = test::binaries_dir();
    if (!binaries) GTEST_SKIP() << "the binaries are not at hand";
    if (std::system("clang --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "clang is not at hand";
    static const std::vector<Row> rows = compare_code(*binaries);
    rows_ = &rows;
  }
  const std::vector<Row>* rows_ = nullptr;
};

TEST_F(CodeQuality, OurCodeLeavesTheMemoryThatNvidiasLeaves) {
  std::size_t runs = 0;
  for (const Row& row : *rows_) {
    EXPECT_EQ(row.runs == 0, !row.listing.empty()) << row.name;
    runs += row.runs;
    for (const std::string& difference : row.differences) ADD_FAILURE() << difference;
  }
  test::tally("runs", runs, runs, "of compiled kernels beside NVIDIA's code");
}

TEST_F(CodeQuality, NoRowIsWorseThanTheBoundWithoutAReason) {
  for (const Row& row : *rows_) {
    if (!row.reason.empty()) {
      EXPECT_FALSE(row.over().empty()) << row.name << " keeps the bound: its reason is no longer needed";
      continue;
    }
    for (const std::string& what : row.over()) ADD_FAILURE() << row.name << ": " << what;
  }
}

TEST_F(CodeQuality, TheTableIsWhatTheComparisonGives) {
  test::expect_recorded("tests/quality/code_quality.tsv", quality_table(*rows_));
}

}  // namespace
}  // namespace g80::quality
