// SPDX-License-Identifier: Apache-2.0
// Machine words to and from Instruction. encoding.cpp, built from opcodes.def, is the only place with bit
// positions.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hw/common/fields.h"
#include "hw/isa/instruction.h"

namespace g80::isa {

/// Feature level (CUDA compute capability 1.0 .. 1.3).
enum class Arch : std::uint8_t { kSm10, kSm11, kSm12, kSm13 };
std::optional<Arch> parse_arch(std::string_view name);  // "sm_10" .. "sm_13"
std::string_view arch_name(Arch arch);

/// Error classes of the decoder for words that are not instructions of this machine.
enum class DecodeError : std::uint8_t {
  kNone,
  kIllegalOpcode,
  kIllegalPostIncrement,
  kIllegalMemoryByte,
  kIllegalMemorySign,
  kIllegalMemorySize,
  kGraphicsOnly,
  kUnalignedLong
};
inline const EnumText& enum_text(DecodeError) {
  static const char* const names[] = {"-",
                                      "ILLEGAL_OPCODE",
                                      "ILLEGAL_POST_INCREMENT",
                                      "ILLEGAL_MEMORY_BYTE",
                                      "ILLEGAL_MEMORY_SIGN",
                                      "ILLEGAL_MEMORY_SIZE",
                                      "GRAPHICS_ONLY",
                                      "UNALIGNED_LONG"};
  static const EnumText text{"DecodeError", names, 8};
  return text;
}
/// One clear phrase per error, e.g. "illegal opcode".
std::string_view decode_error_text(DecodeError error);

/// True if the instruction that starts with `w0` takes two words.
inline bool is_long(std::uint32_t w0) { return (w0 & 1u) != 0; }

/// Decodes one instruction. `w1` is ignored for short forms. The fetcher checks alignment.
/// After illegal post-increment, memory byte, sign and size errors `out` is complete, so the word can still be printed;
/// after the others out.op is kInvalid.
DecodeError decode(std::uint32_t w0, std::uint32_t w1, Arch arch, Instruction& out);

struct Words {
  std::uint32_t w0 = 0, w1 = 0;
  bool is_long = false;
};
/// Inverse of decode. Throws std::invalid_argument naming the field that has no encoding.
Words encode(const Instruction& insn);

}  // namespace g80::isa
