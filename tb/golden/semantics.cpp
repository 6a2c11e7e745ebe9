// SPDX-License-Identifier: Apache-2.0
// execute() calls the function of the instruction's group; the truth table of the condition codes.
#include "tb/golden/semantics.h"

#include <cstring>
#include <stdexcept>

#include "tb/golden/fp32_exact.h"
#include "tb/golden/semantics_parts.h"

namespace g80::golden {

using namespace isa;
namespace {

/// Bit v of entry c: condition code c holds for flag value v = O*8 + C*4 + S*2 + Z. Codes 0x14..0x1b never hold.
constexpr std::uint16_t kConditionTruth[32] = {
    0x0000, 0xbb44, 0x2222, 0x3366, 0x4411, 0x5555, 0xcc33, 0x7777,  // never l e le g lg ge lge
    0x8888, 0x33cc, 0xaaaa, 0xbbee, 0xcc99, 0xdddd, 0x44bb, 0xffff,  // u lu eu leu gu lgu geu always
    0xff00, 0xf0f0, 0x5050, 0xcccc, 0x0000, 0x0000, 0x0000, 0x0000,  // o c a s
    0x0000, 0x0000, 0x0000, 0x0000, 0x3333, 0xafaf, 0x0f0f, 0x00ff,  // ns na nc no
};

}  // namespace

bool condition_holds(unsigned cond, unsigned flags) { return kConditionTruth[cond & 31u] >> (flags & 15u) & 1u; }

LaneMask condition_lanes(unsigned cond, const LaneFlags& flags) {
  const unsigned truth = kConditionTruth[cond & 31u];
  if (truth == 0xffff) return ~LaneMask{0};
  const bool all_alike = std::memcmp(&flags.lane[0], &flags.lane[1], kWarpSize - 1) == 0;
  if (all_alike) return (truth >> (flags[0] & 15u) & 1u) != 0 ? ~LaneMask{0} : 0;
  LaneMask lanes = 0;
  for (unsigned l = 0; l < kWarpSize; ++l) lanes |= LaneMask{truth >> (flags[l] & 15u) & 1u} << l;
  return lanes;
}

void execute(const Instruction& insn, const AluInput& in, AluOutput& out) {
  switch (insn.op) {
    case Op::kMov:
    case Op::kMovFromFlags:
    case Op::kMovFromAddr:
    case Op::kMovFromSpecial:
    case Op::kMovToFlags:
    case Op::kShlAddr:
    case Op::kAddAddr: return detail::execute_move(insn, in, out);
    case Op::kAdd:
    case Op::kSub:
    case Op::kSubr:
    case Op::kAddc:
    case Op::kSet:
    case Op::kMax:
    case Op::kMin:
    case Op::kShl:
    case Op::kShr:
    case Op::kMul16:
    case Op::kMul24:
    case Op::kMad16:
    case Op::kMad24:
    case Op::kSad:
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
    case Op::kMov2: return detail::execute_integer(insn, in, out);
    case Op::kCvtI2I:
    case Op::kCvtI2F:
    case Op::kCvtF2I:
    case Op::kCvtF2F: return detail::execute_convert(insn, in, out);
    case Op::kFadd:
    case Op::kFmul:
    case Op::kFmad:
    case Op::kFmax:
    case Op::kFmin:
    case Op::kFset:
    case Op::kSlct:
    case Op::kQuadop: return detail::execute_fp32(insn, in, out);
    case Op::kPresin:
    case Op::kPreex2:
    case Op::kRcp:
    case Op::kRsqrt:
    case Op::kLg2:
    case Op::kSin:
    case Op::kCos:
    case Op::kEx2: return detail::execute_sfu(insn, in, out);
    case Op::kDfma:
    case Op::kDadd:
    case Op::kDmul:
    case Op::kDmax:
    case Op::kDmin:
    case Op::kDset: return detail::execute_fp64(insn, in, out);
    default: throw std::logic_error("execute: not an arithmetic instruction");
  }
}

std::uint32_t fadd32(std::uint32_t a, std::uint32_t b) { return fp32::add(a, b, Round::kRn); }
std::uint32_t fmul32(std::uint32_t a, std::uint32_t b) { return fp32::mul(a, b, Round::kRn); }
std::uint32_t fmad32(std::uint32_t a, std::uint32_t b, std::uint32_t c) { return fp32::mad(a, b, c); }

}  // namespace g80::golden
