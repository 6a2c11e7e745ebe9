// SPDX-License-Identifier: Apache-2.0
// An instruction as blocks of an SM receive it, from its text.
#pragma once
#include <string>

#include "hw/bundles/decoded_instruction.h"
#include "toolchain/assembler/line_assembler.h"

namespace g80::test {

inline FetchedInstruction fetched(const std::string& text, std::uint32_t pc = 0) {
  const isa::Words words = isa::assemble(text, isa::Arch::kSm13);
  const std::uint64_t high = words.is_long ? words.w1 : 0;
  return {pc, isa::DecodeError::kNone, high << 32 | words.w0};
}

}  // namespace g80::test
