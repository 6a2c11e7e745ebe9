// SPDX-License-Identifier: Apache-2.0
// validation/accuracy.tsv against a run of all its rows; docs/accuracy.md on those that are out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "source_dir.h"
#include "tests/support/recorded.h"
#include "toolchain/cubin/module.h"
#include "validation/rows.h"
#include "validation/sensitivity.h"

namespace g80::silicon {
namespace {

/// All rows, measured once for the tests of this file.
const std::vector<Result>& trials() {
  static const std::vector<Result> results = Silicon().measure(trial_rows());
  return results;
}
const std::vector<Result>& micro() {
  static const std::vector<Result> results = Silicon().measure(micro_rows());
  return results;
}

/// All of them, in the order of validation/accuracy.tsv.
std::vector<Result> all_rows() {
  std::vector<Result> all = trials();
  all.insert(all.end(), micro().begin(), micro().end());
  return all;
}

TEST(Accuracy, IsWhatTheModelGives) { test::expect_recorded("validation/accuracy.tsv", results_tsv(all_rows())); }

// Slices of trials 3 and 7 depend on chance; FullTrials has the whole runs.
TEST(Trials, HoldAndWithoutChanceAreWithinFivePercentInTheMean) {
  for (const Result& trial : trials())
    EXPECT_TRUE(trial.holds()) << trial.row->id << " is off by " << percent_text(trial.error());
  std::vector<Result> steady = trials();
  steady.erase(std::remove_if(steady.begin(), steady.end(), [](const Result& trial) { return trial.row->chance; }),
               steady.end());
  EXPECT_LT(rms_error(steady), 0.05);
}

// Takes a quarter of an hour and more.
TEST(FullTrials, AreWithinFivePercentAndThoseRecorded) {
  const std::string recorded = read_text_file(G80_SOURCE_DIR "/validation/whole_trials.tsv");
  ExperimentRunner runner;
  for (unsigned trial = 1; trial <= trial_rows().size(); ++trial) {
    const double ms = trial_milliseconds(trial, true, runner), measured = trial_rows()[trial - 1].low;
    EXPECT_NEAR(ms / measured, 1, 0.05) << "trial " << trial;
    const std::string line =
        fmt::format("trial{}\t{:g}\t{}\t{}\n", trial, measured, model_text(ms), percent_text(ms / measured - 1));
    EXPECT_NE(recorded.find("\n" + line), std::string::npos) << line;
  }
}

/// What is wrong between lines of tests/validation/errors.tsv, name of a row and the largest error that it may have in
/// percent, and the rows: one sentence each.
std::vector<std::string> complaints(const std::string& text, const std::vector<Result>& results) {
  std::vector<std::string> wrong;
  std::map<std::string, double> known;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string name, more;
    double percent = -1;
    if (!(words >> name >> percent) || words >> more || !(percent >= 0)) {
      wrong.push_back("'" + line + "' is not the name of a row and an error");
    } else if (!known.emplace(name, percent).second) {
      wrong.push_back(name + " has two lines");
    }
  }
  for (const Result& result : results) {
    const std::string name = result.row->id;
    const auto line_of = known.find(name);
    if (line_of == known.end()) {
      wrong.push_back(name + " has no line; its error is " + percent_text(result.error()));
      continue;
    }
    if (!(100 * std::fabs(result.error()) <= line_of->second + 0.05)) {
      wrong.push_back(name + " is " + model_text(result.model) + " " + result.row->unit + ", on silicon " +
                      published_text(*result.row) + ": " + percent_text(result.error()) + "; decided by " +
                      result.row->decided + "\n" + cycles_text(result.where) + "\n" + dram_text(result.where));
    }
    known.erase(line_of);
  }
  for (const auto& [name, percent] : known) wrong.push_back(name + " has a line and is no row");
  return wrong;
}

// accuracy.tsv follows the model; this file does not, so that an error cannot grow unseen.
TEST(Errors, OfNoRowGrow) {
  for (const std::string& sentence :
       complaints(read_text_file(G80_SOURCE_DIR "/tests/validation/errors.tsv"), all_rows()))
    ADD_FAILURE() << "tests/validation/errors.tsv: " << sentence;
}

// Between the headings the first column names rows, and no others stand in backquotes there.
TEST(Accuracy, PageSaysWhyEachRowIsOutAndOfNoOther) {
  const std::string page = read_text_file(G80_SOURCE_DIR "/docs/accuracy.md");
  const std::size_t from = page.find("## Rows that are out, and why"), to = page.find("## Where the cycles went");
  ASSERT_LT(from, to);
  std::set<std::string> explained, out;
  std::istringstream lines(page.substr(from, to - from));
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("| `", 0) != 0) continue;
    std::istringstream names(line.substr(2, line.find(" |", 2) - 2));
    for (std::string name; std::getline(names, name, '`') && std::getline(names, name, '`');) explained.insert(name);
  }
  for (const Result& result : micro()) {
    if (!result.holds()) out.insert(result.row->id);
  }
  EXPECT_EQ(explained, out);
}

/// Whether there is one complaint, and it begins so.
testing::AssertionResult one_complaint(const std::string& text, const std::vector<Result>& results,
                                       const std::string& begin) {
  const std::vector<std::string> wrong = complaints(text, results);
  if (wrong.size() == 1 && wrong[0].rfind(begin, 0) == 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << wrong.size() << " complaints"
                                     << (wrong.empty() ? "" : ", the first: " + wrong[0]);
}

TEST(ErrorsFile, IsComparedLineByLineAndRowByRow) {
  Row exact{}, range{};
  exact.id = "exact";
  exact.low = exact.high = 4;
  range.id = "range";
  range.low = 400;
  range.high = 600;
  for (Row* row : {&exact, &range}) row->unit = row->decided = "";
  const double nan = std::nan(""), infinite = INFINITY;
  const std::string good = "exact\t10.0\nrange\t5.0\n";
  EXPECT_EQ(complaints(good, {{&exact, 4.4}, {&range, 380}}), std::vector<std::string>());
  EXPECT_EQ(complaints(good, {{&exact, 3.6}, {&range, 630}}), std::vector<std::string>());
  EXPECT_TRUE(one_complaint(good, {{&exact, 4.41}, {&range, 500}}, "exact is 4.41"));
  EXPECT_TRUE(one_complaint(good, {{&exact, 3.59}, {&range, 500}}, "exact is 3.59"));
  EXPECT_TRUE(one_complaint(good, {{&exact, 4}, {&range, 634}}, "range is 634"));
  EXPECT_TRUE(one_complaint(good, {{&exact, nan}, {&range, 500}}, "exact is nan"));
  EXPECT_TRUE(one_complaint(good, {{&exact, 4}, {&range, nan}}, "range is nan"));
  EXPECT_TRUE(one_complaint(good, {{&exact, 4}, {&range, infinite}}, "range is inf"));
  EXPECT_TRUE(one_complaint(good, {{&exact, 4}}, "range has a line and is no row"));
  EXPECT_TRUE(one_complaint(good + "none\t1.0\n", {{&exact, 4}, {&range, 500}}, "none has a line and is no row"));
  EXPECT_TRUE(one_complaint("exact\t10.0\n", {{&exact, 4}, {&range, 500}}, "range has no line; its error is +0.0 %"));
  EXPECT_TRUE(one_complaint(good + "range\t90.0\n", {{&exact, 4}, {&range, 500}}, "range has two lines"));
  for (const char* bad :
       {"range\n", "range\t\n", "range\tnan\n", "range\tinf\n", "range\t-1\n", "range\t5.0 %\n", "\n", "5.0\n"})
    EXPECT_TRUE(one_complaint(good + bad, {{&exact, 4}, {&range, 500}}, "'")) << bad;
}

TEST(SiliconResult, WithoutANumberDoesNotHold) {
  Row row{};
  row.low = 400;
  row.high = INFINITY;
  EXPECT_FALSE((Result{&row, std::nan("")}.holds()));
  EXPECT_FALSE((Result{&row, INFINITY}.holds()));
  EXPECT_TRUE((Result{&row, 400}.holds()));
}

// What a row says of its cause is that of its own longest launch.
TEST(Causes, AddUpForEveryRow) {
  for (const std::vector<Result>& results : {trials(), micro()}) {
    for (const Result& result : results) {
      const CycleBreakdown& where = result.where;
      if (where.cycles == 0) {
        const std::string name = result.row->id;
        const bool no_kernel = name.rfind("occupancy", 0) == 0 || name.rfind("device_copy", 0) == 0;
        EXPECT_TRUE(no_kernel) << name << " ran nothing";
        continue;
      }
      double sum = 0;
      for (const auto& [reason, part] : where.parts()) sum += part;
      EXPECT_NEAR(sum, 1, 1e-9) << result.row->id;
      EXPECT_LE(where.bus(), 1) << result.row->id;
      EXPECT_GT(where.executing, 0u) << result.row->id;
      EXPECT_TRUE(!where.uses_dram() || where.busiest() >= 1) << result.row->id;
    }
  }
  const auto where = [](const char* name) {
    return std::find_if(micro().begin(), micro().end(),
                        [&](const Result& result) { return std::string(name) == result.row->id; })
        ->where;
  };
  EXPECT_EQ(where("mad_latency").parts().front().first, "alu");
  EXPECT_EQ(where("load_latency").parts().front().first, "memory");
  EXPECT_GT(where("bank_stride_16").conflict_passes, 10000u);
  EXPECT_EQ(where("bank_stride_3").conflict_passes, 0u);
  EXPECT_GT(where("coalesced_32").bus(), 0.6);
}

// The measurement takes long, so its result is kept: it must be one of this configuration's numbers.
TEST(Sensitivity, IsOfNumbersThatAreStillAssumedAndStillTheSame) {
  const std::string path = G80_SOURCE_DIR "/validation/sensitivity.tsv";
  const std::vector<Effect> effects = read_effects(read_text_file(path), path);
  std::set<std::string> devices, measured;
  for (const std::vector<Row>& part : {trial_rows(), micro_rows()}) {
    for (const Row& row : part) devices.insert(row.device);
  }
  for (const Effect& effect : effects) measured.insert(effect.device);
  EXPECT_EQ(measured, devices);
  for (const std::string& sentence : stale_effects(effects))
    ADD_FAILURE() << sentence << ": measure with g80 silicon --sensitivity";
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
