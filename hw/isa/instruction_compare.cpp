// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/instruction_compare.h"

namespace g80::isa {
namespace {

bool same(const Operand& a, const Operand& b) {
  return a.kind == b.kind && a.index == b.index && a.bank == b.bank && a.type == b.type && a.offset == b.offset &&
         a.neg == b.neg && a.abs == b.abs;
}

}  // namespace

const char* first_difference(const Instruction& a, const Instruction& b) {
#define G80_COMPARE(member) \
  if (a.member != b.member) return #member
  G80_COMPARE(op);
  G80_COMPARE(form);
  G80_COMPARE(cond);
  G80_COMPARE(flag_src);
  G80_COMPARE(writes_flags);
  G80_COMPARE(flag_dst);
  G80_COMPARE(exit);
  G80_COMPARE(join);
  if (!same(a.dst, b.dst)) return "dst";
  if (!same(a.src[0], b.src[0])) return "src[0]";
  if (!same(a.src[1], b.src[1])) return "src[1]";
  if (!same(a.src[2], b.src[2])) return "src[2]";
  G80_COMPARE(immediate);
  G80_COMPARE(addr_reg);
  G80_COMPARE(post_increment);
  G80_COMPARE(increment);
  G80_COMPARE(mem_type);
  G80_COMPARE(space);
  G80_COMPARE(atom_op);
  G80_COMPARE(dst_type);
  G80_COMPARE(src_type);
  G80_COMPARE(src2_type);
  G80_COMPARE(saturate);
  G80_COMPARE(high);
  G80_COMPARE(integral);
  G80_COMPARE(round);
  G80_COMPARE(mad_op);
  G80_COMPARE(compare);
  G80_COMPARE(lane_mask);
  G80_COMPARE(sfu_hint);
  G80_COMPARE(quad_lane);
  for (int i = 0; i < 4; ++i) G80_COMPARE(quad_op[i]);
  G80_COMPARE(vote_all);
  G80_COMPARE(pm_event);
  G80_COMPARE(tex);
  G80_COMPARE(sampler);
  G80_COMPARE(tex_sources);
  G80_COMPARE(tex_mask);
  G80_COMPARE(tex_live);
  G80_COMPARE(tex_deriv);
  G80_COMPARE(tex_cube);
  for (int i = 0; i < 3; ++i) G80_COMPARE(tex_offset[i]);
  G80_COMPARE(target);
  G80_COMPARE(call_limited);
  G80_COMPARE(barrier);
  G80_COMPARE(bar_arrive);
  G80_COMPARE(bar_wait);
  G80_COMPARE(bar_all);
  G80_COMPARE(bar_count);
  G80_COMPARE(ignored0);
  G80_COMPARE(ignored1);
#undef G80_COMPARE
  return nullptr;
}

}  // namespace g80::isa
