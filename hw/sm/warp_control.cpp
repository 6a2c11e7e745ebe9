// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/warp_control.h"

#include "hw/sm/divergence_policies.h"

namespace g80 {

using isa::Op;

bool taken_goes_first(DivergenceFirst policy, LaneMask taken, LaneMask fallthrough) {
  return kDivergencePolicies[static_cast<std::size_t>(policy)]({taken, fallthrough});
}

void WarpControl::start(std::uint32_t, LaneMask lanes, unsigned max_depth, unsigned call_limit_log, unsigned on_chip) {
  lanes_ = {lanes, lanes, 0, 0};
  stack_.clear();
  max_depth_ = max_depth;
  call_limit_ = call_limit_log == 0 ? 0 : call_limit_log >= 0xf ? ~0u : 1u << (call_limit_log - 1);
  limited_calls_ = 0;
  on_chip_ = on_chip;
  in_memory_ = 0;
}

bool WarpControl::push(const StackEntry& entry) {
  if (stack_.size() >= max_depth_) return false;
  stack_.push_back(entry);
  if (stack_.size() - in_memory_ > on_chip_) ++in_memory_, ++spilled_;
  return true;
}

// The youngest entry. If it was spilled to memory, it is refilled and counted. This is where it is decided whether an
// entry lies on chip or in memory.
StackEntry WarpControl::top() {
  if (in_memory_ == stack_.size()) --in_memory_, ++refilled_;
  return stack_.back();
}

// No lane is active: pops entries until one has lanes to run. Ends the warp if none has.
ControlOutcome WarpControl::unwind() {
  ControlOutcome out;
  out.jumped = true;
  while (!stack_.empty()) {
    const StackEntry top = this->top();
    LaneMask back = 0;
    switch (top.type) {
      case StackEntryType::kBranch: stack_.pop_back(); break;
      case StackEntryType::kJoinat:
        // The join instruction at its target pops the entry, unless none of its lanes is left to execute the join.
        if ((top.mask & lanes_.runnable) == 0) {
          stack_.pop_back();
          continue;
        }
        break;
      case StackEntryType::kBreak:
        stack_.pop_back();
        back = top.mask & lanes_.broke;
        lanes_.broke &= ~back;
        break;
      case StackEntryType::kCall:
      case StackEntryType::kCallLimited:
        stack_.pop_back();
        if (top.type == StackEntryType::kCallLimited) --limited_calls_;
        back = top.mask & lanes_.returned;
        lanes_.returned &= ~back;
        break;
      case StackEntryType::kQuadon: out.fault = FaultKind::kQuadonActive; return out;
    }
    lanes_.runnable |= back;
    lanes_.active = top.mask & lanes_.runnable;
    if (lanes_.active != 0) {
      out.pc = top.pc;
      return out;
    }
  }
  out.ended = true;
  return out;
}

ControlOutcome WarpControl::join(std::uint32_t next) {
  ControlOutcome out;
  out.pc = next;
  if (stack_.empty()) {
    out.fault = FaultKind::kStackUnderflow;
    return out;
  }
  const StackEntry top = this->top();
  if (top.type == StackEntryType::kBranch) {
    stack_.pop_back();
    lanes_.active = top.mask & lanes_.runnable;
    out.pc = top.pc;
    out.jumped = true;
  } else if (top.type == StackEntryType::kJoinat) {
    stack_.pop_back();
    lanes_.active = top.mask & lanes_.runnable;
  } else {
    out.fault = FaultKind::kStackMismatch;
    return out;
  }
  return lanes_.active != 0 ? out : unwind();
}

ControlOutcome WarpControl::leave(LaneMask lanes, LaneMask LaneStates::*state, std::uint32_t next) {
  lanes_.active &= ~lanes;
  lanes_.runnable &= ~lanes;
  if (state != nullptr) lanes_.*state |= lanes;
  ControlOutcome out;
  out.pc = next;
  return lanes_.active != 0 ? out : unwind();
}

ControlOutcome WarpControl::execute(const isa::Instruction& insn, std::uint32_t pc, LaneMask taken,
                                    DivergenceFirst first) {
  refilled_ = spilled_ = 0;
  ControlOutcome out = carry_out(insn, pc, taken, first);
  out.refilled = refilled_;
  out.spilled = spilled_;
  return out;
}

ControlOutcome WarpControl::carry_out(const isa::Instruction& insn, std::uint32_t pc, LaneMask taken,
                                      DivergenceFirst first) {
  ControlOutcome out;
  const std::uint32_t next = pc + insn.bytes;
  out.pc = next;
  const auto overflow = [&] {
    out.fault = FaultKind::kStackOverflow;
    return out;
  };
  const bool quad_mode = !stack_.empty() && stack_.back().type == StackEntryType::kQuadon;
  if (quad_mode && insn.op != Op::kQuadpop && insn.op != Op::kBrkpt) {
    out.fault = FaultKind::kQuadonActive;
    return out;
  }
  switch (insn.op) {
    case Op::kBra: {
      const LaneMask rest = lanes_.active & ~taken;
      if (taken == 0) return out;
      if (rest == 0) {
        out.pc = insn.target;
        out.jumped = insn.target != next;
        return out;
      }
      out.diverged = true;
      const bool taken_first = taken_goes_first(first, taken, rest);
      if (!push({taken_first ? next : insn.target, StackEntryType::kBranch, taken_first ? rest : taken}))
        return overflow();
      lanes_.active = taken_first ? taken : rest;
      out.pc = taken_first ? insn.target : next;
      out.jumped = taken_first;
      return out;
    }
    case Op::kJoinat:
      if (!push({insn.target, StackEntryType::kJoinat, lanes_.active})) return overflow();
      return out;
    case Op::kBreakaddr:
      if (!push({insn.target, StackEntryType::kBreak, lanes_.active})) return overflow();
      return out;
    case Op::kCall:
      if (insn.call_limited) {
        if (limited_calls_ >= call_limit_) return out;  // beyond the limit the call does nothing
        ++limited_calls_;
      }
      if (!push({next, insn.call_limited ? StackEntryType::kCallLimited : StackEntryType::kCall, lanes_.active}))
        return overflow();
      out.pc = insn.target;
      out.jumped = true;
      return out;
    case Op::kBreak: return taken == 0 ? out : leave(taken, &LaneStates::broke, next);
    case Op::kRet: {
      if (taken == 0) return out;
      bool inside_call = false;
      for (const StackEntry& entry : stack_) {
        inside_call |= entry.type == StackEntryType::kCall || entry.type == StackEntryType::kCallLimited;
      }
      return leave(taken, inside_call ? &LaneStates::returned : nullptr, next);
    }
    case Op::kQuadon: {
      if (!push({next, StackEntryType::kQuadon, lanes_.active})) return overflow();
      LaneMask quads = 0;
      for (unsigned quad = 0; quad < kWarpSize; quad += 4) {
        if ((lanes_.active >> quad & 0xf) != 0) quads |= LaneMask{0xf} << quad;
      }
      lanes_.active = quads;
      return out;
    }
    case Op::kQuadpop:
      if (!quad_mode) {
        out.fault = stack_.empty() ? FaultKind::kStackUnderflow : FaultKind::kStackMismatch;
        return out;
      }
      lanes_.active = top().mask;
      stack_.pop_back();
      return out;
    default: break;
  }
  if (insn.exit) return leave(lanes_.active, nullptr, next);
  if (insn.join) return join(next);
  return out;
}

std::uint64_t WarpControl::digest() const {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  const auto mix = [&](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3ull; };
  mix(lanes_.active), mix(lanes_.runnable), mix(lanes_.broke), mix(lanes_.returned);
  for (const StackEntry& entry : stack_) mix(entry.pc), mix(static_cast<std::uint64_t>(entry.type)), mix(entry.mask);
  return hash;
}

}  // namespace g80
