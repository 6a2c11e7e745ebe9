// SPDX-License-Identifier: Apache-2.0
// One field of one row: from the bits of a word into an Instruction, and back.
#pragma once
#include <cstdint>

#include "hw/isa/opcode_table.h"

namespace g80::isa {

/// Reads `field` of `word` into `insn` and adds the bits it took to `used`. Fields are read in the order of the row.
DecodeError read_field(const Row& row, const Field& field, std::uint64_t word, Instruction& insn, std::uint64_t& used);

/// Writes `field` from `insn` into `word`; false if the value has no encoding here.
bool write_field(const Row& row, const Field& field, const Instruction& insn, std::uint64_t& word);

Operand& operand(Instruction& insn, Role role);
const Operand& operand(const Instruction& insn, Role role);

/// Bytes of one element of a memory access. This is where the width of an operand in memory is decided.
constexpr unsigned element_bytes(MemType type) {
  switch (type) {
    case MemType::kU8:
    case MemType::kS8: return 1;
    case MemType::kU16:
    case MemType::kS16: return 2;
    case MemType::kB64:
    case MemType::kU64: return 8;
    case MemType::kB128: return 16;
    default: return 4;
  }
}

}  // namespace g80::isa
