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

void WarpControl::start(LaneMask lanes, unsigned max_depth, unsigned call_limit_log, unsigned on_chip) {
  CHECK(on_chip > 0 && on_chip <= kMaxOnChip, "a control stack with {} entries on chip", on_chip);
  lanes_ = {lanes, lanes, 0, 0};
  on_chip_ = on_chip;
  oldest_ = count_ = in_memory_ = 0;
  memory_digest_ = 0;
  max_depth_ = max_depth;
  call_limit_ = call_limit_log == 0 ? 0 : call_limit_log >= 0xf ? ~0u : 1u << (call_limit_log - 1);
  limited_calls_ = calls_ = 0;
  quad_mode_ = unwinding_ = false;
}

void WarpControl::fill(FieldEditor& filler) {
  for (LaneMask* lanes : {&lanes_.active, &lanes_.runnable, &lanes_.broke, &lanes_.returned}) filler.fill(*lanes);
  filler.fill(entries_);
  for (unsigned* number : {&max_depth_, &call_limit_, &limited_calls_, &calls_}) filler.fill(*number);
  filler.fill(quad_mode_);
  filler.fill(unwinding_);
}

// A stack that is full on chip sends its oldest entry to memory. This is where it is decided which entries lie on chip
// and which in memory.
bool WarpControl::push(const StackEntry& entry, ControlOutcome& out) {
  if (depth() >= max_depth_) {
    out.fault = FaultKind::kStackOverflow;
    return false;
  }
  if (count_ == on_chip_) {
    out.spills = true;
    out.spilled = entries_[oldest_];
    memory_digest_ = (memory_digest_ + digest(out.spilled)) * kDigestFactor;
    out.number = static_cast<std::uint16_t>(in_memory_++);
    oldest_ = place(1);
    --count_;
  }
  entries_[place(count_++)] = entry;
  quad_mode_ = entry.type == StackEntryType::kQuadon;
  calls_ += entry.type == StackEntryType::kCall || entry.type == StackEntryType::kCallLimited;
  return true;
}

// The youngest entry is on chip. If it is not, the instruction waits for it.
bool WarpControl::has_top(ControlOutcome& out) const {
  if (count_ != 0) return true;
  out.waits = true;
  out.number = static_cast<std::uint16_t>(in_memory_ - 1);
  return false;
}

void WarpControl::pop() {
  const StackEntryType type = top().type;
  const bool call = type == StackEntryType::kCall || type == StackEntryType::kCallLimited;
  calls_ -= call && calls_ != 0;
  limited_calls_ -= type == StackEntryType::kCallLimited && limited_calls_ != 0;
  quad_mode_ = false;
  --count_;
}

void WarpControl::refill(const StackEntry& entry) {
  CHECK(count_ == 0 && in_memory_ != 0, "an entry comes back to a control stack with {} entries here and {} in memory",
        count_, in_memory_);
  --in_memory_;
  memory_digest_ = memory_digest_ * kDigestInverse - digest(entry);
  oldest_ = 0;
  count_ = 1;
  entries_[0] = entry;
}

// No lane is active: pops entries until one has lanes to run. Ends the warp if none has.
ControlOutcome WarpControl::unwind() {
  ControlOutcome out;
  out.jumped = true;
  unwinding_ = true;
  while (depth() != 0) {
    if (!has_top(out)) return out;
    const StackEntry top = this->top();
    LaneMask back = 0;
    switch (top.type) {
      case StackEntryType::kBranch: pop(); break;
      case StackEntryType::kJoinat:
        // The join instruction at its target pops the entry, unless none of its lanes is left to execute the join.
        if ((top.mask & lanes_.runnable) == 0) {
          pop();
          continue;
        }
        break;
      case StackEntryType::kBreak:
        pop();
        back = top.mask & lanes_.broke;
        lanes_.broke &= ~back;
        break;
      case StackEntryType::kCall:
      case StackEntryType::kCallLimited:
        pop();
        back = top.mask & lanes_.returned;
        lanes_.returned &= ~back;
        break;
      case StackEntryType::kQuadon: out.fault = FaultKind::kQuadonActive; return out;
      default: out.fault = FaultKind::kStackMismatch; return out;  // the kernel has overwritten it in memory
    }
    lanes_.runnable |= back;
    lanes_.active = top.mask & lanes_.runnable;
    if (lanes_.active != 0) {
      out.pc = top.pc;
      unwinding_ = false;
      return out;
    }
  }
  out.ended = true;
  unwinding_ = false;
  return out;
}

ControlOutcome WarpControl::join(std::uint32_t next) {
  ControlOutcome out;
  out.pc = next;
  if (depth() == 0) {
    out.fault = FaultKind::kStackUnderflow;
    return out;
  }
  if (!has_top(out)) return out;
  const StackEntry top = this->top();
  if (top.type == StackEntryType::kBranch) {
    pop();
    lanes_.active = top.mask & lanes_.runnable;
    out.pc = top.pc;
    out.jumped = true;
  } else if (top.type == StackEntryType::kJoinat) {
    pop();
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
  if (unwinding_) return unwind();
  ControlOutcome out;
  const std::uint32_t next = pc + insn.bytes;
  out.pc = next;
  if (quad_mode_ && insn.op != Op::kQuadpop && insn.op != Op::kBrkpt) {
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
      if (!push({taken_first ? next : insn.target, StackEntryType::kBranch, taken_first ? rest : taken}, out))
        return out;
      lanes_.active = taken_first ? taken : rest;
      out.pc = taken_first ? insn.target : next;
      out.jumped = taken_first;
      return out;
    }
    case Op::kJoinat:
      if (!push({insn.target, StackEntryType::kJoinat, lanes_.active}, out)) return out;
      return out;
    case Op::kBreakaddr:
      if (!push({insn.target, StackEntryType::kBreak, lanes_.active}, out)) return out;
      return out;
    case Op::kCall:
      if (insn.call_limited) {
        if (limited_calls_ >= call_limit_) return out;  // beyond the limit the call does nothing
        ++limited_calls_;
      }
      if (!push({next, insn.call_limited ? StackEntryType::kCallLimited : StackEntryType::kCall, lanes_.active}, out))
        return out;
      out.pc = insn.target;
      out.jumped = true;
      return out;
    case Op::kBreak: return taken == 0 ? out : leave(taken, &LaneStates::broke, next);
    case Op::kRet: return taken == 0 ? out : leave(taken, calls_ != 0 ? &LaneStates::returned : nullptr, next);
    case Op::kQuadon: {
      if (!push({next, StackEntryType::kQuadon, lanes_.active}, out)) return out;
      LaneMask quads = 0;
      for (unsigned quad = 0; quad < kWarpSize; quad += 4) {
        if ((lanes_.active >> quad & 0xf) != 0) quads |= LaneMask{0xf} << quad;
      }
      lanes_.active = quads;
      return out;
    }
    case Op::kQuadpop:
      if (!quad_mode_) {
        out.fault = depth() == 0 ? FaultKind::kStackUnderflow : FaultKind::kStackMismatch;
        return out;
      }
      lanes_.active = top().mask;
      pop();
      return out;
    default: break;
  }
  if (insn.exit) return leave(lanes_.active, nullptr, next);
  if (insn.join) return join(next);
  return out;
}

}  // namespace g80
