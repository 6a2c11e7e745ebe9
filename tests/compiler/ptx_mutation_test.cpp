// SPDX-License-Identifier: Apache-2.0
// Broken PTX: whatever the text, the compiler compiles it or says what is wrong with a line. It never crashes.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/compiler/ptx_cases.h"
#include "toolchain/compiler/compile.h"
#include "toolchain/compiler/ptx/lower_ptx.h"

namespace g80 {
namespace {

constexpr unsigned kMutationSeed = 31337;

/// Texts with something of everything.
std::vector<std::string> originals() {
  const std::string head = ".version 3.2\n.target sm_20\n.address_size 64\n";
  return {
      head +
          ".const .align 4 .u32 table[4] = {1, 2, 3};\n.global .align 8 .b8 g[16];\n.extern .shared .align 4 .b8 "
          "dyn[];\n" +
          ".func (.param .b32 r) f (.param .b64 p)\n{ .reg .b64 %d; .reg .b32 %r<3>; ld.param.u64 %d, [p]; cvt.u32.u64 "
          "%r1, %d; st.param.b32 [r], %r1; ret; }\n" +
          case_kernel(
              "k",
              {"{ .param .b64 x; .param .b32 y; st.param.b64 [x], %da; call (y), f, (x); ld.param.b32 %r0, [y]; }\n"
               "L: setp.lt.s32 %p1, %r0, 10; @%p1 bra L; mov.u64 %d1, dyn; st.shared.v2.u32 [%d1], {%r0, %ra}; "
               "bar.sync 0;\n"
               "atom.global.cas.b32 %r1, [%in+4], %ra, %rb; mad.lo.s32 %r0, %r1, 7, %rc; tex.1d.v4.f32.s32 "
               "{%f0,%f1,%f2,%f0}, [t, {%ra}];",
               'r', nullptr}),
      ".version 1.4\n.target sm_10, map_f64_to_f32\n.file 1 \"a.cu\"\n.tex .u32 t;\n.entry k (.param .u64 p)\n.maxntid "
      "64,1,1\n{ .reg .u16 %rh<3>; .reg .u32 %r<9>; .reg .f64 %fd<4>;\n"
      ".loc 1 2 3\n$L: mov.u16 %rh1, %ctaid.x; mul.wide.u16 %r1, %rh1, %rh1; add.cc.u32 %r2, %r1, %r1; addc.u32 %r3, "
      "%r1, 0; cvt.f64.s32 %fd1, %r1;\n"
      "add.f64 %fd2, %fd1, 0d3ff0000000000000; vote.all.pred %p, %p; slct.f32.s32 %f, 0f00000000, 0f3f800000, %r1; "
      "exit; }\n",
  };
}

std::string mutated(const std::string& text, const std::vector<std::string>& words, std::mt19937& rng) {
  std::string out = text;
  for (unsigned n = 1 + rng() % 4; n > 0 && !out.empty(); --n) {
    const std::size_t at = rng() % out.size();
    switch (rng() % 7) {
      case 0: out[at] = static_cast<char>(rng()); break;
      case 1: out.erase(at, 1 + rng() % 12); break;
      case 2: out.insert(at, out.substr(rng() % out.size(), rng() % 40)); break;
      case 3: out.resize(at); break;
      case 4: out.insert(at, std::string(1, "{}()[];:,.@!%-+$_\"\n"[rng() % 19])); break;
      default: out.insert(at, " " + words[rng() % words.size()] + " "); break;
    }
  }
  return out;
}

TEST(PtxMutations, NeverCrashTheCompiler) {
  std::vector<std::string> words = {".u32",
                                    ".f32",
                                    ".pred",
                                    ".reg",
                                    ".param",
                                    ".shared",
                                    "-1",
                                    "0x",
                                    "99999999999999999999",
                                    "%r1",
                                    "[",
                                    "<4>",
                                    ".v4",
                                    "bra L",
                                    "ret;",
                                    "call",
                                    "{",
                                    "}",
                                    "/*",
                                    ".align 3",
                                    ".b8 x[4294967296]",
                                    "= {",
                                    ".version 3.2",
                                    ".loc 1 1 1",
                                    "0f",
                                    "1e400",
                                    ".func",
                                    ".entry k",
                                    "_"};
  for (const std::string_view name : {"add", "setp", "ld", "st", "cvt", "mov", "tex", "atom", "vote", "bfe", "prmt"})
    words.emplace_back(name);
  std::mt19937 rng(kMutationSeed);
  unsigned compiled = 0, refused = 0;
  for (unsigned k = 0; k < 12000; ++k) {
    const std::vector<std::string> texts = originals();
    const std::string text = mutated(texts[k % texts.size()], words, rng);
    CompileOptions options;
    options.arch = static_cast<isa::Arch>(k / 2 % 4);
    std::vector<Diagnostic> warnings;
    try {
      lower_ptx(text, "m.ptx", options, warnings);
      ++compiled;
    } catch (const SourceError& error) {
      ++refused;
      EXPECT_EQ(std::string(error.what()).rfind("m.ptx:", 0), 0u) << error.what();
    } catch (const std::exception& error) {
      FAIL() << "seed " << kMutationSeed << ", text " << k << ": " << error.what() << "\n" << text;
    }
  }
  EXPECT_GT(refused, 1000u);  // most mutations break something
  EXPECT_GT(compiled, 20u);   // and some do not
}

TEST(PtxMutations, DeepNestingAndLongListsAreRefusedInTime) {
  const std::string head = ".version 3.2\n.target sm_20\n";
  const auto repeat = [](const std::string& s, unsigned n) {
    std::string out;
    for (unsigned k = 0; k < n; ++k) out += s;
    return out;
  };
  for (const std::string& text :
       {head + ".entry k() " + repeat("{", 100000), head + ".global .u32 x = " + repeat("(", 100000),
        head + ".global .u32 x = " + repeat("-", 100000) + "1;", head + ".global .u32 x[4] = " + repeat("{", 100000),
        head + ".entry k() { .reg .u32 %r<4294967295>; ret; }", head + ".entry k() { mov.u32 " + repeat("{", 100000),
        head + ".global .b8 x[268435456][268435456];",
        head + ".func f() { call f; ret; } .entry k() { call f; ret; }"}) {
    std::vector<Diagnostic> warnings;
    EXPECT_THROW(lower_ptx(text, "deep.ptx", {}, warnings), SourceError) << text.substr(0, 80);
  }
}

TEST(PtxMutations, ManyBlocksDoNotExhaustTheStack) {
  std::string text =
      ".version 1.4\n.target sm_10\n.entry k(.param .u32 p)\n{ .reg .u32 %r<4>; .reg .pred %p; ld.param.u32 %r1, [p]; "
      "mov.u32 %r2, 0;\n";
  for (int k = 0; k < 1500; ++k) {
    const std::string n = std::to_string(k);
    text += "setp.eq.u32 %p, %r1, " + n + "; @%p bra L" + n + "; st.global.u32 [%r1+" + n +
            "], %r2; add.u32 %r2, %r2, " + n + "; L" + n + ":\n";
  }
  std::vector<Diagnostic> warnings;
  EXPECT_EQ(lower_ptx(text + "st.global.u32 [%r1], %r2; exit; }", "long.ptx", {}, warnings).kernels.size(), 1u);
}

}  // namespace
}  // namespace g80
