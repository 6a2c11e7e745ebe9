// SPDX-License-Identifier: Apache-2.0
// fp32 arithmetic, compares, select and quadop for 32 lanes at once.
//
// The fast loops use the host's IEEE float and double operations where the result is provably the chip's. Lanes where
// it may differ are computed with integers (fp32_exact.h). The proof holds only for the default floating-point
// environment, so that is checked first; in any other, integers compute every lane.
#include <cfenv>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "hw/common/lane_function.h"
#include "hw/isa/float_bits.h"
#include "tb/golden/fp32_exact.h"
#include "tb/golden/semantics_parts.h"

namespace g80::golden::detail {

using namespace isa;
namespace {

using fp32::flush;
using fp32::is_nan;
using fp32::kInfinity;
using fp32::kNan;
using fp32::kSign;
using fp32::kSmallestNormal;

/// The fast loops need round to nearest, no flushing and no traps.
bool host_rounds_as_ieee() {
#if defined(__SSE2__)
  constexpr unsigned kStatusFlags = 0x3f, kDefaultControl = 0x1f80;
  return (_mm_getcsr() & ~kStatusFlags) == kDefaultControl;
#else
  return std::fegetround() == FE_TONEAREST;
#endif
}

inline std::uint32_t canonical(std::uint32_t x) { return is_nan(x) ? kNan : flush(x); }

std::uint32_t sign_flip(bool negate) { return negate ? kSign : 0; }

template <typename Lane>
void each_lane(AluOutput& out, Lane&& lane) {
  for (unsigned l = 0; l < kWarpSize; ++l) out.lo[l] = lane(l);
}

G80_LANE_FUNCTION void fadd(const AluInput& in, unsigned second, std::uint32_t flip_a, std::uint32_t flip_b,
                            Round round, AluOutput& out) {
  const LaneWords &a = in.s[0], &b = in.s[second];
  if (round == Round::kRn && host_rounds_as_ieee()) {
    // A sum of floats below the smallest normal is exact, so the flushed result of the host is the chip's result.
    for (unsigned l = 0; l < kWarpSize; ++l) {
      const float x = float_of(flush(a[l] ^ flip_a)), y = float_of(flush(b[l] ^ flip_b));
      out.lo[l] = canonical(bits_of(x + y));
    }
    return;
  }
  each_lane(out, [&](unsigned l) { return fp32::add(a[l] ^ flip_a, b[l] ^ flip_b, round); });
}

/// 32 floats or doubles; separate arrays per step so that each loop has one element size and vectorises.
struct alignas(64) LaneFloats {
  float lane[kWarpSize];
};
struct alignas(64) LaneDoubles {
  double lane[kWarpSize];
};

void flushed(const LaneWords& in, std::uint32_t flip, LaneFloats& out) {
  for (unsigned l = 0; l < kWarpSize; ++l) out.lane[l] = float_of(flush(in[l] ^ flip));
}

/// Exact products of two floats, truncated to the 24 leading bits that the chip's multiplier keeps.
void truncated_products(const LaneFloats& a, const LaneFloats& b, LaneDoubles& out) {
  constexpr std::uint64_t kCut = ~((std::uint64_t{1} << 29) - 1);
  for (unsigned l = 0; l < kWarpSize; ++l) {
    out.lane[l] = static_cast<double>(a.lane[l]) * static_cast<double>(b.lane[l]);
  }
  for (unsigned l = 0; l < kWarpSize; ++l) out.lane[l] = double_of(bits_of(out.lane[l]) & kCut);
}

/// True if a result is the smallest normal: there the host may have rounded at the denormal position, not the 24th bit.
bool any_smallest_normal(const LaneFloats& results) {
  std::uint32_t found = 0;
  for (unsigned l = 0; l < kWarpSize; ++l) found |= (bits_of(results.lane[l]) & ~kSign) == kSmallestNormal ? 1u : 0u;
  return found != 0;
}

G80_LANE_FUNCTION void fmul(const AluInput& in, std::uint32_t flip_a, std::uint32_t flip_b, Round round,
                            AluOutput& out) {
  const LaneWords &a = in.s[0], &b = in.s[1];
  const auto exact = [&](unsigned l) { return fp32::mul(a[l] ^ flip_a, b[l] ^ flip_b, round); };
  if (!host_rounds_as_ieee()) return each_lane(out, exact);
  LaneFloats x, y, r;
  flushed(a, flip_a, x);
  flushed(b, flip_b, y);
  if (round == Round::kRn) {
    for (unsigned l = 0; l < kWarpSize; ++l) r.lane[l] = x.lane[l] * y.lane[l];
  } else {
    // The truncated product is the result if it is a normal float. The host's infinity may stand for the largest float.
    LaneDoubles product;
    truncated_products(x, y, product);
    for (unsigned l = 0; l < kWarpSize; ++l) r.lane[l] = static_cast<float>(product.lane[l]);
    std::uint32_t infinite = 0;
    for (unsigned l = 0; l < kWarpSize; ++l) infinite |= (bits_of(r.lane[l]) & kInfinity) == kInfinity ? 1u : 0u;
    if (infinite != 0) return each_lane(out, exact);
  }
  if (any_smallest_normal(r)) return each_lane(out, exact);
  each_lane(out, [&](unsigned l) { return canonical(bits_of(r.lane[l])); });
}

G80_LANE_FUNCTION void fmad(const AluInput& in, std::uint32_t flip_product, std::uint32_t flip_c, AluOutput& out) {
  const LaneWords &a = in.s[0], &b = in.s[1], &c = in.s[2];
  const auto exact = [&](unsigned l) { return fp32::mad(a[l] ^ flip_product, b[l], c[l] ^ flip_c); };
  if (!host_rounds_as_ieee()) return each_lane(out, exact);
  // A double sum of the truncated product and the addend, rounded to float, equals one correct rounding: 53 bits are
  // more than 2*24+2. With an addend of zero the chip rounds the product instead of truncating it.
  LaneFloats x, y, z, r;
  LaneDoubles sum;
  flushed(a, flip_product, x);
  flushed(b, 0, y);
  flushed(c, flip_c, z);
  truncated_products(x, y, sum);
  for (unsigned l = 0; l < kWarpSize; ++l) sum.lane[l] += static_cast<double>(z.lane[l]);
  for (unsigned l = 0; l < kWarpSize; ++l) r.lane[l] = static_cast<float>(sum.lane[l]);
  each_lane(out, [&](unsigned l) { return canonical(bits_of(r.lane[l])); });
  std::uint32_t zero_addend = 0;
  for (unsigned l = 0; l < kWarpSize; ++l) zero_addend |= (bits_of(z.lane[l]) & ~kSign) == 0 ? 1u : 0u;
  if (zero_addend == 0 && !any_smallest_normal(r)) return;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    if ((bits_of(z.lane[l]) & ~kSign) == 0 || (bits_of(r.lane[l]) & ~kSign) == kSmallestNormal) out.lo[l] = exact(l);
  }
}

/// Applies abs, then neg, then flushes denormals.
void modified_operands(const Instruction& insn, const AluInput& in, LaneWords& a, LaneWords& b) {
  const std::uint32_t keep_a = insn.src[0].abs ? ~kSign : ~0u, keep_b = insn.src[1].abs ? ~kSign : ~0u;
  const std::uint32_t flip_a = sign_flip(insn.src[0].neg), flip_b = sign_flip(insn.src[1].neg);
  for (unsigned l = 0; l < kWarpSize; ++l) {
    a[l] = flush((in.s[0][l] & keep_a) ^ flip_a);
    b[l] = flush((in.s[1][l] & keep_b) ^ flip_b);
  }
}

/// A signed integer that orders as the float does, with -0 just below +0.
inline std::int32_t ordered(std::uint32_t x) { return static_cast<std::int32_t>(x & kSign ? ~x ^ kSign : x); }

G80_LANE_FUNCTION void min_max(const Instruction& insn, const AluInput& in, AluOutput& out) {
  LaneWords a, b;
  modified_operands(insn, in, a, b);
  const bool want_max = insn.op == Op::kFmax;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const std::uint32_t x = a[l], y = b[l];
    const std::uint32_t larger = ordered(x) < ordered(y) ? y : x, smaller = ordered(x) < ordered(y) ? x : y;
    const std::uint32_t r = is_nan(x) ? y : is_nan(y) ? x : want_max ? larger : smaller;
    out.lo[l] = is_nan(r) ? kNan : r;
  }
}

void set(const Instruction& insn, const AluInput& in, AluOutput& out) {
  LaneWords a, b;
  modified_operands(insn, in, a, b);
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const std::uint32_t x = a[l], y = b[l];
    const bool both_zero = ((x | y) & ~kSign) == 0;
    unsigned relation = ordered(x) < ordered(y) ? 1u : x == y ? 2u : 4u;
    if (both_zero) relation = 2u;
    if (is_nan(x) || is_nan(y)) relation = 8u;
    out.lo[l] = relation & insn.compare ? ~0u : 0u;
  }
  for (unsigned l = 0; l < kWarpSize; ++l) out.flags[l] = out.lo[l] ? kFlagS : kFlagZ;
}

void slct(const Instruction& insn, const AluInput& in, AluOutput& out) {
  const std::uint32_t flip = sign_flip(insn.src[2].neg);
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const std::uint32_t test = flush(in.s[2][l] ^ flip);
    const bool not_negative = !is_nan(test) && ((test & kSign) == 0 || test == kSign);
    out.lo[l] = not_negative ? in.s[0][l] : in.s[1][l];
  }
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const std::uint32_t r = out.lo[l];
    out.flags[l] = static_cast<std::uint8_t>((r & ~kSign) == 0 ? kFlagZ : (r >> 31) << 1);
  }
}

void quadop(const Instruction& insn, const AluInput& in, AluOutput& out) {
  constexpr unsigned kAdd = 0, kReverseSubtract = 1, kSubtract = 2;
  const LaneWords& third = in.s[second_slot(insn)];
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const std::uint32_t b = third[l];
    if (insn.quad_lane > 3) {  // derivatives of fragment programs give zero in a compute program
      out.lo[l] = 0;
      continue;
    }
    const std::uint32_t a = in.s[0][(l & ~3u) + insn.quad_lane];
    switch (insn.quad_op[l & 3u]) {
      case kAdd: out.lo[l] = fp32::add(a, b, Round::kRn); break;
      case kReverseSubtract: out.lo[l] = fp32::add(a ^ kSign, b, Round::kRn); break;
      case kSubtract: out.lo[l] = fp32::add(a, b ^ kSign, Round::kRn); break;
      default: out.lo[l] = fp32::add(b, 0, Round::kRn); break;  // b + 0 turns -0 into +0
    }
  }
}

}  // namespace

void execute_fp32(const Instruction& insn, const AluInput& in, AluOutput& out) {
  switch (insn.op) {
    case Op::kFset: return set(insn, in, out);
    case Op::kSlct: return slct(insn, in, out);
    case Op::kFadd: {
      const unsigned second = second_slot(insn);
      fadd(in, second, sign_flip(insn.src[0].neg), sign_flip(insn.src[second].neg), insn.round, out);
      break;
    }
    case Op::kFmul: fmul(in, sign_flip(insn.src[0].neg), sign_flip(insn.src[1].neg), insn.round, out); break;
    case Op::kFmad: fmad(in, sign_flip(insn.src[0].neg != insn.src[1].neg), sign_flip(insn.src[2].neg), out); break;
    case Op::kQuadop: quadop(insn, in, out); break;
    default: min_max(insn, in, out); break;
  }
  if (insn.saturate) {
    for (unsigned l = 0; l < kWarpSize; ++l) out.lo[l] = fp32::saturate(out.lo[l]);
  }
  if (insn.writes_flags) float_flags(out.lo, out.flags);
}

}  // namespace g80::golden::detail
