// SPDX-License-Identifier: Apache-2.0
// Bits of memory operands (s[], c[], l[]) and what all register fields share. The decoder in SystemVerilog is printed
// from the same constants.
#pragma once
#include <cstdint>

#include "hw/isa/opcode_table.h"

namespace g80::isa {

// $a and the post-increment bit, which an instruction has only once, for its memory operand
inline constexpr Piece kAddrLow{26, 2}, kAddrHigh{34, 1}, kPostIncrement{25, 1};
inline constexpr unsigned kLastAddr = 4;     // $a5, $a6 do not exist, $a7 must not be used
inline constexpr Piece kConstSelect{23, 2};  // 1 source 2 is c[], 2 source 3 is c[], 3 neither may be s[]
inline constexpr Piece kSharedSelectLong{53, 1};
inline constexpr MemType kSharedModes[4] = {MemType::kU8, MemType::kU16, MemType::kS16, MemType::kB32};

unsigned log2_bytes(MemType type);
std::int32_t sign_extend(std::uint32_t value, unsigned bits);
OperandKind register_kind(unsigned width);
/// The size a discarded result would have had: 8-bit conversions exist with both destination widths.
MemType register_type(unsigned width);
void set_register(Operand& op, unsigned width, std::uint32_t index);

/// True for the kinds the two functions below handle.
inline bool is_memory_field(FieldKind kind) {
  return kind == FieldKind::kShared || kind == FieldKind::kConst2 || kind == FieldKind::kConst3 ||
         kind == FieldKind::kMemory;
}
DecodeError read_memory_field(const Row& row, const Field& field, std::uint64_t word, Instruction& insn,
                              std::uint64_t& used);
bool write_memory_field(const Row& row, const Field& field, const Instruction& insn, std::uint64_t& word);

}  // namespace g80::isa
