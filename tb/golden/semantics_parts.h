// SPDX-License-Identifier: Apache-2.0
// The warp-wide evaluators behind execute(), one per topic, and the small inline pieces they share. Internal to this
// folder.
//
// Each evaluator handles the operations its file names and leaves all 32 lanes of `out` written; flags are written only
// when the instruction asks for them.
#pragma once
#include <cstdint>

#include "tb/golden/semantics.h"

namespace g80::golden::detail {

inline constexpr std::uint8_t kFlagZ = 1, kFlagS = 2, kFlagC = 4, kFlagO = 8;

void execute_integer(const isa::Instruction& insn, const AluInput& in, AluOutput& out);
void execute_move(const isa::Instruction& insn, const AluInput& in, AluOutput& out);
void execute_fp32(const isa::Instruction& insn, const AluInput& in, AluOutput& out);
void execute_fp64(const isa::Instruction& insn, const AluInput& in, AluOutput& out);
void execute_convert(const isa::Instruction& insn, const AluInput& in, AluOutput& out);
void execute_sfu(const isa::Instruction& insn, const AluInput& in, AluOutput& out);

/// The slot of the second operand of a two-source operation: additions encode it as source 3, the others as source 2.
inline unsigned second_slot(const isa::Instruction& insn) {
  return insn.src[1].kind != isa::OperandKind::kNone ? 1 : 2;
}

inline bool is_16_bit(isa::NumType type) {
  return type == isa::NumType::kB16 || type == isa::NumType::kU16 || type == isa::NumType::kS16;
}
inline bool is_signed(isa::NumType type) {
  return type == isa::NumType::kS8 || type == isa::NumType::kS16 || type == isa::NumType::kS24 ||
         type == isa::NumType::kS32 || type == isa::NumType::kS64;
}

/// Z and S of an integer result whose top bit is bit `kTop`.
template <unsigned kTop>
inline void integer_flags(const LaneWords& result, LaneFlags& flags) {
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const std::uint32_t r = result[l];
    flags[l] = static_cast<std::uint8_t>((r == 0 ? kFlagZ : 0) | ((r >> kTop & 1u) << 1));
  }
}

/// Flags of an fp32 result: Z for zero or NaN, S for negative or NaN.
inline std::uint8_t float_flags(std::uint32_t r) {
  const std::uint32_t magnitude = r & 0x7fffffffu;
  const bool nan = magnitude > 0x7f800000u;
  return static_cast<std::uint8_t>((magnitude == 0 || nan ? kFlagZ : 0) |
                                   ((r >> 31 && magnitude != 0) || nan ? kFlagS : 0));
}
inline void float_flags(const LaneWords& result, LaneFlags& flags) {
  for (unsigned l = 0; l < kWarpSize; ++l) flags[l] = float_flags(result[l]);
}

/// The 64-bit value of one lane.
inline std::uint64_t lane64(const LaneWords& lo, const LaneWords& hi, unsigned l) {
  return std::uint64_t{hi[l]} << 32 | lo[l];
}
inline void set_lane64(AluOutput& out, unsigned l, std::uint64_t value) {
  out.lo[l] = static_cast<std::uint32_t>(value);
  out.hi[l] = static_cast<std::uint32_t>(value >> 32);
}

}  // namespace g80::golden::detail
