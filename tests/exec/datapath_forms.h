// SPDX-License-Identifier: Apache-2.0
// Every encoding of an execution unit's instructions, with random modifiers: so a datapath's test forgets none.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "hw/common/fields.h"
#include "hw/isa/encoding.h"
#include "hw/isa/opcode_table.h"

namespace g80::test {

/// Stage registers as waves, faults and the SystemVerilog structs need them: visit() names every member.
template <class... Registers>
constexpr bool all_visited() {
  return (every_member_is_visited<Registers>() && ...);
}

/// Calls `check` with `variants` random instructions of each row of the opcode table whose instructions `wanted`
/// accepts. Returns the rows it found.
template <class Wanted, class Check>
unsigned each_form(std::mt19937& random, unsigned variants, Wanted&& wanted, Check&& check) {
  unsigned rows = 0;
  for (const isa::Row& row : isa::OpcodeTable::get().rows()) {
    if (row.alias || row.graphics) continue;
    unsigned found = 0;
    for (unsigned tries = 0; found < variants && tries < 20 * variants; ++tries) {
      const std::uint64_t noise = std::uint64_t{random()} << 32 | random();
      const std::uint64_t bits = row.match | (noise & ~row.mask);
      isa::Instruction insn;
      const auto error =
          isa::decode(static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32), isa::Arch::kSm13, insn);
      if (error != isa::DecodeError::kNone || insn.op != row.op || !wanted(insn)) continue;
      ++found;
      check(insn);
      if (::testing::Test::HasFatalFailure()) return rows;
    }
    rows += found != 0;
  }
  return rows;
}

}  // namespace g80::test
