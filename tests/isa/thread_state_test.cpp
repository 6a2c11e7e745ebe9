// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/thread_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "hw/isa/encoding.h"
#include "hw/isa/opcode_table.h"

namespace g80 {
namespace {

TEST(RegisterSet, AgreesWithASet) {
  std::mt19937 random(3);
  for (unsigned round = 0; round < 2000; ++round) {
    RegisterSet a, b;
    std::set<unsigned> in_a, in_b;
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned first = random() % 128, count = 1u << random() % 3;
      a.add_range(first, count);
      for (unsigned r = first; r < std::min(first + count, 128u); ++r) in_a.insert(r);
      const unsigned other = random() % 128;
      b.add(other), in_b.insert(other);
    }
    bool common = false;
    for (const unsigned r : in_b) common |= in_a.count(r) != 0;
    ASSERT_EQ(a.intersects(b), common);
    for (unsigned r = 0; r < 128; ++r) ASSERT_EQ(a.has(r), in_a.count(r) != 0) << r;
    a.remove(b);
    ASSERT_FALSE(a.intersects(b));
    a.insert(b);
    ASSERT_EQ(a.intersects(b), true);
  }
}

TEST(RegistersRead, HaveTheFlagsThatTheTextHas) {
  std::mt19937_64 random(4);
  for (const isa::Row& row : isa::OpcodeTable::get().rows()) {
    for (unsigned i = 0; i < 50; ++i) {
      std::uint64_t word = (random() & ~row.mask) | row.match;
      if (row.form == isa::Form::kLong && (word >> 32 & 3) == 3) word ^= std::uint64_t{1} << 32;  // another form
      isa::Instruction insn;
      isa::decode(static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32), isa::Arch::kSm13, insn);
      if (insn.op == isa::Op::kInvalid) continue;
      const bool guard = insn.cond != 0 && insn.cond != isa::kAlways;
      const bool named = row.syntax.find("$c0") < row.syntax.size() || row.syntax.find("{carry}") < row.syntax.size();
      ASSERT_EQ(registers_read(insn).flags, guard || named || insn.op == isa::Op::kVote ? 1u << insn.flag_src : 0u)
          << row.syntax;
    }
  }
}

}  // namespace
}  // namespace g80
