// SPDX-License-Identifier: Apache-2.0
// --x random on wires: what `valid` and `lanes` leave out is random, what they name stays, and a block that counts on
// zeros there is found.
#include "tb/machine/random_state.h"

#include "hw/bundles/smem_bundles.h"
#include "hw/bundles/texture_bundles.h"
#include "hw/common/wire.h"
#include "tests/support/random_seed.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

/// Drives what it is given at each edge.
template <class Bundle>
class Driver final : public Clocked<NoRegs> {
 public:
  explicit Driver(const sc_core::sc_module_name& name) : Clocked(name) {}
  Out<Bundle> out_o{"out_o"};
  Bundle bundle;

 private:
  void next() override {}
  void drive() override { out_o.write(bundle); }
};

/// Adds up the words of a reply: of its lanes, or of all, which is right only if the others are 0.
class Adder final : public Clocked<NoRegs> {
 public:
  Adder(const sc_core::sc_module_name& name, bool all) : Clocked(name), all_(all) {}
  In<SmemReply> in_i{"in_i"};
  std::uint32_t sum = 0;

 private:
  void next() override {
    sum = 0;
    for (unsigned l = 0; l < kHalfWarp; ++l) sum += all_ || (in_i.read().lanes >> l & 1) != 0 ? in_i.read().data[l] : 0;
  }
  void drive() override {}
  const bool all_;
};

template <class Bundle>
struct WireBench {
  Domain domain{"domain", 0, 1000, 1, true};
  Driver<Bundle> driver{"driver"};
  Wire<Bundle> wire{"wire"};
  WireBench() {
    driver.out_o(wire);
    domain.add(driver);
  }
  const Bundle& drive(const Bundle& bundle) {
    driver.bundle = bundle;
    sc_core::sc_start(2, sc_core::SC_NS);
    return wire.read();
  }
};

using RandomStateTest = testing::SystemCTest;

TEST_F(RandomStateTest, LanesOutsideTheMaskAreRandomAndThoseInsideStay) {
  WireBench<SmemReply> bench;
  const RandomState state({&bench.domain}, random_seed());
  SmemReply reply;
  reply.valid = true;
  reply.unit = 5;
  reply.lanes = 0x0ff0;
  for (unsigned l = 0; l < kHalfWarp; ++l) reply.data[l] = 100 + l;
  const SmemReply seen = bench.drive(reply);
  EXPECT_TRUE(seen.valid);
  EXPECT_EQ(seen.unit, 5);
  EXPECT_EQ(seen.lanes, 0x0ff0);
  for (unsigned l = 0; l < kHalfWarp; ++l) EXPECT_EQ(seen.data[l] == 100 + l, (0x0ff0 >> l & 1) != 0) << l;
  EXPECT_EQ(bench.drive(reply), seen) << "equal contents stay equal bits";
  EXPECT_GT(state.carried(), 0u);
  reply.valid = false;
  const SmemReply nothing = bench.drive(reply);
  EXPECT_FALSE(nothing.valid);
  EXPECT_NE(nothing.lanes, 0x0ff0);
  EXPECT_NE(nothing.data[5], 105u);
}

TEST_F(RandomStateTest, EachLaneOfATexelHasFourWords) {
  WireBench<TexReply> texels;
  const RandomState state({&texels.domain}, random_seed());
  TexReply reply;
  reply.valid = true;
  reply.lanes = 0x0103;
  const TexReply seen = texels.drive(reply);
  for (unsigned l = 0; l < kHalfWarp; ++l) {
    for (unsigned c = 0; c < 4; ++c) EXPECT_EQ(seen.texel[l][c] == 0, (0x0103 >> l & 1) != 0) << l << ' ' << c;
  }
}

TEST_F(RandomStateTest, ABlockThatCountsOnZerosBehindTheMaskIsFound) {
  std::uint32_t sums[2][2];
  for (const bool random : {false, true}) {
    for (const bool all : {false, true}) {
      renew_context();
      WireBench<SmemReply> bench;
      Adder adder("adder", all);
      adder.in_i(bench.wire);
      bench.domain.add(adder);
      std::unique_ptr<RandomState> state;
      if (random) state = std::make_unique<RandomState>(std::vector<Domain*>{&bench.domain}, random_seed());
      SmemReply reply;
      reply.valid = true;
      reply.lanes = 0x3;
      reply.data = {7, 8};
      bench.drive(reply);
      sc_core::sc_start(2, sc_core::SC_NS);
      sums[random][all] = adder.sum;
    }
  }
  EXPECT_EQ(sums[false][false], 15u);
  EXPECT_EQ(sums[false][true], 15u) << "zeros hide the mistake";
  EXPECT_EQ(sums[true][false], 15u);
  EXPECT_NE(sums[true][true], 15u);
}

}  // namespace
}  // namespace g80
