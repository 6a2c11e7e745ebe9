// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the atomic unit in SystemVerilog against the functions in C++.
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "hw/mem/atomic_unit.h"
#include "tb/twins/verilated_time.h"
#include "tests/support/random_seed.h"
#include "tests/twins/clock_edge.h"

#include "Vatomic_operation.h"

namespace g80 {
namespace {

/// Two edges of the twin against both functions; what goes back to memory.
std::uint64_t check_atomic(Vatomic_operation& model, const AtomicOperation& atomic, std::uint64_t old_value) {
  model.op_i = atomic.op;
  model.is_signed_i = atomic.is_signed;
  model.wide_i = atomic.wide;
  model.b_i = atomic.b;
  model.c_i = atomic.c;
  model.old_value_i = old_value;
  testing::clock_edge(model);
  const AtomicSums sums = atomic_sums(atomic, old_value);
  EXPECT_EQ(model.sum_o, sums.sum);
  EXPECT_EQ(model.less_o != 0, sums.less);
  EXPECT_EQ(model.equal_o != 0, sums.equal);
  testing::clock_edge(model);
  EXPECT_EQ(model.result_o, atomic_result(atomic, old_value, sums));
  return model.result_o;
}

TEST(AtomicOperationTwin, GivesWhatTheFunctionsInCppGive) {
  std::mt19937_64 random(random_seed());
  Vatomic_operation model;
  const auto number = [&random] {
    static constexpr std::array<std::uint64_t, 6> kEnds = {0, 1, ~0ull, 0x7fffffff, 0x80000000, 1ull << 63};
    return random() % 4 == 0 ? kEnds[random() % kEnds.size()] : random() % 4 == 0 ? random() % 8 : random();
  };
  std::array<unsigned, 16> changed{};
  unsigned equal = 0;
  for (unsigned step = 0; step < 100'000; ++step) {
    AtomicOperation atomic;
    atomic.op = static_cast<std::uint8_t>(random() % 16);
    atomic.is_signed = random() % 2 != 0;
    atomic.wide = random() % 2 != 0;
    atomic.b = number();
    atomic.c = number();
    const std::uint64_t old_value = random() % 4 == 0 ? atomic.b + random() % 3 - 1 : number();
    const std::uint64_t result = check_atomic(model, atomic, old_value);
    ASSERT_FALSE(::testing::Test::HasFailure()) << "step " << step << ", old value " << old_value << ", " << atomic;
    changed[atomic.op] += result != (old_value & atomic_mask(atomic));
    equal += model.equal_o;
  }
  EXPECT_GT(equal, 1'000u);
  for (const unsigned op : {0, 1, 2, 4, 5, 6, 7, 10, 11, 12}) EXPECT_GT(changed[op], 200u) << op;
  for (const unsigned op : {3, 8, 9, 13, 14, 15}) EXPECT_EQ(changed[op], 0u) << op;
}

TEST(AtomicOperationTwin, OrdersSignedNumbersAndCarriesIntoTheUpperHalf) {
  Vatomic_operation model;
  const auto code = [](isa::AtomOp op) { return static_cast<std::uint8_t>(op); };
  EXPECT_EQ(check_atomic(model, {code(isa::AtomOp::kMax), true, false, 5, 0}, 0xfffffffd), 5u);
  EXPECT_EQ(check_atomic(model, {code(isa::AtomOp::kMax), false, false, 5, 0}, 0xfffffffd), 0xfffffffdu);
  EXPECT_EQ(check_atomic(model, {code(isa::AtomOp::kAdd), false, true, 1, 0}, 0xffffffff), 0x100000000u);
  EXPECT_EQ(check_atomic(model, {code(isa::AtomOp::kAdd), false, false, 1, 0}, 0xffffffff), 0u);
  EXPECT_EQ(check_atomic(model, {code(isa::AtomOp::kCas), false, true, 7, 9}, 7), 9u);
  EXPECT_EQ(check_atomic(model, {code(isa::AtomOp::kInc), false, false, 7, 0}, 7), 0u);
}

}  // namespace
}  // namespace g80
