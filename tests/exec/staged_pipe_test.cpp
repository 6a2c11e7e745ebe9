// SPDX-License-Identifier: Apache-2.0
// Pipes with as many and more registers than their datapath has stages give the reference's results, and announce them
// in time; one with fewer registers is refused.
#include "hw/exec/staged_pipe.h"

#include <random>
#include <string>

#include "hw/exec/dp.h"
#include "hw/exec/sfu.h"
#include "hw/exec/sfu_multipliers.h"
#include "tb/golden/semantics.h"
#include "tests/exec/exec_pipe_bench.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

struct PipeCase {
  const char* text;
  std::vector<std::string> sets;
};

class StagedPipeTest : public testing::SystemCTest, public ::testing::WithParamInterface<PipeCase> {
 protected:
  template <class Pipe>
  void compare() {
    test::ExecPipeBench<Pipe> bench(GetParam().sets);
    std::mt19937 random(random_seed());
    for (unsigned run = 0; run < 20; ++run) {
      test::AllOperands operands{};
      operands.active = operands.lanes = ~LaneMask{0};
      golden::AluInput in{};
      for (unsigned i = 0; i < 3; ++i) {
        for (unsigned l = 0; l < kWarpSize; ++l) {
          in.s[i][l] = operands.source[i][l] = random();
          in.hi[i][l] = operands.high[i][l] = random();
        }
      }
      const auto edges = bench.run(GetParam().text, operands);
      ASSERT_TRUE(edges);
      ASSERT_EQ(*edges, bench.announced.value() + kResultAheadCycles);
      golden::AluOutput expected{};
      golden::execute(test::fetched(GetParam().text, 0x40).decoded().insn, in, expected);
      for (unsigned l = 0; l < kWarpSize; ++l) {
        ASSERT_EQ(bench.low[l], expected.lo[l]) << "lane " << l << " of run " << run;
        if constexpr (std::is_same_v<Pipe, Dp>) {
          ASSERT_EQ(bench.high[l], expected.hi[l]) << "lane " << l << " of run " << run;
        }
      }
    }
  }
};

class SfuDepth : public StagedPipeTest {};
class MultiplierDepth : public StagedPipeTest {};
class DpDepth : public StagedPipeTest {};

TEST_P(SfuDepth, DoesNotMatter) { compare<Sfu>(); }
TEST_P(MultiplierDepth, DoesNotMatter) { compare<SfuMultipliers>(); }
TEST_P(DpDepth, DoesNotMatter) { compare<Dp>(); }

// 32 lanes enter in 32 / n cycles and take 12 more at the least.
INSTANTIATE_TEST_SUITE_P(Registers, SfuDepth,
                         ::testing::Values(PipeCase{"rsqrt f32 $r3 $r1", {"sm.sfu_latency=28"}},
                                           PipeCase{"rcp f32 $r3 $r1", {"sm.sfu_latency=32"}},
                                           PipeCase{"lg2 f32 $r3 $r1", {"sm.sfu_latency=34"}},
                                           PipeCase{"rcp f32 $r3 $r1", {"sm.sfu_latency=36"}},
                                           PipeCase{"rcp f32 $r3 $r1", {"sm.num_sfus=4", "sm.sfu_latency=60"}},
                                           PipeCase{"rsqrt f32 $r3 $r1", {"sm.num_sfus=1", "sm.sfu_latency=50"}}));
INSTANTIATE_TEST_SUITE_P(
    Registers, MultiplierDepth,
    ::testing::Values(PipeCase{"mul rn f32 $r3 $r1 $r2", {"sm.sfu_mul=true", "sm.sfu_latency=28"}},
                      PipeCase{"mul rz f32 $r3 $r1 $r2", {"sm.sfu_mul=true", "sm.num_sfus=4", "sm.sfu_latency=20"}},
                      PipeCase{"mul rn f32 $r3 $r1 $r2", {"sm.sfu_mul=true", "sm.num_sfus=1", "sm.sfu_latency=60"}}));
INSTANTIATE_TEST_SUITE_P(Registers, DpDepth,
                         ::testing::Values(PipeCase{"fma rn f64 $r10d $r4d $r6d $r8d", {"sm.num_dps=1"}},
                                           PipeCase{"add rz f64 $r10d $r4d $r8d", {"sm.num_dps=8", "sm.dp_latency=20"}},
                                           PipeCase{"mul rn f64 $r10d $r4d $r6d", {"sm.num_dps=2", "sm.dp_latency=32"}},
                                           PipeCase{"fma rp f64 $r10d $r4d $r6d $r8d",
                                                    {"sm.num_dps=4", "sm.dp_latency=60"}}));

}  // namespace
}  // namespace g80
