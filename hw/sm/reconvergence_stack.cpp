// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/reconvergence_stack.h"

#include <algorithm>

#include "hw/common/delay_registers.h"
#include "hw/config/pipeline_depth.h"

namespace g80 {

ReconvergenceStack::ReconvergenceStack(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      chip_{config.sm.stack_depth, config.sm.stack_on_chip, 0, config.sm.divergence_first},
      resolving_(*this, "resolving", branch_extra_cycles(config) / kSchedulerPeriod) {}

void ReconvergenceStack::reset() {
  for (WarpControl& warp : warps_) warp.start(0);
  resolving_.clear();
  turns_.clear();
  to_memory_.clear();
  counters_ = {};
}

ReconvergenceStack::Shown ReconvergenceStack::warp(unsigned w) const {
  const WarpControl& control = warps_[w];
  return {control.lanes(), control.depth(), control.in_memory(), control.memory_digest()};
}

/// The launch state does not change while warps of its grid run.
ControlRules ReconvergenceStack::rules() const {
  const LaunchState& launch = launch_i.read();
  ControlRules rules = chip_;
  if (launch.stack_depth != 0) rules.depth = std::min(launch.stack_depth, chip_.depth);
  rules.calls = call_limit(launch.call_limit_log);
  return rules;
}

void ReconvergenceStack::next() {
  d_.redirect = {};
  d_.resolve = {};
  d_.arrival.valid = false;
  if (const WarpStart& start = start_i.read(); start.valid) {
    warps_[start.warp].start(start.lanes);
    d_.masks.mask[start.warp] = start.lanes;
    d_.depth[start.warp] = 0;
    d_.pc[start.warp] = start.pc;
  }
  if (const ControlEvent event = resolving_.shift(control_i.read()); event.valid) {
    in_turn_[event.warp] = event;
    turns_.push({event.warp});
  }
  if (const StackFill& fill = fill_i.read(); fill.valid) {
    const WarpMask bit = WarpMask{1} << fill.warp;
    CHECK((q_.refilling & bit) != 0, "{}: warp {} received an entry, but waits for none", name(), fill.warp);
    warps_[fill.warp].refill(fill.entry);
    d_.refilling &= ~bit;
    turns_.push({fill.warp});
  }
  if (q_.access.valid && access_ready_i.read()) d_.access.valid = false;
  const bool quiet = turns_.empty() && resolving_.empty() && !start_i.read().valid && to_memory_.empty();
  if (!turns_.empty() && !to_memory_.full()) execute();
  if (!d_.access.valid && !to_memory_.empty()) {
    d_.access = to_memory_.front();
    to_memory_.pop();
  }
  if (quiet) sleep();
}

// Executes the oldest control instruction.
void ReconvergenceStack::execute() {
  const ControlEvent& event = in_turn_[turns_.front().warp];
  turns_.pop();
  const isa::Instruction& insn = event.fetched.decoded().insn;
  WarpControl& warp = warps_[event.warp];
  ControlOutcome out;
  if (event.fetched.decoded().error != isa::DecodeError::kNone) {
    out.fault = event.fetched.decoded().error == isa::DecodeError::kUnalignedLong ? FaultKind::kUnalignedInstruction
                                                                                  : FaultKind::kIllegalInstruction;
  } else if (insn.op == isa::Op::kTrap) {
    out.fault = FaultKind::kTrap;
  } else if (insn.op == isa::Op::kBrkpt && event.taken != 0) {
    out.fault = FaultKind::kBreakpoint;
  } else if (insn.op == isa::Op::kBar) {
    d_.arrival = event;
    return;
  } else {
    out = warp.execute(insn, event.fetched.pc, event.taken, rules());
    d_.masks.mask[event.warp] = warp.active();
  }
  if (out.fault != FaultKind::kNone) {
    if (!q_.fault.valid) {
      const auto lane = static_cast<unsigned>(warp.active() != 0 ? __builtin_ctz(warp.active()) : 0);
      d_.fault = instruction_fault(out.fault, lane, event.fetched, {event.tag, 0, event.warp, event.fetched.pc});
    }
    return;  // unresolved: the warp issues nothing more
  }
  if (insn.op == isa::Op::kBra) {
    ++counters_.branches;
    counters_.divergent_branches += out.diverged;
  }
  if (out.spills || out.waits) {
    to_memory_.push({true, out.spills, event.warp, out.number, out.spilled, event.fetched.pc, event.tag});
    ++(out.spills ? counters_.spills : counters_.refills);
  }
  if (out.waits) {
    d_.refilling |= WarpMask{1} << event.warp;
    return;
  }
  resolve(event, out);
}

// Publishes the outcome of a control instruction: active lanes and next pc, or the end of the warp.
void ReconvergenceStack::resolve(const ControlEvent& event, const ControlOutcome& out) {
  const WarpControl& warp = warps_[event.warp];
  const unsigned w = event.warp;
  d_.depth[w] = static_cast<std::uint8_t>(std::min(warp.depth(), 255u));
  counters_.max_depth = std::max<std::uint64_t>(counters_.max_depth, warp.depth());
  d_.pc[w] = out.pc;
  d_.resolve.warps = WarpMask{1} << w;
  if (reports_ != nullptr)
    reports_->at(edge()).control.add() = {event.tag, event.warp, out.ended, out.pc, warp.active()};
  if (out.ended) {
    d_.resolve.ended = true;
    d_.resolve.ended_warp = event.warp;
    d_.redirect = {true, RedirectKind::kStop, event.warp, out.pc};
  } else if (out.jumped) {
    d_.redirect = {true, RedirectKind::kJump, event.warp, out.pc};
  }
}

void ReconvergenceStack::drive() {
  redirect_o.write(q_.redirect);
  resolve_o.write(q_.resolve);
  arrival_o.write(q_.arrival);
  masks_o.write(q_.masks);
  fault_o.write(q_.fault);
  access_o.write(q_.access);
}

}  // namespace g80
