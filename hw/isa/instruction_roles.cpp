// The plain members of Instruction by Role, so that table rows can name them.
#include "hw/isa/opcode_table.h"

namespace g80::isa {

std::int64_t get_role(const Instruction& insn, Role role) {
  switch (role) {
    case Role::kDstType:
      return static_cast<std::int64_t>(insn.dst_type);
    case Role::kSrcType:
      return static_cast<std::int64_t>(insn.src_type);
    case Role::kSrc2Type:
      return static_cast<std::int64_t>(insn.src2_type);
    case Role::kMemType:
      return static_cast<std::int64_t>(insn.mem_type);
    case Role::kAtomOp:
      return static_cast<std::int64_t>(insn.atom_op);
    case Role::kMadOp:
      return static_cast<std::int64_t>(insn.mad_op);
    case Role::kSaturate:
      return insn.saturate;
    case Role::kHigh:
      return insn.high;
    case Role::kIntegral:
      return insn.integral;
    case Role::kRound:
      return static_cast<std::int64_t>(insn.round);
    case Role::kCompare:
      return insn.compare;
    case Role::kNeg0:
      return insn.src[0].neg;
    case Role::kNeg1:
      return insn.src[1].neg;
    case Role::kNeg2:
      return insn.src[2].neg;
    case Role::kAbs0:
      return insn.src[0].abs;
    case Role::kAbs1:
      return insn.src[1].abs;
    case Role::kLaneMask:
      return insn.lane_mask;
    case Role::kSfuHint:
      return insn.sfu_hint;
    case Role::kQuadLane:
      return insn.quad_lane;
    case Role::kQuadOp0:
      return insn.quad_op[0];
    case Role::kQuadOp1:
      return insn.quad_op[1];
    case Role::kQuadOp2:
      return insn.quad_op[2];
    case Role::kQuadOp3:
      return insn.quad_op[3];
    case Role::kVoteAll:
      return insn.vote_all;
    case Role::kPmEvent:
      return insn.pm_event;
    case Role::kTex:
      return insn.tex;
    case Role::kSampler:
      return insn.sampler;
    case Role::kTexLive:
      return insn.tex_live;
    case Role::kTexDeriv:
      return insn.tex_deriv;
    case Role::kTexCube:
      return insn.tex_cube;
    case Role::kTexOffsetX:
      return insn.tex_offset[0];
    case Role::kTexOffsetY:
      return insn.tex_offset[1];
    case Role::kTexOffsetZ:
      return insn.tex_offset[2];
    case Role::kTarget:
      return insn.target;
    case Role::kCallLimited:
      return insn.call_limited;
    case Role::kBarrier:
      return insn.barrier;
    case Role::kBarArrive:
      return insn.bar_arrive;
    case Role::kBarWait:
      return insn.bar_wait;
    case Role::kBarAll:
      return insn.bar_all;
    case Role::kBarCount:
      return insn.bar_count;
    case Role::kNone:
    case Role::kDst:
    case Role::kSrc0:
    case Role::kSrc1:
    case Role::kSrc2:
      break;
  }
  return 0;
}

void set_role(Instruction& insn, Role role, std::int64_t value) {
  const auto byte = static_cast<std::uint8_t>(value);
  const bool flag = value != 0;
  switch (role) {
    case Role::kDstType:
      insn.dst_type = static_cast<NumType>(value);
      break;
    case Role::kSrcType:
      insn.src_type = static_cast<NumType>(value);
      break;
    case Role::kSrc2Type:
      insn.src2_type = static_cast<NumType>(value);
      break;
    case Role::kMemType:
      insn.mem_type = static_cast<MemType>(value);
      break;
    case Role::kAtomOp:
      insn.atom_op = static_cast<AtomOp>(value);
      break;
    case Role::kMadOp:
      insn.mad_op = static_cast<Op>(value);
      break;
    case Role::kSaturate:
      insn.saturate = flag;
      break;
    case Role::kHigh:
      insn.high = flag;
      break;
    case Role::kIntegral:
      insn.integral = flag;
      break;
    case Role::kRound:
      insn.round = static_cast<Round>(value);
      break;
    case Role::kCompare:
      insn.compare = byte;
      break;
    case Role::kNeg0:
      insn.src[0].neg = flag;
      break;
    case Role::kNeg1:
      insn.src[1].neg = flag;
      break;
    case Role::kNeg2:
      insn.src[2].neg = flag;
      break;
    case Role::kAbs0:
      insn.src[0].abs = flag;
      break;
    case Role::kAbs1:
      insn.src[1].abs = flag;
      break;
    case Role::kLaneMask:
      insn.lane_mask = byte;
      break;
    case Role::kSfuHint:
      insn.sfu_hint = flag;
      break;
    case Role::kQuadLane:
      insn.quad_lane = byte;
      break;
    case Role::kQuadOp0:
      insn.quad_op[0] = byte;
      break;
    case Role::kQuadOp1:
      insn.quad_op[1] = byte;
      break;
    case Role::kQuadOp2:
      insn.quad_op[2] = byte;
      break;
    case Role::kQuadOp3:
      insn.quad_op[3] = byte;
      break;
    case Role::kVoteAll:
      insn.vote_all = flag;
      break;
    case Role::kPmEvent:
      insn.pm_event = byte;
      break;
    case Role::kTex:
      insn.tex = byte;
      break;
    case Role::kSampler:
      insn.sampler = byte;
      break;
    case Role::kTexLive:
      insn.tex_live = flag;
      break;
    case Role::kTexDeriv:
      insn.tex_deriv = flag;
      break;
    case Role::kTexCube:
      insn.tex_cube = flag;
      break;
    case Role::kTexOffsetX:
      insn.tex_offset[0] = static_cast<std::int8_t>(value);
      break;
    case Role::kTexOffsetY:
      insn.tex_offset[1] = static_cast<std::int8_t>(value);
      break;
    case Role::kTexOffsetZ:
      insn.tex_offset[2] = static_cast<std::int8_t>(value);
      break;
    case Role::kTarget:
      insn.target = static_cast<std::uint32_t>(value);
      break;
    case Role::kCallLimited:
      insn.call_limited = flag;
      break;
    case Role::kBarrier:
      insn.barrier = byte;
      break;
    case Role::kBarArrive:
      insn.bar_arrive = flag;
      break;
    case Role::kBarWait:
      insn.bar_wait = flag;
      break;
    case Role::kBarAll:
      insn.bar_all = flag;
      break;
    case Role::kBarCount:
      insn.bar_count = static_cast<std::uint16_t>(value);
      break;
    case Role::kNone:
    case Role::kDst:
    case Role::kSrc0:
    case Role::kSrc1:
    case Role::kSrc2:
      break;
  }
}

}  // namespace g80::isa
