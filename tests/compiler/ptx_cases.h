// SPDX-License-Identifier: Apache-2.0
// One PTX instruction (or a few) per case, run by many threads on edge values and random ones, against the host's
// result.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "hw/isa/float_bits.h"
#include "tests/compiler/ptx_runner.h"

namespace g80 {

/// The code finds its inputs a, b, c in %ra (32 bits), %da (64), %sa (16), %fa (f32), %ga (f64), %pa (bit 0), and so on
/// for b and c, and leaves its result in one of %r0, %d0, %s0, %f0, %g0, %p0, named by `result`.
struct PtxCase {
  std::string code;
  char result = 'r';
  std::function<std::uint64_t(std::uint64_t a, std::uint64_t b, std::uint64_t c)> expected;
};

using Inputs = std::vector<std::uint64_t>;  // three per thread

using u64 = std::uint64_t;
using u32 = std::uint32_t;
using u16 = std::uint16_t;
using s64 = std::int64_t;
using s32 = std::int32_t;
using s16 = std::int16_t;

inline u32 U(u64 v) { return static_cast<u32>(v); }
inline s32 S(u64 v) { return static_cast<s32>(static_cast<u32>(v)); }
inline u16 UH(u64 v) { return static_cast<u16>(v); }
inline s16 SH(u64 v) { return static_cast<s16>(static_cast<u16>(v)); }
inline s64 SD(u64 v) { return static_cast<s64>(v); }
inline u64 word(s64 v) { return static_cast<u32>(v); }
inline u64 half(s64 v) { return static_cast<u16>(v); }
inline float F(u64 v) { return isa::float_of(U(v)); }

/// What the kernels find in their parameter p_block, 16 bytes.
inline constexpr std::uint32_t kParameterBlock[] = {0x89abcdef, 0x01234567, 0xdeadbeef, 0x7fc01234};

/// What an input's other registers are, from its 64 bits in %d.
inline std::string parts_of(const std::string& n) {
  return "cvt.u32.u64 %r" + n + ", %d" + n + "; cvt.u16.u32 %s" + n + ", %r" + n + "; mov.b32 %f" + n + ", %r" + n +
         "; mov.b64 %g" + n + ", %d" + n + "; and.b32 %r0, %r" + n + ", 1; setp.ne.u32 %p" + n + ", %r0, 0;\n";
}

inline std::string case_kernel(const std::string& name, const PtxCase& c) {
  std::string text = ".entry " + name + "(.param .u64 p_in, .param .u64 p_out, .param .align 16 .b8 p_block[16])\n{\n";
  text +=
      ".reg .b64 %in, %out, %at; .reg .b32 %t, %r0, %r1, %r2, %r3; .reg .b64 %d0, %d1, %d2; .reg .b16 %s0, %s1, %s2;\n";
  text += ".reg .f32 %f0, %f1, %f2; .reg .f64 %g0, %g1; .reg .pred %p0, %p1, %p2;\n";
  text += "ld.param.u64 %in, [p_in]; ld.param.u64 %out, [p_out]; mov.u32 %t, %tid.x;\n";
  text += "mul.wide.u32 %at, %t, 24; add.u64 %in, %in, %at; mul.wide.u32 %at, %t, 8; add.u64 %out, %out, %at;\n";
  for (int k = 0; k < 3; ++k) {
    const std::string n(1, static_cast<char>('a' + k)), at = "[%in+" + std::to_string(8 * k) + "]";
    text += ".reg .b32 %r" + n + "; .reg .b64 %d" + n + "; .reg .b16 %s" + n + "; .reg .f32 %f" + n + "; .reg .f64 %g" +
            n + "; .reg .pred %p" + n + ";\n";
    text += "ld.global.u64 %d" + n + ", " + at + "; " + parts_of(n);
  }
  text += c.code + "\n";
  switch (c.result) {
    case 'r': text += "cvt.u64.u32 %d0, %r0;\n"; break;
    case 's': text += "cvt.u64.u16 %d0, %s0;\n"; break;
    case 'f': text += "mov.b32 %r0, %f0; cvt.u64.u32 %d0, %r0;\n"; break;
    case 'g': text += "mov.b64 %d0, %g0;\n"; break;
    case 'p': text += "selp.u64 %d0, 1, 0, %p0;\n"; break;
    default: break;
  }
  return text + "st.global.u64 [%out], %d0;\nret;\n}\n";
}

/// Runs every case on every triple; `same` decides whether a result will do.
inline void run_cases(const std::vector<PtxCase>& cases, const Inputs& inputs,
                      const std::function<bool(const PtxCase&, std::uint64_t expected, std::uint64_t actual)>& same,
                      const CompileOptions& options = PtxProgram::sm13(), const std::string& module_scope = "") {
  std::string text = ".version 3.2\n.target sm_20\n.address_size 64\n" + module_scope + "\n";
  for (std::size_t k = 0; k < cases.size(); ++k) text += case_kernel("k" + std::to_string(k), cases[k]);
  PtxProgram program(text, options);
  const std::size_t threads = inputs.size() / 3;
  const std::uint32_t in = program.upload(inputs), out = program.upload(std::vector<std::uint64_t>(threads, 0));
  for (std::size_t k = 0; k < cases.size(); ++k) {
    std::vector<std::uint32_t> params{in, 0, out, 0};
    params.insert(params.end(), std::begin(kParameterBlock), std::end(kParameterBlock));
    program.run("k" + std::to_string(k), 1, static_cast<unsigned>(threads), params);
    const std::vector<std::uint64_t> actual = program.download<std::uint64_t>(out, threads);
    for (std::size_t t = 0; t < threads; ++t) {
      const std::uint64_t a = inputs[3 * t], b = inputs[3 * t + 1], c = inputs[3 * t + 2];
      const std::uint64_t expected = cases[k].expected(a, b, c);
      if (same(cases[k], expected, actual[t])) continue;
      ADD_FAILURE() << cases[k].code << std::hex << "\n  a " << a << " b " << b << " c " << c << "\n  expected "
                    << expected << " got " << actual[t];
      break;
    }
  }
}

inline bool same_bits(const PtxCase&, std::uint64_t expected, std::uint64_t actual) { return expected == actual; }

/// Edge values and random ones of all sizes.
inline Inputs integer_inputs(unsigned seed, std::size_t threads = 96) {
  static constexpr std::uint64_t kEdges[] = {0,
                                             1,
                                             2,
                                             31,
                                             32,
                                             33,
                                             63,
                                             64,
                                             0x7f,
                                             0x80,
                                             0xff,
                                             0x7fff,
                                             0x8000,
                                             0xffff,
                                             0x10000,
                                             0x7fffff,
                                             0x800000,
                                             0xffffff,
                                             0x1000000,
                                             0x7fffffff,
                                             0x80000000,
                                             0xffffffff,
                                             0x100000000,
                                             0x7fffffffffffffff,
                                             0x8000000000000000,
                                             0xffffffffffffffff,
                                             0xfffffffffffffffe,
                                             0x00000000ffffff80,
                                             0x55555555aaaaaaaa,
                                             0x0123456789abcdef};
  std::mt19937_64 rng(seed);
  Inputs inputs;
  for (std::size_t k = 0; k < 3 * threads; ++k) {
    const std::uint64_t r = rng();
    inputs.push_back(r % 3 == 0 ? kEdges[r / 3 % std::size(kEdges)] : rng() >> (r / 3 % 64));
  }
  return inputs;
}

/// Runs the cases on integers drawn from `seed`; every bit counts.
inline void expect_cases(const std::vector<PtxCase>& cases, unsigned seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  run_cases(cases, integer_inputs(seed), same_bits);
}

}  // namespace g80
