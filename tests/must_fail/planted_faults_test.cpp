// SPDX-License-Identifier: Apache-2.0
// A fault planted in a block is caught, and the message names that block. Without the fault the same run passes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include "input/input_error.h"
#include "tests/must_fail/planted_run.h"

namespace g80::must_fail {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Planted {
  const char* name;     // of the test
  const char* fault;    // what is planted
  const char* suspect;  // block that must be named
  const char* says;     // part of the sentence
};

void PrintTo(const Planted& planted, std::ostream* out) { *out << planted.fault; }

class PlantedFault : public ::testing::TestWithParam<Planted> {};

TEST_P(PlantedFault, IsCaughtAndItsBlockIsNamed) {
  const Outcome outcome = run_planted({GetParam().fault});
  EXPECT_TRUE(outcome.refused) << "the run ended: " << outcome.message;
  EXPECT_THAT(outcome.message,
              AllOf(HasSubstr("lock-step: cycle "), HasSubstr(std::string("suspect: ") + GetParam().suspect + " ("),
                    HasSubstr(GetParam().says)));
}

TEST(PlantedFaults, AStuckFlopOfAResetStopsTheRun) {
  for (const char* clock : {"shader", "core", "dram"}) {
    const auto message = [clock](const char* fault) {
      return run_planted({fmt::format("{}_{}", clock, fault)}).message;
    };
    EXPECT_THAT(message("reset.first=0@0.."), HasSubstr(fmt::format("the reset of gpu.{} does not end", clock)));
    EXPECT_THAT(message("reset.second=1@0.."), HasSubstr(fmt::format("the reset of gpu.{} has come back", clock)));
    EXPECT_THAT(message("reset.second=0@5000"), HasSubstr(fmt::format("the reset of gpu.{} has come back", clock)));
  }
}

const Planted kPlanted[] = {
    {"scoreboard_forgets_pending_writes", "sm0.scoreboard.pending[1]=0@1..", "gpu.tpc0.sm0.scoreboard",
     "has not written it"},
    {"scoreboard_forgets_a_control_instruction", "sm0.scoreboard.control=0@1..", "gpu.tpc0.sm0.scoreboard",
     "issued before"},
    {"scoreboard_holds_a_warp_back", "sm0.scoreboard.pending[0].registers.low=0xff@1..", "gpu.tpc0.sm0.scoreboard",
     "nothing issues, although"},
    {"operand_collector_holds_a_wrong_operand", "sm0.operand_collector.unit[0].operands.source[0].lane[5]=0xdead@1..",
     "gpu.tpc0.sm0.operand_collector", "lane 5: operand"},
    {"operand_collector_drops_a_lane", "sm0.to_sp.lanes^=0x4@1..", "gpu.tpc0.sm0.operand_collector",
     "executed in lanes fffffffb"},
    {"reconvergence_stack_loses_a_lane", "sm0.reconvergence_stack.masks.mask[0]=0x7fffffff@1..",
     "gpu.tpc0.sm0.reconvergence_stack", "active mask is 7fffffff, expected ffffffff"},
    {"bank_conflict_overlooks_conflicts", "sm0.smem_pass.lanes=0xffff@+382..", "gpu.tpc0.sm0.bank_conflict", ""},
    {"bank_conflict_forgets_a_lane", "sm0.smem_pass.lanes^=0x1@1..", "gpu.tpc0.sm0.bank_conflict",
     "lane 0 is never served"},
    {"shared_memory_cell_is_stuck", "sm0.shared_memory.word[40]=3@1..", "gpu.tpc0.sm0.shared_memory", "s[0xa0] is 0x3"},
    {"coalescer_sends_to_a_wrong_segment", "tpc0.sm0_transaction.virtual_address^=0x40@1..", "gpu.tpc0.coalescer0",
     "was served from"},
    {"coalescer_sends_to_an_absent_page", "tpc0.sm0_transaction.virtual_address=0x2d419e40@1..", "gpu.tpc0.coalescer0",
     "which no lane accesses"},
    {"coalescer_changes_a_stored_byte", "tpc0.sm0_transaction.data[0]^=0x4000@1..", "gpu.tpc0.coalescer0",
     "was stored at"},
    {"coalescer_forgets_a_byte", "tpc0.sm0_transaction.byte_enable[0]^=0x4@1..", "gpu.tpc0.coalescer0",
     "byte 2 was not stored"},
    {"coalescer_forgets_a_lane", "tpc0.sm0_transaction.lanes^=0x1@1..", "gpu.tpc0.coalescer0", "was never performed"},
    {"load_table_delivers_a_wrong_word", "sm0.load_table.entry[0].data[0].lane[3]=0x12345678@1..",
     "gpu.tpc0.sm0.load_table", "lane 3: $r2 is 0x12345678"},
    {"load_table_never_delivers", "sm0.load_table.leaving=0@1..", "gpu.tpc0.sm0.load_table",
     "memory has replied for every lane"},
    {"writeback_loses_a_release", "sm0.release.entry[0].valid=0@1..", "gpu.tpc0.sm0.writeback",
     "the scoreboard got no release"},
    {"writeback_releases_another_warp", "sm0.release.entry[0].warp^=0x1@1..", "gpu.tpc0.sm0.writeback",
     "expected warp slot 0"},
    {"barrier_opens_early", "sm0.barrier.arrived[0].at[0]=3@1..", "gpu.tpc0.sm0.barrier",
     "passed barrier 0 before it opened"},
    {"barrier_never_opens", "sm0.barrier.opened=0@1..", "gpu.tpc0.sm0.barrier", "but was not released"},
    {"barrier_lets_go_who_did_not_come", "sm0.barrier.opened=0xf@1..", "gpu.tpc0.sm0.barrier", "which waits at none"},
    {"dram_returns_other_data", "channel0.from_dram.data[3]^=0x100@+0..", "gpu.channel0.controller", "was read as"},
    {"a_data_pin_of_the_dram_is_wrong", "channel0.dq_from_device.data[1]^=0x100@+0..", "gpu.channel0.controller",
     "was read as"},
    {"dram_stores_other_data", "channel0.to_dram.data[3]^=0x100@1..", "gpu.channel0.controller", "was read as"},
};

INSTANTIATE_TEST_SUITE_P(Blocks, PlantedFault, ::testing::ValuesIn(kPlanted),
                         [](const auto& info) { return info.param.name; });

// The machine's arithmetic and the reference's are two implementations: a wrong bit in a stage of either shows.
struct PlantedStage {
  const char* name;
  const char* kernel;
  Assignments args;
  const char* fault;
  const char* suspect;
};
const Assignments kFewProducts = {{"n", "512"}, {"block", "64"}};
void PrintTo(const PlantedStage& planted, std::ostream* out) { *out << planted.fault; }

class FaultInAStage : public ::testing::TestWithParam<PlantedStage> {};

TEST_P(FaultInAStage, IsCaughtByTheReference) {
  const PlantedStage& planted = GetParam();
  EXPECT_TRUE(run_planted({}, planted.kernel, planted.args).right);
  const Outcome outcome = run_planted({planted.fault}, planted.kernel, planted.args);
  EXPECT_TRUE(outcome.refused) << "the run ended: " << outcome.message;
  EXPECT_THAT(outcome.message, AllOf(HasSubstr(std::string("suspect: ") + planted.suspect + " ("), HasSubstr("lane ")));
}

const PlantedStage kPlantedStages[] = {
    {"sp_product", "dot_product", kFewProducts, "sm0.sp_array.datapath.multiplied.sum[3]^=0x10000000000@1..",
     "gpu.tpc0.sm0.sp_array"},
    {"sp_alignment", "dot_product", kFewProducts, "sm0.sp_array.datapath.aligned.x[1]^=0x4000000@1..",
     "gpu.tpc0.sm0.sp_array"},
    {"sp_sum", "dot_product", kFewProducts, "sm0.sp_array.datapath.sum.word[2]^=0x10@1..", "gpu.tpc0.sm0.sp_array"},
    {"sp_result", "dot_product", kFewProducts, "sm0.sp_array.result.word[7]^=0x1@1..", "gpu.tpc0.sm0.sp_array"},
    {"sfu_square", "sfu_functions", {}, "sm0.sfu.datapath.looked_up.square_carry[1]^=0x4000@1..", "gpu.tpc0.sm0.sfu"},
    {"sfu_product", "sfu_functions", {}, "sm0.sfu.datapath.products.sum[0]^=0x100000000@1..", "gpu.tpc0.sm0.sfu"},
    {"sfu_sum", "sfu_functions", {}, "sm0.sfu.datapath.sum.value[1]^=0x10000000@1..", "gpu.tpc0.sm0.sfu"},
    {"sfu_count", "sfu_functions", {}, "sm0.sfu.datapath.counted.shift[0]^=0x1@1..", "gpu.tpc0.sm0.sfu"},
};

INSTANTIATE_TEST_SUITE_P(Stages, FaultInAStage, ::testing::ValuesIn(kPlantedStages),
                         [](const auto& info) { return info.param.name; });

TEST(PlantedFaults, WithoutThemTheRunPasses) {
  const Outcome outcome = run_planted({});
  EXPECT_TRUE(outcome.right) << outcome.message;
}

TEST(PlantedFaults, InAFlopOfACrossingMakeAnEntryUp) {
  const Outcome outcome = run_planted({"channel0.from_dram.write_flop[0]^=4@+0"});
  EXPECT_TRUE(outcome.refused);
  EXPECT_THAT(outcome.message, HasSubstr("gpu.channel0.partition: DRAM"));
}

TEST(PlantedFaults, MoreBeatsThanABurstHasAreStopped) {
  for (const char* fault : {"channel0.controller.to_send=0x10@1..", "channel0.controller.to_take=0x10@1..",
                            "channel0.device.to_read=0x10@1..", "channel0.device.to_write=0x10@1.."})
    EXPECT_THAT(run_planted({fault}).message, HasSubstr("16 beats are left of a burst of 2")) << fault;
}

// From one of these moments on, the host's copies are over and the command processor waits for memory to be idle.
TEST(PlantedFaults, AHangInFrontOfALaunchIsReported) {
  unsigned reported = 0;
  for (unsigned cycle = 20'000; cycle < 38'000; cycle += 1'500) {
    const Outcome outcome = run_planted({fmt::format("third_level.misses.used=0x100@{}..", cycle)});
    EXPECT_TRUE(outcome.refused) << cycle << ": " << outcome.message;
    reported += outcome.message.rfind("the machine is stuck", 0) == 0;
  }
  EXPECT_GT(reported, 0u) << "no fault came behind the copies and in front of the launch";
}

TEST(PlantedFaults, WithoutEffectChangeNothingAndSaySo) {
  const Outcome outcome =
      run_planted({"sm0.register_file.row[127].lane[31]=0@1..", "gpu.tpc0.sm0.scoreboard.drained=0@1..100"});
  EXPECT_TRUE(outcome.right) << outcome.message;
  EXPECT_EQ(outcome.changes, 0u);
}

// The machine has neither multipliers in its SFUs nor an fp64 unit; its SPs take operands in two parts.
TEST(PlantedFaults, OperandsThatNoUnitTakesAreStopped) {
  for (const char* fault :
       {"sm0.ready.multiply=0xffffffff@1..", "sm0.operand_collector.multiply_port.sending=1@1..",
        "sm0.operand_collector.dp_port.sending=1@1..", "sm0.operand_collector.sp_port.part=2@+382.."}) {
    SCOPED_TRACE(fault);
    const Outcome outcome = run_planted({fault});
    EXPECT_TRUE(outcome.refused);
    EXPECT_THAT(outcome.message, HasSubstr("of operands leaves for a unit that takes "));
  }
}

TEST(PlantedFaults, AMaskedFaultLeavesTheResultAndIsCounted) {
  const Outcome outcome = run_planted({"sm0.register_file.row[127].lane[31]=0x55@1.."});
  EXPECT_TRUE(outcome.right) << outcome.message;
  EXPECT_EQ(outcome.changes, 1u);
}

TEST(PlantedFaults, ARegisterThatChangesByItselfIsTheRegisterFile) {
  const Outcome outcome = run_planted({"sm0.register_file.row[0].lane[3]=0x7@1.."});
  EXPECT_TRUE(outcome.refused);
  EXPECT_THAT(outcome.message, HasSubstr("suspect: gpu.tpc0.sm0."));
}

std::string refusal(const std::string& fault) {
  try {
    run_planted({fault});
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FaultText, NamesWhatIsWrongWithIt) {
  EXPECT_THAT(refusal("sm0.scoreboard.pending[1]@5"), HasSubstr("there is no '='"));
  EXPECT_THAT(refusal("sm0.scoreboard.control=1"), HasSubstr("no '@'"));
  EXPECT_THAT(refusal("sm0.scoreboard.control=1@soon"), HasSubstr("'soon' is not a shader cycle"));
  EXPECT_THAT(refusal("sm0.scoreboard.control=1@9..5"), HasSubstr("cycle 5 is before 9"));
  EXPECT_THAT(refusal("sm0.*.control=1@9"), HasSubstr("without wildcards"));
  EXPECT_THAT(refusal("sm0.scoreboard.control=on@9"), HasSubstr("'on' is not a number"));
  EXPECT_THAT(refusal("sm0.scoreboard.control^=0@9"), HasSubstr("the value inverts no bit"));
  EXPECT_THAT(refusal("sm0.to_sp.warp=32@9"), HasSubstr("has 5 bits, allowed are values up to 0x1f"));
  EXPECT_THAT(refusal("sm0.warp_scheduler.pick.stall=SLEEPY@9"),
              HasSubstr("not a number and not one of ISSUED, NO_WARP"));
  EXPECT_THAT(refusal("sm0.scoreboard.pending[1]=3@9"), HasSubstr("together they can only be set to 0"));
}

TEST(FaultText, AnUnknownNameBringsTheNearestOnes) {
  EXPECT_THAT(refusal("sm0.scorebord.control=1@9"), HasSubstr("similar names are gpu.tpc0.sm0.scoreboard.control"));
  EXPECT_THAT(refusal("sm0.scoreboard.pending[99].flags=1@9"),
              HasSubstr("an existing name is gpu.tpc0.sm0.scoreboard.pending[0].flags"));
  EXPECT_THAT(refusal("sm0.scoreboard=0@9"), HasSubstr("is a block with"));
  EXPECT_THAT(refusal("lanes=0@9"), HasSubstr("write more of the name"));
  EXPECT_THAT(refusal("sm0.instruction_cache.replies.moving=0@9"), HasSubstr("exists for display only"));
}

TEST(LockStepMessage, NamesTheSourceLineOfTheInstruction) {
  const std::string message = run_planted({"sm0.load_table.entry[0].data[0].lane[3]=0x12345678@1.."}).message;
  static const std::regex place("pc 0x[0-9a-f]+ `(\\w+)[^`]*` \\((\\S+):(\\d+)\\): ");
  std::smatch match;
  ASSERT_TRUE(std::regex_search(message, match, place)) << message;
  const std::string folder = std::string(G80_SOURCE_DIR) + "/kernels/reduction_sequential/";
  std::ifstream source(folder + std::filesystem::path(match[2].str()).filename().string());
  ASSERT_TRUE(source) << match[2];
  std::string line;
  for (int number = std::stoi(match[3]); number > 0; --number) std::getline(source, line);
  EXPECT_EQ(match[1], "ld") << message;
  EXPECT_THAT(line, HasSubstr("ld ")) << message;
}

}  // namespace
}  // namespace g80::must_fail
