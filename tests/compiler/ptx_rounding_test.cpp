// SPDX-License-Identifier: Apache-2.0
// Every rounding of fp32 arithmetic and of 64-bit conversions, on chips that have none of it as an instruction, against
// MPFR: on operands that are hard to round, cancel, overflow, vanish, or are no numbers.
#include "tests/compiler/ptx_cases.h"

#if G80_HAS_MPFR
#include "tests/compiler/float_inputs.h"
#include "tests/compiler/mpfr_judge.h"
#endif

namespace g80 {
namespace {

#if G80_HAS_MPFR

using u64 = std::uint64_t;
using u32 = std::uint32_t;

constexpr char kRoundings[] = {'n', 'z', 'm', 'p'};

bool same_single(const PtxCase& c, u64 expected, u64 actual) {
  if (c.result == 'f' && (expected & 0x7fffffff) > 0x7f800000) return (actual & 0x7fffffff) > 0x7f800000;
  return expected == actual;
}

using Operation = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

std::vector<PtxCase> in_all_roundings(const std::string& name, unsigned operands, Operation operation) {
  std::vector<PtxCase> cases;
  for (const char rounding : kRoundings) {
    std::string code = name + ".r" + rounding + ".f32 %f0, %fa";
    if (operands > 1) code += ", %fb";
    if (operands > 2) code += ", %fc";
    cases.push_back({code + ";", 'f', [=](u64 a, u64 b, u64 c) -> u64 {
                       Real x(24), y(24), z(24);
                       set_f32(x, a), set_f32(y, b), set_f32(z, c);
                       return judge_f32(rounding, [&](mpfr_ptr r, mpfr_rnd_t mode) {
                         return operation(r, x.get(), y.get(), z.get(), mode);
                       });
                     }});
  }
  return cases;
}

void expect_on_all_chips(const std::vector<PtxCase>& cases, const std::function<Inputs(unsigned seed)>& inputs) {
  for (const isa::Arch arch : {isa::Arch::kSm10, isa::Arch::kSm13}) {
    for (unsigned seed = 1; seed <= 6; ++seed) {
      SCOPED_TRACE(std::string(isa::arch_name(arch)) + ", seed " + std::to_string(seed));
      CompileOptions options;
      options.arch = arch;
      run_cases(cases, inputs(seed), same_single, options);
    }
  }
}

Inputs singles(unsigned seed) { return hard_singles(seed, 256); }

TEST(PtxRounding, FusedMultiplyAddsRoundOnce) {
  expect_on_all_chips(in_all_roundings("fma", 3,
                                       [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_srcptr z, mpfr_rnd_t mode) {
                                         return mpfr_fma(r, x, y, z, mode);
                                       }),
                      singles);
}

TEST(PtxRounding, SumsDifferencesAndProducts) {
  std::vector<PtxCase> cases = in_all_roundings(
      "add", 2,
      [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_srcptr, mpfr_rnd_t mode) { return mpfr_add(r, x, y, mode); });
  const auto add = [&](const std::vector<PtxCase>& more) { cases.insert(cases.end(), more.begin(), more.end()); };
  add(in_all_roundings("sub", 2, [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_srcptr, mpfr_rnd_t mode) {
    return mpfr_sub(r, x, y, mode);
  }));
  add(in_all_roundings("mul", 2, [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_srcptr, mpfr_rnd_t mode) {
    return mpfr_mul(r, x, y, mode);
  }));
  expect_on_all_chips(cases, singles);
}

TEST(PtxRounding, QuotientsAndRoots) {
  std::vector<PtxCase> cases = in_all_roundings(
      "div", 2,
      [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_srcptr, mpfr_rnd_t mode) { return mpfr_div(r, x, y, mode); });
  const auto add = [&](const std::vector<PtxCase>& more) { cases.insert(cases.end(), more.begin(), more.end()); };
  add(in_all_roundings("rcp", 1, [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t mode) {
    return mpfr_ui_div(r, 1, x, mode);
  }));
  add(in_all_roundings("sqrt", 1, [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t mode) {
    return mpfr_sqrt(r, x, mode);
  }));
  expect_on_all_chips(cases, singles);
}

TEST(PtxRounding, WideIntegersToFloats) {
  std::vector<PtxCase> cases;
  for (const char rounding : kRoundings) {
    const std::string start = std::string("cvt.r") + rounding + ".f32.";
    cases.push_back({start + "s64 %f0, %da;", 'f', [=](u64 a, u64, u64) -> u64 {
                       return judge_f32(rounding, [&](mpfr_ptr r, mpfr_rnd_t mode) {
                         return mpfr_set_sj(r, static_cast<std::int64_t>(a), mode);
                       });
                     }});
    cases.push_back({start + "u64 %f0, %da;", 'f', [=](u64 a, u64, u64) -> u64 {
                       return judge_f32(rounding, [&](mpfr_ptr r, mpfr_rnd_t mode) { return mpfr_set_uj(r, a, mode); });
                     }});
  }
  expect_on_all_chips(cases, [](unsigned seed) {
    Inputs inputs = integer_inputs(seed, 256);
    std::mt19937_64 rng(seed);
    for (std::size_t k = 0; k < inputs.size(); k += 6) {  // 25 digits, then a half, or just more or less
      const unsigned places = static_cast<unsigned>(rng() % 40);
      inputs[k] = (((rng() >> 40) << 1 | 1) << places) + rng() % 3 - 1;
      if (rng() % 2 == 0) inputs[k] = 0 - inputs[k];
    }
    return inputs;
  });
}

/// Subnormal operands are left out: the conversion of sm_13 sees them, those made of 32-bit conversions do not.
TEST(PtxRounding, FloatsToWideIntegers) {
  std::vector<PtxCase> cases;
  for (const char rounding : kRoundings) {
    for (const bool is_signed : {true, false}) {
      cases.push_back({std::string("cvt.r") + rounding + "i." + (is_signed ? "s64" : "u64") + ".f32 %d0, %fa;", 'd',
                       [=](u64 a, u64, u64) -> u64 {
                         Real x(24);
                         set_f32(x, a);
                         return judge_integer(x, rounding, 64, is_signed, u64{1} << 63);
                       }});
    }
  }
  expect_on_all_chips(cases, [](unsigned seed) {
    Inputs inputs = hard_singles(seed, 256);
    std::mt19937_64 rng(seed);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      if (k % 2 == 0) inputs[k] = (rng() & 0x807fffffu) | (120 + rng() % 75) << 23;
      inputs[k] = flushed_f32(inputs[k]);
    }
    return inputs;
  });
}

#else

TEST(PtxRounding, NeedsMpfr) { GTEST_SKIP() << "built without MPFR"; }

#endif

}  // namespace
}  // namespace g80
