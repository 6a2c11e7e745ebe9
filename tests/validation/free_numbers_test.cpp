// SPDX-License-Identifier: Apache-2.0
// What the fitted numbers predict for a measurement that they were not fitted to.
#include "validation/free_numbers.h"

#include <gtest/gtest.h>

#include "input/input_error.h"

namespace g80::silicon {
namespace {

/// Two values of a key against the preset's: the better one for six times is chosen each time.
TEST(LeaveOneOut, ChoosesWithoutTheTrialThatItPredicts) {
  const Times measured = {10, 10, 10, 10, 10, 10, 10};
  const std::vector<FitRun> runs = {
      {"", "", {12, 12, 12, 12, 12, 12, 12}},
      {"near", "1", {11, 11, 11, 11, 11, 11, 11}},
      {"near", "2", {10, 10, 10, 10, 10, 10, 14}},  // worse in the mean of all seven, best without the last one
      {"other", "3", {10, 10, 10, 10, 10, 10, 10}},
  };
  const std::vector<LeftOut> list = leave_one_out(runs, "near", measured);
  ASSERT_EQ(list.size(), 7u);
  for (unsigned trial = 0; trial < 6; ++trial) {
    EXPECT_EQ(list[trial].trial, trial + 1);
    EXPECT_EQ(list[trial].value, "1") << trial;
    EXPECT_NEAR(list[trial].error, 0.1, 1e-9);
  }
  EXPECT_EQ(list[6].value, "2");
  EXPECT_NEAR(list[6].error, 0.4, 1e-9);
  EXPECT_EQ(leave_one_out(runs, "absent", measured)[0].value, "") << "only the preset's values are left";
}

TEST(FitRuns, AreLinesOfKeyValueAndSevenTimes) {
  const std::vector<FitRun> runs = read_fit_runs("\t\t1\t2\t3\t4\t5\t6\t7\na.b\tplain\t1\t1\t1\t1\t1\t1\t9.5\n", "f");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].key, "");
  EXPECT_EQ(runs[1].value, "plain");
  EXPECT_EQ(runs[1].ms[6], 9.5);
  EXPECT_THROW(read_fit_runs("a.b\t1\t1\t2\t3\t4\t5\t6\n", "f"), InputError);
  EXPECT_THROW(read_fit_runs("a.b\t1\t1\t2\t3\t4\t5\t6\t7\t8\n", "f"), InputError);
}

}  // namespace
}  // namespace g80::silicon
