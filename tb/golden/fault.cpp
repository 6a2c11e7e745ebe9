// SPDX-License-Identifier: Apache-2.0
// Texts of faults in messages.
#include "tb/golden/fault.h"

#include <fmt/format.h>

#include "hw/isa/disassembler.h"

namespace g80::golden {

const char* fault_text(FaultKind kind) {
  switch (kind) {
    case FaultKind::kNone: return "no fault";
    case FaultKind::kIllegalInstruction: return "illegal instruction";
    case FaultKind::kUnalignedLong: return "long instruction not on an 8-byte boundary";
    case FaultKind::kCodeLimit: return "program counter outside the code";
    case FaultKind::kTrap: return "trap instruction";
    case FaultKind::kBreakpoint: return "breakpoint";
    case FaultKind::kStackUnderflow: return "control stack underflow";
    case FaultKind::kStackMismatch: return "wrong entry on top of the control stack";
    case FaultKind::kStackOverflow: return "control stack overflow";
    case FaultKind::kQuadonActive: return "control flow while whole-quad mode is on";
    case FaultKind::kMisaligned: return "misaligned address";
    case FaultKind::kOutOfBounds: return "address out of bounds";
    case FaultKind::kSpaceDisabled: return "global space not enabled";
    case FaultKind::kBarrierDeadlock: return "barrier that can never open";
  }
  return "unknown fault";
}

const char* space_text(Space space) {
  switch (space) {
    case Space::kGlobal: return "g[]";
    case Space::kShared: return "s[]";
    case Space::kLocal: return "l[]";
    case Space::kConst: return "c[]";
    case Space::kTexture: return "texture";
    case Space::kCode: return "code";
  }
  return "?";
}

std::string describe(const Fault& fault) {
  std::string text = fmt::format("block {} warp {} lane {} pc {:#x}: {}", fault.block, fault.warp, fault.lane, fault.pc,
                                 fault_text(fault.kind));
  if (fault.kind != FaultKind::kCodeLimit && fault.kind != FaultKind::kBarrierDeadlock) {
    text += fmt::format(" in `{}`", isa::disassemble(fault.w0, fault.w1, isa::Arch::kSm13));
  }
  if (fault.bytes != 0) {
    text += fmt::format(", {} of {} bytes at {} {:#x}", fault.is_write ? "write" : "read", fault.bytes,
                        space_text(fault.space), fault.address);
  }
  return text;
}

}  // namespace g80::golden
