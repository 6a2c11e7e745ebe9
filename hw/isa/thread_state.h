// SPDX-License-Identifier: Apache-2.0
// Sets of a thread's registers, and which of them an instruction reads and writes.
#pragma once
#include <cstdint>

#include "hw/common/fields.h"
#include "hw/common/limits.h"
#include "hw/isa/instruction.h"

namespace g80 {

/// A set of $r0..$r127.
struct RegisterSet {
  std::uint64_t bits[2] = {0, 0};
  void add(unsigned reg) { bits[reg / 64 % 2] |= std::uint64_t{1} << (reg % 64); }
  void add_range(unsigned first, unsigned count) {
    for (unsigned i = 0; i < count && first + i < kMaxRegistersPerThread; ++i) add(first + i);
  }
  bool has(unsigned reg) const { return (bits[reg / 64 % 2] >> (reg % 64) & 1) != 0; }
  bool intersects(const RegisterSet& o) const { return ((bits[0] & o.bits[0]) | (bits[1] & o.bits[1])) != 0; }
  void insert(const RegisterSet& o) { bits[0] |= o.bits[0], bits[1] |= o.bits[1]; }
  void remove(const RegisterSet& o) { bits[0] &= ~o.bits[0], bits[1] &= ~o.bits[1]; }
  bool empty() const { return (bits[0] | bits[1]) == 0; }
  unsigned count() const {
    return static_cast<unsigned>(__builtin_popcountll(bits[0]) + __builtin_popcountll(bits[1]));
  }
  G80_FIELDS((low, bits[0], 0), (high, bits[1], 0));
};

/// All architectural registers of a thread.
struct ThreadState {
  RegisterSet registers;
  std::uint8_t flags = 0;  // bit i = $c<i>
  std::uint8_t addrs = 0;  // bit i = $a<i>
  bool intersects(const ThreadState& o) const {
    return registers.intersects(o.registers) || (flags & o.flags) != 0 || (addrs & o.addrs) != 0;
  }
  void insert(const ThreadState& o) { registers.insert(o.registers), flags |= o.flags, addrs |= o.addrs; }
  void remove(const ThreadState& o) {
    registers.remove(o.registers);
    flags &= static_cast<std::uint8_t>(~o.flags);
    addrs &= static_cast<std::uint8_t>(~o.addrs);
  }
  bool empty() const { return registers.empty() && flags == 0 && addrs == 0; }
  G80_FIELDS(registers, (flags, 4), (addrs, 5));
};

/// What the instruction reads: operands, addresses, data to store, its guard.
ThreadState registers_read(const isa::Instruction& insn);
/// What it may write: in some lanes, or half of a register.
ThreadState registers_written(const isa::Instruction& insn);

namespace isa {
bool is_texture(Op op);
}

}  // namespace g80
