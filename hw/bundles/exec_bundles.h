// SPDX-License-Identifier: Apache-2.0
// Bundles between operand collector, execution units and writeback.
//
// Operands and results of a warp are hundreds of bytes; they stay in the unit that holds them, and the bundles
// carry a pointer that is valid until the receiver has taken it; in hardware this is a select line.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/sm_bundles.h"
#include "hw/isa/semantics.h"

namespace g80 {

inline constexpr unsigned kMaxCollectorUnits = 16;

/// The operands that the collector has read for one instruction.
struct OperandSet {
  isa::AluInput in{};
  LaneWords addr{};        // value of the instruction's $a
  LaneWords data[4]{};     // store data, atomic operands b (0,1) and c (2,3), texture coordinates
  LaneMask active = 0;     // active lanes of the warp
  LaneMask lanes = 0;      // active lanes in which the guard holds
  LaneMask condition = 0;  // all lanes in which the condition holds, active or not: input of vote
  LaneMask granted = 0;    // lanes whose word of s[] was locked for them: input of ld lock
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("in", s.in);
    v("addr", s.addr);
    v("data", s.data);
    v("active", s.active);
    v("lanes", s.lanes);
    v("condition", s.condition);
    v("granted", s.granted);
  }
};

/// An instruction enters an execution unit.
struct Dispatch {
  bool valid = false;
  std::uint8_t warp = 0;
  std::uint8_t unit = 0;  // collector unit that holds the operands
  bool constant = false;  // address unit: the c[] operand is wanted
  FetchedInstruction fetched;
  Tag tag;
  LaneMask lanes = 0;
  const OperandSet* operands = nullptr;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("warp", s.warp, 5);
    v("unit", s.unit, 4);
    v("constant", s.constant);
    v("lanes", s.lanes);
    v("uid", s.tag.bits);
    v("insn", s.fetched);
    v.unseen("operands", s.operands);  // those of the collector unit `unit`
  }
};

/// One instruction inside an execution unit.
struct ExecSlot {
  FetchedInstruction fetched;
  Tag tag;
  std::uint8_t warp = 0;
  LaneMask lanes = 0;
  LaneMask loaded = 0;  // lanes whose destination register is written: of ld lock those that got the lock, else all
  isa::AluOutput out{};
  LaneWords new_addr{};  // post-incremented $a
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("insn", s.fetched);
    v("uid", s.tag.bits);
    v("warp", s.warp, 5);
    v("lanes", s.lanes);
    v("loaded", s.loaded);
    v("out", s.out);
    v("new_addr", s.new_addr);
  }
};

/// The last lanes of an instruction have left a pipe.
struct ExecResult {
  bool valid = false;
  std::uint8_t warp = 0;
  Tag tag;
  std::uint32_t pc = 0;
  const ExecSlot* slot = nullptr;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("warp", s.warp, 5);
    v("uid", s.tag.bits);
    v("pc", s.pc, 24);
    v.unseen("slot", s.slot);  // the instruction of this uid in the pipe
  }
};

}  // namespace g80
