// SPDX-License-Identifier: Apache-2.0
// What floating point instructions and conversions do, as the PTX ISA defines them for sm_1x, computed with MPFR.
#pragma once
#include <cmath>
#include <optional>
#include <stdexcept>

#include "tests/compiler/mpfr_judge.h"
#include "tests/compiler/ptx_definition.h"

namespace g80 {

/// How far an approximation may be off: in units of the last place, or absolutely.
struct Tolerance {
  double units = 0, absolute = 0;
};

enum class FloatInputs : std::uint8_t { kHard, kTame, kPositive, kAngles, kExponents, kIntegers };

struct FloatCase {
  PtxCase code;
  Tolerance tolerance;
  FloatInputs inputs = FloatInputs::kHard;
};

/// Throws out_of_range for an instruction that has no definition here; nothing if sm_1x does not have the variant.
class FloatDefinition {
 public:
  using Word = std::uint64_t;

  static std::optional<FloatCase> of(const PtxVariant& v) {
    if (v.op() == Opcode::kCvt) return conversion(v);
    FloatCase c;
    c.code.code = plain_code(v, c.code.result);
    const bool is64 = v.type() == Scalar::kF64;
    const bool approximate = v.has(ModifierGroup::kAccuracy);
    if (approximate && v.has(ModifierGroup::kRounding)) return std::nullopt;
    switch (v.op()) {
      case Opcode::kTestp: c.code.expected = [v](Word a, Word, Word) -> Word { return tested(v, a); }; return c;
      case Opcode::kCopysign:
        c.code.expected = [is64](Word a, Word b, Word) {
          const Word sign = is64 ? Word{1} << 63 : 0x80000000u;
          return low_bits((a & sign) | (b & ~sign), is64 ? 64 : 32);
        };
        return c;
      case Opcode::kDiv:
      case Opcode::kRcp:
      case Opcode::kSqrt:
        if (v.mods.accuracy == ptx::Accuracy::kFull && v.op() != Opcode::kDiv) return std::nullopt;
        if (is64 && v.rounding() != 'n') return std::nullopt;                                // sm_20
        if (!is64 && !approximate && !v.has(ModifierGroup::kRounding)) return std::nullopt;  // not since PTX 1.4
        if (approximate) {
          c.tolerance.units = v.op() == Opcode::kRcp ? 1 : v.op() == Opcode::kDiv ? 2 : 3;
          c.inputs = v.op() == Opcode::kSqrt ? FloatInputs::kPositive : FloatInputs::kTame;
        }
        break;
      case Opcode::kRsqrt:
      case Opcode::kSin:
      case Opcode::kCos:
      case Opcode::kLg2:
      case Opcode::kEx2:
        if (v.mods.accuracy == ptx::Accuracy::kFull) return std::nullopt;
        c.tolerance.units = v.op() == Opcode::kEx2 ? 4 : 2;
        c.inputs = v.op() == Opcode::kEx2 ? FloatInputs::kExponents : FloatInputs::kPositive;
        if (v.op() == Opcode::kSin || v.op() == Opcode::kCos) {
          c.inputs = FloatInputs::kAngles;
          c.tolerance = {0, 0x1p-20};  // 2^-20.9 and the rounding of the operand
        }
        if (v.op() == Opcode::kLg2) c.tolerance.absolute = 0x1p-22;
        break;
      case Opcode::kMad:
        if (!is64 && !v.has(ModifierGroup::kRounding)) c.inputs = FloatInputs::kTame;
        break;
      default: break;
    }
    Real unused(53);
    if (!is64 && (v.op() == Opcode::kAbs || v.op() == Opcode::kNeg)) {  // of the sign alone: subnormal numbers stay
      c.code.expected = [v](Word a, Word, Word) {
        return low_bits(v.op() == Opcode::kAbs ? a & 0x7fffffff : a ^ 0x80000000u, 32);
      };
      return c;
    }
    calculate(v, unused.get(), unused.get(), unused.get(), unused.get(), MPFR_RNDN);  // throws if there is none
    c.code.expected = [v, is64](Word a, Word b, Word x) -> Word {
      if (!is64 && v.op() == Opcode::kMad && !v.has(ModifierGroup::kRounding)) return truncating(v, a, b, x);
      Real first(53), second(53), third(53);
      Real* const operands[] = {&first, &second, &third};
      const Word bits[] = {a, b, x};
      for (int k = 0; k < 3; ++k) is64 ? set_f64(*operands[k], bits[k]) : set_f32(*operands[k], bits[k]);
      const Calculation work = [&](mpfr_ptr r, mpfr_rnd_t mode) {
        return calculate(v, r, first.get(), second.get(), third.get(), mode);
      };
      return is64 ? judge_f64(v.rounding(), work) : saturated(v, judge_f32(v.rounding(), work));
    };
    return c;
  }

 private:
  static std::uint32_t saturated(const PtxVariant& v, std::uint32_t bits) {
    if (!v.mods.sat || (bits & 0x7fffffff) > 0x7f800000) return bits;
    if (bits >> 31) return 0;
    return std::min(bits, 0x3f800000u);
  }

  static int calculate(const PtxVariant& v, mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c, mpfr_rnd_t mode) {
    switch (v.op()) {
      case Opcode::kAdd: return mpfr_add(r, a, b, mode);
      case Opcode::kSub: return mpfr_sub(r, a, b, mode);
      case Opcode::kMul: return mpfr_mul(r, a, b, mode);
      case Opcode::kMad:
      case Opcode::kFma: return mpfr_fma(r, a, b, c, mode);
      case Opcode::kDiv: return mpfr_div(r, a, b, mode);
      case Opcode::kRcp: return mpfr_ui_div(r, 1, a, mode);
      case Opcode::kSqrt: return mpfr_sqrt(r, a, mode);
      case Opcode::kRsqrt: {
        const int ternary = mpfr_rec_sqrt(r, a, mode);
        if (mpfr_zero_p(a) && mpfr_signbit(a)) mpfr_set_inf(r, -1);
        return ternary;
      }
      case Opcode::kSin: return mpfr_sin(r, a, mode);
      case Opcode::kCos: return mpfr_cos(r, a, mode);
      case Opcode::kLg2: return mpfr_log2(r, a, mode);
      case Opcode::kEx2: return mpfr_exp2(r, a, mode);
      case Opcode::kAbs: return mpfr_abs(r, a, mode);
      case Opcode::kNeg: return mpfr_neg(r, a, mode);
      case Opcode::kMin: return mpfr_min(r, a, b, mode);
      case Opcode::kMax: return mpfr_max(r, a, b, mode);
      default: throw std::out_of_range(v.text());
    }
  }

  /// mad.f32: the product is cut to 24 digits, then the sum rounds to nearest. With an addend of zero it is a product.
  static Word truncating(const PtxVariant& v, Word a, Word b, Word x) {
    Real first(24), second(24), third(24), product(24);
    set_f32(first, a), set_f32(second, b), set_f32(third, x);
    return saturated(v, judge_f32('n', [&](mpfr_ptr r, mpfr_rnd_t mode) {
                       mpfr_mul(product.get(), first.get(), second.get(),
                                mpfr_zero_p(third.get()) ? MPFR_RNDN : MPFR_RNDZ);
                       return mpfr_add(r, product.get(), third.get(), mode);
                     }));
  }

  static bool tested(const PtxVariant& v, Word a) {
    const bool is64 = v.type() == Scalar::kF64;
    const unsigned fraction = is64 ? 52 : 23, width = is64 ? 11 : 8;
    const Word exponent = a >> fraction & ((1u << width) - 1), rest = low_bits(a, fraction);
    const bool top = exponent == (1u << width) - 1;
    switch (v.mods.test) {
      case ptx::NumberTest::kFinite: return !top;
      case ptx::NumberTest::kInfinite: return top && rest == 0;
      case ptx::NumberTest::kNumber: return !top || rest == 0;
      case ptx::NumberTest::kNotANumber: return top && rest != 0;
      case ptx::NumberTest::kNormal: return !top && exponent != 0;
      default: return exponent == 0 && rest != 0;
    }
  }

  // Conversions: the source as a real number, then rounded into the destination.
  static std::optional<FloatCase> conversion(const PtxVariant& v) {
    const Scalar to = v.type(0), from = v.type(1);
    const bool rounding = v.has(ModifierGroup::kRounding), integral = v.has(ModifierGroup::kIntegral);
    if (rounding && integral) return std::nullopt;
    FloatCase c;
    c.code.code = plain_code(v, c.code.result);
    if (!ptx::is_float(from) && !ptx::is_float(to)) {
      if (rounding || integral || v.mods.ftz) return std::nullopt;
      c.inputs = FloatInputs::kIntegers;
      c.code.expected = [=](Word a, Word, Word) {
        const s128 value = as_number(a, from);
        const Word bits = static_cast<Word>(v.mods.sat ? clamped(value, to) : value);
        return in_register(low_bits(bits, ptx::scalar_bits(to)), to);
      };
      return c;
    }
    if (v.mods.ftz && from != Scalar::kF32 && to != Scalar::kF32) return std::nullopt;
    if (!ptx::is_float(to)) {  // rounds to an integer
      if (rounding) return std::nullopt;
      const char direction = integral ? v.rounding() : 'z';  // PTX asks for one; early compilers left it out
      c.code.expected = [=](Word a, Word, Word) {
        Real x(53);
        set(v, x, a);
        const unsigned bits = ptx::scalar_bits(to);
        const Word nan = from == Scalar::kF64 || bits == 64 ? Word{1} << (bits == 64 ? 63 : 31) : 0;
        Word result = judge_integer(x, direction, bits, ptx::is_signed(to), bits < 32 ? narrow_nan(to, nan) : nan);
        return in_register(result, to);
      };
      return c;
    }
    const unsigned to_bits = ptx::scalar_bits(to), from_bits = ptx::scalar_bits(from);
    if (!ptx::is_float(from)) {
      if (integral || (to == Scalar::kF16 && from_bits > 16)) return std::nullopt;
      c.inputs = FloatInputs::kIntegers;
    } else if (to_bits == from_bits) {
      if (rounding) return std::nullopt;
    } else if (to_bits > from_bits) {
      if (rounding || integral) return std::nullopt;
    } else if (integral || (to == Scalar::kF16 && from == Scalar::kF64)) {
      return std::nullopt;
    }
    c.code.expected = [=](Word a, Word, Word) -> Word {
      Real x(64);
      set(v, x, a);
      if (integral) mpfr_rint(x.get(), x.get(), mpfr_mode(v.rounding()));
      if (v.mods.sat && !mpfr_nan_p(x.get())) {
        if (mpfr_sgn(x.get()) <= 0) mpfr_set_zero(x.get(), 1);
        if (mpfr_cmp_ui(x.get(), 1) > 0) mpfr_set_ui(x.get(), 1, MPFR_RNDN);
      }
      const Calculation copy = [&](mpfr_ptr r, mpfr_rnd_t mode) { return mpfr_set(r, x.get(), mode); };
      if (to == Scalar::kF64) {
        if (v.mods.sat && mpfr_nan_p(x.get())) return 0;
        return judge_f64(v.rounding(), copy);
      }
      if (to == Scalar::kF32) {
        // a conversion from f64 makes subnormal singles: they are not zero until arithmetic reads them
        if (from == Scalar::kF64 && !v.mods.sat) return judge_narrow(v.rounding(), 24, -148, 128, copy);
        return judge_f32(v.rounding(), copy);
      }
      // the chip makes zero of everything below 2^-33, whatever the rounding
      if (from == Scalar::kF32 && (a >> 23 & 255) <= 0x5d) return v.mods.sat ? 0 : a >> 16 & 0x8000;
      return judge_narrow(v.rounding(), 11, -23, 16, copy);
    };
    return c;
  }

  static Word narrow_nan(Scalar to, Word nan) {
    if (nan == 0) return 0;
    return ptx::is_signed(to) ? Word{1} << (ptx::scalar_bits(to) - 1) : low_bits(UINT64_MAX, ptx::scalar_bits(to));
  }
  /// 8-bit results are extended to the register.
  static Word in_register(Word bits, Scalar type) {
    return type == Scalar::kS8 ? low_bits(static_cast<Word>(as_number(bits, type)), 32) : bits;
  }
  /// The source. A single that is subnormal counts where the destination has 64 bits, unless .ftz says no.
  static void set(const PtxVariant& v, Real& x, Word bits) {
    const Scalar type = v.type(1);
    const bool keeps = ptx::scalar_bits(v.type(0)) == 64 && !v.mods.ftz;
    if (type == Scalar::kF64) return set_f64(x, bits);
    if (type == Scalar::kF32 && keeps) return static_cast<void>(mpfr_set_flt(x.get(), float_of(bits), MPFR_RNDN));
    if (type == Scalar::kF32) return set_f32(x, bits);
    if (type == Scalar::kF16) return set_f16(x, bits);
    ptx::is_signed(type) ? mpfr_set_sj(x.get(), static_cast<std::int64_t>(as_number(bits, type)), MPFR_RNDN)
                         : mpfr_set_uj(x.get(), static_cast<Word>(as_number(bits, type)), MPFR_RNDN);
  }
  static void set_f16(Real& x, Word bits) {
    const long exponent = static_cast<long>(bits >> 10 & 31), fraction = static_cast<long>(bits & 1023);
    if (exponent == 31) {
      fraction != 0 ? mpfr_set_nan(x.get()) : mpfr_set_inf(x.get(), bits >> 15 & 1 ? -1 : 1);
      return;
    }
    mpfr_set_si_2exp(x.get(), exponent == 0 ? fraction : fraction + 1024, (exponent == 0 ? 1 : exponent) - 25,
                     MPFR_RNDN);
    if (bits >> 15 & 1) mpfr_neg(x.get(), x.get(), MPFR_RNDN);
  }
  /// f16 or f32 with subnormal numbers, as bits.
  static Word judge_narrow(char rounding, int digits, mpfr_exp_t least, mpfr_exp_t most, const Calculation& calculate) {
    const mpfr_rnd_t mode = mpfr_mode(rounding);
    Real r(digits);
    with_exponents(least, most, [&] {
      int ternary = calculate(r.get(), mode);
      ternary = mpfr_check_range(r.get(), ternary, mode);
      mpfr_subnormalize(r.get(), ternary, mode);
    });
    const Word single = mpfr_nan_p(r.get()) ? kNan32 : bits_of(mpfr_get_flt(r.get(), MPFR_RNDN));
    if (digits == 24) return single;
    const Word sign = single >> 16 & 0x8000;
    if (mpfr_nan_p(r.get())) return 0x7fff;
    if (mpfr_inf_p(r.get())) return sign | 0x7c00;
    if (mpfr_zero_p(r.get())) return sign;
    const long exponent = static_cast<long>(mpfr_get_exp(r.get()));  // of [1/2, 1)
    const bool subnormal = exponent < -13;
    const double scaled = std::abs(mpfr_get_d(r.get(), MPFR_RNDN)) *
                          (subnormal ? 0x1p24 : std::ldexp(1.0, 11 - static_cast<int>(exponent)));
    const Word mantissa = static_cast<Word>(scaled);
    return sign | (subnormal ? mantissa : (static_cast<Word>(exponent + 14) << 10) + (mantissa - 1024));
  }
};

}  // namespace g80
