// SPDX-License-Identifier: Apache-2.0
// The step: fetch, guard, dispatch, retire.
#include "tb/golden/executor.h"

#include "tb/golden/step.h"

namespace g80::golden {

StepStatus Executor::step(BlockState& block, WarpState& warp, MemoryPort& port, StepRecord* record) {
  if (warp.finished) return StepStatus::kFinished;
  if (warp.waiting != kNoBarrier) return StepStatus::kWaiting;
  static const DecodedInstruction outside{};
  const DecodedInstruction* decoded = program_.at(warp.pc);
  const DecodedInstruction& d = decoded != nullptr ? *decoded : outside;
  StepRecord& r = record != nullptr ? *record : scratch_;

  LaneMask lanes = warp.active & d.lane_pattern;
  if (d.has_guard && d.insn.cond != isa::kAlways && d.action != Action::kVote) {
    lanes &= condition_lanes(d.insn.cond, warp.c[d.insn.flag_src]);
  }
  Step s{block, warp, port, d, d.insn, lanes, warp.pc + d.insn.bytes, StepStatus::kStepped, r};
  r.decoded = &d;
  r.sequence = warp.retired;
  r.pc = warp.pc;
  r.active = warp.active;
  r.lanes = lanes;
  r.num_registers = 0;
  r.flags_written = r.address_written = -1;
  r.written_lanes = 0;
  r.access = nullptr;

  if (decoded == nullptr) {
    raise(s, FaultKind::kCodeLimit);
    return s.status;
  }
  if (warp.quad_mode && (d.insn.exit || d.insn.join)) {
    raise(s, FaultKind::kQuadonActive);
    return s.status;
  }
  switch (d.action) {
    case Action::kAlu:
      if (lanes != 0) alu(s);
      break;
    case Action::kNothing: break;
    case Action::kVote: vote(s); break;
    case Action::kMemory:
      if (lanes != 0) memory(s);
      break;
    case Action::kTexture:
      if (lanes != 0) texture(s);
      break;
    case Action::kControl: control(s); break;
    case Action::kFault: raise(s, d.fault); break;
  }
  if (s.status != StepStatus::kStepped) return s.status;

  if (d.action != Action::kControl) warp.pc = s.next_pc;
  if (d.insn.exit) {
    warp.exited |= warp.active;
    warp.active = 0;
    unwind(s);
  } else if (d.insn.join) {
    join(s);
  }
  if (s.status != StepStatus::kStepped) return s.status;
  ++warp.retired;
  r.next_pc = warp.pc;
  r.next_active = warp.active;
  r.stack_depth = static_cast<std::uint32_t>(warp.stack.size());
  r.finished = warp.finished;
  r.waiting = warp.waiting != kNoBarrier;
  return StepStatus::kStepped;
}

void Executor::alu(Step& s) {
  fetch(s);
  if (s.status != StepStatus::kStepped) return;
  execute(s.insn, in_, out_);
  const LaneWords* values[2] = {&out_.lo, &out_.hi};
  switch (s.insn.dst.kind) {
    case isa::OperandKind::kReg: write_registers(s, values, 1); break;
    case isa::OperandKind::kPair: write_registers(s, values, 2); break;
    case isa::OperandKind::kHalf: write_half(s, out_.lo); break;
    case isa::OperandKind::kAddr: write_address(s, out_.lo); break;
    default: break;  // discarded, or flags only
  }
  if (s.insn.writes_flags) write_flags(s, out_.flags);
  if (s.insn.post_increment) post_increment(s);
}

/// Each active lane votes with its condition; every active lane gets the result.
void Executor::vote(Step& s) {
  const LaneMask holds = condition_lanes(s.insn.cond, s.warp.c[s.insn.flag_src]) & s.warp.active;
  const bool outcome = s.insn.vote_all ? holds == s.warp.active : holds != 0;
  s.lanes = s.record.lanes = s.warp.active;
  LaneFlags flags;
  for (unsigned l = 0; l < kWarpSize; ++l) flags[l] = outcome ? kFlagsTrue : kFlagsFalse;
  write_flags(s, flags);
}

void Executor::raise(Step& s, FaultKind kind) {
  fault_ = Fault{};
  fault_.kind = kind;
  fault_.warp = s.warp.index;
  fault_.block = s.block.index;
  fault_.lane = s.warp.active ? static_cast<std::uint8_t>(__builtin_ctz(s.warp.active)) : 0;
  fault_.pc = s.record.pc;
  fault_.w0 = s.d.w0;
  fault_.w1 = s.d.w1;
  s.status = StepStatus::kFault;
}

void Executor::raise_access(Step& s, FaultKind kind, Space space, unsigned lane, std::uint32_t address, unsigned bytes,
                            bool is_write) {
  raise(s, kind);
  fault_.space = space;
  fault_.lane = static_cast<std::uint8_t>(lane);
  fault_.address = address;
  fault_.bytes = static_cast<std::uint8_t>(bytes);
  fault_.is_write = is_write;
}

}  // namespace g80::golden
