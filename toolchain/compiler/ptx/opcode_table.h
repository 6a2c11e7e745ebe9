// SPDX-License-Identifier: Apache-2.0
// The forms of every PTX instruction, read from opcodes.def.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/compiler/ptx/modifiers.h"
#include "toolchain/compiler/ptx/scalar.h"

namespace g80::ptx {

enum class Opcode : std::uint8_t {
  kAdd,
  kAddc,
  kSub,
  kSubc,
  kMul,
  kMad,
  kMadc,
  kMul24,
  kMad24,
  kSad,
  kDiv,
  kRem,
  kAbs,
  kNeg,
  kMin,
  kMax,
  kPopc,
  kClz,
  kBfind,
  kBrev,
  kBfe,
  kBfi,
  kPrmt,
  kTestp,
  kCopysign,
  kRcp,
  kSqrt,
  kRsqrt,
  kSin,
  kCos,
  kLg2,
  kEx2,
  kFma,
  kSet,
  kSetp,
  kSelp,
  kSlct,
  kAnd,
  kOr,
  kXor,
  kNot,
  kCnot,
  kShl,
  kShr,
  kMov,
  kLd,
  kSt,
  kCvta,
  kCvt,
  kTex,
  kAtom,
  kRed,
  kBar,
  kMembar,
  kVote,
  kBra,
  kCall,
  kRet,
  kExit,
  kTrap,
  kBrkpt,
  kPmevent,
};

struct OpcodeForm {
  Opcode opcode;
  std::string_view name;
  std::uint32_t allowed = 0, required = 0;  // bit per ModifierGroup
  std::vector<std::vector<Scalar>> types;   // per position
  std::string operands;                     // the letters of opcodes.def, no blanks

  bool allows(ModifierGroup group) const { return allowed >> static_cast<unsigned>(group) & 1; }
};

/// The forms of an instruction, in the table's order; empty if there is none.
const std::vector<OpcodeForm>& forms_of(std::string_view name);
/// Why no sm_1x has this instruction; empty if it has, or if PTX does not know it.
std::string_view refusal_of(std::string_view name);
/// Every instruction, for tests and messages.
const std::vector<std::string_view>& opcode_names();

}  // namespace g80::ptx
