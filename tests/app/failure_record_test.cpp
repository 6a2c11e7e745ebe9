// SPDX-License-Identifier: Apache-2.0
// What a run that fails leaves behind, and `g80 diff`, as a user calls them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/support/shell.h"
#include "tests/support/vcd_reader.h"

namespace g80 {
namespace {

using test::Outcome;
using ::testing::HasSubstr;

class Program : public ::testing::Test {
 protected:
  Program() { std::filesystem::create_directories(folder); }
  ~Program() override { std::filesystem::remove_all(folder); }
  Outcome g80(const std::string& arguments) const {
    return test::shell("cd " + folder + " && " + G80_PROGRAM + " " + arguments);
  }
  std::string contents(const std::string& file) const {
    std::ifstream stream(folder + "/" + file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  bool exists(const std::string& file) const { return std::filesystem::exists(folder + "/" + file); }
  const std::string folder = ::testing::TempDir() + "g80_failure_" + std::to_string(getpid());
};

TEST_F(Program, LeavesEventsAWaveAndAViewOfAMismatch) {
  const Outcome failed =
      g80("run vec_add --inject 'tpc0.sm0.resolve.ended^=1@58200..58250' --wave-on-failure f.fst --wave-before 500");
  EXPECT_EQ(failed.code, 4) << failed.output;
  EXPECT_THAT(failed.output, HasSubstr("lock-step: "));
  EXPECT_THAT(failed.output, HasSubstr("gtkwave f.fst.gtkw"));
  EXPECT_THAT(contents("vec_add.flight.txt"), HasSubstr(" issues uid "));
  EXPECT_TRUE(exists("f.fst"));
  EXPECT_GT(std::filesystem::file_size(folder + "/f.fst"), 10000u);
  EXPECT_THAT(contents("f.fst.gtkw"), HasSubstr("gpu.tpc0.sm0.issue.insn.words"));
  EXPECT_THAT(contents("f.fst.lines"), HasSubstr("vec_add.sasm:"));
  EXPECT_THAT(contents("f.fst.gtkw"), HasSubstr("-What happened before the failure at the\n-marker?\n"));
}

TEST_F(Program, AWaveThatCannotBeWrittenDoesNotHideTheFailure) {
  std::filesystem::create_directory(folder + "/f.fst.part");
  const Outcome failed =
      g80("run vec_add --inject 'tpc0.sm0.resolve.ended^=1@58200..58250' --wave-on-failure f.fst --wave-before 500");
  EXPECT_EQ(failed.code, 4) << failed.output;
  EXPECT_THAT(failed.output, HasSubstr("lock-step: "));
  EXPECT_THAT(failed.output, HasSubstr("g80: the wave of the failure could not be written: "));
}

// A run that draws a wave itself and fails: the marker stands at the end of the wave.
TEST_F(Program, OpensTheWaveOfAFailingRunAtTheFailure) {
  const Outcome failed =
      g80("run vec_add --inject 'tpc0.sm0.resolve.ended^=1@58200..58250' --wave w.vcd --wave-from 58100");
  EXPECT_EQ(failed.code, 4) << failed.output;
  const testing::Vcd wave(folder + "/w.vcd");
  EXPECT_THAT(contents("w.vcd.gtkw"), HasSubstr(" " + std::to_string(wave.last_time) + " -1 "));
  EXPECT_THAT(contents("w.vcd.gtkw"), HasSubstr("-What happened before the failure at the\n-marker?\n"));
}

TEST_F(Program, LeavesTheLastEventsOfAFaultAndOfAHang) {
  const Outcome hang = g80("run vec_add --max-cycles 3000");
  EXPECT_EQ(hang.code, 3) << hang.output;
  EXPECT_TRUE(exists("vec_add.flight.txt"));
  const std::string before = contents("vec_add.flight.txt");
  EXPECT_EQ(g80("run vec_add --max-cycles 3000").code, 3);
  EXPECT_EQ(contents("vec_add.flight.txt"), before) << "same run, same events";
}

TEST_F(Program, ReportsACopyOrALaunchThatNeverStartsAsAHang) {
  for (const char* fault :
       {"request_crossbar.ready=0@1..", "command_processor.state=WRITE@1..", "channel0.partition.ready=0@1.."}) {
    const Outcome hang = g80(std::string("run vec_add --set gpu.hang_cycles=5000 --inject '") + fault + "'");
    EXPECT_EQ(hang.code, 3) << hang.output;
    EXPECT_THAT(hang.output, HasSubstr("g80: hang outside of launches, shader cycle")) << fault;
    EXPECT_THAT(hang.output, HasSubstr("in flight, held by gpu.")) << fault;
    EXPECT_EQ(hang.output.find("internal error"), std::string::npos) << hang.output;
  }
}

TEST_F(Program, LeavesNothingOfARunThatEndsAsItShould) {
  EXPECT_EQ(g80("run vec_add --wave-on-failure f.vcd").code, 0);
  EXPECT_FALSE(exists("vec_add.flight.txt"));
  EXPECT_FALSE(exists("f.vcd"));
  EXPECT_EQ(g80("run dot_product_hang").code, 3);
  EXPECT_FALSE(exists("dot_product_hang.flight.txt")) << "it is meant to hang";
}

TEST_F(Program, ComparesTwoRuns) {
  ASSERT_EQ(g80("run vec_add --stats a.json").code, 0);
  ASSERT_EQ(g80("run vec_add --set dram.t_ccd=4 --stats b.json").code, 0);
  const Outcome same = g80("diff a.json a.json --gate 'cycles<=0'");
  EXPECT_EQ(same.code, 0) << same.output;
  EXPECT_THAT(same.output, HasSubstr("results equal\n    all counters are equal"));
  const Outcome slower = g80("diff a.json b.json --gate 'cycles<=+0.1%'");
  EXPECT_EQ(slower.code, 1);
  EXPECT_THAT(slower.output, HasSubstr("dram.t_ccd = 2 -> 4"));
  EXPECT_THAT(slower.output, HasSubstr("gate cycles<=+0.1% failed for vec_add"));
  const Outcome runs = g80("diff --run vec_add --b '--set sm.scheduler=oldest_first'");
  EXPECT_EQ(runs.code, 0) << runs.output;
  EXPECT_THAT(runs.output, HasSubstr("the schedules first differ at shader cycle"));
  for (const char* wrong :
       {"diff", "diff a.json", "diff a.json b.json --gate cycles", "diff a.json /dev/null",
        "diff a.json b.json --run vec_add", "diff --run no_such", "diff --run vec_add --a '--nonsense'"}) {
    EXPECT_EQ(g80(wrong).code, 2) << wrong;
  }
}

}  // namespace
}  // namespace g80
