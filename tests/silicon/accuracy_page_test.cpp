// docs/accuracy.md against a run of all its rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "kernels/toolchain/cubin/module.h"
#include "source_dir.h"
#include "tb/silicon/rows.h"
#include "tb/silicon/sensitivity.h"

namespace g80::silicon {
namespace {

/// All rows of the page, measured once for the tests of this file.
const std::vector<Result>& trials() {
  static const std::vector<Result> results = Silicon().measure(trial_rows());
  return results;
}
const std::vector<Result>& micro() {
  static const std::vector<Result> results = Silicon().measure(micro_rows());
  return results;
}

TEST(AccuracyPage, IsWhatTheModelGives) {
  std::ifstream committed(G80_SOURCE_DIR "/docs/accuracy.md");
  std::istringstream printed(accuracy_page(trials(), micro()));
  std::string is, should;
  for (unsigned line = 1; std::getline(printed, should); ++line) {
    ASSERT_TRUE(std::getline(committed, is)) << "docs/accuracy.md ends before line " << line;
    ASSERT_EQ(is, should) << "docs/accuracy.md, line " << line << ": build accuracy_doc and write its output there";
  }
  EXPECT_FALSE(std::getline(committed, is)) << "docs/accuracy.md goes on after the last line";
}

TEST(Trials, AreWithinTenPercentAndFiveInTheMean) {
  for (const Result& trial : trials()) EXPECT_TRUE(trial.holds()) << trial.row->id << " is off by " << percent_text(trial.error());
  EXPECT_LT(rms_error(trials()), 0.05);
}

/// tests/silicon/errors.tsv: name of a row, the largest error that it may have, in percent.
std::map<std::string, double> known_errors() {
  std::map<std::string, double> known;
  std::ifstream file(G80_SOURCE_DIR "/tests/silicon/errors.tsv");
  std::string name;
  for (double percent = 0; file >> name >> percent;) known[name] = percent;
  return known;
}

// The page follows the model; this file does not, so that an error cannot grow unseen.
TEST(Errors, OfNoRowGrow) {
  std::map<std::string, double> known = known_errors();
  for (const std::vector<Result>& results : {trials(), micro()}) {
    for (const Result& result : results) {
      const std::string name = result.row->id;
      ASSERT_EQ(known.count(name), 1u) << name << " has no line in tests/silicon/errors.tsv; its error is " << percent_text(result.error());
      EXPECT_LE(100 * std::fabs(result.error()), known[name] + 0.05)
          << name << " is " << model_text(result.model) << " " << result.row->unit << ", on silicon " << published_text(*result.row) << "; decided by "
          << result.row->decided << "\n" << cycles_text(result.where) << "\n" << dram_text(result.where);
      known.erase(name);
    }
  }
  for (const auto& [name, percent] : known) ADD_FAILURE() << "tests/silicon/errors.tsv has a line for " << name << ", which is no row";
}

// What a row says of its cause is that of its own longest launch.
TEST(Causes, AddUpForEveryRow) {
  for (const std::vector<Result>& results : {trials(), micro()}) {
    for (const Result& result : results) {
      const Where& where = result.where;
      if (where.cycles == 0) {
        EXPECT_EQ(std::string(result.row->id).rfind("occupancy", 0), 0u) << result.row->id << " ran nothing";
        continue;
      }
      double sum = 0;
      for (const auto& [reason, part] : where.parts()) sum += part;
      EXPECT_NEAR(sum, 1, 1e-9) << result.row->id;
      EXPECT_LE(where.bus(), 1) << result.row->id;
      EXPECT_TRUE(!where.uses_dram() || where.busiest() >= 1) << result.row->id;
    }
  }
  const auto where = [](const char* name) {
    return std::find_if(micro().begin(), micro().end(), [&](const Result& result) { return std::string(name) == result.row->id; })->where;
  };
  EXPECT_EQ(where("mad_latency").parts().front().first, "alu");
  EXPECT_EQ(where("load_latency").parts().front().first, "memory");
  EXPECT_GT(where("bank_stride_16").conflict_passes, 10000u);
  EXPECT_EQ(where("bank_stride_3").conflict_passes, 0u);
  EXPECT_GT(where("coalesced_32").bus(), 0.6);
}

// The measurement takes long, so its result is kept: it must be one of this configuration's numbers.
TEST(Sensitivity, IsOfNumbersThatAreStillAssumedAndStillTheSame) {
  const std::string path = G80_SOURCE_DIR "/docs/sensitivity.tsv";
  const std::vector<Effect> effects = read_effects(read_text_file(path), path);
  EXPECT_FALSE(effects.empty());
  for (const std::string& sentence : stale_effects(effects)) ADD_FAILURE() << sentence << ": measure with g80 silicon --sensitivity";
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
