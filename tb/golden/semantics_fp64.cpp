// SPDX-License-Identifier: Apache-2.0
// Double precision (sm_13): IEEE with denormals and four rounding modes, fused multiply-add, the chip's NaN rules.
#include <utility>

#include "tb/golden/float_format.h"
#include "tb/golden/semantics_parts.h"

namespace g80::golden::detail {

using namespace isa;
namespace {

using ieee::Class;
using ieee::kF64;
using ieee::Unpacked;
__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kSign64 = std::uint64_t{1} << 63;
constexpr std::uint64_t kInfinity64 = kF64.infinity();
constexpr std::uint64_t kInvalid = 0xfff8000000000000u;

bool is_nan(std::uint64_t x) { return (x & ~kSign64) > kInfinity64; }
std::uint64_t quiet(std::uint64_t x) { return x | kF64.quiet_bit(); }

/// mantissa * 2^(exponent-127), bit 127 set unless the value is zero; bit 0 is sticky.
struct WideNumber {
  bool negative;
  int exponent;
  Wide mantissa;
};

Wide shift_right_jam(Wide x, int n) {
  if (n <= 0) return x;
  if (n > 127) return x != 0;
  return x >> n | ((x & ((Wide{1} << n) - 1)) != 0 ? 1 : 0);
}

std::uint64_t finish(WideNumber x, Round round) {
  while (!(x.mantissa >> 127)) {
    x.mantissa <<= 1;
    --x.exponent;
  }
  return ieee::pack(kF64, x.negative, x.exponent, static_cast<std::uint64_t>(x.mantissa >> 64),
                    static_cast<std::uint64_t>(x.mantissa) != 0, round);
}

std::uint64_t zero_of_sum(bool negative_a, bool negative_b, Round round) {
  if (negative_a == negative_b) return negative_a ? kSign64 : 0;
  return round == Round::kRm ? kSign64 : 0;
}

/// Sum of two nonzero numbers. Inputs have at most 106 significant bits. One bit of headroom leaves 21 bits below them:
/// enough for an exact difference when the exponents are close, and for a sticky bit when they are far apart.
std::uint64_t add_numbers(WideNumber x, WideNumber y, Round round) {
  if (x.exponent < y.exponent || (x.exponent == y.exponent && x.mantissa < y.mantissa)) std::swap(x, y);
  const Wide mx = x.mantissa >> 1;
  const Wide my = shift_right_jam(y.mantissa >> 1, x.exponent - y.exponent);
  const Wide sum = x.negative == y.negative ? mx + my : mx - my;
  if (sum == 0) return zero_of_sum(x.negative, y.negative, round);
  return finish({x.negative, x.exponent + 1, sum}, round);
}

WideNumber widen(const Unpacked& u) { return {u.negative, u.exponent, Wide{u.mantissa} << 64}; }
WideNumber multiply(const Unpacked& a, const Unpacked& b) {
  WideNumber p{a.negative != b.negative, a.exponent + b.exponent + 1, Wide{a.mantissa} * b.mantissa};
  if (!(p.mantissa >> 127)) {
    p.mantissa <<= 1;
    --p.exponent;
  }
  return p;
}

/// a * b + c without NaNs; dadd and dmul call it too, with b = 1 and with c = 0.
std::uint64_t fma_finite(const Unpacked& a, const Unpacked& b, const Unpacked& c, Round round) {
  const bool negative = a.negative != b.negative;
  const bool product_infinite = a.kind == Class::kInfinite || b.kind == Class::kInfinite;
  const bool product_zero = a.kind == Class::kZero || b.kind == Class::kZero;
  if (product_infinite && product_zero) return kInvalid;
  if (product_infinite) {
    if (c.kind == Class::kInfinite && c.negative != negative) return kInvalid;
    return (negative ? kSign64 : 0) | kInfinity64;
  }
  if (c.kind == Class::kInfinite) return (c.negative ? kSign64 : 0) | kInfinity64;
  if (product_zero && c.kind == Class::kZero) return zero_of_sum(negative, c.negative, round);
  if (product_zero) return finish(widen(c), round);
  if (c.kind == Class::kZero) return finish(multiply(a, b), round);
  return add_numbers(multiply(a, b), widen(c), round);
}

std::uint64_t dfma(std::uint64_t a, std::uint64_t b, std::uint64_t c, bool negate_product, bool negate_addend,
                   Round round) {
  if (is_nan(b)) return quiet(b);
  if (is_nan(c)) return quiet(c);
  if (is_nan(a)) return quiet(a);
  const std::uint64_t flip_a = negate_product ? kSign64 : 0, flip_c = negate_addend ? kSign64 : 0;
  return fma_finite(ieee::unpack(kF64, a ^ flip_a), ieee::unpack(kF64, b), ieee::unpack(kF64, c ^ flip_c), round);
}

std::uint64_t dmul(std::uint64_t a, std::uint64_t b, bool negate, Round round) {
  if (is_nan(b)) return quiet(b);
  if (is_nan(a)) return quiet(a);
  const Unpacked x = ieee::unpack(kF64, a ^ (negate ? kSign64 : 0)), y = ieee::unpack(kF64, b);
  // The zero addend has the product's sign, so that a zero product keeps its sign.
  return fma_finite(x, y, {Class::kZero, x.negative != y.negative, 0, 0}, round);
}

std::uint64_t dadd(std::uint64_t a, std::uint64_t b, bool negate_a, bool negate_b, Round round) {
  if (is_nan(b)) return quiet(b);
  if (is_nan(a)) return quiet(a);
  const std::uint64_t one = static_cast<std::uint64_t>(kF64.bias()) << 52;
  return fma_finite(ieee::unpack(kF64, a ^ (negate_a ? kSign64 : 0)), ieee::unpack(kF64, one),
                    ieee::unpack(kF64, b ^ (negate_b ? kSign64 : 0)), round);
}

std::uint64_t modified(const Operand& operand, std::uint64_t x) {
  if (is_nan(x)) return x;
  if (operand.abs) x &= ~kSign64;
  return operand.neg ? x ^ kSign64 : x;
}

/// Orders as the floats do, -0 just below +0.
std::int64_t ordered(std::uint64_t x) { return static_cast<std::int64_t>(x & kSign64 ? ~x ^ kSign64 : x); }

std::uint64_t min_max(const Instruction& insn, std::uint64_t a, std::uint64_t b) {
  a = modified(insn.src[0], a);
  b = modified(insn.src[1], b);
  if (is_nan(a)) return is_nan(b) ? quiet(b) : b;
  if (is_nan(b)) return a;
  const bool a_less = ordered(a) < ordered(b);
  return a_less == (insn.op == Op::kDmax) ? b : a;
}

std::uint32_t set(const Instruction& insn, std::uint64_t a, std::uint64_t b) {
  a = modified(insn.src[0], a);
  b = modified(insn.src[1], b);
  unsigned relation = ordered(a) < ordered(b) ? 1u : a == b ? 2u : 4u;
  if (((a | b) & ~kSign64) == 0) relation = 2u;
  if (is_nan(a) || is_nan(b)) relation = 8u;
  return relation & insn.compare ? ~0u : 0;
}

std::uint8_t flags_of(std::uint64_t r) {
  const std::uint64_t magnitude = r & ~kSign64;
  if (magnitude > kInfinity64) return kFlagZ | kFlagS;
  if (magnitude == 0) return kFlagZ;
  return r & kSign64 ? kFlagS : 0;
}

}  // namespace

void execute_fp64(const Instruction& insn, const AluInput& in, AluOutput& out) {
  const unsigned second = second_slot(insn);
  const auto operand = [&](unsigned slot, unsigned l) { return lane64(in.s[slot], in.hi[slot], l); };
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const std::uint64_t a = operand(0, l), b = operand(second, l);
    if (insn.op == Op::kDset) {
      out.lo[l] = set(insn, a, b);
      out.flags[l] = out.lo[l] ? kFlagS : kFlagZ;
      continue;
    }
    std::uint64_t r;
    switch (insn.op) {
      case Op::kDfma:
        r = dfma(a, b, operand(2, l), insn.src[0].neg != insn.src[1].neg, insn.src[2].neg, insn.round);
        break;
      case Op::kDmul: r = dmul(a, b, insn.src[0].neg != insn.src[1].neg, insn.round); break;
      case Op::kDadd: r = dadd(a, b, insn.src[0].neg, insn.src[second].neg, insn.round); break;
      default: r = min_max(insn, a, b); break;
    }
    set_lane64(out, l, r);
    out.flags[l] = flags_of(r);
  }
}

}  // namespace g80::golden::detail
