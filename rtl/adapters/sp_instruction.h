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

  G80_FIELDS((op, 7), (mad_op, 7), (dst_type, 4), (src_type, 4), (src2_type, 4), negate, absolute, has_first,
             writes_half, writes_flags, saturate, high, integral, (round, 2), (compare, 4), (quad_lane, 3),
             (quad_op, 2), (pm_event, 4));
};

}  // namespace g80
