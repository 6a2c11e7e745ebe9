// SPDX-License-Identifier: Apache-2.0
// What decode says of an instruction, beside its words: with it no block behind decode looks anything up in a table.
//
// The words of an instruction hold its numbers: registers, offsets, immediates, targets. A micro-op says what it does,
// of which kinds its operands are, and where in the words they stand. Together they are the instruction:
// rtl/isa/micro_op_fields.sv selects its fields. Words with a decode error have a micro-op of zeros.
#pragma once
#include <cstdint>
#include <cstring>

#include "hw/common/fields.h"
#include "hw/isa/instruction.h"

namespace g80 {

struct DecodedInstruction;

/// What control, loads and results ask: it stays with an instruction until it finishes.
struct IssuedOp {
  isa::Op op = isa::Op::kInvalid;
  isa::Unit unit = isa::Unit::kSp;                 // where it issues to
  isa::OperandKind dst = isa::OperandKind::kNone;  // kind of the destination
  bool dst_high = false;                           // bit 6 of its index
  bool guarded = false;                            // the words have a condition
  bool writes_flags = false;
  std::uint8_t flag_dst = 0;
  std::uint8_t addr_reg = 0;  // of the memory operand or access
  bool post_increment = false;
  isa::MemType mem_type = isa::MemType::kU8;  // of the access or of the operand src0
  G80_FIELDS(op, unit, dst, dst_high, guarded, writes_flags, (flag_dst, 2), (addr_reg, 3), post_increment, mem_type);
  bool operator==(const IssuedOp& other) const { return std::memcmp(this, &other, sizeof other) == 0; }
};
inline constexpr unsigned kIssuedOpBits = 27;

struct MicroOp {
  IssuedOp issued;
  // What the instruction needs before it issues, too
  isa::OperandKind src0 = isa::OperandKind::kNone;
  std::uint8_t src1 = 0, src2 = 0;  // kinds, which are none above kImm
  std::uint8_t src1_at = 0;         // the bits of its index: of source 1, 2 or the destination
  bool src2_is_dst = false;         // ... else those of source 2
  bool reads_flag = false;
  std::uint8_t flag_src = 0;
  // The rest
  bool half_const = false;  // src1 is 16 bits of c[]
  isa::NumType dst_type = isa::NumType::kU8, src_type = isa::NumType::kU8, src2_type = isa::NumType::kU8;
  std::uint8_t negate = 0, absolute = 0;  // a bit for each source
  bool saturate = false;
  bool variant = false;      // high, integral, or all: as the operation has one of them
  std::uint8_t round = 0;    // of mad16 and mad24: which sum, counted from kAdd
  std::uint8_t compare = 0;  // of red and atom: the operation

  G80_FIELDS(issued, src0, (src1, 3), (src2, 3), (src1_at, 2), src2_is_dst, reads_flag, (flag_src, 2), half_const,
             dst_type, src_type, src2_type, (negate, 3), (absolute, 2), saturate, variant, (round, 2), (compare, 4));
  bool operator==(const MicroOp& other) const { return std::memcmp(this, &other, sizeof other) == 0; }
};
inline constexpr unsigned kMicroOpBits = 69;

/// Of an instruction that is decoded, but for this.
MicroOp micro_op_of(const DecodedInstruction& decoded);

}  // namespace g80
