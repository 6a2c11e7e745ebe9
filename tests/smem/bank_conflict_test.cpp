// SPDX-License-Identifier: Apache-2.0
// Passes of shared-memory requests: their number is the conflict degree, and each lane is served exactly once.
#include "hw/smem/bank_conflict.h"

#include <numeric>
#include <random>

#include <utility>
#include <vector>

#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

// Serves a request pass by pass; checks that each lane is served once and no bank delivers two words in a pass.
unsigned passes(HalfMask lanes, const HalfWords& word, bool write) {
  HalfMask pending = lanes;
  unsigned count = 0;
  while (pending != 0) {
    const HalfMask served = select_pass(pending, word, write);
    EXPECT_NE(served, 0) << "a pass that serves nobody";
    EXPECT_EQ(served & ~pending, 0) << "a lane is served that does not wait";
    if (served == 0) return count;
    int bank_word[kNumSmemBanks];
    std::fill(std::begin(bank_word), std::end(bank_word), -1);
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      if ((served >> l & 1) == 0) continue;
      int& bank = bank_word[word[l] % kNumSmemBanks];
      EXPECT_TRUE(bank == -1 || (bank == word[l] && !write)) << "a bank is used twice in a pass";
      bank = word[l];
    }
    pending = static_cast<HalfMask>(pending & ~served);
    ++count;
  }
  return count;
}
HalfWords strided(unsigned stride, unsigned first = 0) {
  HalfWords word;
  for (unsigned l = 0; l < kHalfWarp; ++l) word[l] = static_cast<std::uint16_t>(first + l * stride);
  return word;
}

TEST(SelectPass, StridesConflictByTheirCommonDivisorWithTheBanks) {
  for (unsigned stride = 1; stride <= 16; ++stride) {
    for (const unsigned first : {0u, 5u, 100u}) {
      EXPECT_EQ(passes(0xffff, strided(stride, first), false), std::gcd(stride, 16u)) << stride;
      EXPECT_EQ(passes(0xffff, strided(stride, first), true), std::gcd(stride, 16u)) << stride;
    }
  }
}
TEST(SelectPass, OneWordForAllIsABroadcastWhenReadAndAConflictWhenWritten) {
  EXPECT_EQ(passes(0xffff, strided(0, 77), false), 1u);
  EXPECT_EQ(passes(0xffff, strided(0, 77), true), 16u);
}
TEST(SelectPass, BytesOfOneWordAreFourPasses) {
  HalfWords word;
  for (unsigned l = 0; l < kHalfWarp; ++l) word[l] = static_cast<std::uint16_t>(l / 4);
  EXPECT_EQ(passes(0xffff, word, false), 4u);
}
/// Offers requests of 16 conflicts and counts the passes.
class Offerer final : public Clocked<NoRegs> {
 public:
  explicit Offerer(const sc_core::sc_module_name& name) : Clocked(name) {}
  sc_core::sc_out<SmemRequest> request_o{"request_o"};
  sc_core::sc_in<bool> ready_i{"ready_i"};
  sc_core::sc_in<SmemPass> pass_i{"pass_i"};
  unsigned left = 0;
  std::vector<std::pair<unsigned, HalfMask>> passes;  // number of the request, lanes

 private:
  void next() override {
    if (offered_ && ready_i.read()) --left;
    if (pass_i.read().valid) passes.emplace_back(pass_i.read().request.unit, pass_i.read().lanes);
    offered_ = left != 0;
  }
  void drive() override {
    SmemRequest request;
    request.valid = offered_;
    request.unit = static_cast<std::uint8_t>(left);
    request.lanes = 0xffff;
    for (unsigned l = 0; l < kHalfWarp; ++l) request.address[l] = static_cast<std::uint16_t>(64 * l);
    request_o.write(request);
  }
  bool offered_ = false;
};

using BankConflictTest = testing::SystemCTest;

TEST_F(BankConflictTest, RequestsWaitUntilEveryLaneBeforeThemIsServed) {
  Domain domain("shader", 0, 1000, 1, false);
  BankConflict block("bank_conflict", load_config("tiny"));
  Offerer offerer("offerer");
  Wire<SmemRequest> request("request");
  Wire<bool> ready("ready"), replay("replay");
  Wire<SmemPass> pass("pass");
  offerer.request_o(request);
  offerer.ready_i(ready);
  offerer.pass_i(pass);
  block.request_i(request);
  block.request_ready_o(ready);
  block.pass_o(pass);
  block.replay_o(replay);
  domain.add(offerer, Rate::kHalf);
  domain.add(block, Rate::kHalf);
  offerer.left = 8;
  bool was_full = false;
  for (unsigned cycle = 0; cycle < 400; ++cycle) {
    sc_core::sc_start(sc_core::sc_time(2000, sc_core::SC_PS));
    was_full |= !ready.read();
  }
  EXPECT_TRUE(was_full);
  ASSERT_EQ(offerer.passes.size(), 8u * 16);
  for (unsigned i = 0; i < offerer.passes.size(); ++i)
    EXPECT_EQ(offerer.passes[i], std::make_pair(8 - i / 16, static_cast<HalfMask>(1u << i % 16))) << i;
  EXPECT_EQ(block.counters().requests, 8u);
  EXPECT_EQ(block.counters().passes, 8u * 16);
  EXPECT_EQ(block.counters().conflicts, 8u * 15);
}

TEST(SelectPass, RandomRequestsAreServedCompletely) {
  std::mt19937 random(23);
  for (unsigned i = 0; i < 20000; ++i) {
    HalfWords word;
    for (std::uint16_t& w : word) w = static_cast<std::uint16_t>(random() % (i % 2 == 0 ? 4096 : 24));
    const auto lanes = static_cast<HalfMask>(random());
    unsigned in_bank[kNumSmemBanks] = {}, worst = 0;
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      if ((lanes >> l & 1) != 0) worst = std::max(worst, ++in_bank[word[l] % kNumSmemBanks]);
    }
    EXPECT_EQ(passes(lanes, word, true), worst);  // one word a bank and pass
    EXPECT_LE(passes(lanes, word, false), worst);
  }
}

}  // namespace
}  // namespace g80
