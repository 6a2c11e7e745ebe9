// SPDX-License-Identifier: Apache-2.0
// The compiler's work grows with the program, not with its square. Steps are counted, so that nothing depends on the
// machine: the compiler's sources are built once more for this test, with a call at each basic block.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "tests/compiler/sized_programs.h"
#include "toolchain/compiler/compile.h"

namespace {
std::uint64_t basic_blocks = 0;
}

extern "C" void __sanitizer_cov_trace_pc();  // NOLINT: the host compiler calls it so
extern "C" void __sanitizer_cov_trace_pc() { ++basic_blocks; }

namespace g80 {
namespace {

constexpr std::size_t kSmall = 1000, kLarge = 4000;  // PTX instructions

/// What a shape may cost: the k of n^k, and how often the steps of straight code with few values.
struct Limits {
  const char* shape;
  double exponent, times_straight;
};

// About what is there, and a margin: a quarter more steps. `switches` grows faster, because the large one needs more
// versions, and all loops are looked at again when one has become a scope of its own.
const Limits kLimits[] = {
    {"straight", 1.2, 1.01},  {"spill_words", 1.2, 9.5}, {"spill_wide", 1.2, 9.5}, {"wide", 1.2, 1.5},
    {"blocks", 1.15, 3.4},    {"loops", 1.2, 2.6},       {"switch", 1.35, 2.5},    {"nested_ifs", 1.2, 9},
    {"if_nests", 1.4, 8.9},   {"switches", 2.2, 8},      {"live_blocks", 1.4, 26}, {"memory", 1.3, 1.8},
    {"predicates", 1.3, 3.5},
};

double steps(const sized::Shape& shape, std::size_t instructions) {
  const std::string ptx = shape.make(instructions);
  const std::uint64_t before = basic_blocks;
  compile_ptx(ptx, "sized.ptx", {});
  return static_cast<double>(basic_blocks - before);
}

class CompileWork : public testing::TestWithParam<sized::Shape> {};

TEST_P(CompileWork, GrowsHardlyFasterThanTheProgram) {
  const sized::Shape& shape = GetParam();
  const auto limits = std::find_if(std::begin(kLimits), std::end(kLimits),
                                   [&](const Limits& limit) { return std::string(limit.shape) == shape.name; });
  ASSERT_NE(limits, std::end(kLimits));
  const double small = steps(shape, kSmall), large = steps(shape, kLarge);
  ASSERT_GT(small, 1e5) << "nothing is counted";
  const double exponent = std::log(large / small) / std::log(double{kLarge} / kSmall);
  const double times = large / steps(sized::shapes()[0], kLarge);
  fmt::print("{}: n^{:.2f}, {:.1f} times the steps of {}\n", shape.name, exponent, times, sized::shapes()[0].name);
  EXPECT_LT(exponent, limits->exponent);
  EXPECT_LT(times, limits->times_straight);
}

INSTANTIATE_TEST_SUITE_P(Shapes, CompileWork, testing::ValuesIn(sized::shapes()),
                         [](const auto& shape) { return std::string(shape.param.name); });

}  // namespace
}  // namespace g80
