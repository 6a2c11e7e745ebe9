// SPDX-License-Identifier: Apache-2.0
// Floating point instructions of PTX against the host. The chip's f32 has no denormals and one NaN.
#include <algorithm>
#include <cmath>

#include "hw/isa/float_bits.h"
#include "tests/compiler/ptx_cases.h"
#include "toolchain/compiler/ptx/lower_ptx.h"

namespace g80 {
namespace {

using u64 = std::uint64_t;
using u32 = std::uint32_t;

constexpr unsigned kFloatSeed = 20080616;

double D(u64 v) { return isa::double_of(v); }
u64 B(float f) { return isa::bits_of(f); }
u64 B(double d) { return isa::bits_of(d); }

/// f32 in the low word, and the same number's f64 neighbour made of both words: normal numbers of moderate size.
Inputs float_inputs(bool doubles) {
  std::mt19937_64 rng(kFloatSeed);
  Inputs inputs;
  static constexpr float kEdges[] = {0.0f, -0.0f,  1.0f,     -1.0f, 0.5f,        -2.5f,  1.5f,
                                     3.0f, 255.0f, 65536.0f, -0.3f, 16777216.0f, 1e-10f, -1e10f};
  for (int k = 0; k < 3 * 96; ++k) {
    const u64 r = rng();
    const bool edge = r % 4 == 0;
    if (doubles) {
      inputs.push_back(edge ? B(static_cast<double>(kEdges[r / 4 % std::size(kEdges)]))
                            : (rng() & 0x800fffffffffffffu) | (1023 - 20 + r / 4 % 40) << 52);
    } else {
      inputs.push_back(edge ? B(kEdges[r / 4 % std::size(kEdges)])
                            : (rng() & 0x807fffffu) | (127 - 20 + r / 4 % 40) << 23);
    }
  }
  return inputs;
}

bool same_f32(u64 expected, u64 actual, u32 ulps) {
  if (std::isnan(F(expected))) return std::isnan(F(actual));
  if (std::fpclassify(F(expected)) == FP_SUBNORMAL) return (actual & 0x7fffffff) == 0;
  const auto order = [](u64 v) {
    return v & 0x80000000u ? -static_cast<std::int64_t>(v & 0x7fffffff) : static_cast<std::int64_t>(v & 0x7fffffff);
  };
  return std::abs(order(expected) - order(actual)) <= ulps;
}

void expect_f32(const std::vector<PtxCase>& cases, u32 ulps = 0, const CompileOptions& options = PtxProgram::sm13()) {
  SCOPED_TRACE("seed " + std::to_string(kFloatSeed));
  run_cases(
      cases, float_inputs(false),
      [&](const PtxCase& c, u64 expected, u64 actual) {
        return c.result == 'f' ? same_f32(expected, actual, ulps) : expected == actual;
      },
      options);
}

void expect_f64(const std::vector<PtxCase>& cases) {
  SCOPED_TRACE("seed " + std::to_string(kFloatSeed));
  run_cases(cases, float_inputs(true), [](const PtxCase& c, u64 expected, u64 actual) {
    if (c.result == 'g' && std::isnan(D(expected))) return std::isnan(D(actual));
    return c.result == 'f' ? same_f32(expected, actual, 0) : expected == actual;
  });
}

TEST(PtxFloat, ExactOperations) {
  expect_f32({
      {"add.rn.f32 %f0, %fa, %fb;", 'f', [](u64 a, u64 b, u64) { return B(F(a) + F(b)); }},
      {"add.f32 %f0, %fa, 0f3f800000;", 'f', [](u64 a, u64, u64) { return B(F(a) + 1.0f); }},
      {"add.sat.f32 %f0, %fa, %fb;", 'f', [](u64 a, u64 b, u64) { return B(std::clamp(F(a) + F(b), 0.0f, 1.0f)); }},
      {"sub.rn.ftz.f32 %f0, %fa, %fb;", 'f', [](u64 a, u64 b, u64) { return B(F(a) - F(b)); }},
      {"mul.rn.f32 %f0, %fa, %fb;", 'f', [](u64 a, u64 b, u64) { return B(F(a) * F(b)); }},
      {"mul.sat.f32 %f0, %fa, %fb;", 'f', [](u64 a, u64 b, u64) { return B(std::clamp(F(a) * F(b), 0.0f, 1.0f)); }},
      {"neg.f32 %f0, %fa;", 'f', [](u64 a, u64, u64) { return B(-F(a)); }},
      {"abs.f32 %f0, %fa;", 'f', [](u64 a, u64, u64) { return B(std::fabs(F(a))); }},
      {"min.f32 %f0, %fa, %fb;", 'f',
       [](u64 a, u64 b, u64) { return F(a) == 0 && F(b) == 0 ? (a | b) & 0xffffffff : B(std::fmin(F(a), F(b))); }},
      {"max.ftz.f32 %f0, %fa, %fb;", 'f',
       [](u64 a, u64 b, u64) { return F(a) == 0 && F(b) == 0 ? a & b & 0xffffffff : B(std::fmax(F(a), F(b))); }},
      {"copysign.f32 %f0, %fa, %fb;", 'f', [](u64 a, u64 b, u64) { return B(std::copysign(F(b), F(a))); }},
      {"fma.rn.f32 %f0, %fa, %fb, %fc;", 'f', [](u64 a, u64 b, u64 c) { return B(std::fma(F(a), F(b), F(c))); }},
      {"mad.rn.f32 %f0, %fa, %fb, %fc;", 'f', [](u64 a, u64 b, u64 c) { return B(std::fma(F(a), F(b), F(c))); }},
      {"div.rn.f32 %f0, %fa, %fb;", 'f', [](u64 a, u64 b, u64) { return B(F(a) / F(b)); }},
      {"rcp.rn.f32 %f0, %fa;", 'f', [](u64 a, u64, u64) { return B(1.0f / F(a)); }},
      {"sqrt.rn.f32 %f0, %fa;", 'f', [](u64 a, u64, u64) { return B(std::sqrt(F(a))); }},
      {"mov.f32 %f0, 0d3ff8000000000000;", 'f', [](u64, u64, u64) { return B(1.5f); }},
      {"mov.b32 %r0, %fa;", 'r', [](u64 a, u64, u64) { return a & 0xffffffff; }},
      {"mov.b32 %f0, 0x40490fdb;", 'f', [](u64, u64, u64) -> u64 { return 0x40490fdb; }},
  });
}

TEST(PtxFloat, TheFusedMultiplyAddIsExactWhereRoundingTwiceIsNot) {
  // 1 + 2^-24 + 2^-60: the sum rounds to nearest above a tie that rounding to f64 first would have hidden
  std::vector<u64> inputs;
  for (const std::uint32_t low : {0x3f800001u, 0x3f800003u, 0x3fffffffu}) {
    for (const std::uint32_t small : {0x33000000u, 0x25800001u, 0x2e800000u, 0xb3000000u}) {
      inputs.insert(inputs.end(), {low, 0x3f800001u, small});
      inputs.insert(inputs.end(), {small, low, 0x3f800000u});
    }
  }
  run_cases(
      {{"fma.rn.f32 %f0, %fa, %fb, %fc;", 'f', [](u64 a, u64 b, u64 c) { return B(std::fma(F(a), F(b), F(c))); }}},
      inputs, same_bits);
}

TEST(PtxFloat, SumsOfProductsAreFusedOnlyWhereAllowed) {
  const auto truncated = [](u64 a, u64 b) {  // the product as the multiply-add sees it
    const double exact = static_cast<double>(F(a)) * F(b);
    float r = static_cast<float>(exact);
    if (std::fabs(static_cast<double>(r)) > std::fabs(exact)) r = std::nextafter(r, 0.0f);
    return r;
  };
  const auto fused = [=](u64 a, u64 b, u64 c) {
    return B(F(a) == 0 || F(b) == 0 || F(c) == 0 ? F(a) * F(b) + F(c) : truncated(a, b) + F(c));
  };
  const auto apart = [](u64 a, u64 b, u64 c) { return B(F(a) * F(b) + F(c)); };
  const std::string free = "mul.f32 %f1, %fa, %fb; add.f32 %f0, %f1, %fc;";
  const std::string rounded = "mul.rn.f32 %f1, %fa, %fb; add.rn.f32 %f0, %f1, %fc;";
  expect_f32({{"mad.f32 %f0, %fa, %fb, %fc;", 'f', fused}, {free, 'f', fused}, {rounded, 'f', apart}});
  CompileOptions options = PtxProgram::sm13();
  options.fmad = false;
  expect_f32({{"mad.f32 %f0, %fa, %fb, %fc;", 'f', fused}, {free, 'f', apart}}, 0, options);
  // Clang means nothing by .rn, except in inline assembly.
  SCOPED_TRACE("written by LLVM");
  const std::string text = ".version 3.2\n.target sm_20\n.address_size 64\n";
  for (const bool assembly : {false, true}) {
    const std::string code = assembly ? "// begin inline asm\n" + rounded + "\n// end inline asm\n" : rounded;
    std::vector<Diagnostic> warnings;
    const ir::Module module =
        lower_ptx("//\n// Generated by LLVM NVPTX Back-End\n//\n" + text + case_kernel("k", {code, 'f', nullptr}),
                  "k.ptx", PtxProgram::sm13(), warnings);
    EXPECT_EQ(ir::print(module).find("fmad") != std::string::npos, !assembly);
  }
}

TEST(PtxFloat, ApproximationsAreClose) {
  expect_f32({{"rcp.approx.f32 %f0, %fa;", 'f', [](u64 a, u64, u64) { return B(1.0f / F(a)); }}}, 1);
  expect_f32({{"div.approx.f32 %f0, %fa, %fb;", 'f', [](u64 a, u64 b, u64) { return B(F(a) / F(b)); }},
              {"div.full.f32 %f0, %fa, %fb;", 'f', [](u64 a, u64 b, u64) { return B(F(a) / F(b)); }}},
             2);
  expect_f32({{"abs.f32 %f1, %fa; rsqrt.approx.f32 %f0, %f1;", 'f',
               [](u64 a, u64, u64) { return B(1.0f / std::sqrt(std::fabs(F(a)))); }},
              {"abs.f32 %f1, %fa; sqrt.approx.f32 %f0, %f1;", 'f',
               [](u64 a, u64, u64) { return B(std::sqrt(std::fabs(F(a)))); }}},
             3);
  const auto near = [](const PtxCase&, u64 expected, u64 actual) {
    return std::fabs(F(expected) - F(actual)) <= 2e-6f * std::max(1.0f, std::fabs(F(expected)));
  };
  Inputs inputs;
  for (int k = 0; k < 64; ++k) inputs.insert(inputs.end(), {B((static_cast<float>(k) - 31.5f) / 10.0f), 0, 0});
  run_cases({{"sin.approx.f32 %f0, %fa;", 'f', [](u64 a, u64, u64) { return B(std::sin(F(a))); }},
             {"cos.approx.f32 %f0, %fa;", 'f', [](u64 a, u64, u64) { return B(std::cos(F(a))); }},
             {"ex2.approx.ftz.f32 %f0, %fa;", 'f', [](u64 a, u64, u64) { return B(std::exp2(F(a))); }},
             {"abs.f32 %f1, %fa; lg2.approx.f32 %f0, %f1;", 'f',
              [](u64 a, u64, u64) { return B(std::log2(std::fabs(F(a)))); }}},
            inputs, near);
}

TEST(PtxFloat, ComparisonsWithAndWithoutNan) {
  std::vector<PtxCase> cases;
  const auto add = [&](const std::string& name, auto relation, bool if_nan) {
    const auto answer = [=](float x, float y) -> u64 {
      return std::isnan(x) || std::isnan(y) ? if_nan : relation(x, y);
    };
    cases.push_back(
        {"setp." + name + ".f32 %p0, %fa, %fb;", 'p', [=](u64 a, u64 b, u64) { return answer(F(a), F(b)); }});
    cases.push_back(
        {"setp." + name + ".f32 %p1|%p0, %fa, %fb;", 'p', [=](u64 a, u64 b, u64) { return 1 - answer(F(a), F(b)); }});
    cases.push_back({"rcp.approx.f32 %f1, 0f00000000; sub.f32 %f1, %f1, %f1; setp." + name + ".f32 %p0, %fa, %f1;", 'p',
                     [=](u64 a, u64, u64) { return answer(F(a), std::nanf("")); }});
    cases.push_back({"set." + name + ".u32.f32 %r0, %fa, %fb;", 'r',
                     [=](u64 a, u64 b, u64) -> u64 { return answer(F(a), F(b)) ? 0xffffffff : 0; }});
  };
  for (const bool unordered : {false, true}) {
    const std::string u = unordered ? "u" : "";
    add(
        "eq" + u, [](float x, float y) { return x == y; }, unordered);
    add(
        "ne" + u, [](float x, float y) { return x != y; }, unordered);
    add(
        "lt" + u, [](float x, float y) { return x < y; }, unordered);
    add(
        "le" + u, [](float x, float y) { return x <= y; }, unordered);
    add(
        "gt" + u, [](float x, float y) { return x > y; }, unordered);
    add(
        "ge" + u, [](float x, float y) { return x >= y; }, unordered);
  }
  add(
      "num", [](float, float) { return true; }, false);
  add(
      "nan", [](float, float) { return false; }, true);
  expect_f32(cases);
  expect_f32(
      {{"testp.finite.f32 %p0, %fa;", 'p', [](u64 a, u64, u64) -> u64 { return std::isfinite(F(a)); }},
       {"rcp.approx.f32 %f1, %fa; testp.infinite.f32 %p0, %f1;", 'p', [](u64 a, u64, u64) -> u64 { return F(a) == 0; }},
       {"testp.normal.f32 %p0, %fa;", 'p', [](u64 a, u64, u64) -> u64 { return std::isnormal(F(a)); }},
       {"testp.subnormal.f32 %p0, 0f00000001;", 'p', [](u64, u64, u64) -> u64 { return 1; }},
       {"testp.notanumber.f32 %p0, 0f7fc00000;", 'p', [](u64, u64, u64) -> u64 { return 1; }},
       {"testp.number.f32 %p0, %fa;", 'p', [](u64, u64, u64) -> u64 { return 1; }}});
}

TEST(PtxFloat, ConversionsRoundAsTold) {
  const auto clamp32 = [](double v, double least, double most) {
    return static_cast<std::int64_t>(std::clamp(v, least, most));
  };
  expect_f32({
      {"cvt.rni.f32.f32 %f0, %fa;", 'f', [](u64 a, u64, u64) { return B(std::nearbyint(F(a))); }},
      {"cvt.rzi.f32.f32 %f0, %fa;", 'f', [](u64 a, u64, u64) { return B(std::trunc(F(a))); }},
      {"cvt.rmi.f32.f32 %f0, %fa;", 'f', [](u64 a, u64, u64) { return B(std::floor(F(a))); }},
      {"cvt.rpi.f32.f32 %f0, %fa;", 'f', [](u64 a, u64, u64) { return B(std::ceil(F(a))); }},
      {"cvt.sat.f32.f32 %f0, %fa;", 'f', [](u64 a, u64, u64) { return B(std::clamp(F(a) + 0.0f, 0.0f, 1.0f)); }},
      {"cvt.rzi.s32.f32 %r0, %fa;", 'r',
       [=](u64 a, u64, u64) -> u64 { return static_cast<u32>(clamp32(F(a), INT32_MIN, INT32_MAX)); }},
      {"cvt.rni.s32.f32 %r0, %fa;", 'r',
       [=](u64 a, u64, u64) -> u64 { return static_cast<u32>(clamp32(std::nearbyint(F(a)), INT32_MIN, INT32_MAX)); }},
      {"cvt.rmi.s32.f32 %r0, %fa;", 'r',
       [=](u64 a, u64, u64) -> u64 { return static_cast<u32>(clamp32(std::floor(F(a)), INT32_MIN, INT32_MAX)); }},
      {"cvt.rpi.u32.f32 %r0, %fa;", 'r',
       [=](u64 a, u64, u64) -> u64 { return static_cast<u32>(clamp32(std::ceil(F(a)), 0, UINT32_MAX)); }},
      {"cvt.rzi.u8.f32 %r0, %fa;", 'r',
       [=](u64 a, u64, u64) -> u64 { return static_cast<u32>(clamp32(F(a), 0, 255)); }},
      {"cvt.rzi.s16.f32 %r0, %fa;", 'r',
       [=](u64 a, u64, u64) -> u64 { return static_cast<u32>(clamp32(F(a), -32768, 32767)); }},
      {"cvt.rn.f32.s32 %f0, %ra;", 'f',
       [](u64 a, u64, u64) { return B(static_cast<float>(static_cast<std::int32_t>(a))); }},
      {"cvt.rn.f32.u32 %f0, %ra;", 'f', [](u64 a, u64, u64) { return B(static_cast<float>(static_cast<u32>(a))); }},
      {"cvt.rn.f32.u16 %f0, %sa;", 'f', [](u64 a, u64, u64) { return B(static_cast<float>(a & 0xffff)); }},
      {"cvt.rn.f32.s8 %f0, %ra;", 'f',
       [](u64 a, u64, u64) { return B(static_cast<float>(static_cast<std::int8_t>(a))); }},
      {"cvt.rn.f32.s64 %f0, %da;", 'f',
       [](u64 a, u64, u64) { return B(static_cast<float>(static_cast<std::int64_t>(a))); }},
      {"cvt.f64.f32 %g0, %fa;", 'g', [](u64 a, u64, u64) { return B(static_cast<double>(F(a))); }},
      {"cvt.rn.f16.f32 %s0, 0f3fc00000; cvt.f32.f16 %f0, %s0;", 'f', [](u64, u64, u64) { return B(1.5f); }},
  });
}

TEST(PtxFloat, DoublesOnSm13) {
  expect_f64({
      {"add.rn.f64 %g0, %ga, %gb;", 'g', [](u64 a, u64 b, u64) { return B(D(a) + D(b)); }},
      {"sub.f64 %g0, %ga, %gb;", 'g', [](u64 a, u64 b, u64) { return B(D(a) - D(b)); }},
      {"mul.rn.f64 %g0, %ga, %gb;", 'g', [](u64 a, u64 b, u64) { return B(D(a) * D(b)); }},
      {"fma.rn.f64 %g0, %ga, %gb, %gc;", 'g', [](u64 a, u64 b, u64 c) { return B(std::fma(D(a), D(b), D(c))); }},
      {"neg.f64 %g0, %ga;", 'g', [](u64 a, u64, u64) { return B(-D(a)); }},
      {"abs.f64 %g0, %ga;", 'g', [](u64 a, u64, u64) { return B(std::fabs(D(a))); }},
      {"setp.lt.f64 %p0, %ga, %gb;", 'p', [](u64 a, u64 b, u64) -> u64 { return D(a) < D(b); }},
      {"setp.geu.f64 %p0, %ga, %gb;", 'p', [](u64 a, u64 b, u64) -> u64 { return !(D(a) < D(b)); }},
      {"cvt.rn.f32.f64 %f0, %ga;", 'f', [](u64 a, u64, u64) { return B(static_cast<float>(D(a))); }},
      {"cvt.rzi.s32.f64 %r0, %ga;", 'r',
       [](u64 a, u64, u64) -> u64 {
         return static_cast<u32>(static_cast<std::int64_t>(std::clamp(D(a), -2147483648.0, 2147483647.0)));
       }},
      {"cvt.rn.f64.s32 %g0, %ra;", 'g',
       [](u64 a, u64, u64) { return B(static_cast<double>(static_cast<std::int32_t>(a))); }},
      {"cvt.rzi.s64.f64 %d0, %ga;", 'd',
       [](u64 a, u64, u64) { return static_cast<u64>(static_cast<std::int64_t>(D(a))); }},
  });
}

TEST(PtxFloat, DoubleSumsOfProductsAreFusedWhereTheSourceAllowsIt) {
  const auto fused = [](u64 a, u64 b, u64 c) { return B(std::fma(D(a), D(b), D(c))); };
  const auto separate = [](u64 a, u64 b, u64 c) {
    const volatile double product = D(a) * D(b);
    return B(product + D(c));
  };
  expect_f64({{"mul.f64 %g1, %ga, %gb; add.f64 %g0, %g1, %gc;", 'g', fused},
              {"mul.f64 %g1, %ga, %gb; sub.f64 %g0, %gc, %g1;", 'g',
               [=](u64 a, u64 b, u64 c) { return fused(a ^ u64{1} << 63, b, c); }},
              {"mul.rn.f64 %g1, %ga, %gb; add.f64 %g0, %g1, %gc;", 'g', separate},
              {"mul.f64 %g1, %ga, %gb; add.rn.f64 %g0, %g1, %gc;", 'g', separate}});
  CompileOptions options = PtxProgram::sm13();
  options.fmad = false;
  run_cases({{"mul.f64 %g1, %ga, %gb; add.f64 %g0, %g1, %gc;", 'g', separate}}, float_inputs(true), same_bits, options);
}

TEST(PtxFloat, DoublesSaturateAndHaveInverseRoots) {
  expect_f64({{"cvt.sat.f64.f64 %g0, %ga;", 'g', [](u64 a, u64, u64) { return B(std::clamp(D(a) + 0.0, 0.0, 1.0)); }},
              {"cvt.sat.f64.f32 %g0, 0f7fc00000;", 'g', [](u64, u64, u64) { return B(0.0); }}});
  std::vector<u64> inputs{B(0.0), B(-0.0),      B(HUGE_VAL),        B(4.0), B(-1.0), B(std::nan("")),
                          1,      u64{1} << 52, 0x7fefffffffffffffu};
  std::mt19937_64 rng(kFloatSeed);
  while (inputs.size() < 3 * 128) inputs.push_back(rng() >> 1);
  run_cases({{"rsqrt.approx.f64 %g0, %ga;", 'g',
              [](u64 a, u64, u64) { return B(static_cast<double>(1 / std::sqrt(static_cast<long double>(D(a))))); }}},
            inputs, [](const PtxCase&, u64 expected, u64 actual) {
              if (std::isnan(D(expected))) return std::isnan(D(actual));
              return actual - expected + 2 <= 4;
            });
}

/// Below sm_13 doubles are floats in registers; memory keeps its layout.
TEST(PtxFloat, DoublesAreFloatsBelowSm13) {
  CompileOptions options;
  options.arch = isa::Arch::kSm11;
  SCOPED_TRACE("seed " + std::to_string(kFloatSeed));
  run_cases(
      {{"ld.global.f64 %g1, [%in]; add.f64 %g0, %g1, %gb; mov.b64 %d0, %g0;", 'd',
        [](u64 a, u64 b, u64) { return B(static_cast<double>(static_cast<float>(D(a)) + static_cast<float>(D(b)))); }},
       {"mul.f64 %g1, %ga, 0d3fe0000000000000; st.global.f64 [%out], %g1; ld.global.u64 %d0, [%out];", 'd',
        [](u64 a, u64, u64) { return B(static_cast<double>(static_cast<float>(D(a)) * 0.5f)); }}},
      float_inputs(true),
      [](const PtxCase&, u64 expected, u64 actual) {
        return expected == actual || (D(expected) == 0 && D(actual) == 0);
      },
      options);
  std::vector<Diagnostic> warnings;
  lower_ptx(".version 3.2\n.target sm_20\n.address_size 64\n" +
                case_kernel("k", {"add.f64 %g0, %ga, %gb;\nadd.f64 %g0, %ga, %gb;", 'g', nullptr}),
            "k.ptx", options, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].message.find("f64 arithmetic needs sm_13; it is computed in f32 for sm_11"), std::string::npos);
}

}  // namespace
}  // namespace g80
