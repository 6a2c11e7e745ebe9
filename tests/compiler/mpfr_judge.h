// SPDX-License-Identifier: Apache-2.0
// What floating point operations are by definition, computed with MPFR: one rounding of the true value, in any
// direction.
//
// f32 is the chip's: subnormal operands are zero, a result below 2^-126 after rounding is a zero of its sign, every NaN
// is one. f64 is that of IEEE 754.
#pragma once
#include <mpfr.h>

#include <cstdint>
#include <functional>

#include "hw/isa/float_bits.h"

namespace g80 {

using isa::bits_of;
using isa::double_of;
using isa::float_of;

inline constexpr std::uint32_t kNan32 = 0x7fffffffu;
inline constexpr std::uint64_t kNan64 = 0x7ff8000000000000u;

inline std::uint32_t flushed_f32(std::uint64_t bits) {
  const auto word = static_cast<std::uint32_t>(bits);
  return (word & 0x7f800000u) == 0 ? word & 0x80000000u : word;
}

/// A number of MPFR with as many digits as a format has.
class Real {
 public:
  explicit Real(mpfr_prec_t digits) { mpfr_init2(value_, digits); }
  ~Real() { mpfr_clear(value_); }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

/// The mode of a PTX rounding: "n", "z", "m" (down) or "p" (up), the last letter of rn .. rp and rni .. rpi.
inline mpfr_rnd_t mpfr_mode(char rounding) {
  return rounding == 'z' ? MPFR_RNDZ : rounding == 'm' ? MPFR_RNDD : rounding == 'p' ? MPFR_RNDU : MPFR_RNDN;
}

/// Computes into its first argument with the rounding of its second; returns MPFR's ternary value.
using Calculation = std::function<int(mpfr_ptr, mpfr_rnd_t)>;

inline void with_exponents(mpfr_exp_t least, mpfr_exp_t greatest, const std::function<void()>& work) {
  const mpfr_exp_t old_least = mpfr_get_emin(), old_greatest = mpfr_get_emax();
  mpfr_set_emin(least);
  mpfr_set_emax(greatest);
  work();
  mpfr_set_emin(old_least);
  mpfr_set_emax(old_greatest);
}

inline std::uint32_t judge_f32(char rounding, const Calculation& calculate) {
  const mpfr_rnd_t mode = mpfr_mode(rounding);
  Real r(24);
  calculate(r.get(), mode);
  if (mpfr_nan_p(r.get())) return kNan32;
  const std::uint32_t sign = mpfr_signbit(r.get()) ? 0x80000000u : 0;
  if (mpfr_zero_p(r.get())) return sign;
  if (mpfr_inf_p(r.get())) return sign | 0x7f800000u;
  const mpfr_exp_t exponent = mpfr_get_exp(r.get());  // of a mantissa in [1/2, 1)
  if (exponent < -125) return sign;
  if (exponent > 128) {
    const bool to_infinity = mode == MPFR_RNDN || (mode == MPFR_RNDU && sign == 0) || (mode == MPFR_RNDD && sign != 0);
    return sign | (to_infinity ? 0x7f800000u : 0x7f7fffffu);
  }
  return static_cast<std::uint32_t>(bits_of(mpfr_get_flt(r.get(), MPFR_RNDN)));
}

inline std::uint64_t judge_f64(char rounding, const Calculation& calculate) {
  const mpfr_rnd_t mode = mpfr_mode(rounding);
  Real r(53);
  with_exponents(-1073, 1024, [&] {
    int ternary = calculate(r.get(), mode);
    ternary = mpfr_check_range(r.get(), ternary, mode);
    mpfr_subnormalize(r.get(), ternary, mode);
  });
  return mpfr_nan_p(r.get()) ? kNan64 : bits_of(mpfr_get_d(r.get(), MPFR_RNDN));
}

inline void set_f32(Real& r, std::uint64_t bits) { mpfr_set_flt(r.get(), float_of(flushed_f32(bits)), MPFR_RNDN); }
inline void set_f64(Real& r, std::uint64_t bits) { mpfr_set_d(r.get(), double_of(bits), MPFR_RNDN); }

/// The integer that a number is rounded to, clamped to `width` bits. NaN: `nan`.
inline std::uint64_t judge_integer(Real& value, char rounding, unsigned width, bool is_signed, std::uint64_t nan) {
  if (mpfr_nan_p(value.get())) return nan;
  Real whole(1100), limit(70);
  mpfr_rint(whole.get(), value.get(), mpfr_mode(rounding));
  const std::uint64_t all = width == 64 ? UINT64_MAX : (std::uint64_t{1} << width) - 1;
  const std::uint64_t most = is_signed ? all >> 1 : all;
  const std::uint64_t least = is_signed ? (all >> 1) + 1 : 0;  // its magnitude
  mpfr_set_uj(limit.get(), most, MPFR_RNDN);
  if (mpfr_cmp(whole.get(), limit.get()) > 0) return most;
  mpfr_set_uj(limit.get(), least, MPFR_RNDN);
  mpfr_neg(limit.get(), limit.get(), MPFR_RNDN);
  if (mpfr_cmp(whole.get(), limit.get()) < 0) return (0 - least) & all;
  return (mpfr_sgn(whole.get()) < 0 ? static_cast<std::uint64_t>(mpfr_get_sj(whole.get(), MPFR_RNDN))
                                    : static_cast<std::uint64_t>(mpfr_get_uj(whole.get(), MPFR_RNDN))) &
         all;
}

}  // namespace g80
