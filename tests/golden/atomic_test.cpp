// SPDX-License-Identifier: Apache-2.0
// What each atomic instruction leaves in memory and returns, at the edges of signed and unsigned numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/golden/semantics.h"
#include "tests/golden/words.h"
#include "tests/support/atomic_definition.h"
#include "toolchain/assembler/line_assembler.h"

namespace g80::golden {
namespace {

using testing::atomic_operands;
using testing::atomic_result;
using testing::AtomicText;
using testing::kAtomicTexts;

constexpr std::uint32_t kWords = 0x1000;  // old values, a word of each lane

Words words_of(const std::string& text) {
  const isa::Words words = isa::assemble(text, isa::Arch::kSm13);
  return {words.w0, words.w1};
}

/// The instruction on pairs `first` .. `first` + 31, its address in $r2, its operands in $r3 and $r4, its result in
/// $r5.
void expect_defined(const std::string& text, isa::AtomOp op, bool is_signed, bool returns, unsigned first) {
  Machine m({words_of(text), nop_exit()});
  m.start();
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const auto [old_value, operand] = atomic_operands(first + l);
    m.warp().r[2][l] = kWords + 4 * l;
    m.warp().r[3][l] = operand;
    m.warp().r[4][l] = 0x1234;
    m.warp().r[5][l] = 0x99;
    m.image.set_word(kWords + 4 * l, old_value);
  }
  ASSERT_EQ(m.step(), StepStatus::kStepped) << text << ": " << describe(m.executor.fault());
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const auto [old_value, operand] = atomic_operands(first + l);
    EXPECT_EQ(m.image.word(kWords + 4 * l),
              atomic_result(static_cast<unsigned>(op), is_signed, 4, old_value, operand, 0x1234))
        << text << " of " << old_value << " and " << operand;
    EXPECT_EQ(m.warp().r[5][l], returns ? old_value : 0x99) << text;
  }
}

TEST(Atomics, LeaveWhatTheirDefinitionSaysAtEveryEdge) {
  for (const unsigned first : {0u, 4u}) {
    for (const AtomicText& atomic : kAtomicTexts) {
      expect_defined(fmt::format("red {} g14[$r2] $r3", atomic.text), atomic.op, atomic.is_signed, false, first);
      expect_defined(fmt::format("ld {} $r5 g14[$r2] $r3", atomic.text), atomic.op, atomic.is_signed, true, first);
    }
    expect_defined("exch b32 $r5 g14[$r2] $r3", isa::AtomOp::kExch, false, true, first);
    expect_defined("cas b32 $r5 g14[$r2] $r3 $r4", isa::AtomOp::kCas, false, true, first);
  }
}

TEST(Atomics, ExamplesByHand) {
  const auto left = [](const std::string& text, std::uint32_t old_value, std::uint32_t operand) {
    Machine m({words_of(text), nop_exit()}, 1);
    m.start();
    m.warp().r[2][0] = kWords, m.warp().r[3][0] = operand;
    m.image.set_word(kWords, old_value);
    EXPECT_EQ(m.step(), StepStatus::kStepped);
    return m.image.word(kWords);
  };
  EXPECT_EQ(left("red min s32 g14[$r2] $r3", 0xffffffff, 1), 0xffffffffu) << "-1 is less than 1";
  EXPECT_EQ(left("red min u32 g14[$r2] $r3", 0xffffffff, 1), 1u);
  EXPECT_EQ(left("red max s32 g14[$r2] $r3", 0xffffffff, 1), 1u);
  EXPECT_EQ(left("red max u32 g14[$r2] $r3", 0xffffffff, 1), 0xffffffffu);
  EXPECT_EQ(left("red inc u32 g14[$r2] $r3", 7, 7), 0u);
  EXPECT_EQ(left("red inc u32 g14[$r2] $r3", 6, 7), 7u);
  EXPECT_EQ(left("red dec u32 g14[$r2] $r3", 0, 7), 7u);
  EXPECT_EQ(left("red dec u32 g14[$r2] $r3", 8, 7), 7u);
  EXPECT_EQ(left("red dec u32 g14[$r2] $r3", 7, 7), 6u);
}

// For every number that the field of an instruction can hold.
TEST(Atomics, EveryOperationNumberAgreesWithItsDefinition) {
  for (unsigned op = 0; op < 16; ++op) {
    for (unsigned i = 0; i < 36; ++i) {
      const auto [old_value, operand] = atomic_operands(i);
      for (const bool is_signed : {false, true}) {
        EXPECT_EQ(golden::atomic32(op, is_signed, old_value, operand, 0x1234),
                  atomic_result(op, is_signed, 4, old_value, operand, 0x1234))
            << op << (is_signed ? " signed: " : " unsigned: ") << old_value << ", " << operand;
      }
      const std::uint64_t wide = std::uint64_t{operand} << 32 | old_value,
                          other = std::uint64_t{old_value} << 32 | old_value;
      EXPECT_EQ(golden::atomic64(op, other, wide, 0x123456789a), atomic_result(op, false, 8, other, wide, 0x123456789a))
          << op;
    }
  }
}

}  // namespace
}  // namespace g80::golden
