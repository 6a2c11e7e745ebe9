// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/warp_control.h"

#include "hw/common/check.h"
#include "hw/sm/divergence_policies.h"

namespace g80 {

using isa::Op;

namespace {

// A digest of a list from whose end items can be taken again: each step is undone by the inverse of an odd factor.
constexpr std::uint64_t kDigestFactor = 0x9e3779b97f4a7c15ull, kDigestInverse = 0xf1de83e19937733dull;
static_assert(kDigestFactor * kDigestInverse == 1);

std::uint64_t digest(const StackEntry& entry) {
  return std::uint64_t{entry.mask} << 32 | static_cast<std::uint64_t>(entry.type) << 24 | entry.pc;
}

}  // namespace

bool taken_goes_first(DivergenceFirst policy, LaneMask taken, LaneMask fallthrough) {
  return kDivergencePolicies[static_cast<std::size_t>(policy)]({taken, fallthrough});
}

bool stops_unwinding(const StackEntry& entry, const ControlState& state) {
  switch (entry.type) {
    case StackEntryType::kBranch:
    case StackEntryType::kJoinat: return (entry.mask & state.runnable) != 0;
    case StackEntryType::kBreak: return (entry.mask & (state.runnable | state.broke)) != 0;
    case StackEntryType::kCall:
    case StackEntryType::kCallLimited: return (entry.mask & (state.runnable | state.returned)) != 0;
    default: return true;
  }
}

void WarpControl::start(LaneMask lanes) {
  active_ = lanes;
  state_ = {};
  state_.runnable = lanes;
  memory_digest_ = 0;
}

// A stack that is full on chip sends its oldest entry to memory. This is where it is decided which entries lie on chip
// and which in memory.
bool WarpControl::push(const StackEntry& entry, const ControlRules& rules, ControlOutcome& out) {
  if (depth() >= rules.depth) {
    out.fault = FaultKind::kStackOverflow;
    return false;
  }
  if (state_.count == rules.on_chip) {
    out.spills = true;
    out.spilled = entries_[state_.oldest];
    memory_digest_ = (memory_digest_ + digest(out.spilled)) * kDigestFactor;
    out.number = state_.in_memory++;
    state_.oldest = static_cast<std::uint8_t>(place(1));
    --state_.count;
  }
  entries_[place(state_.count++)] = entry;
  state_.quad_mode = entry.type == StackEntryType::kQuadon;
  const bool limited = entry.type == StackEntryType::kCallLimited;
  const bool call = limited || entry.type == StackEntryType::kCall;
  // They count more entries than the stack can have only if the kernel overwrites entries of calls in memory.
  state_.calls += call && state_.calls < kMaxStackDepth;
  state_.limited_calls += limited && state_.limited_calls < kMaxStackDepth;
  return true;
}

// The instruction waits for the youngest entry, which is in memory.
void WarpControl::wait(ControlOutcome& out) const {
  out.waits = true;
  out.number = static_cast<std::uint16_t>(state_.in_memory - 1);
}

void WarpControl::pop() {
  const bool limited = top().type == StackEntryType::kCallLimited;
  const bool call = limited || top().type == StackEntryType::kCall;
  state_.calls -= call && state_.calls != 0;
  state_.limited_calls -= limited && state_.limited_calls != 0;
  state_.quad_mode = false;
  --state_.count;
}

void WarpControl::refill(const StackEntry& entry) {
  CHECK(state_.count == 0 && state_.in_memory != 0,
        "an entry comes back to a control stack with {} entries here and {} in memory", state_.count, state_.in_memory);
  --state_.in_memory;
  memory_digest_ = memory_digest_ * kDigestInverse - digest(entry);
  state_.oldest = 0;
  state_.count = 1;
  entries_[0] = entry;
}

// No lane is active: looks for the youngest entry with lanes to run, and drops those above it. Ends the warp if none
// has.
ControlOutcome WarpControl::unwind() {
  ControlOutcome out;
  out.jumped = true;
  active_ = 0;
  while (state_.count != 0 && !stops_unwinding(top(), state_)) pop();
  state_.unwinding = state_.count == 0 && state_.in_memory != 0;
  if (state_.unwinding) {
    wait(out);
    return out;
  }
  if (state_.count == 0) {
    out.ended = true;
    return out;
  }
  const StackEntry top = this->top();
  LaneMask ControlState::*waiting = nullptr;
  switch (top.type) {
    case StackEntryType::kBranch: pop(); break;
    case StackEntryType::kJoinat: break;  // the join instruction at its target pops it
    case StackEntryType::kBreak:
      waiting = &ControlState::broke;
      pop();
      break;
    case StackEntryType::kCall:
    case StackEntryType::kCallLimited:
      waiting = &ControlState::returned;
      pop();
      break;
    case StackEntryType::kQuadon: out.fault = FaultKind::kQuadonActive; return out;
    default: out.fault = FaultKind::kStackMismatch; return out;  // the kernel has overwritten it in memory
  }
  if (waiting != nullptr) {
    state_.runnable |= top.mask & state_.*waiting;
    state_.*waiting &= ~top.mask;
  }
  active_ = top.mask & state_.runnable;
  out.pc = top.pc;
  return out;
}

ControlOutcome WarpControl::join(std::uint32_t next) {
  ControlOutcome out;
  out.pc = next;
  if (depth() == 0) {
    out.fault = FaultKind::kStackUnderflow;
    return out;
  }
  if (state_.count == 0) {
    wait(out);
    return out;
  }
  const StackEntry top = this->top();
  if (top.type != StackEntryType::kBranch && top.type != StackEntryType::kJoinat) {
    out.fault = FaultKind::kStackMismatch;
    return out;
  }
  if (top.type == StackEntryType::kBranch || !stops_unwinding(top, state_)) return unwind();
  pop();
  active_ = top.mask & state_.runnable;
  return out;
}

ControlOutcome WarpControl::leave(LaneMask lanes, LaneMask ControlState::*waiting, std::uint32_t next) {
  active_ &= ~lanes;
  state_.runnable &= ~lanes;
  if (waiting != nullptr) state_.*waiting |= lanes;
  ControlOutcome out;
  out.pc = next;
  return active_ != 0 ? out : unwind();
}

ControlOutcome WarpControl::execute(const isa::Instruction& insn, std::uint32_t pc, LaneMask taken,
                                    const ControlRules& rules) {
  if (state_.unwinding) return unwind();
  ControlOutcome out;
  const std::uint32_t next = pc + insn.bytes;
  out.pc = next;
  if (state_.quad_mode && insn.op != Op::kQuadpop && insn.op != Op::kBrkpt) {
    out.fault = FaultKind::kQuadonActive;
    return out;
  }
  switch (insn.op) {
    case Op::kBra: {
      const LaneMask rest = active_ & ~taken;
      if (taken == 0) return out;
      if (rest == 0) {
        out.pc = insn.target;
        out.jumped = insn.target != next;
        return out;
      }
      out.diverged = true;
      const bool taken_first = taken_goes_first(rules.first, taken, rest);
      if (!push({taken_first ? next : insn.target, StackEntryType::kBranch, taken_first ? rest : taken}, rules, out))
        return out;
      active_ = taken_first ? taken : rest;
      out.pc = taken_first ? insn.target : next;
      out.jumped = taken_first;
      return out;
    }
    case Op::kJoinat: push({insn.target, StackEntryType::kJoinat, active_}, rules, out); return out;
    case Op::kBreakaddr: push({insn.target, StackEntryType::kBreak, active_}, rules, out); return out;
    case Op::kCall:
      // Beyond the limit the call does nothing.
      if (insn.call_limited && state_.limited_calls >= rules.calls) return out;
      if (!push({next, insn.call_limited ? StackEntryType::kCallLimited : StackEntryType::kCall, active_}, rules, out))
        return out;
      out.pc = insn.target;
      out.jumped = true;
      return out;
    case Op::kBreak: return taken == 0 ? out : leave(taken, &ControlState::broke, next);
    case Op::kRet: return taken == 0 ? out : leave(taken, state_.calls != 0 ? &ControlState::returned : nullptr, next);
    case Op::kQuadon: {
      if (!push({next, StackEntryType::kQuadon, active_}, rules, out)) return out;
      LaneMask quads = 0;
      for (unsigned quad = 0; quad < kWarpSize; quad += 4) {
        if ((active_ >> quad & 0xf) != 0) quads |= LaneMask{0xf} << quad;
      }
      active_ = quads;
      return out;
    }
    case Op::kQuadpop:
      if (!state_.quad_mode) {
        out.fault = depth() == 0 ? FaultKind::kStackUnderflow : FaultKind::kStackMismatch;
        return out;
      }
      active_ = top().mask;
      pop();
      return out;
    default: break;
  }
  if (insn.exit) return leave(active_, nullptr, next);
  if (insn.join) return join(next);
  return out;
}

}  // namespace g80
