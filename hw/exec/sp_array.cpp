// SPDX-License-Identifier: Apache-2.0
#include "hw/exec/sp_array.h"

namespace g80 {

using isa::Op;

namespace {

/// Flag values that vote and ld lock write: those of set's results true (S) and false (Z).
constexpr std::uint8_t kFlagsTrue = 0x2, kFlagsFalse = 0x1;

}  // namespace

Sp::Sp(const sc_core::sc_module_name& name, const SpArray& array, unsigned index)
    : sc_module(name), array_(array), index_(index) {}

void Sp::trace_fields(FieldVisitor& visitor) const {
  struct Stage {
    bool valid = false;
    std::uint8_t warp = 0, lane = 0;
    bool executes = false;
    std::uint32_t result = 0;
    static void visit(const Stage& s, FieldVisitor& v) {
      v("valid", s.valid);
      v("warp", s.warp, 5);
      v("lane", s.lane, 5);
      v("executes", s.executes);
      v("result", s.result);
    }
  };
  for (unsigned i = 0; i < array_.stages(); ++i) {
    const PipeStage& at = array_.registers().stage[i];
    Stage shown;
    if (at.valid) {
      const ExecSlot& slot = array_.slot(at.slot);
      shown.valid = true;
      shown.warp = slot.warp;
      shown.lane = static_cast<std::uint8_t>(at.group * kNumSpLanes + index_);
      shown.executes = (slot.lanes >> shown.lane & 1) != 0;
      shown.result = slot.out.lo[shown.lane];
    }
    visitor.enter("stage", static_cast<int>(i));
    Stage::visit(shown, visitor);
    visitor.leave();
  }
}

SpArray::SpArray(const sc_core::sc_module_name& name, const Config& config)
    : ExecPipe(name, kWarpSize / kNumSpLanes,
               exec_stages("sm.alu_latency", config.sm.alu_latency, kWarpSize / kNumSpLanes)) {
  for (unsigned i = 0; i < kNumSpLanes; ++i)
    sps_.push_back(std::make_unique<Sp>(fmt::format("sp{}", i).c_str(), *this, i));
}

void SpArray::enter(ExecSlot& slot, unsigned first, unsigned from) {
  const isa::Instruction& insn = slot.fetched.decoded().insn;
  const SpLanes& operands = operands_i.read();
  isa::AluOutput& out = slot.out;
  switch (insn.op) {
    case Op::kNop: break;
    case Op::kPmevent:  // not counted if no lane passes the guard
      if (first == 0) events_[insn.pm_event] += slot.lanes != 0;
      break;
    case Op::kLdConst:
    case Op::kLdShared:
    case Op::kMovFromSpecial:
    case Op::kMovFromAddr: take(out.lo, operands.a, first, from); break;
    case Op::kLdSharedLock:
      take(out.lo, operands.a, first, from);
      for (unsigned l = first; l < first + group_lanes_; ++l) {
        out.flags[l] = (slot.granted >> l & 1) != 0 ? kFlagsTrue : kFlagsFalse;
      }
      break;
    case Op::kVote:
      for (unsigned l = first; l < first + group_lanes_; ++l) out.flags[l] = slot.vote ? kFlagsTrue : kFlagsFalse;
      break;
    default: {
      isa::AluInput in;
      take(in.s[0], operands.a, first, from);
      take(in.s[1], operands.b, first, from);
      take(in.s[2], operands.c, first, from);
      for (unsigned l = 0; l < group_lanes_; ++l) in.flags[first + l] = operands.flags[from + l];
      compute(slot, in, first);
      break;
    }
  }
  if (insn.post_increment && insn.addr_reg != 0) {
    for (unsigned l = 0; l < group_lanes_; ++l) {
      slot.new_addr[first + l] = (operands.addr[from + l] + static_cast<std::uint32_t>(insn.increment)) & 0xffffu;
    }
  }
}

void SpArray::drive() {
  ExecPipe::drive();
  if (sps_[0]->is_traced()) {
    for (const auto& sp : sps_) sp->mark();
  }
}

}  // namespace g80
