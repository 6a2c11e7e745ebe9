// SPDX-License-Identifier: Apache-2.0
// The cut of a write to the host in SystemVerilog against the functions in C++.
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "hw/host/byte_mask.h"
#include "hw/host/host_port.h"
#include "tb/twins/verilated_time.h"
#include "tests/support/random_seed.h"
#include "tests/twins/clock_edge.h"

#include "Vfirst_run.h"

namespace g80 {
namespace {

using ByteEnable = std::array<std::uint64_t, 2>;

/// An edge of the twin against the functions; the first run.
ByteRun check_run(Vfirst_run& model, const ByteEnable& bytes, const ByteRun& leaving) {
  for (unsigned word = 0; word < 4; ++word)
    model.byte_enable_i[word] = static_cast<std::uint32_t>(bytes[word / 2] >> 32 * (word % 2));
  model.first_i = leaving.first;
  model.count_i = leaving.count;
  testing::clock_edge(model);
  const ByteRun run = first_run(bytes);
  const ByteEnable sent = byte_mask(leaving.first, leaving.count);
  const ByteEnable rest = {bytes[0] & ~sent[0], bytes[1] & ~sent[1]};
  EXPECT_EQ(model.count_o, run.count);
  if (run.count != 0) {
    EXPECT_EQ(model.first_o, run.first);
  }
  for (unsigned half = 0; half < 2; ++half) {
    EXPECT_EQ(model.rest_o[2 * half] | std::uint64_t{model.rest_o[2 * half + 1]} << 32, rest[half]);
  }
  EXPECT_EQ(model.any_o != 0, (rest[0] | rest[1]) != 0);
  return run;
}

TEST(FirstRunTwin, FindsTheRunsOfAWriteAsInCpp) {
  std::mt19937_64 random(random_seed());
  Vfirst_run model;
  unsigned whole = 0, over_the_middle = 0, to_the_end = 0, none = 0;
  for (unsigned step = 0; step < 50'000; ++step) {
    ByteEnable bytes{};
    const unsigned pieces = static_cast<unsigned>(random() % 4);
    for (unsigned i = 0; i < pieces; ++i) {
      const auto first = static_cast<unsigned>(random() % 128);
      const ByteEnable more = byte_mask(first, random() % 4 == 0 ? 128 - first : random() % (129 - first));
      for (unsigned half = 0; half < 2; ++half) bytes[half] |= more[half];
    }
    if (random() % 4 == 0) bytes[random() % 2] ^= random() & random() & random();
    ByteRun leaving = first_run(bytes);
    if (leaving.count == 0 || random() % 2 != 0) {
      leaving.first = static_cast<std::uint8_t>(random() % 128);
      leaving.count = static_cast<std::uint8_t>(random() % (129 - leaving.first));
    }
    const ByteRun run = check_run(model, bytes, leaving);
    ASSERT_FALSE(::testing::Test::HasFailure())
        << "step " << step << std::hex << ", bytes " << bytes[1] << " " << bytes[0] << ", " << leaving;
    whole += run.count == 128;
    over_the_middle += run.first < 64 && run.first + run.count > 64;
    to_the_end += run.count != 0 && run.first + run.count == 128;
    none += run.count == 0;
  }
  EXPECT_GT(whole, 50u);
  EXPECT_GT(over_the_middle, 5'000u);
  EXPECT_GT(to_the_end, 5'000u);
  EXPECT_GT(none, 1'000u);
}

TEST(FirstRunTwin, TakesTheLowerOfTwoRunsAndLeavesTheOther) {
  Vfirst_run model;
  const ByteRun run = check_run(model, {0xf000'0000'0000'00f0, 3}, {4, 4});
  EXPECT_EQ(run.first, 4);
  EXPECT_EQ(run.count, 4);
  const ByteRun next = check_run(model, {0xf000'0000'0000'0000, 3}, {60, 6});
  EXPECT_EQ(next.first, 60);
  EXPECT_EQ(next.count, 6);
  EXPECT_EQ(model.any_o, 0);
}

}  // namespace
}  // namespace g80
