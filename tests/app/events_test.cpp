// SPDX-License-Identifier: Apache-2.0
// Events on the command line: where waves begin and end, where a run ends, and that looking changes nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/support/shell.h"

namespace g80 {
namespace {

using test::Outcome;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kTiny = "run vec_add --device tiny --arg n=64 --arg block=64 ";
const std::string kSecondWarp = "'sm0.pick.valid && .warp == 1'";  // first true at shader cycle 37376

class Events : public ::testing::Test {
 protected:
  Events() { std::filesystem::create_directories(folder); }
  ~Events() override { std::filesystem::remove_all(folder); }
  Outcome g80(const std::string& arguments) const {
    return test::shell("cd " + folder + " && " + G80_PROGRAM + " " + arguments);
  }
  std::string contents(const std::string& file) const {
    std::ifstream stream(folder + "/" + file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  const std::string folder = ::testing::TempDir() + "g80_events_" + std::to_string(getpid());
};

TEST_F(Events, AWaveBeginsAtAConditionAsIfAtItsCycle) {
  EXPECT_EQ(g80(kTiny + "--wave on.vcd --wave-on " + kSecondWarp).code, 0);
  EXPECT_EQ(g80(kTiny + "--wave from.vcd --wave-from 37376").code, 0);
  EXPECT_GT(contents("on.vcd").size(), 100000u);
  EXPECT_TRUE(contents("on.vcd") == contents("from.vcd"));
  EXPECT_EQ(g80(kTiny + "--wave before.vcd --wave-before 100 --wave-on " + kSecondWarp).code, 0);
  EXPECT_EQ(g80(kTiny + "--wave from.vcd --wave-from 37276").code, 0);
  EXPECT_TRUE(contents("before.vcd") == contents("from.vcd"));
}

TEST_F(Events, AWaveEndsAtACondition) {
  EXPECT_EQ(g80(kTiny + "--wave off.vcd --wave-on " + kSecondWarp + " --wave-off 'rises(sm0.resolve.ended)'").code, 0);
  const Outcome end = g80(kTiny + "--until 'rises(sm0.resolve.ended)'");
  EXPECT_EQ(end.code, 0) << end.output;
  EXPECT_THAT(end.output, HasSubstr("rises(sm0.resolve.ended) happened at shader cycle 38070\n"));
  const std::string wave = contents("off.vcd");
  EXPECT_THAT(wave.substr(wave.rfind("\n#")), HasSubstr("#38070000\n"));
}

TEST_F(Events, LaunchesHaveNumbersAndNames) {
  EXPECT_EQ(g80("run global_sync --wave a.fst --wave-on launch=2").code, 0);
  EXPECT_EQ(g80("run global_sync --wave b.fst --wave-on cycle=1 --wave-off launch=2").code, 0);
  EXPECT_THAT(g80(kTiny + "--wave c.vcd --wave-off launch=2").output,
              HasSubstr("g80: --wave-off: launch=2 did not happen after the wave had begun\n"));
  const Outcome second = g80("run global_sync --until launch=2");
  EXPECT_EQ(second.code, 0) << second.output;
  EXPECT_THAT(second.output, HasSubstr("launch=2 happened at shader cycle "));
  EXPECT_GT(contents("a.fst").size(), 10000u);
  EXPECT_EQ(g80(kTiny + "--until launch=vec_add").code, 0);
}

TEST_F(Events, ARunEndsAtAnEventAndSaysWhereTheWarpsAre) {
  const Outcome stopped = g80(kTiny + "--until " + kSecondWarp);
  EXPECT_EQ(stopped.code, 0);
  EXPECT_THAT(stopped.output, HasSubstr("sm0.pick.valid && .warp == 1 happened at shader cycle 37376\n"
                                        "  block (0,0) on gpu.tpc0.sm0\n"
                                        "    warp 0: is ready; lanes ffffffff, pc 0x8 `cvt u32 $r0 u16 $r0l`"));
  EXPECT_EQ(g80(kTiny + "--until cycle=4000").output,
            "cycle=4000 happened at shader cycle 4000; no warp is resident\n");
  const Outcome faulty = g80(kTiny + "--until fault --inject 'sm0.fault_reporter.reported=1@37378'");
  EXPECT_EQ(faulty.code, 0) << faulty.output;
  EXPECT_THAT(faulty.output, HasSubstr("fault happened at shader cycle 37378 in gpu.tpc0.sm0\n"));
}

TEST_F(Events, AnEventThatNeverComesIsTold) {
  const Outcome never = g80(kTiny + "--until fault");
  EXPECT_EQ(never.code, 1);
  EXPECT_THAT(never.output, HasSubstr("g80: --until: fault did not happen\n"));
  const Outcome wave = g80(kTiny + "--wave n.vcd --wave-on 'sm0.pick.warp == 9'");
  // clang-format off
  EXPECT_EQ(wave.code, 1);
  EXPECT_THAT(wave.output, HasSubstr("n.vcd was not written: the event sm0.pick.warp == 9 did not happen in the window"));
  EXPECT_FALSE(std::filesystem::exists(folder + "/n.vcd"));
  // clang-format on
}

// Whoever looks, the machine does the same.
TEST_F(Events, EventsChangeNoStatistics) {
  // clang-format off
  EXPECT_EQ(g80(kTiny + "--stats plain.csv").code, 0);
  EXPECT_EQ(g80(kTiny + "--stats watched.csv --wave w.vcd --wave-on 'changes(sm0.pick.warp) && sm0.pick.warp == 1' --wave-off 'changes(sm*.issue.uid)'").code, 0);
  EXPECT_FALSE(contents("plain.csv").empty());
  EXPECT_EQ(contents("plain.csv"), contents("watched.csv"));
  // clang-format on
}

TEST_F(Events, WhatIsNoEventIsRefusedBeforeTheRun) {
  const auto error = [&](const std::string& options) {
    const Outcome outcome = g80(kTiny + options);
    EXPECT_EQ(outcome.code, 2) << options;
    return outcome.output;
  };
  // clang-format off
  EXPECT_THAT(error("--wave-on launch"), HasSubstr("need --wave F"));
  EXPECT_THAT(error("--wave x.vcd --wave-on launch --wave-from 7"), HasSubstr("both set the start of the wave"));
  EXPECT_THAT(error("--wave x.vcd --wave-off launch=0"), HasSubstr("--wave-off: launch=0: write launch=N, from 1, or launch=KERNEL"));
  EXPECT_THAT(error("--until cycle=soon"), HasSubstr("--until: cycle=soon: 'soon' is not a shader cycle"));
  EXPECT_THAT(error("--until ' '"), HasSubstr("--until: an event is missing"));
  EXPECT_THAT(error("--until 'sm0.pik.warp == 1'"), HasSubstr("--until: in 'sm0.pik.warp == 1': unknown signal sm0.pik.warp; similar names are gpu.tpc0.sm0.pick.warp"));
  EXPECT_THAT(error("--wave x.vcd --wave-off 'warp == 1'"), HasSubstr("--wave-off: in 'warp == 1': warp is ambiguous: it is the end of "));
  EXPECT_THAT(error("--until fault --model golden"), HasSubstr("--until needs the cycle model"));
  // clang-format on
}

}  // namespace
}  // namespace g80
