// SPDX-License-Identifier: Apache-2.0
// What the front end refuses: file, line and reason of every message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "toolchain/compiler/compile.h"
#include "toolchain/compiler/ptx/lower_ptx.h"

namespace g80 {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A kernel whose line 10 is `line`.
std::string kernel_with(const std::string& line, const std::string& before = "") {
  return ".version 3.2\n.target sm_20\n.address_size 64\n" + before +
         "\n.entry k(.param .u64 k_p, .param .u32 k_n)\n{\n" +
         ".reg .pred %p<4>; .reg .b16 %rs<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<8>; .reg .f64 %fd<4>;\n" +
         ".shared .align 4 .b8 tile[64];\n\n" + line + "\nret;\n}\n";
}

std::string error_of(const std::string& text, isa::Arch arch = isa::Arch::kSm13) {
  CompileOptions options;
  options.arch = arch;
  std::vector<Diagnostic> warnings;
  try {
    lower_ptx(text, "k.ptx", options, warnings);
  } catch (const SourceError& error) {
    return error.what();
  }
  return "";
}

struct Refusal {
  const char* line;
  const char* reason;
};

TEST(PtxErrors, WhatLaterChipsBroughtIsRefusedWithTheChipThatBroughtIt) {
  const Refusal kRefusals[] = {
      {"vote.ballot.b32 %r1, %p1;", "vote.ballot needs sm_20"},
      {"shfl.up.b32 %r1, %r2, 1, 0;", "shfl needs sm_30"},
      {"prefetch.global.L1 [%rd1];", "prefetch needs sm_20"},
      {"ldu.global.u32 %r1, [%rd1];", "ldu needs sm_20"},
      {"brx.idx %r1, table;", "brx needs sm_20: branches through a table or a register do not exist below"},
      {"ld.global.ca.u32 %r1, [%rd1];", "needs sm_20: this chip has no cache for global memory"},
      {"ld.global.nc.u32 %r1, [%rd1];", "needs sm_35"},
      {"isspacep.shared %p1, %rd1;", "isspacep needs sm_20"},
      {"membar.sys;", "membar.sys needs sm_20"},
      {"bar.arrive 1, 64;", "bar.arrive needs sm_20"},
      {"bar.sync 0, 64;", "bar.sync with a number of threads needs sm_20"},
      {"bar.sync %r1;", "bar.sync with a barrier from a register needs sm_20"},
      {"atom.global.add.f32 %f1, [%rd1], %f2;", "needs sm_20"},
      {"atom.global.max.u64 %rd1, [%rd2], %rd3;", "needs sm_32"},
      {"shf.l.wrap.b32 %r1, %r2, %r3, %r4;", "shf needs sm_32"},
      {"tex.a2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%f1,%f2,%f3}];", "needs sm_20: there are no texture arrays"},
      {"vadd.u32.u32.u32 %r1, %r2, %r3;", "vadd needs sm_20"},
      {"mov.u32 %r1, %lanemask_lt;", "%lanemask_lt needs sm_20"},
      {"mov.u64 %rd1, %clock64;", "%clock64 needs sm_20"},
      {"mov.u32 %r1, %nsmid;", "%nsmid needs sm_20"},
  };
  for (const Refusal& refusal : kRefusals) {
    const std::string message = error_of(kernel_with(refusal.line));
    EXPECT_THAT(message, HasSubstr(refusal.reason)) << refusal.line;
    EXPECT_THAT(message, StartsWith("k.ptx:10: ")) << refusal.line;
  }
}

TEST(PtxErrors, MistakesNameLineAndReason) {
  const Refusal kRefusals[] = {
      {"frob.u32 %r1, %r2;", "PTX has no instruction 'frob'"},
      {"add.u32 %r1, %r2;", "add.u32 takes 3 operand(s), not 2"},
      {"add.u32 %r1, %r2, %r3, %r4;", "takes 3 operand(s), not 4"},
      {"add.u32 %r1, %r2, %rd3;", "register '%rd3' is .b64"},
      {"add.u32 %r1, %r2, %q3;", "register '%q3' is not declared"},
      {"add.f32 %f1, %f2, %rd3;", "register '%rd3' is .b64"},
      {"add.u32 %r1, %r2, %f3;", "register '%f3' is .f32"},
      {"add.f32 %f1, %f2, 3;", "'3' is a whole number; a floating point literal is needed"},
      {"add.u32 %r1, %r2, 0f3f800000;", "an integer is needed"},
      {"add.u32 %r1, %r2, 4294967296;", "4294967296 does not fit the 32 bits of .u32"},
      {"mov.b32 %r1, 0x100000000;", "0x100000000 does not fit the 32 bits of .b32"},
      {"mov.s32 %r1, -2147483649;", "-2147483649 does not fit the 32 bits of .s32"},
      {"st.global.u32 [%rd1], 0x1ffffffff;", "does not fit the 32 bits of .u32"},
      {"add.u16 %rs1, %rs2, 65536;", "65536 does not fit the 16 bits of .u16"},
      {"st.global.u8 [%rd1], -129;", "-129 does not fit the 8 bits of .u8"},
      {"add.b32 %r1, %r2, %r3;", "add does not exist with the type .b32"},
      {"and.u32 %r1, %r2, %r3;", "and does not exist with the type .u32"},
      {"and.lo.b32 %r1, %r2, %r3;", "'.lo' is not allowed with and"},
      {"mul.u32 %r1, %r2, %r3;", "mul.u32 needs one of lo, hi, wide"},
      {"mul.lo.hi.u32 %r1, %r2, %r3;", "only one of 'lo, hi, wide' is allowed"},
      {"mul.wide.u64 %rd1, %rd2, %rd3;", "a product has at most 64 bits"},
      {"mul.wide.u32 %r1, %r2, %r3;", "register '%r1' is .b32, which does not fit 64 bits"},
      {"setp.lo.s32 %p1, %r1, %r2;", "this comparison does not exist for .s32"},
      {"setp.lt.b32 %p1, %r1, %r2;", "this comparison does not exist for .b32"},
      {"setp.equ.s32 %p1, %r1, %r2;", "this comparison does not exist for .s32"},
      {"setp.lt.and.s32 %p1, %r1, %r2;", "a predicate to combine with"},
      {"ld.global.u32 %rs1, [%rd1];", "register '%rs1' is .b16"},
      {"ld.global.v2.u32 %r1, [%rd1];", "{} of 2 registers are needed"},
      {"ld.global.v4.u64 {%rd1,%rd2,%rd3,%rd4}, [%rd1];", "an access has at most 16 bytes"},
      {"ld.global.u32 %r1, [%f1];", "which cannot hold an address"},
      {"ld.global.u32 %r1, [nowhere];", "'nowhere' is not declared"},
      {"ld.global.u32 %r1, [tile];", "'tile' is a .shared variable and cannot be accessed as .global"},
      {"st.param.u32 [k_n], %r1;", "the parameters of a kernel cannot be written"},
      {"st.const.u32 [%rd1], %r1;", "constant memory cannot be written"},
      {"bra nowhere;", "there is no label 'nowhere'"},
      {"bra %r1;", "branches through a register need sm_20"},
      {"@%r1 ret;", "'%r1' is not a predicate register"},
      {"bar.sync 16;", "barrier 16 does not exist"},
      {"call nothing, (%r1);", "function 'nothing' is not declared"},
      {"call (%r1), %rd1, (%r2);", "function pointer"},
      {"mov.u64 %rd1, nothing;", "'nothing' is not declared"},
      {"rcp.f32 %f1, %f2;", "needs .approx or a rounding since PTX 1.4"},
      {"red.global.exch.b32 [%rd1], %r1;", "red does not exist with .cas and .exch"},
      {"atom.global.cas.b32 %r1, [%rd1], %r2;", "wrong number of operands"},
      {"mov.u32 %r1, 0x;", "'0x' is not a number"},
      {"mov.f32 %f1, 0f12;", "hexadecimal digits"},
      {"mov.u32 %r1, `;", "'`' is not part of PTX"},
      {"mov.u32 %r1, 1", "expected ';'"},
      {".reg .u32 %r9; .reg .u32 %r9;", "'%r9' is declared twice"},
      {".reg .u32 %q, %q<4>; .reg .u32 %q<2>;", "'%q' is declared twice"},
      {"x: x: ret;", "label 'x' is defined twice"},
  };
  for (const Refusal& refusal : kRefusals) {
    const std::string message = error_of(kernel_with(refusal.line));
    EXPECT_THAT(message, HasSubstr(refusal.reason)) << refusal.line;
    if (std::string(refusal.line).back() == ';') {
      EXPECT_THAT(message, StartsWith("k.ptx:10: ")) << refusal.line;
    }
  }
}

TEST(PtxErrors, WhatTheChosenChipLacksIsRefusedForItOnly) {
  const struct {
    const char* line;
    isa::Arch first;
  } kFeatures[] = {
      {"red.global.add.u32 [%rd1], %r1;", isa::Arch::kSm11},
      {"atom.global.add.u64 %rd1, [%rd2], %rd3;", isa::Arch::kSm12},
      {"vote.any.pred %p1, %p2;", isa::Arch::kSm12},
  };
  for (const auto& feature : kFeatures) {
    for (int level = 0; level < 4; ++level) {
      const auto arch = static_cast<isa::Arch>(level);
      const std::string message = error_of(kernel_with(feature.line), arch);
      if (arch < feature.first) {
        EXPECT_THAT(message, HasSubstr(std::string(isa::arch_name(feature.first)))) << feature.line;
      } else {
        EXPECT_EQ(message, "") << feature.line;
      }
    }
  }
}

TEST(PtxErrors, CallsThatCannotBeInlinedAreRefused) {
  const std::string recursive =
      ".func (.reg .u32 %v) f (.reg .u32 %a) { .reg .u32 %t; call (%t), f, (%a); mov.u32 %v, %t; ret; }";
  EXPECT_THAT(error_of(kernel_with("call (%r1), f, (%r2);", recursive)),
              HasSubstr("k.ptx:4: 'f' calls itself; recursion needs sm_20"));
  const std::string external = ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);";
  EXPECT_THAT(error_of(kernel_with("call (%r1), vprintf, (%rd1, %rd2);", external)),
              HasSubstr("function 'vprintf' has no body"));
  const std::string one = ".func f (.reg .u32 %a) { ret; }";
  EXPECT_THAT(error_of(kernel_with("call f, (%r1, %r2);", one)),
              HasSubstr("'f' has 0 result(s) and 1 parameter(s), but this call has 0 and 2"));
}

TEST(PtxErrors, ANewerTextCompilesWithAWarningAndWhatItAddsIsRefused) {
  // As nvcc 13 writes it, which has no older chip than sm_75.
  const auto text = [](const std::string& body) {
    return ".version 9.0\n.target sm_75\n.address_size 64\n.visible .entry k(\n.param .u64 .ptr .align 1 "
           "k_param_0\n)\n.reqntid 32, 1, 1\n{\n"
           ".reg .b32 %r<5>; .reg .b64 %rd<5>;\n" +
           body + "\nret;\n}\n";
  };
  std::vector<Diagnostic> warnings;
  lower_ptx(text("ld.param.b64 %rd1, [k_param_0]; cvta.to.global.u64 %rd2, %rd1; mov.u32 %r1, %tid.x; mul.wide.u32 "
                 "%rd3, %r1, 4;"
                 "add.s64 %rd4, %rd2, %rd3; st.global.b32 [%rd4], %r1;"),
            "k.ptx", CompileOptions(), warnings);
  // clang-format off
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].message, "k.ptx:1: PTX ISA 9.0 for sm_75 is newer than 3.2; its new features are errors");
  EXPECT_THAT(error_of(text("ld.global.nc.b32 %r1, [%rd1];")), HasSubstr("k.ptx:10: ld.global.nc needs sm_35"));
  EXPECT_THAT(error_of(text("shfl.sync.down.b32 %r1, %r2, 1, 31, -1;")), HasSubstr("k.ptx:10: shfl needs sm_30"));
  EXPECT_THAT(error_of(text("barrier.sync 0;")), HasSubstr("k.ptx:10: barrier needs sm_30"));
  EXPECT_THAT(error_of(text("activemask.b32 %r1;")), HasSubstr("k.ptx:10: activemask needs sm_30"));
  EXPECT_THAT(error_of(text(".reg .f64 %fd<3>; rcp.approx.ftz.f64 %fd1, %fd2;")), HasSubstr("k.ptx:10: rcp.approx.ftz.f64 needs sm_20"));
  EXPECT_THAT(error_of(text("lop3.b32 %r1, %r2, %r3, %r4, 0x96;")), HasSubstr("k.ptx:10: lop3 needs sm_50"));
  // clang-format on
}

TEST(PtxErrors, AnExternConstantBankIsRefused) {
  EXPECT_THAT(error_of(kernel_with("mov.u32 %r1, 0;", ".extern .const[2] .b8 bank[];")),
              HasSubstr("k.ptx:4: an OpenCL driver fills .extern constant banks"));
  EXPECT_THAT(error_of(kernel_with("mov.u32 %r1, 0;", ".const[11] .b8 bank[4];")), HasSubstr("at most 10 is possible"));
}

TEST(PtxErrors, AnUnknownPointerIsAssumedGlobalWithAWarning) {
  CompileOptions options;
  options.arch = isa::Arch::kSm13;
  std::vector<Diagnostic> warnings;
  lower_ptx(kernel_with("ld.param.u64 %rd1, [k_p]; ld.global.u64 %rd2, [%rd1]; st.u32 [%rd2], 1;"), "k.ptx", options,
            warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].message, "k.ptx:10: the memory space of this pointer is unknown; assuming global memory");
}

TEST(PtxErrors, BoundsThatNoLaunchCanKeepAreRefused) {
  const auto error_with = [](const std::string& bounds) {
    return error_of(".version 1.4\n.target sm_10\n.entry k()\n" + bounds + "\n{ exit; }\n");
  };
  for (const char* fine : {".maxntid 512", ".maxntid 8, 8, 8", ".reqntid 1, 1, 64", ".minnctapersm 1",
                           ".maxnctapersm 8", ".maxnreg 124"}) {
    EXPECT_EQ(error_with(fine), "") << fine;
  }
  for (const char* large : {".maxntid 513", ".maxntid 2000", ".maxntid 16, 33", ".reqntid 1024, 1, 1",
                            ".maxntid 1, 1, 1, 1", ".maxntid 65536, 65536, 65536"}) {
    EXPECT_EQ(error_with(large), "k.ptx:4: a block has at most 512 threads in three dimensions") << large;
  }
  for (const char* twice : {".maxntid 64 .maxntid 64", ".reqntid 64 .maxntid 64", ".maxntid 64 .reqntid 32"})
    EXPECT_EQ(error_with(twice), "k.ptx:4: the threads of a block are given twice") << twice;
  EXPECT_EQ(error_with(".minnctapersm 2 .maxnctapersm 2"), "k.ptx:4: the number of blocks is given twice");
  for (const char* none :
       {".maxntid 0", ".maxntid 16, 0", ".reqntid 0", ".minnctapersm 0", ".maxnctapersm 0", ".maxnreg 0"}) {
    EXPECT_THAT(error_with(none), HasSubstr(" is 0; it must be at least 1")) << none;
  }
}

TEST(PtxErrors, ParametersBeyondTheLaunchHeaderAreRefused) {
  EXPECT_THAT(error_of(".version 1.4\n.target sm_10\n.entry k(.param .align 4 .b8 big[260]) { exit; }\n"),
              HasSubstr("at most 256"));
}

TEST(PtxErrors, TextsThatAreNotPtxAreRefused) {
  for (const char* text : {"", "hello", ".entry k { exit; }", ".version 3.2", ".version x", "\177ELF",
                           ".version 3.2\n.target sm_20\n.entry k(", ".version 3.2 .target sm_20 .entry k { ret;",
                           "/* never closed", ".version 1.4\n.target sm_10\n.section .debug {"})
    EXPECT_NE(error_of(text) + (std::string(text) == ".version 3.2" ? "-" : ""), "") << text;
}

TEST(PtxErrors, NumbersAreShownAsTheyAreWritten) {
  const auto error = [](const std::string& statement) { return error_of(kernel_with(statement)); };
  EXPECT_THAT(error("bar.sync -5;"), HasSubstr("barrier -5 does not exist: there are 0 to 15"));
  EXPECT_THAT(error("bar.sync 18446744073709551615;"), HasSubstr("barrier 18446744073709551615 does not exist"));
  EXPECT_THAT(error("pmevent -1;"), HasSubstr("event -1 does not exist"));
}

TEST(PtxErrors, InitialValuesFitTheirElements) {
  const auto error = [](const std::string& variables) { return error_of(kernel_with("mov.u32 %r1, 0;", variables)); };
  EXPECT_EQ(error(".global .u32 a[3] = {4294967295, -1, 0f3f800000}; .const .b8 b[3] = {255, -128, ~0};"
                  ".global .s16 c = -32768; .global .u16 d = 65535; .global .b64 e = 0xffffffffffffffff;"
                  ".global .f32 f = 4294967296; .global .b64 g = 1.5;"),
            "");
  const Refusal kRefusals[] = {
      {".global .u32 a = 4294967296;", "4294967296 does not fit the 32 bits of .u32"},
      {".const .b32 a[2] = {0, 0x123456789};", "0x123456789 does not fit the 32 bits of .b32"},
      {".global .s32 a = -2147483649;", "-2147483649 does not fit the 32 bits of .s32"},
      {".global .u32 a = 0xffffffff + 1;", "4294967296 does not fit the 32 bits of .u32"},
      {".global .u16 a = 65536;", "65536 does not fit the 16 bits of .u16"},
      {".global .s16 a[2][2] = {{0, 0}, {0, -32769}};", "-32769 does not fit the 16 bits of .s16"},
      {".const .b8 a[3] = {0, 256, 0};", "256 does not fit the 8 bits of .b8"},
      {".global .u16 a = 1.5;", "1.5 does not fit the 16 bits of .u16"},
      {".global .f16 a = 1.5;", "1.5 does not fit the 16 bits of .f16"},
  };
  for (const Refusal& refusal : kRefusals)
    EXPECT_EQ(error(refusal.line), std::string("k.ptx:4: ") + refusal.reason) << refusal.line;
}

TEST(PtxErrors, AddressesInInitialValuesAreOfGlobalVariables) {
  const auto error = [](const std::string& variables) { return error_of(kernel_with("mov.u32 %r1, 0;", variables)); };
  EXPECT_EQ(error(".global .u32 x; .global .u64 p = x; .const .u64 q[2] = {x+4, generic(x)};"), "");
  EXPECT_EQ(error(".global .u64 a[2] = {1, b}; .global .u64 b[2] = {2, a};"), "")
      << "variables may point to each other";
  // clang-format off
  EXPECT_THAT(error(".const .u32 c; .global .u64 p = c;"), HasSubstr("k.ptx:4: 'p' is initialised with the address of 'c', which is in .const memory"));
  EXPECT_THAT(error(".global .u64 p = nothing;"), HasSubstr("'nothing', which is no variable of this file"));
  EXPECT_THAT(error_of(".version 1.4\n.target sm_10\n.global .u64 p = s;\n.entry k { .shared .u32 s; exit; }\n"), HasSubstr("k.ptx:3: 'p' is initialised with the address of 's', which is a variable of a kernel or function"));
  EXPECT_THAT(error(".tex .u64 t; .global .u64 p = t;"), HasSubstr("'t', which is a texture and has none"));
  // clang-format on
}

}  // namespace
}  // namespace g80
