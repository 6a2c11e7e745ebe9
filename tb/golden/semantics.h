// SPDX-License-Identifier: Apache-2.0
// The arithmetic of each instruction, bit for bit as on the chip, for a whole warp at once.
//
// The arithmetic of the golden reference. The machine has its own, in the stages of its units (hw/exec), so that
// comparing the two checks both: nothing in hw/ or rtl/ includes this. Operands arrive fetched (half registers and
// s[]/c[] elements already extended to 32 bits as their element type says); neg, abs and "invert" modifiers,
// saturation, rounding and flags are applied here.
#pragma once
#include <cstdint>

#include "hw/common/types.h"
#include "hw/isa/instruction.h"

namespace g80::golden {

/// Operands of one warp instruction; `hi` words are used by 64-bit operands only.
struct AluInput {
  LaneWords s[3];
  LaneWords hi[3];
  LaneFlags flags;  // $c<flag_src> of each lane: carry-in of addc, source of mov $r,$c
  G80_FIELDS(s, hi, flags);
};

/// Result of one warp instruction. Lanes outside the guard hold unspecified values.
struct AluOutput {
  LaneWords lo;     // 32-bit results; 16-bit results in bits 15:0; low word of 64-bit results; new $a in bits 15:0
  LaneWords hi;     // high word of 64-bit results
  LaneFlags flags;  // value for $c<flag_dst>, meaningful if insn.writes_flags
  G80_FIELDS(lo, hi, flags);
};

/// Evaluates an ALU, SFU, conversion or fp64 instruction for all 32 lanes. Not for memory, texture, vote and control.
/// quadop reads neighbouring lanes of `in`, so inactive lanes must hold their register values.
void execute(const isa::Instruction& insn, const AluInput& in, AluOutput& out);

/// True if the 5-bit condition code holds for flag value `flags` (O*8 + C*4 + S*2 + Z).
bool condition_holds(unsigned cond, unsigned flags);

/// The lanes of a warp in which the condition holds.
LaneMask condition_lanes(unsigned cond, const LaneFlags& flags);

/// New memory value of a global atomic; `old_value` is what atom returns.
/// `op` is the encoded operation number: those without a meaning leave memory unchanged.
std::uint32_t atomic32(unsigned op, bool is_signed, std::uint32_t old_value, std::uint32_t b, std::uint32_t c);
std::uint64_t atomic64(unsigned op, std::uint64_t old_value, std::uint64_t b, std::uint64_t c);

/// Scalar float helpers (the reference's texture filtering, tests). Same bits as the warp forms.
std::uint32_t fadd32(std::uint32_t a, std::uint32_t b);
std::uint32_t fmul32(std::uint32_t a, std::uint32_t b);
std::uint32_t fmad32(std::uint32_t a, std::uint32_t b, std::uint32_t c);

}  // namespace g80::golden
