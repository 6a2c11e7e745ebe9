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

void SpArray::compute(const Dispatch& dispatch, ExecSlot& slot) {
  const isa::Instruction& insn = dispatch.fetched.decoded().insn;
  const OperandSet& ops = *dispatch.operands;
  switch (insn.op) {
    case Op::kNop: break;
    case Op::kPmevent: events_[insn.pm_event] += slot.lanes != 0; break;  // not counted if no lane passes the guard
    case Op::kLdConst:
    case Op::kLdShared:
    case Op::kMovFromSpecial:
    case Op::kMovFromAddr: slot.out.lo = ops.in.s[0]; break;
    case Op::kLdSharedLock:
      slot.out.lo = ops.in.s[0];
      slot.loaded = slot.lanes & ops.granted;
      for (unsigned l = 0; l < kWarpSize; ++l) {
        slot.out.flags[l] = (ops.granted >> l & 1) != 0 ? kFlagsTrue : kFlagsFalse;
      }
      break;
    case Op::kVote: {
      // Only active lanes vote; all of them get the result.
      const LaneMask votes = ops.condition & ops.active;
      const bool result = insn.vote_all ? votes == ops.active : votes != 0;
      for (std::uint8_t& flags : slot.out.flags.lane) flags = result ? kFlagsTrue : kFlagsFalse;
      break;
    }
    default: isa::execute(insn, ops.in, slot.out); break;
  }
  if (insn.post_increment && insn.addr_reg != 0) {
    for (unsigned l = 0; l < kWarpSize; ++l) {
      slot.new_addr[l] = (ops.addr[l] + static_cast<std::uint32_t>(insn.increment)) & 0xffffu;
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
