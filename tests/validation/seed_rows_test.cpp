// SPDX-License-Identifier: Apache-2.0
// Every row of the table of the documents, measured; the seven times are in accuracy_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "source_dir.h"
#include "validation/seed_rows.h"

namespace g80::silicon {
namespace {

/// The list must shrink when they hold.
const std::set<std::string> kKnownOut;

void expect_within_bands(const std::vector<SeedRow>& rows) {
  SeedRuns runs;
  for (const SeedRow& row : rows) {
    const SeedResult result = measure(row, runs);
    if (kKnownOut.count(row.id) != 0) {
      EXPECT_EQ(result.verdict(), Verdict::kOut) << row.id << " holds now";
      continue;
    }
    EXPECT_NE(result.verdict(), Verdict::kOut)
        << row.id << " is " << value_text(result.found.value) << " " << row.unit << ", should be " << band_text(row)
        << ": " << row.what << "; decided by " << row.decided << "\n"
        << result.found.note;
  }
}

// The paragraph begins so, and names them between backquotes.
TEST(SeedRows, ThoseThatAreOutAreOnThePage) {
  std::ifstream page(G80_SOURCE_DIR "/docs/accuracy.md");
  std::set<std::string> named;
  bool inside = false;
  const std::regex code("`([^`]+)`");
  for (std::string line; std::getline(page, line) && (!inside || !line.empty());) {
    inside |= line.rfind("Out of their bands", 0) == 0;
    if (!inside) continue;
    for (std::sregex_iterator it(line.begin(), line.end(), code), end; it != end; ++it) named.insert((*it)[1]);
  }
  EXPECT_EQ(named, kKnownOut);
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
    EXPECT_EQ(row.measure == nullptr, std::string(row.decided).rfind("not measured: ", 0) == 0) << row.id;
  }
  EXPECT_GT(names.size(), 100u);
}

// Each change breaks the rows that it should, and only a machine as the documents describe it holds.
TEST(SeedRows, AreOutOnAnotherMachine) {
  const std::vector<SeedRow> rows = seed_rows();
  const auto verdict = [&](const std::string& id, const std::string& set) {
    SeedRuns runs({set});
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const SeedRow& r) { return r.id == id; });
    return measure(*row, runs).verdict();
  };
  EXPECT_EQ(verdict("D3.12x64", "sm.max_ctas=7"), Verdict::kOut);
  EXPECT_EQ(verdict("G3.z", "device.max_block_z=63"), Verdict::kOut);
  EXPECT_EQ(verdict("M6.report", "device.max_pitch=262143"), Verdict::kOut);
  EXPECT_EQ(verdict("M1.latency", "xbar.reply_latency=200"), Verdict::kOut);
  EXPECT_EQ(verdict("M3.misaligned", "coalescer.segment_rule=true"), Verdict::kOut);
  EXPECT_EQ(verdict("D3.12x64", "sm.scheduler=oldest_first"), Verdict::kHolds);
}

TEST(SeedResult, IsOutOnEitherSideOfItsBand) {
  SeedRow row{};
  row.low = 400;
  row.high = 600;
  row.measure = [](SeedRuns&) { return Finding{}; };
  EXPECT_EQ((SeedResult{&row, {399}, {}}.verdict()), Verdict::kOut);
  EXPECT_EQ((SeedResult{&row, {400}, {}}.verdict()), Verdict::kHolds);
  EXPECT_EQ((SeedResult{&row, {600}, {}}.verdict()), Verdict::kHolds);
  EXPECT_EQ((SeedResult{&row, {601}, {}}.verdict()), Verdict::kOut);
  row.measure = nullptr;
  EXPECT_EQ((SeedResult{&row, {601}, {}}.verdict()), Verdict::kNotMeasured);
}

}  // namespace
}  // namespace g80::silicon
