// SPDX-License-Identifier: Apache-2.0
// Decoding of a whole program.
#include "tb/golden/program.h"

#include <stdexcept>

namespace g80::golden {
namespace {

using isa::Op;
using isa::OperandKind;

Action action_of(const isa::Instruction& insn) {
  switch (insn.op) {
    case Op::kNop:
    case Op::kPmevent: return Action::kNothing;
    case Op::kVote: return Action::kVote;
    case Op::kLdConst:
    case Op::kLdShared:
    case Op::kLdSharedLock:
    case Op::kStShared:
    case Op::kStSharedUnlock:
    case Op::kLdLocal:
    case Op::kStLocal:
    case Op::kLdGlobal:
    case Op::kStGlobal:
    case Op::kRed:
    case Op::kAtom: return Action::kMemory;
    case Op::kTexAuto:
    case Op::kTexFetch:
    case Op::kTexBias:
    case Op::kTexLod:
    case Op::kTexSize:
    case Op::kTexCsaa: return Action::kTexture;
    case Op::kBra:
    case Op::kCall:
    case Op::kRet:
    case Op::kBreakaddr:
    case Op::kBreak:
    case Op::kQuadon:
    case Op::kQuadpop:
    case Op::kBar:
    case Op::kTrap:
    case Op::kJoinat:
    case Op::kBrkpt: return Action::kControl;
    default: return Action::kAlu;
  }
}

bool control_has_guard(Op op) { return op == Op::kBra || op == Op::kRet || op == Op::kBreak || op == Op::kBrkpt; }

DecodedInstruction decode_at(std::uint32_t w0, std::uint32_t w1, bool has_second_word, bool odd_word, isa::Arch arch,
                             bool has_fp64) {
  DecodedInstruction d;
  d.w0 = w0;
  d.w1 = w1;
  if (isa::is_long(w0) && (odd_word || !has_second_word)) {
    d.error = isa::DecodeError::kUnalignedLong;
    d.fault = FaultKind::kUnalignedLong;
    return d;
  }
  d.error = isa::decode(w0, w1, arch, d.insn);
  if (d.error == isa::DecodeError::kNone && d.insn.unit == isa::Unit::kDp && !has_fp64)
    d.error = isa::DecodeError::kIllegalOpcode;
  if (d.error != isa::DecodeError::kNone) return d;
  d.fault = FaultKind::kNone;
  d.action = action_of(d.insn);
  d.has_guard = d.action != Action::kControl || control_has_guard(d.insn.op);
  for (unsigned i = 0; i < 3; ++i) {
    if (d.insn.src[i].kind != OperandKind::kNone) d.num_sources = static_cast<std::uint8_t>(i + 1);
    d.has_shared_operand |= d.insn.src[i].kind == OperandKind::kShared;
  }
  d.reads_flags_as_data = d.insn.op == Op::kAddc || d.insn.op == Op::kMovFromFlags ||
                          ((d.insn.op == Op::kMad16 || d.insn.op == Op::kMad24) && d.insn.mad_op == Op::kAddc);
  if (d.insn.op == Op::kMov) d.lane_pattern = LaneMask{d.insn.lane_mask} * 0x11111111u;
  return d;
}

}  // namespace

Program::Program(std::vector<std::uint32_t> words, isa::Arch arch, std::uint32_t base, bool has_fp64)
    : base_(base), arch_(arch) {
  if (base % 8 != 0) throw std::invalid_argument("Program: the code must start on an 8-byte boundary");
  decoded_.reserve(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool has_second = i + 1 < words.size();
    decoded_.push_back(decode_at(words[i], has_second ? words[i + 1] : 0, has_second, i % 2 != 0, arch, has_fp64));
  }
}

}  // namespace g80::golden
