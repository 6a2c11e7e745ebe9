// SPDX-License-Identifier: Apache-2.0
// The modifiers of an instruction (dotted words that are not types), their meanings and their groups.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "toolchain/compiler/ir/ir.h"

namespace g80::ptx {

enum class StateSpace : std::uint8_t { kGeneric, kGlobal, kShared, kLocal, kConst, kParam, kTex };
std::string_view state_space_name(StateSpace space);

/// Words of one group exclude each other in an instruction.
enum class ModifierGroup : std::uint8_t {
  kRounding,  // rn rz rm rp
  kIntegral,  // rni rzi rmi rpi
  kFtz,
  kSat,
  kAccuracy,  // approx full
  kCarry,     // cc
  kHalf,      // lo hi wide
  kCompare,   // eq .. nan
  kBoolean,   // and or xor
  kSpace,     // global shared local const param
  kVolatile,
  kCache,        // ca cg cs lu cv nc wb wt
  kVector,       // v2 v4
  kGeometry,     // 1d 2d 3d a1d a2d cube acube
  kAtomic,       // and or xor cas exch add inc dec min max
  kVote,         // all any uni ballot
  kFence,        // cta gl sys
  kBarrier,      // sync arrive red
  kTo,           // of cvta
  kUniform,      // uni
  kShiftMode,    // clamp wrap
  kPermute,      // f4e b4e rc8 ecl ecr rc16
  kNumberTest,   // finite infinite number notanumber normal subnormal
  kShiftAmount,  // shiftamt
  kCount
};

enum class Rounding : std::uint8_t { kNone, kRn, kRz, kRm, kRp };
enum class Accuracy : std::uint8_t { kNone, kApprox, kFull };
enum class Half : std::uint8_t { kNone, kLo, kHi, kWide };
using ir::Compare;  // lt, le, gt, ge: kLt .. kGe until the type says whether they are signed
enum class Boolean : std::uint8_t { kNone, kAnd, kOr, kXor };
enum class AtomicOp : std::uint8_t { kAnd, kOr, kXor, kCas, kExch, kAdd, kInc, kDec, kMin, kMax };
enum class VoteMode : std::uint8_t { kAll, kAny, kUni };
enum class Fence : std::uint8_t { kCta, kGl };
enum class NumberTest : std::uint8_t { kFinite, kInfinite, kNumber, kNotANumber, kNormal, kSubnormal };
enum class Permute : std::uint8_t { kNone, kF4e, kB4e, kRc8, kEcl, kEcr, kRc16 };

struct Modifiers {
  Rounding rounding = Rounding::kNone;
  Rounding integral = Rounding::kNone;
  bool ftz = false, sat = false, carry = false, is_volatile = false, to = false, uni = false, shift_amount = false;
  Accuracy accuracy = Accuracy::kNone;
  Half half = Half::kNone;
  Compare compare = Compare::kEq;
  Boolean boolean = Boolean::kNone;
  StateSpace space = StateSpace::kGeneric;
  unsigned vector = 1;
  unsigned dimensions = 1;
  AtomicOp atomic = AtomicOp::kAdd;
  VoteMode vote = VoteMode::kAll;
  Fence fence = Fence::kCta;
  NumberTest test = NumberTest::kFinite;
  Permute permute = Permute::kNone;
  std::uint32_t present = 0;  // bit per ModifierGroup
  bool has(ModifierGroup group) const { return present >> static_cast<unsigned>(group) & 1; }
};

struct ModifierWord {
  std::string_view word;
  ModifierGroup group;
  unsigned value;
  std::string_view refusal;  // why no sm_1x can do it; empty: it can
};

/// Every meaning of `word` (`lo` is a comparison and half a product); empty: PTX has no such word.
std::vector<const ModifierWord*> find_modifier(std::string_view word);
std::vector<const ModifierWord*> modifiers_of(ModifierGroup group);
std::string_view modifier_group_words(ModifierGroup group);  // "rn rz rm rp", for messages
void set_modifier(Modifiers& mods, const ModifierWord& word);

}  // namespace g80::ptx
