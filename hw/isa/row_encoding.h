// SPDX-License-Identifier: Apache-2.0
// Encoding with a row already chosen, for the assembler; and the bits that are in no field of a row.
#pragma once
#include "hw/isa/encoding.h"
#include "hw/isa/opcode_table.h"

namespace g80::isa {

inline constexpr Piece kPrimaryOpcode{28, 4}, kExitJoin{32, 2};
inline constexpr Piece kCondition{39, 5}, kConditionFlags{44, 2};  // of guarded rows
inline constexpr std::uint8_t kNever = 0x00;

struct RowEncoding {
  const char* problem = nullptr;  // name of the field that has no encoding, nullptr if all have
  Words words;
};

/// The word of `row` that carries the fields of `insn`; ignored bits are not applied.
RowEncoding encode_row(const Row& row, const Instruction& insn);

/// The row that encodes exactly these fields, or nullptr.
const Row* find_row(const Instruction& insn);

}  // namespace g80::isa
