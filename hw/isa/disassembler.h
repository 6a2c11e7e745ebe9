// SPDX-License-Identifier: Apache-2.0
// Decoded instructions as text, in the syntax of opcodes.def.
#pragma once
#include <string>

#include "hw/isa/encoding.h"
#include "hw/isa/instruction.h"

namespace g80::isa {

/// The text of one instruction, e.g. "(lg $c0) add b32 $c1 $r2 $r3 s[0x10]". Throws std::invalid_argument if the fields
/// have no encoding.
std::string disassemble(const Instruction& insn);

/// The text plus marks for ambiguous encodings, so the line assembler gives the same word:
/// ".short" or ".long" where both exist, ".raw <w0> [<w1>]" (exclusive or) for ignored bits.
std::string disassemble_marked(const Instruction& insn);

/// True if a word that decoded with `error` still has text: the chip refuses some s[] operand sizes and signs, and a
/// post-incremented c[] without $a, that disassemblers have always printed.
bool has_text(const Instruction& insn, DecodeError error);

/// Text of a word, for traces: the instruction, or the decode error in angle brackets.
std::string disassemble(std::uint32_t w0, std::uint32_t w1, Arch arch);

}  // namespace g80::isa
