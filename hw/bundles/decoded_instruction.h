// SPDX-License-Identifier: Apache-2.0
// An instruction in the SM: decoded fields, its words, and its registers and hazards for the scoreboard.
#pragma once
#include <cstdint>

#include "hw/common/fields.h"
#include "hw/common/limits.h"
#include "hw/isa/encoding.h"
#include "hw/isa/instruction.h"

namespace g80 {

/// A set of $r0..$r127.
struct RegisterSet {
  std::uint64_t bits[2] = {0, 0};
  void add(unsigned reg) { bits[reg / 64 % 2] |= std::uint64_t{1} << (reg % 64); }
  void add_range(unsigned first, unsigned count) {
    for (unsigned i = 0; i < count && first + i < kMaxRegistersPerThread; ++i) add(first + i);
  }
  bool intersects(const RegisterSet& o) const { return ((bits[0] & o.bits[0]) | (bits[1] & o.bits[1])) != 0; }
  void insert(const RegisterSet& o) { bits[0] |= o.bits[0], bits[1] |= o.bits[1]; }
  void remove(const RegisterSet& o) { bits[0] &= ~o.bits[0], bits[1] &= ~o.bits[1]; }
  bool empty() const { return (bits[0] | bits[1]) == 0; }
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("low", s.bits[0]);
    v("high", s.bits[1]);
  }
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
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("registers", s.registers);
    v("flags", s.flags, 4);
    v("addrs", s.addrs, 5);
  }
};

struct DecodedInstruction {
  isa::Instruction insn;
  std::uint32_t w0 = 0, w1 = 0;
  isa::DecodeError error = isa::DecodeError::kNone;
  isa::Unit unit = isa::Unit::kSp;  // where it issues to
  ThreadState reads, writes;
  bool control = false;       // may change pc or mask: the warp issues nothing more until it is resolved
  bool drains = false;        // waits until every earlier instruction of the warp has finished
  bool long_latency = false;  // its result comes from memory
  bool uses_load_table = false;
  bool multiplies_fp32 = false;       // the SFUs' multipliers can take it, where sm.sfu_mul lets them
  bool reads_shared_operand = false;  // an s[] operand, fetched by conflict passes
  bool reads_const_operand = false;   // a c[] operand, fetched through the constant cache
};

/// Fills unit, hazards and control from insn.
void analyse(DecodedInstruction& decoded);

/// A fetched instruction of a warp. `decoded` is owned by the decoder and lives as long as the machine.
struct InstructionRef {
  const DecodedInstruction* decoded = nullptr;
  std::uint32_t pc = 0;  // byte address relative to the code base
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("pc", s.pc, 24);
    v.unseen("decoded", s.decoded);  // stands for the words
    const std::uint32_t w0 = s.decoded ? s.decoded->w0 : 0, w1 = s.decoded ? s.decoded->w1 : 0;
    v.shown("words", (std::uint64_t{w1} << 32) | w0);
  }
};

}  // namespace g80
