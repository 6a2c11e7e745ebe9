// docs/accuracy.md against a run of all its rows.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "source_dir.h"
#include "tb/silicon/rows.h"

namespace g80::silicon {
namespace {

std::vector<Result> measured(const std::vector<Row>& rows) {
  std::vector<Result> results;
  for (const Row& row : rows) results.push_back(measure(row));
  return results;
}

TEST(AccuracyPage, IsWhatTheModelGives) {
  const std::vector<Result> trials = measured(trial_rows());
  for (const Result& trial : trials) EXPECT_LT(std::fabs(trial.error()), 0.10) << trial.row->id;
  EXPECT_LT(rms_error(trials), 0.05);

  std::ifstream committed(G80_SOURCE_DIR "/docs/accuracy.md");
  std::istringstream printed(accuracy_page(trials, measured(micro_rows())));
  std::string is, should;
  for (unsigned line = 1; std::getline(printed, should); ++line) {
    ASSERT_TRUE(std::getline(committed, is)) << "docs/accuracy.md ends before line " << line;
    ASSERT_EQ(is, should) << "docs/accuracy.md, line " << line << ": build accuracy_doc and write its output there";
  }
  EXPECT_FALSE(std::getline(committed, is)) << "docs/accuracy.md goes on after the last line";
}

TEST(SiliconResult, ErrorIsTheDistanceFromTheNearerEndOfTheRange) {
  Row row{};
  row.low = 400;
  row.high = 600;
  EXPECT_NEAR((Result{&row, 380}.error()), -0.05, 1e-12);
  EXPECT_DOUBLE_EQ((Result{&row, 500}.error()), 0);
  EXPECT_NEAR((Result{&row, 660}.error()), 0.1, 1e-12);
}

}  // namespace
}  // namespace g80::silicon
