// SPDX-License-Identifier: Apache-2.0
// The built program with RTL in the place of its blocks, as a user calls it.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "source_dir.h"
#include "tests/support/shell.h"
#include "tests/support/vcd_reader.h"

namespace g80 {
namespace {

using test::Outcome;
using ::testing::HasSubstr;

class RtlTwins : public ::testing::Test {
 protected:
  RtlTwins() { std::filesystem::create_directories(folder); }
  ~RtlTwins() override { std::filesystem::remove_all(folder); }
  Outcome g80(const std::string& arguments) const {
    return test::shell("cd " + folder + " && " + G80_PROGRAM + " " + arguments);
  }
  bool exists(const std::string& file) const { return std::filesystem::exists(folder + "/" + file); }
  void expect_input_error(const std::string& arguments, const std::string& part) const {
    const Outcome outcome = g80(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments << "\n" << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr(part)) << arguments;
  }
  const std::string folder = ::testing::TempDir() + "g80_rtl_" + std::to_string(getpid());
};

/// What a run without a record of cycles says.
std::string uncompared(const std::string& twins) {
  return "g80: --rtl " + twins +
         ": results are checked, but cycles, counters and waves were not compared with the SystemC blocks "
         "(--rtl-check " +
         twins + " does that)\n";
}

TEST_F(RtlTwins, AreListedChosenByNameAndChangeNothing) {
  const std::string list = g80("list twins").output;
  unsigned listed = 0;
  for (const auto& entry : std::filesystem::directory_iterator(G80_SOURCE_DIR "/rtl/adapters")) {
    const std::string file = entry.path().filename().string(), twin = file.substr(0, file.rfind("_rtl.h"));
    if (twin.size() == file.size()) continue;
    EXPECT_THAT(list, HasSubstr("\n  " + twin + " ")) << "each block with an adapter is listed";
    ++listed;
  }
  EXPECT_GE(listed, 20u);
  const Outcome systemc = g80("run reduction_interleaved");
  EXPECT_EQ(systemc.code, 0) << systemc.output;
  for (const char* twins : {"all", "bank_conflict,coalescer", "warp_scheduler"}) {
    const Outcome rtl = g80(std::string("run reduction_interleaved --rtl ") + twins);
    EXPECT_EQ(rtl.code, 0) << twins;
    EXPECT_EQ(rtl.output, systemc.output + uncompared(twins)) << twins;
  }
  const Outcome checked = g80("run reduction_interleaved --rtl-check fetch,warp_scheduler");
  EXPECT_EQ(checked.code, 0) << checked.output;
  EXPECT_NE(checked.output.find(systemc.output), std::string::npos) << checked.output;
  EXPECT_NE(checked.output.find("g80: --rtl-check: outputs, registers and counters are equal at "), std::string::npos)
      << checked.output;
}

TEST_F(RtlTwins, UnknownOnesAreAnInputError) {
  const std::string sentence =
      "block 'texture_unit' has no RTL twin; allowed are address_unit, bank_conflict, barrier, coalescer, "
      "constant_cache, cta_launcher, decode, dp, fault_reporter, fetch, instruction_buffer, instruction_cache, "
      "line_port, load_table, operand_collector, reconvergence_stack, register_file, scoreboard, sfu, sfu_multipliers, "
      "shared_memory, sp_array, warp_scheduler, writeback, sm, all\n";
  expect_input_error("run vec_add --rtl texture_unit", sentence);
  expect_input_error("suite --only vec_add --rtl coalescer,texture_unit", sentence);
  expect_input_error("run vec_add --model golden --rtl all", "--rtl needs the cycle model");
  expect_input_error("run vec_add --model golden --rtl-check all", "--rtl-check needs the cycle model");
  expect_input_error("run vec_add --rtl-check texture_unit", "--rtl-check texture_unit: " + sentence);
  expect_input_error("run vec_add --rtl all --rtl-check fetch",
                     "--rtl-check fetch: fetch is chosen a second time, in another way");
}

// A fault in the block is as good as a mistake in the twin. The wave ends at the edge and has both.
TEST_F(RtlTwins, LeaveAWaveOfTheBlockThatDiffers) {
  const std::string run =
      "run vec_add --rtl-check warp_scheduler --inject 'tpc0.sm0.warp_scheduler.last^=1@4000' --wave-before 100";
  const Outcome failed = g80(run + " --wave-on-failure f.vcd");
  EXPECT_EQ(failed.code, 4) << failed.output;
  EXPECT_THAT(failed.output, HasSubstr("gpu.tpc0.sm0.warp_scheduler: its RTL twin differs at edge 400"));
  EXPECT_THAT(failed.output, HasSubstr("last: block 0x"));
  EXPECT_THAT(failed.output, HasSubstr("inputs at this edge: all zero"));
  const testing::Vcd wave(folder + "/f.vcd");
  const std::string block = "gpu.tpc0.sm0.warp_scheduler.";
  EXPECT_NE(wave.at(block + "last", wave.last_time), wave.at(block + "rtl.last_q", wave.last_time));
  EXPECT_EQ(wave.signals.count("gpu.tpc0.request_crossbar.ready"), 0u) << "only what surrounds the block";
  const Outcome unasked = g80(run);
  EXPECT_EQ(unasked.code, 4) << unasked.output;
  EXPECT_TRUE(exists("vec_add.rtl-check.fst"));
}

TEST_F(RtlTwins, ChangeNoCycleAndNoSchedule) {
  EXPECT_THAT(g80("diff --run vec_add --b '--rtl all'").output, HasSubstr("the schedules are equal"));
  ASSERT_EQ(g80("run vec_add --stats a.json").code, 0);
  ASSERT_EQ(g80("run vec_add --rtl fetch --stats rtl.json").code, 0);
  EXPECT_EQ(g80("diff a.json rtl.json").code, 0);
  const std::string slow = R"(sed 's/"shader_cycles": \([0-9]*\)/"shader_cycles": 1\1/' rtl.json > slow.json)";
  ASSERT_EQ(test::shell("cd " + folder + " && " + slow).code, 0);
  const Outcome other = g80("diff a.json slow.json");
  EXPECT_EQ(other.code, 1) << other.output;
  EXPECT_THAT(other.output, HasSubstr("vec_add n=1000 block=256: the runs differ only in --rtl"));
}

TEST_F(RtlTwins, ChangeNoCounterOfAnInstruction) {
  const auto pcs = [&](const std::string& options) {
    EXPECT_EQ(g80("run dot_product --check off --stats s.json" + options).code, 0) << options;
    std::ifstream stream(folder + "/s.json");
    return nlohmann::json::parse(stream)["runs"][0]["launches"][0]["pcs"];
  };
  EXPECT_EQ(pcs(" --rtl all"), pcs(""));
}

}  // namespace
}  // namespace g80
