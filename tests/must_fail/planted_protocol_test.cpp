// SPDX-License-Identifier: Apache-2.0
// Faults on valid, payload, ready and credits break the protocol between two blocks of the machine: the monitors name
// the wire or block, the cycle and the rule. Without lock-step there are no monitors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "tests/must_fail/planted_run.h"

namespace g80::must_fail {
namespace {

struct Broken {
  const char* name;  // of the test
  std::vector<std::string> faults;
  const char* wire;
  const char* rule;
};
void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.name; }

class BrokenProtocol : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenProtocol, IsReported) {
  const Outcome outcome = run_planted(GetParam().faults);
  EXPECT_TRUE(outcome.refused);
  std::smatch found;
  ASSERT_TRUE(std::regex_search(outcome.message, found, std::regex("protocol: cycle ([0-9]+), ([^:]+): (.*)")))
      << outcome.message;
  EXPECT_EQ(found[2], GetParam().wire);
  EXPECT_THAT(found[3], ::testing::HasSubstr(GetParam().rule));
}

// The first loads leave the SM about 130 cycles after the first issue; without a ready they wait from then on.
const char* const kNoReady = "tpc0.sm0_transaction_ready=0@+222..";
const char* const kNoRequest = "an answer came that no request waits for";

const Broken kBroken[] = {
    {"valid_falls",
     {kNoReady, "tpc0.sm0_transaction.valid=0@+282"},
     "gpu.tpc0.sm0_transaction",
     "the offer was taken back before it was accepted"},
    {"valid_toggles",
     {"tpc0.sm0_transaction.valid^=1@+82.."},
     "gpu.tpc0.sm0_transaction",
     "the offer was taken back before it was accepted"},
    {"payload_changes",
     {kNoReady, "tpc0.sm0_transaction.origin.pc^=4@+282"},
     "gpu.tpc0.sm0_transaction",
     "the offer changed while it waited"},
    {"ready_never_rises",
     {"sm0.smem_ready=0@+72.."},
     "gpu.tpc0.sm0.smem_reply for gpu.tpc0.sm0.smem_request",
     kNoRequest},
    {"answer_for_another_unit",
     {"sm0.smem_reply.unit^=1@+0.."},
     "gpu.tpc0.sm0.smem_reply for gpu.tpc0.sm0.smem_request",
     kNoRequest},
    {"answer_for_another_load", {"gpu.tpc0_reply.id^=1@+82.."}, "gpu.tpc0_reply for gpu.tpc0_request", kNoRequest},
    {"answer_for_another_burst",
     {"channel0.from_dram.slot^=1@+382.."},
     "gpu.channel0.from_dram for gpu.channel0.to_dram",
     kNoRequest},
    {"block_ends_as_another", {"sm0_cta_done.cta_x^=1@+0.."}, "gpu.sm0_cta_done for gpu.sm0_cta", kNoRequest},
    {"collector_credits_are_lost",
     {"sm0.operand_collector.credit.collector=0@+882"},
     "gpu.tpc0.sm0.collector_credit",
     "credits came back, but only"},
    {"memory_credits_are_lost",
     {"sm0.address_unit.credit.memory=0@+882.."},
     "gpu.tpc0.sm0.memory_credit",
     "credits came back, but only"},
    {"a_load_credit_is_made",
     {"sm0.load_table.credit.load^=1@+1882"},
     "gpu.tpc0.sm0.load_credit",
     "1 credits came back, but only 0 were taken"},
    {"credits_of_a_reply_output_are_lost",
     {"reply_crossbar.credits[0]^=0x1e@+882"},
     "gpu.reply_crossbar",
     "of the credits of output 0"},
    {"credits_of_a_request_output_are_lost",
     {"request_crossbar.credits[0]^=0x1e@+882"},
     "gpu.request_crossbar",
     "of the credits of output 0"},
    {"a_place_of_the_crossbar_is_lost",
     {"request_crossbar.input[0].held^=1@+882"},
     "gpu.request_crossbar",
     "1 of the places of input 0"},
    {"a_place_of_the_second_level_tlb_is_lost",
     {"second_level_tlb.held[0]^=1@+882"},
     "gpu.second_level_tlb",
     "1 of the places of requester 0"},
};

INSTANTIATE_TEST_SUITE_P(Wires, BrokenProtocol, ::testing::ValuesIn(kBroken),
                         [](const auto& info) { return info.param.name; });

TEST(BrokenProtocols, AreNotLookedForWithoutLockStep) {
  const Outcome outcome =
      run_planted({"sm0_cta_done.cta_x^=1@+0.."}, "reduction_sequential", {{"block", "128"}, {"blocks", "4"}}, false);
  EXPECT_EQ(outcome.message.find("protocol:"), std::string::npos) << outcome.message;
}

}  // namespace
}  // namespace g80::must_fail
