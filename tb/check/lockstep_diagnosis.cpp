// SPDX-License-Identifier: Apache-2.0
// Writes the message of a mismatch, and explains why a machine does not advance.
#include <fmt/format.h>

#include "hw/isa/disassembler.h"
#include "tb/check/lockstep_state.h"

namespace g80 {

LockStep::Where LockStep::where_of(const Sm& sm, const SmLog::Issue& issue) {
  return {sm.index, issue.warp, issue.cycle, issue.fetched.pc, issue.fetched.w0(), issue.fetched.w1()};
}

Cycle LockStep::shader_cycle(Picoseconds time) const { return gpu_.shader.last_edge_by(time); }

void LockStep::differ(const Where& where, const std::string& what, const std::string& suspect,
                      const std::string& reason) const {
  std::string place = where.cycle != 0 ? fmt::format("cycle {}, ", where.cycle) : std::string();
  if (where.sm < sms_.size() && where.warp < kMaxWarps) {
    place += fmt::format("SM {}, warp slot {}", where.sm, where.warp);
    const Warp& warp = sms_[where.sm]->warps[where.warp];
    if (warp.block != nullptr) {
      place += fmt::format(" (block ({},{}), warp {})", warp.block->index % launch_.grid_x,
                           warp.block->index / launch_.grid_x, warp.state->index);
    }
  } else {
    place += "no SM";
  }
  std::uint32_t w0 = where.w0, w1 = where.w1;
  if (w0 == 0 && w1 == 0) {
    if (const golden::DecodedInstruction* decoded = program_.at(where.pc)) w0 = decoded->w0, w1 = decoded->w1;
  }
  isa::Instruction insn;
  const std::string text = isa::decode(w0, w1, arch_, insn) == isa::DecodeError::kNone
                               ? isa::disassemble(insn)
                               : std::string("illegal instruction");
  throw LockStepError(
      fmt::format("lock-step: {}, pc 0x{:x} `{}`{}: {}; suspect: {} ({})", place, where.pc, text,
                  lines_ != nullptr ? lines_->remark(where.pc - launch_.start_pc) : "", what, suspect, reason),
      where.cycle);
}

// Explains a hang where an issued instruction has no result.
LockStep::Finding LockStep::stuck_instruction(const Sm& sm, const InFlight& oldest) const {
  const DecodedInstruction& decoded = oldest.fetched.decoded();
  if (!oldest.collected && decoded.unit != isa::Unit::kControl) {
    return {"its operands did not leave the collector", sm.block("operand_collector"),
            "or the source of an s[] or c[] operand"};
  }
  if (decoded.uses_load_table) {
    const auto expected = expected_.find(oldest.tag.bits);
    if (expected == expected_.end() || expected->second.is_done()) {
      return {"memory has replied for every lane, but the result did not arrive", sm.block("load_table"),
              "or the reply path"};
    }
    if (expected->second.unsent != 0) {
      return {fmt::format("the access of lanes {:08x} did not leave the SM", expected->second.unsent),
              sm.block("address_unit"), "its operands are available"};
    }
    return {fmt::format("the access of lanes {:08x} was never performed", expected->second.remaining), sm.coalescer,
            "or the path to the partition"};
  }
  if (decoded.insn.op == isa::Op::kStShared)
    return {"the store to s[] was not performed", sm.block("bank_conflict"), "or shared memory"};
  if (decoded.unit == isa::Unit::kMemory)
    return {"the store did not complete", sm.block("address_unit"), "its operands are available"};
  const char* unit = decoded.unit == isa::Unit::kSfu ? "sfu" : decoded.unit == isa::Unit::kDp ? "dp" : "sp_array";
  return {"the result did not arrive", sm.block(unit), "or writeback: the unit got the operands"};
}

// Explains a hang where the reference of a warp can advance.
LockStep::Finding LockStep::stuck_warp(const Sm& sm, unsigned slot) const {
  const Warp& warp = sm.warps[slot];
  if (!warp.in_flight.empty()) return stuck_instruction(sm, warp.in_flight.front());
  if (warp.control_open)
    return {"the last control instruction was not executed", sm.block("reconvergence_stack"),
            "its result did not arrive"};
  SmState state;
  sm.model->read_state(state);
  const WarpReady& ready = state.ready;
  const WarpMask control = state.control;
  const WarpMask bit = WarpMask{1} << slot;
  if ((state.barrier_waiting & bit) != 0 || (ready.wait_barrier & bit) != 0) {
    return {"it waits at a barrier, but every expected warp has arrived", sm.block("barrier"),
            "the barrier did not open"};
  }
  if ((ready.ready & bit) != 0)
    return {"it is ready, but the scheduler does not pick it", sm.block("warp_scheduler"), "every hazard is clear"};
  const golden::DecodedInstruction* last = program_.at(warp.state->pc >= 8 ? warp.state->pc - 8 : 0);
  if ((control & bit) != 0 && last != nullptr && last->insn.op == isa::Op::kBar) {
    return {"it has arrived at a barrier, but was not released", sm.block("barrier"),
            "every expected warp has arrived"};
  }
  if (state.warp[slot].has_head || (control & bit) != 0) {
    return {"nothing of the warp is in flight, but it does not issue", sm.block("scoreboard"),
            "a register or a control instruction counts as pending"};
  }
  return {"its next instruction did not arrive", sm.block("fetch"), "or the instruction caches and decode"};
}

// Explains a hang where a warp has ended in the reference but not in the model.
LockStep::Finding LockStep::stuck_end(const Sm& sm, unsigned slot) const {
  SmState state;
  sm.model->read_state(state);
  const WarpMask bit = WarpMask{1} << slot;
  if ((state.ended & bit) == 0)
    return {"the scoreboard was not told that the warp ended", sm.block("reconvergence_stack"),
            "this block reports the end"};
  if ((state.drained & bit) == 0)
    return {"the warp's slot was not released", sm.block("scoreboard"), "nothing of the warp is in flight"};
  return {"the warp's block was not released", sm.block("cta_launcher"), "or the CTA scheduler"};
}

void LockStep::explain_hang() {
  consume();
  const Cycle now = shader_cycle(sc_core::sc_time_stamp().value());
  bool kernel_waits = false;
  for (const auto& sm : sms_) {
    for (unsigned slot = 0; slot < kMaxWarps; ++slot) {
      const Warp& warp = sm->warps[slot];
      if (warp.state == nullptr || warp.faulted || warp.state->finished) continue;
      if (warp.events.empty() && warp.state->waiting != golden::kNoBarrier) {  // the kernel's error, not the model's
        kernel_waits = true;
        continue;
      }
      const Finding found = stuck_warp(*sm, slot);
      const std::uint32_t pc = warp.in_flight.empty() ? warp.state->pc : warp.in_flight.front().fetched.pc;
      differ({sm->index, slot, now, pc, 0, 0}, "nothing issues, although this instruction could: " + found.what,
             found.suspect, found.reason);
    }
  }
  for (const auto& sm : sms_) {
    SmState state;
    sm->model->read_state(state);
    for (unsigned slot = 0; slot < kMaxWarps && !kernel_waits; ++slot) {
      const Warp& warp = sm->warps[slot];
      const CtaSlot* const cta = state.slot_of(slot);
      if (warp.state == nullptr || !warp.state->finished || cta == nullptr || (cta->live >> slot & 1) == 0) continue;
      const Finding found = stuck_end(*sm, slot);
      differ({sm->index, slot, now, warp.state->pc, 0, 0}, "the grid does not end: " + found.what, found.suspect,
             found.reason);
    }
  }
}

}  // namespace g80
