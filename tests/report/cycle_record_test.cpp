// SPDX-License-Identifier: Apache-2.0
// The record of cycles: what is said about runs that differ from it, and files that are none.
#include "app/report/cycle_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "input/input_error.h"

namespace g80 {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

CycleRow row(const std::string& device, const std::string& run, std::uint64_t cycles) {
  CycleRow one{device, run, "ok", std::vector<std::uint64_t>(cycle_columns().size(), 7)};
  one.counts[0] = cycles;
  return one;
}
std::string file(const char* name) { return ::testing::TempDir() + "g80_cycle_record_" + name + ".tsv"; }
std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(CycleRecord, IsReadAsItWasWritten) {
  const std::string path = file("round");
  write_cycle_record(path, {row("tiny", "b n=2", 30), row("8600gts", "b n=2", 20), row("tiny", "a", 10)});
  const std::vector<CycleRow> rows = read_cycle_record(path);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].device + " " + rows[0].run, "8600gts b n=2") << "sorted, so that a change is one line";
  EXPECT_EQ(rows[1].device + " " + rows[1].run, "tiny a");
  EXPECT_THAT(
      cycle_differences(rows, {row("tiny", "b n=2", 30), row("8600gts", "b n=2", 20), row("tiny", "a", 10)}, true),
      IsEmpty());
  const std::string first = text_of(path);
  write_cycle_record(path, rows);
  EXPECT_EQ(text_of(path), first);
}

TEST(CycleRecord, NamesEachChangeOfARun) {
  CycleRow slower = row("tiny", "a", 200);
  slower.counts[1] = 0;
  EXPECT_THAT(cycle_differences({row("tiny", "a", 100)}, {slower}, true),
              ElementsAre("a on tiny: shader_cycles 100 -> 200 (+100.00 %), executing_cycles 7 -> 0 (-100.00 %)"));
  CycleRow hung = row("tiny", "a", 100);
  hung.verdict = "hang";
  EXPECT_THAT(cycle_differences({row("tiny", "a", 100)}, {hung}, true), ElementsAre("a on tiny: 'ok' -> 'hang'"));
}

TEST(CycleRecord, MissesRunsOnlyOfDevicesThatRanAsAWhole) {
  const std::vector<CycleRow> recorded = {row("tiny", "a", 1), row("tiny", "b", 2), row("8600gts", "a", 3)};
  const std::vector<CycleRow> measured = {row("tiny", "a", 1), row("tiny", "c", 4)};
  EXPECT_THAT(cycle_differences(recorded, measured, true),
              ElementsAre("c on tiny: is not in the record", "b on tiny: is in the record and did not run"));
  EXPECT_THAT(cycle_differences(recorded, measured, false), ElementsAre("c on tiny: is not in the record"));
}

TEST(CycleRecord, NewFiguresTakeThePlaceOfOldOnes) {
  const std::vector<CycleRow> rows =
      merged({row("tiny", "a", 1), row("8600gts", "a", 3)}, {row("tiny", "a", 2), row("tiny", "b", 5)}, true);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].counts[0], 2u);
  EXPECT_EQ(rows[1].counts[0], 3u);
  EXPECT_EQ(rows[2].counts[0], 5u);
}

TEST(CycleRecord, ARunThatTheSuiteNoLongerHasLeavesTheRecord) {
  const std::vector<CycleRow> recorded = {row("tiny", "a", 1), row("tiny", "gone", 2), row("8600gts", "gone", 3)};
  EXPECT_EQ(merged(recorded, {row("tiny", "a", 1)}, false).size(), 3u);
  const std::vector<CycleRow> rows = merged(recorded, {row("tiny", "a", 1)}, true);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].device, "8600gts");
}

TEST(CycleRecord, OtherFilesAreRefusedWithTheirLine) {
  const std::string path = file("bad");
  write_cycle_record(path, {row("tiny", "a", 1)});
  const std::string good = text_of(path);
  const auto refusal = [&](const std::string& text) -> std::string {
    std::ofstream(path) << text;
    try {
      read_cycle_record(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(good), "accepted");
  EXPECT_THAT(refusal("cycles\n1\n"), HasSubstr("is not a record of cycles"));
  EXPECT_THAT(refusal(good + "tiny\tb\tok\t1\n"), HasSubstr(":3: this is not a row"));
  EXPECT_THAT(refusal(good.substr(0, good.size() - 2) + "x\n"), HasSubstr(":2: this is not a row"));
  EXPECT_THAT(refusal(good + good.substr(good.find('\n') + 1)), HasSubstr(":3: this run is in the record twice"));
  EXPECT_THROW(read_cycle_record(file("nowhere")), InputError);
}

}  // namespace
}  // namespace g80
