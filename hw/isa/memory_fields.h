// SPDX-License-Identifier: Apache-2.0
// Bits of memory operands (s[], c[], l[]) and what all register fields share.
#pragma once
#include <cstdint>

#include "hw/isa/opcode_table.h"

namespace g80::isa {

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
bool write_memory_field(const Row& row, const Field& field, const Instruction& insn, std::uint64_t& word,
                        std::uint64_t& used);

}  // namespace g80::isa
