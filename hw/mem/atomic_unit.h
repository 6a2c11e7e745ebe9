// SPDX-License-Identifier: Apache-2.0
// The stages of the memory partition's atomic unit (ROP): take the word, add and compare, select what goes back to
// memory. One adder, one comparator, the logic functions, and a multiplexer: rtl/mem/atomic_operation.sv is the twin.
#pragma once
#include <algorithm>
#include <cstdint>

#include "hw/common/fields.h"
#include "hw/common/types.h"
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

/// What an atomic does to its word, as it rests until the word is there.
struct AtomicOperation {
  std::uint8_t op = 0;  // encoded; one without a meaning leaves memory unchanged, and so does one that 8 bytes lack
  bool is_signed = false;
  bool wide = false;  // a word of 8 bytes, not 4
  std::uint64_t b = 0, c = 0;
  G80_FIELDS((op, 4), is_signed, wide, b, c);
};

/// What the adder and the comparator find.
struct AtomicSums {
  std::uint64_t sum = 0;
  bool less = false, equal = false;  // the old value than b
  G80_FIELDS(sum, less, equal);
};

constexpr std::uint64_t atomic_mask(const AtomicOperation& atomic) {
  return atomic.wide ? ~std::uint64_t{0} : 0xffffffffu;
}

/// The adder and the comparator.
constexpr AtomicSums atomic_sums(const AtomicOperation& atomic, std::uint64_t old_value) {
  using isa::AtomOp;
  const unsigned bits = atomic.wide ? 64 : 32;
  const std::uint64_t all = atomic_mask(atomic), x = old_value & all, y = atomic.b & all;
  const auto atom = static_cast<AtomOp>(atomic.op);

  // The adder: the old value and b, one (inc: a carry in) or minus one (dec: all ones).
  const std::uint64_t added = atom == AtomOp::kAdd ? y : atom == AtomOp::kDec ? all : 0;
  AtomicSums sums;
  sums.sum = atomic_sum(x, added, atom == AtomOp::kInc, bits).value;

  // The comparator subtracts b. Signed numbers are ordered as unsigned ones when both sign bits are inverted.
  const bool flips = atomic.is_signed && (atom == AtomOp::kMax || atom == AtomOp::kMin);
  const std::uint64_t flip = flips ? (all >> 1) + 1 : 0;
  const AtomicSum difference = atomic_sum(x ^ flip, ~(y ^ flip) & all, true, bits);
  sums.less = !difference.carry;
  sums.equal = difference.value == 0;
  return sums;
}

/// What goes back to memory. This is where an atomic is performed.
constexpr std::uint64_t atomic_result(const AtomicOperation& atomic, std::uint64_t old_value, const AtomicSums& sums) {
  using isa::AtomOp;
  const std::uint64_t all = atomic_mask(atomic), x = old_value & all, y = atomic.b & all;
  const bool narrow = !atomic.wide;
  switch (static_cast<AtomOp>(atomic.op)) {
    case AtomOp::kAdd: return sums.sum;
    case AtomOp::kExch: return y;
    case AtomOp::kCas: return sums.equal ? atomic.c & all : x;
    case AtomOp::kInc: return !narrow ? x : sums.less ? sums.sum : 0;
    case AtomOp::kDec: return !narrow ? x : x == 0 || !(sums.less || sums.equal) ? y : sums.sum;
    case AtomOp::kMax: return narrow && sums.less ? y : x;
    case AtomOp::kMin: return narrow && !sums.less ? y : x;
    case AtomOp::kAnd: return narrow ? x & y : x;
    case AtomOp::kOr: return narrow ? x | y : x;
    case AtomOp::kXor: return narrow ? x ^ y : x;
  }
  return x;
}

enum class AtomicStage : std::uint8_t {
  kEmpty,
  kWaits,  // for its burst from DRAM
  kTakes,  // its burst is at the outputs of the memory
  kAdds,
  kWrites,  // its result goes to DRAM
  kEnds     // until it is in the cells
};
inline const EnumText& enum_text(AtomicStage) {
  static const char* const names[] = {"EMPTY", "WAITS", "TAKES", "ADDS", "WRITES", "ENDS"};
  static const EnumText text{"AtomicStage", names, 6};
  return text;
}

/// The atomic under way. There is one at a time: a partition has one adder, one comparator, and one address that others
/// are compared with. So atomics of a partition follow one another at the time of the way to DRAM and back, also those
/// to different words.
struct AtomicUnit {
  AtomicStage stage = AtomicStage::kEmpty;
  bool replies = false;     // not a reduction
  std::uint8_t slot = 0;    // where its burst is collected
  std::uint8_t place = 0;   // of its word in the burst
  std::uint32_t burst = 0;  // its address in the partition
  Tag tag;
  AtomicOperation atomic;
  std::uint64_t old_value = 0;
  AtomicSums sums;

  bool empty() const { return stage == AtomicStage::kEmpty; }
  bool works() const { return stage >= AtomicStage::kTakes && stage <= AtomicStage::kWrites; }
  /// Would an access to these bytes, which are aligned to their number, follow the atomic to its burst? This is where
  /// an access is found to wait for an atomic.
  bool holds(std::uint32_t address, unsigned bytes, unsigned burst_bytes) const {
    const std::uint32_t differing = ~(std::max(bytes, burst_bytes) - 1);
    return !empty() && ((burst ^ address) & differing) == 0;
  }
  G80_FIELDS(stage, replies, slot, (place, 6), burst, (uid, tag.bits, 0), atomic, old_value, sums);
};

}  // namespace g80
