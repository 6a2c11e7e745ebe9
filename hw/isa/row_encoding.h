// SPDX-License-Identifier: Apache-2.0
// Encoding with a row already chosen, for the assembler.
#pragma once
#include "hw/isa/encoding.h"
#include "hw/isa/opcode_table.h"

namespace g80::isa {

struct RowEncoding {
  const char* problem = nullptr;  // name of the field that has no encoding, nullptr if all have
  Words words;
};

/// The word of `row` that carries the fields of `insn`; ignored bits are not applied.
RowEncoding encode_row(const Row& row, const Instruction& insn);

/// The row that encodes exactly these fields, or nullptr.
const Row* find_row(const Instruction& insn);

}  // namespace g80::isa
