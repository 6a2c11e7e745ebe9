// SPDX-License-Identifier: Apache-2.0
#include "hw/exec/sp_control.h"

#include "hw/common/check.h"

namespace g80 {

using isa::NumType;
using isa::Op;
using isa::OperandKind;

namespace {

void set_format(NumType type, SpFormat& out) {
  switch (type) {
    case NumType::kU8: out = {SpWidth::k8, false, false}; break;
    case NumType::kS8: out = {SpWidth::k8, true, false}; break;
    case NumType::kU16:
    case NumType::kB16: out = {SpWidth::k16, false, false}; break;
    case NumType::kS16: out = {SpWidth::k16, true, false}; break;
    case NumType::kU24: out = {SpWidth::k24, false, false}; break;
    case NumType::kS24: out = {SpWidth::k24, true, false}; break;
    case NumType::kS32: out = {SpWidth::k32, true, false}; break;
    case NumType::kF16: out = {SpWidth::k16, true, true}; break;
    case NumType::kF32: out = {SpWidth::k32, true, true}; break;
    default: out = {SpWidth::k32, false, false}; break;
  }
}

/// Subtraction as an addition: invert what is subtracted and carry a one in.
void set_adder(Op op, SpControl& out) {
  out.invert_x = op == Op::kSubr;
  out.invert_y = op == Op::kSub;
  out.carry = op == Op::kAddc ? SpCarry::kFlags : op == Op::kAdd ? SpCarry::kZero : SpCarry::kOne;
}

void set_path(const isa::Instruction& insn, SpControl& out) {
  switch (insn.op) {
    case Op::kNop:
    case Op::kPmevent: out.path = SpPath::kNone; return;
    case Op::kMov:
      out.path = SpPath::kMove;
      out.takes_second = insn.src[0].kind == OperandKind::kNone;
      out.half = out.to.width == SpWidth::k16;
      return;
    case Op::kLdConst:
    case Op::kLdShared:
    case Op::kMovFromSpecial:
    case Op::kMovFromAddr: out.path = SpPath::kMove; return;
    case Op::kLdSharedLock:
    case Op::kVote:
      out.path = SpPath::kMove;
      out.flags = SpFlags::kVerdict;
      return;
    case Op::kMovFromFlags:
      out.path = SpPath::kMove;
      out.takes_flags = true;
      return;
    case Op::kMovToFlags:
      out.path = SpPath::kMove;
      out.flags = SpFlags::kWord;
      return;
    case Op::kSlct:
      out.path = SpPath::kMove;
      out.selects = true;
      out.flags = SpFlags::kSelected;
      return;
    case Op::kShlAddr:
      out.path = SpPath::kShiftLeft;
      out.half = true;
      return;
    case Op::kAddAddr:
      out.path = SpPath::kAdd;
      out.half = true;
      return;
    case Op::kAdd:
    case Op::kSub:
    case Op::kSubr:
    case Op::kAddc:
      out.path = SpPath::kAdd;
      out.half = out.to.width == SpWidth::k16;
      set_adder(insn.op, out);
      return;
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
    case Op::kMov2:
      out.path = SpPath::kLogic;
      out.half = out.to.width == SpWidth::k16;
      out.logic = insn.op == Op::kAnd   ? SpLogic::kAnd
                  : insn.op == Op::kOr  ? SpLogic::kOr
                  : insn.op == Op::kXor ? SpLogic::kXor
                                        : SpLogic::kSecond;
      return;
    case Op::kSet:
    case Op::kMin:
    case Op::kMax:
      out.path = SpPath::kCompare;
      out.half = out.from.width == SpWidth::k16;
      out.choice = insn.op == Op::kSet   ? SpChoice::kRelation
                   : insn.op == Op::kMin ? SpChoice::kSmaller
                                         : SpChoice::kLarger;
      return;
    case Op::kFset: out.path = SpPath::kCompare; return;
    case Op::kFmin:
    case Op::kFmax:
      out.path = SpPath::kCompare;
      out.choice = insn.op == Op::kFmin ? SpChoice::kSmaller : SpChoice::kLarger;
      out.flags = SpFlags::kFloat32;
      return;
    case Op::kShl:
      out.path = SpPath::kShiftLeft;
      out.half = out.to.width == SpWidth::k16;
      return;
    case Op::kShr:
      out.path = SpPath::kShiftRight;
      out.half = out.to.width == SpWidth::k16;
      return;
    case Op::kMul16:
    case Op::kMul24: out.path = SpPath::kMultiply; break;
    case Op::kMad16:
    case Op::kMad24:
      out.path = SpPath::kMultiplyAdd;
      set_adder(insn.mad_op, out);
      break;
    case Op::kSad: out.path = SpPath::kDistance; return;
    case Op::kFadd:
    case Op::kQuadop:
    case Op::kFmul:
    case Op::kFmad:
      out.path = SpPath::kFloat;
      out.flags = SpFlags::kFloat32;
      out.adds = insn.op == Op::kFadd || insn.op == Op::kQuadop;
      out.multiplies = insn.op == Op::kFmul;
      if (insn.op == Op::kFmad) out.round = isa::Round::kRn;
      return;
    case Op::kCvtI2I:
    case Op::kCvtF2I:
      out.path = SpPath::kToInteger;
      out.half = out.to.width == SpWidth::k16 || insn.dst.kind == OperandKind::kHalf;
      return;
    case Op::kCvtI2F:
    case Op::kCvtF2F:
      out.path = SpPath::kToFloat;
      out.flags = out.to.width == SpWidth::k16 ? SpFlags::kFloat16 : SpFlags::kFloat32;
      return;
    default: CHECK(false, "operation {} has no path through the SPs", static_cast<unsigned>(insn.op));
  }
  const bool is_16 = insn.op == Op::kMul16 || insn.op == Op::kMad16;
  out.from.width = is_16 ? SpWidth::k16 : SpWidth::k24;
  out.second_from.width = out.from.width;
}

}  // namespace

SpControl sp_control(const isa::Instruction& insn) {
  SpControl out;
  set_format(insn.src_type, out.from);
  set_format(insn.src2_type, out.second_from);
  set_format(insn.dst_type, out.to);
  out.writes_flags = insn.writes_flags;
  out.negate_a = insn.src[0].neg;
  out.absolute_a = insn.src[0].abs;
  out.negate_b = insn.src[1].neg;
  out.absolute_b = insn.src[1].abs;
  out.negate_c = insn.src[2].neg;
  out.saturate = insn.saturate;
  out.high = insn.high;
  out.integral = insn.integral;
  out.round = insn.round;
  out.relations = insn.compare;
  if (insn.op == Op::kQuadop) {
    out.quad.enabled = true;
    out.quad.zero = insn.quad_lane > 3;
    out.quad.lane = insn.quad_lane & 3u;
    for (unsigned i = 0; i < 4; ++i) out.quad.op[i] = static_cast<SpQuadOp>(insn.quad_op[i]);
  }
  set_path(insn, out);
  return out;
}

}  // namespace g80
