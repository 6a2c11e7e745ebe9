// SPDX-License-Identifier: Apache-2.0
// A kernel's machine code, decoded once: one entry per 32-bit word, so that fetching is an array index.
#pragma once
#include <cstdint>
#include <vector>

#include "hw/common/types.h"
#include "hw/isa/encoding.h"
#include "hw/isa/instruction.h"
#include "tb/golden/fault.h"

namespace g80::golden {

/// The executor's kind of an instruction, set at decode time.
enum class Action : std::uint8_t { kFault, kAlu, kNothing, kVote, kMemory, kTexture, kControl };

struct DecodedInstruction {
  isa::Instruction insn;
  Action action = Action::kFault;
  FaultKind fault = FaultKind::kIllegalInstruction;
  isa::DecodeError error = isa::DecodeError::kIllegalOpcode;
  std::uint8_t num_sources = 0;      // slots of insn.src that are fetched, from slot 0 (gaps count)
  bool reads_flags_as_data = false;  // addc and mov $r,$c
  bool has_shared_operand = false;
  bool has_guard = true;                 // false for control instructions whose predicate field means nothing
  LaneMask lane_pattern = ~LaneMask{0};  // long mov: the lanes its lane mask enables
  std::uint32_t w0 = 0, w1 = 0;
};

class Program {
 public:
  Program() = default;
  /// `words` start at byte address `base` (a multiple of 8) of the code segment.
  Program(std::vector<std::uint32_t> words, isa::Arch arch, std::uint32_t base = 0, bool has_fp64 = true);

  /// The instruction at byte address `pc`, or nullptr outside the code.
  const DecodedInstruction* at(std::uint32_t pc) const {
    const std::uint32_t index = (pc - base_) / 4;
    return (pc & 3u) == 0 && index < decoded_.size() ? &decoded_[index] : nullptr;
  }
  std::uint32_t base() const { return base_; }
  std::uint32_t bytes() const { return static_cast<std::uint32_t>(decoded_.size() * 4); }
  isa::Arch arch() const { return arch_; }

 private:
  std::vector<DecodedInstruction> decoded_;
  std::uint32_t base_ = 0;
  isa::Arch arch_ = isa::Arch::kSm10;
};

}  // namespace g80::golden
