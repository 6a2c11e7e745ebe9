// SPDX-License-Identifier: Apache-2.0
// What an atomic operation leaves in memory, from the CUDA programming guide's definitions of atomicAdd() and the
// others: independent of the reference (tb/golden/semantics_atomic.cpp) and of the machine (hw/mem/atomic_unit.h).
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "hw/isa/instruction.h"

namespace g80::testing {

/// `op` is the encoded number; of 4 or 8 bytes. Numbers without a meaning, and those that 64 bits do not have, change
/// nothing.
inline std::uint64_t atomic_result(unsigned op, bool is_signed, unsigned bytes, std::uint64_t old_value,
                                   std::uint64_t b, std::uint64_t c) {
  using isa::AtomOp;
  const auto atom = static_cast<AtomOp>(op);
  if (bytes == 8)
    return atom == AtomOp::kAdd                     ? old_value + b
           : atom == AtomOp::kExch                  ? b
           : atom == AtomOp::kCas && old_value == b ? c
                                                    : old_value;
  // As numbers that hold every value of either kind.
  const auto number = [&](std::uint64_t bits) {
    return is_signed && (bits & 0x80000000u) != 0
               ? static_cast<std::int64_t>(bits & 0xffffffffu) - (std::int64_t{1} << 32)
               : static_cast<std::int64_t>(bits & 0xffffffffu);
  };
  const std::int64_t old_number = number(old_value), operand = number(b);
  const std::uint64_t word = old_value & 0xffffffffu, limit = b & 0xffffffffu;
  std::uint64_t result = word;
  switch (atom) {
    case AtomOp::kAdd: result = static_cast<std::uint64_t>(old_number + operand); break;
    case AtomOp::kExch: result = b; break;
    case AtomOp::kCas:
      if (word == limit) result = c;
      break;
    case AtomOp::kInc:  // counts up to the limit, then begins at 0
      result = word < limit ? word + 1 : 0;
      break;
    case AtomOp::kDec:  // counts down to 0, then begins at the limit
      result = word == 0 || word > limit ? limit : word - 1;
      break;
    case AtomOp::kMax: result = static_cast<std::uint64_t>(std::max(old_number, operand)); break;
    case AtomOp::kMin: result = static_cast<std::uint64_t>(std::min(old_number, operand)); break;
    case AtomOp::kAnd: result = word & limit; break;
    case AtomOp::kOr: result = word | limit; break;
    case AtomOp::kXor: result = word ^ limit; break;
  }
  return result & 0xffffffffu;
}

/// The 32-bit operations as assembly text names them, those of both a result and none: cas and exch always have one.
struct AtomicText {
  const char* text;
  isa::AtomOp op;
  bool is_signed;
};
inline constexpr std::array<AtomicText, 11> kAtomicTexts = {{{"add u32", isa::AtomOp::kAdd, false},
                                                             {"add s32", isa::AtomOp::kAdd, true},
                                                             {"inc u32", isa::AtomOp::kInc, false},
                                                             {"dec u32", isa::AtomOp::kDec, false},
                                                             {"max u32", isa::AtomOp::kMax, false},
                                                             {"max s32", isa::AtomOp::kMax, true},
                                                             {"min u32", isa::AtomOp::kMin, false},
                                                             {"min s32", isa::AtomOp::kMin, true},
                                                             {"and b32", isa::AtomOp::kAnd, false},
                                                             {"or b32", isa::AtomOp::kOr, false},
                                                             {"xor b32", isa::AtomOp::kXor, false}}};

/// Pair `i` of old value and operand of 36: every one of these with every other.
inline std::array<std::uint32_t, 2> atomic_operands(unsigned i) {
  constexpr std::array<std::uint32_t, 6> kEdges = {0, 1, 5, 0x7fffffff, 0x80000000, 0xffffffff};
  return {kEdges[i / 6 % 6], kEdges[i % 6]};
}

}  // namespace g80::testing
