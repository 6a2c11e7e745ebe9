// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/ptx/modifiers.h"

#include <array>

namespace g80::ptx {
namespace {

using G = ModifierGroup;
template <class E>
constexpr unsigned v(E value) {
  return static_cast<unsigned>(value);
}

constexpr std::string_view kCaches = "needs sm_20: this chip has no cache for global memory";

const ModifierWord kWords[] = {
    {"rn", G::kRounding, v(Rounding::kRn), ""},
    {"rz", G::kRounding, v(Rounding::kRz), ""},
    {"rm", G::kRounding, v(Rounding::kRm), ""},
    {"rp", G::kRounding, v(Rounding::kRp), ""},
    {"rni", G::kIntegral, v(Rounding::kRn), ""},
    {"rzi", G::kIntegral, v(Rounding::kRz), ""},
    {"rmi", G::kIntegral, v(Rounding::kRm), ""},
    {"rpi", G::kIntegral, v(Rounding::kRp), ""},
    {"ftz", G::kFtz, 1, ""},
    {"sat", G::kSat, 1, ""},
    {"approx", G::kAccuracy, v(Accuracy::kApprox), ""},
    {"full", G::kAccuracy, v(Accuracy::kFull), ""},
    {"cc", G::kCarry, 1, ""},
    {"lo", G::kHalf, v(Half::kLo), ""},
    {"hi", G::kHalf, v(Half::kHi), ""},
    {"wide", G::kHalf, v(Half::kWide), ""},
    {"eq", G::kCompare, v(Compare::kEq), ""},
    {"ne", G::kCompare, v(Compare::kNe), ""},
    {"lt", G::kCompare, v(Compare::kLt), ""},
    {"le", G::kCompare, v(Compare::kLe), ""},
    {"gt", G::kCompare, v(Compare::kGt), ""},
    {"ge", G::kCompare, v(Compare::kGe), ""},
    {"lo", G::kCompare, v(Compare::kLtU), ""},
    {"ls", G::kCompare, v(Compare::kLeU), ""},
    {"hi", G::kCompare, v(Compare::kGtU), ""},
    {"hs", G::kCompare, v(Compare::kGeU), ""},
    {"equ", G::kCompare, v(Compare::kEqUn), ""},
    {"neu", G::kCompare, v(Compare::kNeUn), ""},
    {"ltu", G::kCompare, v(Compare::kLtUn), ""},
    {"leu", G::kCompare, v(Compare::kLeUn), ""},
    {"gtu", G::kCompare, v(Compare::kGtUn), ""},
    {"geu", G::kCompare, v(Compare::kGeUn), ""},
    {"num", G::kCompare, v(Compare::kOrdered), ""},
    {"nan", G::kCompare, v(Compare::kUnordered), ""},
    {"and", G::kBoolean, v(Boolean::kAnd), ""},
    {"or", G::kBoolean, v(Boolean::kOr), ""},
    {"xor", G::kBoolean, v(Boolean::kXor), ""},
    {"global", G::kSpace, v(StateSpace::kGlobal), ""},
    {"shared", G::kSpace, v(StateSpace::kShared), ""},
    {"local", G::kSpace, v(StateSpace::kLocal), ""},
    {"const", G::kSpace, v(StateSpace::kConst), ""},
    {"param", G::kSpace, v(StateSpace::kParam), ""},
    {"volatile", G::kVolatile, 1, ""},
    {"ca", G::kCache, 0, kCaches},
    {"cg", G::kCache, 0, kCaches},
    {"cs", G::kCache, 0, kCaches},
    {"lu", G::kCache, 0, kCaches},
    {"cv", G::kCache, 0, kCaches},
    {"wb", G::kCache, 0, kCaches},
    {"wt", G::kCache, 0, kCaches},
    {"nc", G::kCache, 0, "needs sm_35: this chip has no cache for global memory"},
    {"v2", G::kVector, 2, ""},
    {"v4", G::kVector, 4, ""},
    {"1d", G::kGeometry, 1, ""},
    {"2d", G::kGeometry, 2, ""},
    {"3d", G::kGeometry, 3, ""},
    {"a1d", G::kGeometry, 0, "needs sm_20: there are no texture arrays"},
    {"a2d", G::kGeometry, 0, "needs sm_20: there are no texture arrays"},
    {"cube", G::kGeometry, 0, "needs sm_20: compute programs have no cube maps"},
    {"acube", G::kGeometry, 0, "needs sm_20: compute programs have no cube maps"},
    {"and", G::kAtomic, v(AtomicOp::kAnd), ""},
    {"or", G::kAtomic, v(AtomicOp::kOr), ""},
    {"xor", G::kAtomic, v(AtomicOp::kXor), ""},
    {"cas", G::kAtomic, v(AtomicOp::kCas), ""},
    {"exch", G::kAtomic, v(AtomicOp::kExch), ""},
    {"add", G::kAtomic, v(AtomicOp::kAdd), ""},
    {"inc", G::kAtomic, v(AtomicOp::kInc), ""},
    {"dec", G::kAtomic, v(AtomicOp::kDec), ""},
    {"min", G::kAtomic, v(AtomicOp::kMin), ""},
    {"max", G::kAtomic, v(AtomicOp::kMax), ""},
    {"all", G::kVote, v(VoteMode::kAll), ""},
    {"any", G::kVote, v(VoteMode::kAny), ""},
    {"uni", G::kVote, v(VoteMode::kUni), ""},
    {"ballot", G::kVote, 0, "needs sm_20"},
    {"cta", G::kFence, v(Fence::kCta), ""},
    {"gl", G::kFence, v(Fence::kGl), ""},
    {"sys", G::kFence, 0, "needs sm_20"},
    {"sync", G::kBarrier, 0, ""},
    {"arrive", G::kBarrier, 1, "needs sm_20"},
    {"red", G::kBarrier, 2, "needs sm_20"},
    {"to", G::kTo, 1, ""},
    {"uni", G::kUniform, 1, ""},
    {"clamp", G::kShiftMode, 0, ""},
    {"wrap", G::kShiftMode, 1, ""},
    {"f4e", G::kPermute, v(Permute::kF4e), ""},
    {"b4e", G::kPermute, v(Permute::kB4e), ""},
    {"rc8", G::kPermute, v(Permute::kRc8), ""},
    {"ecl", G::kPermute, v(Permute::kEcl), ""},
    {"ecr", G::kPermute, v(Permute::kEcr), ""},
    {"rc16", G::kPermute, v(Permute::kRc16), ""},
    {"finite", G::kNumberTest, v(NumberTest::kFinite), ""},
    {"infinite", G::kNumberTest, v(NumberTest::kInfinite), ""},
    {"number", G::kNumberTest, v(NumberTest::kNumber), ""},
    {"notanumber", G::kNumberTest, v(NumberTest::kNotANumber), ""},
    {"normal", G::kNumberTest, v(NumberTest::kNormal), ""},
    {"subnormal", G::kNumberTest, v(NumberTest::kSubnormal), ""},
    {"shiftamt", G::kShiftAmount, 1, ""},
};

constexpr std::array<std::string_view, static_cast<std::size_t>(G::kCount)> kGroupWords{
    "rn, rz, rm, rp",
    "rni, rzi, rmi, rpi",
    "ftz",
    "sat",
    "approx, full",
    "cc",
    "lo, hi, wide",
    "eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan",
    "and, or, xor",
    "global, shared, local, const, param",
    "volatile",
    "ca, cg, cs, lu, cv, nc, wb, wt",
    "v2, v4",
    "1d, 2d, 3d",
    "and, or, xor, cas, exch, add, inc, dec, min, max",
    "all, any, uni",
    "cta, gl",
    "sync",
    "to",
    "uni",
    "clamp, wrap",
    "f4e, b4e, rc8, ecl, ecr, rc16",
    "finite, infinite, number, notanumber, normal, subnormal",
    "shiftamt"};

}  // namespace

std::string_view state_space_name(StateSpace space) {
  static constexpr std::array<std::string_view, 7> kNames{"generic", "global", "shared", "local",
                                                          "const",   "param",  "tex"};
  return kNames[static_cast<std::size_t>(space)];
}

std::vector<const ModifierWord*> find_modifier(std::string_view word) {
  std::vector<const ModifierWord*> found;
  for (const ModifierWord& w : kWords)
    if (w.word == word) found.push_back(&w);
  return found;
}

std::vector<const ModifierWord*> modifiers_of(ModifierGroup group) {
  std::vector<const ModifierWord*> found;
  for (const ModifierWord& w : kWords)
    if (w.group == group) found.push_back(&w);
  return found;
}

std::string_view modifier_group_words(ModifierGroup group) { return kGroupWords[static_cast<std::size_t>(group)]; }

void set_modifier(Modifiers& mods, const ModifierWord& word) {
  mods.present |= 1u << static_cast<unsigned>(word.group);
  switch (word.group) {
    case G::kRounding: mods.rounding = static_cast<Rounding>(word.value); break;
    case G::kIntegral: mods.integral = static_cast<Rounding>(word.value); break;
    case G::kFtz: mods.ftz = true; break;
    case G::kSat: mods.sat = true; break;
    case G::kAccuracy: mods.accuracy = static_cast<Accuracy>(word.value); break;
    case G::kCarry: mods.carry = true; break;
    case G::kHalf: mods.half = static_cast<Half>(word.value); break;
    case G::kCompare: mods.compare = static_cast<Compare>(word.value); break;
    case G::kBoolean: mods.boolean = static_cast<Boolean>(word.value); break;
    case G::kSpace: mods.space = static_cast<StateSpace>(word.value); break;
    case G::kVolatile: mods.is_volatile = true; break;
    case G::kVector: mods.vector = word.value; break;
    case G::kGeometry: mods.dimensions = word.value; break;
    case G::kAtomic: mods.atomic = static_cast<AtomicOp>(word.value); break;
    case G::kVote: mods.vote = static_cast<VoteMode>(word.value); break;
    case G::kFence: mods.fence = static_cast<Fence>(word.value); break;
    case G::kTo: mods.to = true; break;
    case G::kUniform: mods.uni = true; break;
    case G::kPermute: mods.permute = static_cast<Permute>(word.value); break;
    case G::kNumberTest: mods.test = static_cast<NumberTest>(word.value); break;
    case G::kShiftAmount: mods.shift_amount = true; break;
    case G::kShiftMode:
    case G::kCache:
    case G::kBarrier:
    case G::kCount: break;
  }
}

}  // namespace g80::ptx
