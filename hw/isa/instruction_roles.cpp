// SPDX-License-Identifier: Apache-2.0
// The plain members of Instruction by Role, so that table rows can name them.
#include <type_traits>

#include "hw/isa/opcode_table.h"

namespace g80::isa {

namespace {

/// Calls `use` with the member of `insn` that `role` names. Not for operands: they are structs.
template <class Insn, class Use>
void with_role(Insn& insn, Role role, Use use) {
  switch (role) {
    case Role::kDstType: return use(insn.dst_type);
    case Role::kSrcType: return use(insn.src_type);
    case Role::kSrc2Type: return use(insn.src2_type);
    case Role::kMemType: return use(insn.mem_type);
    case Role::kAtomOp: return use(insn.atom_op);
    case Role::kMadOp: return use(insn.mad_op);
    case Role::kSaturate: return use(insn.saturate);
    case Role::kHigh: return use(insn.high);
    case Role::kIntegral: return use(insn.integral);
    case Role::kRound: return use(insn.round);
    case Role::kCompare: return use(insn.compare);
    case Role::kNeg0: return use(insn.src[0].neg);
    case Role::kNeg1: return use(insn.src[1].neg);
    case Role::kNeg2: return use(insn.src[2].neg);
    case Role::kAbs0: return use(insn.src[0].abs);
    case Role::kAbs1: return use(insn.src[1].abs);
    case Role::kLaneMask: return use(insn.lane_mask);
    case Role::kSfuHint: return use(insn.sfu_hint);
    case Role::kQuadLane: return use(insn.quad_lane);
    case Role::kQuadOp0: return use(insn.quad_op[0]);
    case Role::kQuadOp1: return use(insn.quad_op[1]);
    case Role::kQuadOp2: return use(insn.quad_op[2]);
    case Role::kQuadOp3: return use(insn.quad_op[3]);
    case Role::kVoteAll: return use(insn.vote_all);
    case Role::kPmEvent: return use(insn.pm_event);
    case Role::kTex: return use(insn.tex);
    case Role::kSampler: return use(insn.sampler);
    case Role::kTexLive: return use(insn.tex_live);
    case Role::kTexDeriv: return use(insn.tex_deriv);
    case Role::kTexCube: return use(insn.tex_cube);
    case Role::kTexOffsetX: return use(insn.tex_offset[0]);
    case Role::kTexOffsetY: return use(insn.tex_offset[1]);
    case Role::kTexOffsetZ: return use(insn.tex_offset[2]);
    case Role::kTarget: return use(insn.target);
    case Role::kCallLimited: return use(insn.call_limited);
    case Role::kBarrier: return use(insn.barrier);
    case Role::kBarArrive: return use(insn.bar_arrive);
    case Role::kBarWait: return use(insn.bar_wait);
    case Role::kBarAll: return use(insn.bar_all);
    case Role::kBarCount: return use(insn.bar_count);
    case Role::kNone:
    case Role::kDst:
    case Role::kSrc0:
    case Role::kSrc1:
    case Role::kSrc2: return;
  }
}

}  // namespace

std::int64_t get_role(const Instruction& insn, Role role) {
  std::int64_t value = 0;
  // NOLINTNEXTLINE(bugprone-signed-char-misuse): the signed members are numbers, not characters
  with_role(insn, role, [&value](const auto& member) { value = static_cast<std::int64_t>(member); });
  return value;
}

void set_role(Instruction& insn, Role role, std::int64_t value) {
  with_role(insn, role,
            [value](auto& member) { member = static_cast<std::remove_reference_t<decltype(member)>>(value); });
}

}  // namespace g80::isa
