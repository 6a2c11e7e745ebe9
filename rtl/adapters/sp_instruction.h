// SPDX-License-Identifier: Apache-2.0
// What the control of the SPs asks of a decoded instruction: g80_pkg::sp_instruction_t. No wire carries it.
#pragma once
#include "hw/common/fields.h"
#include "hw/isa/instruction.h"

namespace g80 {

struct SpInstruction {
  isa::Op op = isa::Op::kInvalid;
  isa::Op mad_op = isa::Op::kAdd;
  isa::NumType dst_type = isa::NumType::kB32, src_type = isa::NumType::kB32, src2_type = isa::NumType::kB32;
  bool negate[3] = {};
  bool absolute[2] = {};
  bool has_first = false;  // src[0] is an operand; a mov may have only the second one
  bool writes_half = false;
  bool writes_flags = false;
  bool saturate = false, high = false, integral = false;
  isa::Round round = isa::Round::kRn;
  std::uint8_t compare = 0;
  std::uint8_t quad_lane = 0;
  std::uint8_t quad_op[4] = {};
  std::uint8_t pm_event = 0;

  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("op", s.op, 7);
    v("mad_op", s.mad_op, 7);
    v("dst_type", s.dst_type, 4);
    v("src_type", s.src_type, 4);
    v("src2_type", s.src2_type, 4);
    v("negate", s.negate);
    v("absolute", s.absolute);
    v("has_first", s.has_first);
    v("writes_half", s.writes_half);
    v("writes_flags", s.writes_flags);
    v("saturate", s.saturate);
    v("high", s.high);
    v("integral", s.integral);
    v("round", s.round, 2);
    v("compare", s.compare, 4);
    v("quad_lane", s.quad_lane, 3);
    v("quad_op", s.quad_op, 2);
    v("pm_event", s.pm_event, 4);
  }
};

}  // namespace g80
