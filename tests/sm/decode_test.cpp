// SPDX-License-Identifier: Apache-2.0
// The decoder: groups of a fetch, pairs of short instructions, long ones where they may not stand, missing code pages.
#include "hw/sm/decode.h"

#include "tests/support/systemc_test.h"
#include "toolchain/assembler/line_assembler.h"

namespace g80 {
namespace {

using DecodeTest = testing::SystemCTest;

// The program keeps what it has decoded, by the words.
TEST_F(DecodeTest, TheSameWordsWithAnErrorAreAnotherInstruction) {
  const isa::Words words = isa::assemble("add b32 $r1 $r2 $r3", isa::Arch::kSm13);
  FetchedInstruction good, bad;
  good.words = bad.words = std::uint64_t{words.w1} << 32 | words.w0;
  bad.error = isa::DecodeError::kIllegalOpcode;
  for (unsigned i = 0; i < 2; ++i) {
    EXPECT_EQ(good.decoded().error, isa::DecodeError::kNone);
    EXPECT_EQ(bad.decoded().error, isa::DecodeError::kIllegalOpcode);
  }
}

struct DecodeBench {
  explicit DecodeBench(const std::vector<std::string>& sets = {})
      : config(load_config("tiny", sets)), domain("shader", 0, 1000, 1, false), decode("decode", config) {
    decode.launch_i(launch);
    decode.reply_i(reply);
    decode.decoded_o(decoded);
    domain.add(decode, Rate::kHalf);
    LaunchState state;
    state.code_base = 0x1000;
    launch.write(state);
    sc_core::sc_start(sc_core::sc_time(4500, sc_core::SC_PS));
  }
  const DecodedGroup& put(const FetchReply& in) {
    reply.write(in);
    sc_core::sc_start(sc_core::sc_time(2000, sc_core::SC_PS));
    reply.write(FetchReply{});
    return decoded.read();
  }
  static FetchReply fetched(std::uint32_t address, std::initializer_list<std::uint32_t> words) {
    FetchReply out;
    out.valid = true;
    out.warp = 2;
    out.epoch = 9;
    out.address = address;
    out.bytes = static_cast<std::uint8_t>(4 * words.size());
    std::copy(words.begin(), words.end(), out.data.begin());
    return out;
  }
  Config config;
  Wire<LaunchState> launch{"launch"};
  Domain domain;
  Decode decode;
  Wire<FetchReply> reply{"reply"};
  Wire<DecodedGroup> decoded{"decoded"};
};

TEST_F(DecodeTest, ALongAndAPairOfShortOnesMakeThree) {
  DecodeBench bench;
  const isa::Words longer = isa::assemble("add b32 $r1 $r2 0x5");
  const isa::Words shorter = isa::assemble("add b32 $r1 $r2 $r3 .short");
  ASSERT_TRUE(longer.is_long);
  ASSERT_FALSE(shorter.is_long);
  const DecodedGroup& group = bench.put(DecodeBench::fetched(0x1010, {longer.w0, longer.w1, shorter.w0, shorter.w0}));
  ASSERT_TRUE(group.valid);
  EXPECT_EQ(group.warp, 2u);
  EXPECT_EQ(group.epoch, 9u);
  ASSERT_EQ(group.count, 3u);
  EXPECT_EQ(group.insn[0].pc, 0x10u);
  EXPECT_EQ(group.insn[1].pc, 0x18u);
  EXPECT_EQ(group.insn[2].pc, 0x1cu);
  EXPECT_EQ(group.insn[0].words, std::uint64_t{longer.w1} << 32 | longer.w0);
  EXPECT_EQ(group.insn[1].words, shorter.w0);
  EXPECT_EQ(&group.insn[1].decoded(), &group.insn[2].decoded()) << "the same words are decoded once";
}

TEST_F(DecodeTest, ALongInstructionAtAnOddWordIsAnError) {
  DecodeBench bench;
  const isa::Words longer = isa::assemble("add b32 $r1 $r2 0x5");
  const DecodedGroup& group = bench.put(DecodeBench::fetched(0x1014, {longer.w0}));
  ASSERT_EQ(group.count, 1u);
  EXPECT_EQ(group.insn[0].decoded().error, isa::DecodeError::kUnalignedLong);
  EXPECT_TRUE(group.insn[0].decoded().control);
}

TEST_F(DecodeTest, AnInstructionOfALaterChipOrOfAMissingUnitIsIllegal) {
  const isa::Words lock = isa::assemble("ld lock $c0 $r5 b32 s[$a1]"),
                   dadd = isa::assemble("add rn f64 $r4d $r0d $r2d");
  const auto error = [](const std::vector<std::string>& sets, const isa::Words& words) {
    renew_context();
    DecodeBench bench(sets);
    return bench.put(DecodeBench::fetched(0x1010, {words.w0, words.w1})).insn[0].error;
  };
  EXPECT_EQ(error({"device.compute_minor=1"}, lock), isa::DecodeError::kIllegalOpcode);
  EXPECT_EQ(error({"device.compute_minor=2"}, lock), isa::DecodeError::kNone);
  EXPECT_EQ(error({"device.compute_minor=3", "sm.num_dps=1"}, dadd), isa::DecodeError::kNone);
  EXPECT_EQ(error({"device.compute_minor=3", "sm.num_dps=0"}, dadd), isa::DecodeError::kIllegalOpcode);
}

TEST_F(DecodeTest, AMissingCodePageIsOneIllegalInstruction) {
  DecodeBench bench;
  FetchReply reply = DecodeBench::fetched(0x1000, {0, 0, 0, 0});
  reply.fault = MemFault::kPageNotPresent;
  const DecodedGroup& group = bench.put(reply);
  ASSERT_EQ(group.count, 1u);
  EXPECT_EQ(group.insn[0].decoded().error, isa::DecodeError::kIllegalOpcode);
}

}  // namespace
}  // namespace g80
