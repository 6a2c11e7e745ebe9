// SPDX-License-Identifier: Apache-2.0
// fp32 add, multiply and multiply-add against MPFR on random operands, and the same bits in every host float
// environment.
#include <gtest/gtest.h>

#include <cfenv>
#include <random>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif
#if G80_HAS_MPFR
#include <mpfr.h>
#endif

#include "hw/isa/float_bits.h"
#include "tb/golden/fp32_exact.h"
#include "tb/golden/semantics.h"

namespace g80::golden {

using namespace isa;

namespace {

constexpr unsigned kSeed = 20080616;
constexpr int kWarps = 20000;

/// Operands that meet: any bits, special values, near-equal exponents, products around the smallest normal and the
/// largest.
class Operands {
 public:
  explicit Operands(unsigned seed) : random_(seed) {}
  void fill(AluInput& in) {
    for (unsigned l = 0; l < kWarpSize; ++l) {
      for (auto& s : in.s) s[l] = any();
      switch (random_() % 8) {
        case 0: in.s[1][l] = with_exponent(254 - exponent(in.s[0][l])); break;  // product near one
        case 1: in.s[1][l] = with_exponent(127 - exponent(in.s[0][l])); break;  // product near the smallest normal
        case 2: in.s[1][l] = with_exponent(381 - exponent(in.s[0][l])); break;  // product near the largest
        case 3: in.s[1][l] = in.s[0][l] ^ (random_() & 0x800000ffu); break;     // sums that cancel
        case 4:
          in.s[2][l] = with_exponent(exponent(in.s[0][l]) + exponent(in.s[1][l]) - 127);
          break;  // mad that cancels
        default: break;
      }
    }
  }

 private:
  static int exponent(std::uint32_t x) { return static_cast<int>(x >> 23 & 0xffu); }
  std::uint32_t with_exponent(int e) {
    e += static_cast<int>(random_() % 5) - 2;
    e = e < 0 ? 0 : e > 255 ? 255 : e;
    std::uint32_t fraction = random_() & 0x7fffffu;
    if (random_() % 4 == 0) fraction = random_() % 2 ? 0x7fffffu : random_() % 4;
    return (random_() & 0x80000000u) | static_cast<std::uint32_t>(e) << 23 | fraction;
  }
  std::uint32_t any() {
    static constexpr std::uint32_t kSpecial[] = {0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x80800001,
                                                 0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
                                                 0x7f800001, 0xffffffff, 0x34000000, 0x4b000000};
    if (random_() % 8 == 0) return kSpecial[random_() % 16];
    return random_() % 2 ? random_() : with_exponent(static_cast<int>(random_() % 256));
  }
  std::mt19937 random_;
};

Instruction instruction(Op op, Round round = Round::kRn) {
  Instruction insn;
  insn.op = op;
  insn.round = round;
  for (auto& s : insn.src) s.kind = OperandKind::kReg;
  return insn;
}
struct Case {
  Op op;
  Round round;
};
constexpr Case kCases[] = {{Op::kFadd, Round::kRn},
                           {Op::kFadd, Round::kRz},
                           {Op::kFmul, Round::kRn},
                           {Op::kFmul, Round::kRz},
                           {Op::kFmad, Round::kRn}};

std::uint32_t exact(const Case& c, const AluInput& in, unsigned l) {
  if (c.op == Op::kFadd) return fp32::add(in.s[0][l], in.s[1][l], c.round);
  if (c.op == Op::kFmul) return fp32::mul(in.s[0][l], in.s[1][l], c.round);
  return fp32::mad(in.s[0][l], in.s[1][l], in.s[2][l]);
}

TEST(Fp32, TheWarpLoopsAgreeWithTheIntegerDefinition) {
  RecordProperty("seed", static_cast<int>(kSeed));
  Operands operands(kSeed);
  AluInput in;
  AluOutput out;
  for (int i = 0; i < kWarps; ++i) {
    operands.fill(in);
    for (const Case& c : kCases) {
      execute(instruction(c.op, c.round), in, out);
      for (unsigned l = 0; l < kWarpSize; ++l) {
        ASSERT_EQ(out.lo[l], exact(c, in, l))
            << std::hex << "op " << static_cast<int>(c.op) << " round " << static_cast<int>(c.round) << " of "
            << in.s[0][l] << ' ' << in.s[1][l] << ' ' << in.s[2][l] << " seed " << std::dec << kSeed;
      }
    }
  }
}

TEST(Fp32, ResultsDoNotDependOnTheHostsRoundingMode) {
  Operands operands(kSeed + 1);
  AluInput in;
  AluOutput usual, odd;
  for (int i = 0; i < 200; ++i) {
    operands.fill(in);
    for (const Case& c : kCases) {
      execute(instruction(c.op, c.round), in, usual);
      for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        std::fesetround(mode);
        execute(instruction(c.op, c.round), in, odd);
        std::fesetround(FE_TONEAREST);
        for (unsigned l = 0; l < kWarpSize; ++l) ASSERT_EQ(odd.lo[l], usual.lo[l]);
      }
#if defined(__SSE2__)
      const unsigned control = _mm_getcsr();
      _mm_setcsr(control | 0x8040);  // flush to zero, denormals are zero
      execute(instruction(c.op, c.round), in, odd);
      _mm_setcsr(control);
      for (unsigned l = 0; l < kWarpSize; ++l) ASSERT_EQ(odd.lo[l], usual.lo[l]);
#endif
    }
  }
}

#if G80_HAS_MPFR
/// The machine's rules on top of exact MPFR arithmetic with unbounded exponents.
class Judge {
 public:
  Judge() {
    mpfr_set_emin(-100000);
    mpfr_set_emax(100000);
    mpfr_inits2(kWide, a_, b_, c_, wide_, static_cast<mpfr_ptr>(nullptr));
    mpfr_inits2(24, rounded_, static_cast<mpfr_ptr>(nullptr));
  }
  ~Judge() { mpfr_clears(a_, b_, c_, wide_, rounded_, static_cast<mpfr_ptr>(nullptr)); }

  std::uint32_t result(const Case& k, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const mpfr_rnd_t mode = k.round == Round::kRn ? MPFR_RNDN : MPFR_RNDZ;
    load(a_, a);
    load(b_, b);
    load(c_, c);
    if (k.op == Op::kFadd) {
      mpfr_add(rounded_, a_, b_, mode);
      return pack(mode);
    }
    const bool plain = k.op == Op::kFmul;
    const bool any_zero = mpfr_zero_p(a_) || mpfr_zero_p(b_) || mpfr_zero_p(c_);
    if (plain || any_zero) {
      mpfr_mul(rounded_, a_, b_, plain ? mode : MPFR_RNDN);
      const std::uint32_t product = pack(plain ? mode : MPFR_RNDN);
      if (plain) return product;
      load(a_, product);
      mpfr_add(rounded_, a_, c_, MPFR_RNDN);
      return pack(MPFR_RNDN);
    }
    mpfr_mul(rounded_, a_, b_, MPFR_RNDZ);     // the product keeps 24 bits
    mpfr_add(wide_, rounded_, c_, MPFR_RNDN);  // exact: wide enough for every pair of exponents
    if (mpfr_regular_p(wide_) && mpfr_get_exp(wide_) <= kSmallestExponent) {
      mpfr_mul_2si(wide_, wide_, 149, MPFR_RNDN);  // tiny: rounds at the position of the smallest normal's last bit
      mpfr_rint(wide_, wide_, MPFR_RNDN);
      mpfr_mul_2si(wide_, wide_, -149, MPFR_RNDN);
    }
    mpfr_set(rounded_, wide_, MPFR_RNDN);
    return pack(MPFR_RNDN);
  }

 private:
  static constexpr mpfr_prec_t kWide = 1200;
  static constexpr mpfr_exp_t kSmallestExponent = -126;  // MPFR's exponent of numbers below 2^-126

  static void load(mpfr_t x, std::uint32_t bits) { mpfr_set_flt(x, isa::float_of(fp32::flush(bits)), MPFR_RNDN); }
  /// rounded_ to bits: NaN is canonical, too small is a signed zero, too large depends on the mode.
  std::uint32_t pack(mpfr_rnd_t mode) const {
    const std::uint32_t sign = mpfr_signbit(rounded_) ? fp32::kSign : 0;
    if (mpfr_nan_p(rounded_)) return fp32::kNan;
    if (mpfr_inf_p(rounded_)) return sign | fp32::kInfinity;
    if (mpfr_zero_p(rounded_) || mpfr_get_exp(rounded_) <= kSmallestExponent) return sign;
    if (mpfr_get_exp(rounded_) > 128) return sign | (mode == MPFR_RNDN ? fp32::kInfinity : fp32::kLargest);
    return isa::bits_of(mpfr_get_flt(rounded_, MPFR_RNDN));
  }
  mpfr_t a_, b_, c_, wide_, rounded_;
};
#endif

TEST(Fp32, TheIntegerDefinitionAgreesWithMpfr) {
#if G80_HAS_MPFR
  RecordProperty("seed", static_cast<int>(kSeed + 2));
  Operands operands(kSeed + 2);
  Judge judge;
  AluInput in;
  for (int i = 0; i < kWarps / 4; ++i) {
    operands.fill(in);
    for (const Case& c : kCases) {
      for (unsigned l = 0; l < kWarpSize; ++l) {
        ASSERT_EQ(exact(c, in, l), judge.result(c, in.s[0][l], in.s[1][l], in.s[2][l]))
            << std::hex << "op " << static_cast<int>(c.op) << " round " << static_cast<int>(c.round) << " of "
            << in.s[0][l] << ' ' << in.s[1][l] << ' ' << in.s[2][l] << " seed " << std::dec << kSeed + 2;
      }
    }
  }
#else
  GTEST_SKIP() << "MPFR (libmpfr-dev) is not installed";
#endif
}

}  // namespace
}  // namespace g80::golden
