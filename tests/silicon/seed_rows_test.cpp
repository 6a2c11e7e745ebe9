// Every row of the table of the documents, measured; the seven times are in accuracy_page_test.cpp.
#include <gtest/gtest.h>

#include <set>

#include "tb/silicon/seed_rows.h"

namespace g80::silicon {
namespace {

void expect_within_bands(const std::vector<SeedRow>& rows) {
  SeedRuns runs;
  for (const SeedRow& row : rows) {
    const SeedResult result = measure(row, runs);
    EXPECT_NE(result.verdict(), Verdict::kOut) << row.id << " is " << value_text(result.found.value) << " " << row.unit << ", should be "
                                               << band_text(row) << ": " << row.what << "; decided by " << row.decided << "\n" << result.found.note;
  }
}

TEST(SeedRows, OfLimitsHold) { expect_within_bands(limit_rows()); }
TEST(SeedRows, OfResidentBlocksHold) { expect_within_bands(residency_rows()); }
TEST(SeedRows, OfThreadsAndWarpsHold) { expect_within_bands(thread_rows()); }
TEST(SeedRows, OfMemoryHold) { expect_within_bands(memory_rows()); }
TEST(SeedRows, OfSchedulingHold) { expect_within_bands(scheduling_rows()); }
TEST(SeedRows, OfBarriersHold) { expect_within_bands(barrier_rows()); }
TEST(SeedRows, OfProgramsHold) { expect_within_bands(program_rows()); }

TEST(SeedRows, HaveNamesOfTheirOwnAndSayWhatDecidesThem) {
  std::set<std::string> names;
  for (const SeedRow& row : seed_rows()) {
    EXPECT_TRUE(names.insert(row.id).second) << row.id;
    EXPECT_LE(row.low, row.high) << row.id;
    EXPECT_NE(std::string(row.decided), "") << row.id;
    if (row.measure == nullptr) EXPECT_EQ(std::string(row.decided).rfind("not measured: ", 0), 0u) << row.id;
  }
  EXPECT_GT(names.size(), 100u);
}

TEST(SeedResult, IsOutOnEitherSideOfItsBand) {
  SeedRow row{};
  row.low = 400;
  row.high = 600;
  row.measure = [](SeedRuns&) { return Finding{}; };
  EXPECT_EQ((SeedResult{&row, {399}}.verdict()), Verdict::kOut);
  EXPECT_EQ((SeedResult{&row, {400}}.verdict()), Verdict::kHolds);
  EXPECT_EQ((SeedResult{&row, {600}}.verdict()), Verdict::kHolds);
  EXPECT_EQ((SeedResult{&row, {601}}.verdict()), Verdict::kOut);
  row.measure = nullptr;
  EXPECT_EQ((SeedResult{&row, {601}}.verdict()), Verdict::kNotMeasured);
}

}  // namespace
}  // namespace g80::silicon
