// SPDX-License-Identifier: Apache-2.0
// Branches, the divergence stack and barriers.
#include "tb/golden/control_policies.h"
#include "tb/golden/step.h"

namespace g80::golden {

using isa::Op;

void Executor::control(Step& s) {
  WarpState& warp = s.warp;
  const Op op = s.insn.op;
  if (warp.quad_mode && op != Op::kQuadpop && op != Op::kBar && op != Op::kTrap && op != Op::kBrkpt) {
    return raise(s, FaultKind::kQuadonActive);
  }
  switch (op) {
    case Op::kBra: return branch(s);
    case Op::kCall: {
      if (s.insn.call_limited && launch_.call_limit != 0 && warp.limited_calls >= launch_.call_limit) {
        warp.pc = s.next_pc;  // beyond the limit the call is skipped
        return;
      }
      push(s, s.insn.call_limited ? EntryType::kCallLimited : EntryType::kCall, s.next_pc, warp.active);
      if (s.status != StepStatus::kStepped) return;
      warp.limited_calls += s.insn.call_limited;
      warp.pc = s.insn.target;
      return;
    }
    case Op::kRet:
    case Op::kBreak: warp.pc = s.next_pc; return leave(s, s.lanes);
    case Op::kBreakaddr: push(s, EntryType::kBreak, s.insn.target, warp.active); break;
    case Op::kJoinat: push(s, EntryType::kJoinat, s.insn.target, warp.active); break;
    case Op::kQuadon: {
      push(s, EntryType::kQuadon, s.next_pc, warp.active);
      LaneMask quads = warp.active | (warp.active >> 1 & 0x77777777u) | (warp.active >> 2 & 0x33333333u) |
                       (warp.active >> 3 & 0x11111111u);
      quads = (quads & 0x11111111u) * 0xfu;
      warp.active = quads;
      warp.quad_mode = true;
      break;
    }
    case Op::kQuadpop:
      if (warp.stack.empty()) return raise(s, FaultKind::kStackUnderflow);
      if (warp.stack.back().type != EntryType::kQuadon) return raise(s, FaultKind::kStackMismatch);
      warp.active = warp.stack.back().mask;
      warp.stack.pop_back();
      warp.quad_mode = false;
      break;
    case Op::kBar: barrier(s); break;
    case Op::kBrkpt:
      if (s.lanes != 0) return raise(s, FaultKind::kBreakpoint);
      break;
    default: return raise(s, FaultKind::kTrap);
  }
  if (s.status == StepStatus::kStepped) warp.pc = s.next_pc;
}

void Executor::push(Step& s, EntryType type, std::uint32_t pc, LaneMask mask) {
  if (s.warp.stack.size() >= launch_.stack_depth) return raise(s, FaultKind::kStackOverflow);
  s.warp.stack.push_back({type, pc, mask});
}

void Executor::branch(Step& s) {
  WarpState& warp = s.warp;
  const LaneMask taken = s.lanes, not_taken = warp.active & ~taken;
  if (taken == 0) {
    warp.pc = s.next_pc;
  } else if (not_taken == 0) {
    warp.pc = s.insn.target;
  } else {
    const bool taken_first = golden::taken_first(launch_.first_path, taken, not_taken);
    push(s, EntryType::kBranch, taken_first ? s.next_pc : s.insn.target, taken_first ? not_taken : taken);
    if (s.status != StepStatus::kStepped) return;
    warp.active = taken_first ? taken : not_taken;
    warp.pc = taken_first ? s.insn.target : s.next_pc;
  }
}

/// break and ret: the lanes wait for the end of their loop or call. A ret outside of any call ends its threads.
void Executor::leave(Step& s, LaneMask lanes) {
  WarpState& warp = s.warp;
  warp.active &= ~lanes;
  if (s.insn.op == Op::kBreak) {
    warp.broke |= lanes;
  } else {
    bool inside_call = false;
    for (const StackEntry& entry : warp.stack) {
      inside_call |= entry.type == EntryType::kCall || entry.type == EntryType::kCallLimited;
    }
    (inside_call ? warp.returned : warp.exited) |= lanes;
  }
  if (warp.active == 0) unwind(s);
}

/// No lane is active: pops entries until one has lanes to run. Ends the warp if none has.
void Executor::unwind(Step& s) {
  WarpState& warp = s.warp;
  while (!warp.stack.empty()) {
    const StackEntry entry = warp.stack.back();
    bool keep = false;
    switch (entry.type) {
      case EntryType::kBranch: break;
      case EntryType::kJoinat:
        keep = true;  // the join instruction at its pc pops it
        break;
      case EntryType::kBreak: warp.broke &= ~entry.mask; break;
      case EntryType::kCallLimited: --warp.limited_calls; [[fallthrough]];
      case EntryType::kCall: warp.returned &= ~entry.mask; break;
      case EntryType::kQuadon: return raise(s, FaultKind::kQuadonActive);
    }
    const LaneMask lanes = entry.mask & warp.runnable();
    if (!keep || lanes == 0) warp.stack.pop_back();
    if (lanes != 0) {
      warp.active = lanes;
      warp.pc = entry.pc;
      return;
    }
  }
  finish(s);
}

/// The join flag, after its instruction: the other side of the branch runs next, or all lanes continue together.
void Executor::join(Step& s) {
  WarpState& warp = s.warp;
  if (warp.stack.empty()) return raise(s, FaultKind::kStackUnderflow);
  const StackEntry entry = warp.stack.back();
  if (entry.type != EntryType::kBranch && entry.type != EntryType::kJoinat) return raise(s, FaultKind::kStackMismatch);
  warp.stack.pop_back();
  warp.active = entry.mask & warp.runnable();
  if (entry.type == EntryType::kBranch) warp.pc = entry.pc;
  if (warp.active == 0) unwind(s);
}

void Executor::finish(Step& s) {
  WarpState& warp = s.warp;
  warp.active = 0;
  warp.finished = true;
  --s.block.unfinished;
  for (const BarrierState& barrier : s.block.barrier) {
    if (barrier.arrived != 0) note_defect(s, Defect::kBarrierMissedByExitedWarp);
  }
  open_barriers(s.block);
}

std::uint32_t Executor::expected_warps(const BlockState& block) const {
  return barrier_arrivals(launch_.barrier_count, static_cast<std::uint32_t>(block.warps.size()), block.unfinished);
}

/// bar counts arriving warps. When the count reaches the expected number, it returns to zero and the warps continue.
void Executor::barrier(Step& s) {
  BarrierState& barrier = s.block.barrier[s.insn.barrier];
  if (s.warp.active != (s.warp.populated & ~s.warp.exited)) {
    note_defect(s, Defect::kPartialWarpAtBarrier);
  } else if (s.block.unfinished != s.block.warps.size()) {
    note_defect(s, Defect::kBarrierMissedByExitedWarp);
  }
  if (s.insn.bar_arrive) ++barrier.arrived;
  if (s.insn.bar_wait && barrier.arrived != 0) {
    s.warp.waiting = s.insn.barrier;
    ++s.block.waiting;
  }
  open_barriers(s.block);
}

void Executor::note_defect(Step& s, Defect defect) {
  if (s.block.defect != Defect::kNone) return;
  s.block.defect = defect;
  s.block.defect_pc = s.record.pc;
}

void Executor::open_barriers(BlockState& block) {
  for (unsigned id = 0; id < kMaxBarriers; ++id) {
    BarrierState& barrier = block.barrier[id];
    if (barrier.arrived == 0 || barrier.arrived < expected_warps(block)) continue;
    barrier.arrived = 0;
    for (WarpState& warp : block.warps) {
      if (warp.waiting != id) continue;
      warp.waiting = kNoBarrier;
      --block.waiting;
    }
  }
}

}  // namespace g80::golden
