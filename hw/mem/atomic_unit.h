// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the memory partition's atomic operations: one adder, one comparator, the logic functions, and a
// multiplexer that selects what goes back to memory.
#pragma once
#include <cstdint>

#include "hw/isa/instruction.h"

namespace g80 {

/// x + y + carry in `bits` bits.
struct AtomicSum {
  std::uint64_t value;
  bool carry;
};
constexpr AtomicSum atomic_sum(std::uint64_t x, std::uint64_t y, bool carry, unsigned bits) {
  const std::uint64_t low = (x & 0xffffffffu) + (y & 0xffffffffu) + carry;
  if (bits == 32) return {low & 0xffffffffu, low >> 32 != 0};
  const std::uint64_t high = (x >> 32) + (y >> 32) + (low >> 32);
  return {high << 32 | (low & 0xffffffffu), high >> 32 != 0};
}

/// The new value of an atomic: 4 or 8 bytes, operands b and c of 8 bytes each. `op` is the encoded number; one without
/// a meaning leaves memory unchanged, and so does one that 8 bytes do not have.
/// This is where an atomic is performed.
constexpr std::uint64_t perform_atomic(unsigned op, bool is_signed, unsigned bytes, std::uint64_t old_value,
                                       std::uint64_t b, std::uint64_t c) {
  using isa::AtomOp;
  const unsigned bits = bytes * 8;
  const std::uint64_t all = bits == 64 ? ~std::uint64_t{0} : 0xffffffffu;
  const std::uint64_t x = old_value & all, y = b & all;
  const auto atom = static_cast<AtomOp>(op);

  // The adder: the old value and b, one (inc: a carry in) or minus one (dec: all ones).
  const std::uint64_t added = atom == AtomOp::kAdd ? y : atom == AtomOp::kDec ? all : 0;
  const std::uint64_t sum = atomic_sum(x, added, atom == AtomOp::kInc, bits).value;

  // The comparator subtracts b. Signed numbers are ordered as unsigned ones when both sign bits are inverted.
  const std::uint64_t flip = is_signed && (atom == AtomOp::kMax || atom == AtomOp::kMin) ? (all >> 1) + 1 : 0;
  const AtomicSum difference = atomic_sum(x ^ flip, ~(y ^ flip) & all, true, bits);
  const bool less = !difference.carry, equal = difference.value == 0;

  const bool narrow = bits == 32;
  switch (atom) {
    case AtomOp::kAdd: return sum;
    case AtomOp::kExch: return y;
    case AtomOp::kCas: return equal ? c & all : x;
    case AtomOp::kInc: return !narrow ? x : less ? sum : 0;
    case AtomOp::kDec: return !narrow ? x : x == 0 || !(less || equal) ? y : sum;
    case AtomOp::kMax: return narrow && less ? y : x;
    case AtomOp::kMin: return narrow && !less ? y : x;
    case AtomOp::kAnd: return narrow ? x & y : x;
    case AtomOp::kOr: return narrow ? x | y : x;
    case AtomOp::kXor: return narrow ? x ^ y : x;
  }
  return x;
}

}  // namespace g80
