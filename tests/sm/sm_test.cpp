// The pipeline of one SM: results, dependent-issue latencies, issue rates, and stall reasons that add up.
#include "tests/sm/sm_bench.h"

namespace g80 {
namespace {

using testing::kDataBase;
using testing::SmBench;
using SmTest = testing::SystemCTest;

// Lane l stores its value at kDataBase + 4 l.
std::vector<std::string> with_store(std::vector<std::string> body) {
  std::vector<std::string> lines = {"cvt u32 $r1 u16 $r0l", "shl b32 $r2 $r1 0x2", "add b32 $r2 $r2 0x40000"};
  lines.insert(lines.end(), body.begin(), body.end());
  lines.push_back("st b32 g14[$r2] $r3");
  lines.push_back("exit (never) nop");
  return lines;
}

TEST_F(SmTest, OneWarpStoresItsLaneNumbers) {
  SmBench bench;
  bench.code(with_store({"mov b32 $r3 $r1"}));
  ASSERT_TRUE(bench.run(1));
  for (unsigned l = 0; l < 32; ++l) EXPECT_EQ(bench.get(kDataBase + 4 * l), l);
}

TEST_F(SmTest, LoadsComeBackToTheirLanes) {
  SmBench bench;
  for (unsigned l = 0; l < 32; ++l) bench.put(kDataBase + 4 * l, 1000 + 7 * l);
  bench.code(with_store({"ld b32 $r3 g14[$r2]", "add b32 $r3 $r3 0x1"}));
  ASSERT_TRUE(bench.run(1));
  for (unsigned l = 0; l < 32; ++l) EXPECT_EQ(bench.get(kDataBase + 4 * l), 1001 + 7 * l);
}

TEST_F(SmTest, SharedAndConstantOperandsReachTheSps) {
  SmBench bench;
  bench.put(testing::kConstBase + 8, 500);
  bench.launch.num_params = 2;
  bench.launch.param[1] = 41;
  // The parameter is at s[0x14].
  bench.code(with_store({"mov b32 $r3 b32 s[0x14]", "add b32 $r3 $r3 c1[0x8]", "add b32 $r3 $r3 $r1"}));
  ASSERT_TRUE(bench.run(1));
  for (unsigned l = 0; l < 32; ++l) EXPECT_EQ(bench.get(kDataBase + 4 * l), 541 + l);
}


}  // namespace
}  // namespace g80
