// SPDX-License-Identifier: Apache-2.0
// Memory instructions, variables, calls and control flow of PTX, in the styles of the compilers that write it.
#include <numeric>

#include "tests/compiler/ptx_cases.h"
#include "toolchain/compiler/ptx/lower_ptx.h"

namespace g80 {
namespace {

using u64 = std::uint64_t;
using u32 = std::uint32_t;

TEST(PtxMemory, LoadsAndStoresOfEverySize) {
  const Inputs inputs = integer_inputs(7);
  SCOPED_TRACE("seed 7");
  run_cases(
      {
          {"ld.global.u8 %r0, [%in+3];", 'r', [](u64 a, u64, u64) { return a >> 24 & 255; }},
          {"ld.global.s8 %r0, [%in+1];", 'r',
           [](u64 a, u64, u64) -> u64 { return static_cast<u32>(static_cast<std::int8_t>(a >> 8)); }},
          {"ld.global.u16 %r0, [%in+10];", 'r', [](u64, u64 b, u64) { return b >> 16 & 0xffff; }},
          {"ld.global.s16 %d0, [%in+8];", 'd',
           [](u64, u64 b, u64) { return static_cast<u64>(static_cast<std::int64_t>(static_cast<std::int16_t>(b))); }},
          {"ld.global.s32 %d0, [%in+8];", 'd',
           [](u64, u64 b, u64) { return static_cast<u64>(static_cast<std::int64_t>(static_cast<std::int32_t>(b))); }},
          {"ld.volatile.global.b32 %f0, [%in+4];", 'f', [](u64 a, u64, u64) { return a >> 32; }},
          {"ld.global.v2.u32 {%r1, %r0}, [%in+8];", 'r', [](u64, u64 b, u64) { return b >> 32; }},
          {"ld.global.v2.u8 {%r1, %r0}, [%in+2];", 'r', [](u64 a, u64, u64) { return a >> 24 & 255; }},
          {"ld.global.v4.s8 {%r1, _, %r2, %r0}, [%in+4];", 'r',
           [](u64 a, u64, u64) -> u64 { return static_cast<u32>(static_cast<std::int8_t>(a >> 56)); }},
          {"ld.global.v4.u16 {%s1, %s2, %s0, _}, [%in+8];", 's', [](u64, u64 b, u64) { return b >> 32 & 0xffff; }},
          {"ld.global.v2.u16 {%s1, %s0}, [%in];", 's', [](u64 a, u64, u64) { return a >> 16 & 0xffff; }},
          {"st.global.u8 [%out], %rb; st.global.u8 [%out+7], %ra; ld.global.u64 %d0, [%out]; and.b64 %d0, %d0, "
           "0xff000000000000ff;",
           'd', [](u64 a, u64 b, u64) { return (b & 255) | a << 56; }},
          {"st.global.v2.u8 [%out], {%ra, %rb}; ld.global.u16 %r0, [%out];", 'r',
           [](u64 a, u64 b, u64) { return (a & 255) | (b & 255) << 8; }},
          {"st.global.v4.u16 [%out], {%sa, %sb, %sc, 7}; ld.global.u64 %d0, [%out];", 'd',
           [](u64 a, u64 b, u64 c) { return (a & 0xffff) | (b & 0xffff) << 16 | (c & 0xffff) << 32 | u64{7} << 48; }},
          {"st.global.v2.f32 [%out], {%fa, %fb}; ld.global.u64 %d0, [%out];", 'd',
           [](u64 a, u64 b, u64) { return (a & 0xffffffff) | b << 32; }},
          {"st.global.f64 [%out], %gb; ld.global.u64 %d0, [%out];", 'd', [](u64, u64 b, u64) { return b; }},
          {"mul.lo.u32 %r1, %t, 4; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2; st.shared.u32 [%r1+16], %ra; ld.shared.u8 "
           "%r0, [%r1+18];",
           'r', [](u64 a, u64, u64) { return a >> 16 & 255; }},
          {"mov.u64 %d1, tile; cvta.shared.u64 %d1, %d1; mul.wide.u32 %d2, %t, 8; add.u64 %d1, %d1, %d2; st.u64 [%d1], "
           "%da; ld.v2.u32 {%r1, %r0}, [%d1];",
           'r', [](u64 a, u64, u64) { return a >> 32; }},
          {"and.b32 %r1, %ra, 3; mul.wide.u32 %d1, %r1, 4; mov.u64 %d2, table; add.u64 %d2, %d2, %d1; ld.const.u32 "
           "%r0, [%d2];",
           'r', [](u64 a, u64, u64) { return 11 * (1 + (a & 3)); }},
          {"ld.const.f32 %f0, [table2+4];", 'f', [](u64, u64, u64) -> u64 { return 0x40200000; }},
          {"ld.const.u8 %r0, [text+2];", 'r', [](u64, u64, u64) -> u64 { return 'c'; }},
          {"ld.global.s32 %r0, [counter];", 'r', [](u64, u64, u64) -> u64 { return static_cast<u32>(-5); }},
          {"mov.u64 %d1, counter; add.u64 %d1, %d1, 4; ld.global.u16 %r0, [%d1];", 'r',
           [](u64, u64, u64) -> u64 { return 0x1234; }},
          {".local .align 8 .b8 frame[64]; and.b32 %r1, %ra, 7; mul.wide.u32 %d1, %r1, 8; mov.u64 %d2, frame; add.u64 "
           "%d2, %d2, %d1;"
           "st.local.u64 [%d2], %db; st.local.u32 [frame], %rc; ld.local.u64 %d0, [%d2];",
           'd', [](u64 a, u64 b, u64 c) { return (a & 7) == 0 ? (b & ~u64{0xffffffff}) | (c & 0xffffffff) : b; }},
          {".local .align 8 .b8 frame[16]; st.local.u64 [frame], %da; st.local.u16 [frame+2], %rb; st.local.u8 "
           "[frame+7], %rc; ld.local.u64 %d0, [frame];",
           'd', [](u64 a, u64 b, u64 c) { return (a & 0x00ffffff0000ffffu) | (b & 0xffff) << 16 | (c & 255) << 56; }},
      },
      inputs, same_bits, PtxProgram::sm13(),
      ".shared .align 8 .b8 tile[1024];\n.const .align 4 .u32 table[4] = {11, 22, 0x21, 40+4};\n.const .f32 table2[2] "
      "= {1.0, 2.5};\n"
      ".const .b8 text[4] = {97, 98, 99, 100};\n.global .align 4 .b8 counter[8] = {0xfb, 0xff, 0xff, 0xff, 0x34, "
      "0x12};\n" +
          std::string());
}

TEST(PtxMemory, AtomicsReturnTheOldValue) {
  const std::string text =
      ".version 3.2\n.target sm_20\n.address_size 64\n.entry k(.param .u64 p)\n{ .reg .u64 %d<4>; .reg .u32 %r<12>; "
      ".reg .pred %q;\n"
      "ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x; add.u32 %r1, %r0, 1;\n"
      "atom.global.add.u32 %r2, [%d0], %r1;\nred.global.max.s32 [%d0+4], %r0;\natom.global.inc.u32 %r3, [%d0+8], 9;\n"
      "red.global.xor.b32 [%d0+12], %r1;\natom.global.exch.b32 %r4, [%d0+16], 77;\natom.global.cas.b32 %r5, [%d0+20], "
      "5, 6;\n"
      "atom.global.add.u64 %d1, [%d0+24], 0x100000001;\nred.global.min.u32 [%d0+32], %r1; red.global.dec.u32 [%d0+36], "
      "2; red.global.and.b32 [%d0+40], %r1;"
      "red.global.or.b32 [%d0+44], %r1;\nret; }\n";
  PtxProgram program(text);
  const std::uint32_t at = program.upload(std::vector<u32>{100, 3, 0, 0, 1, 5, 0, 0, 1000, 0, 0xffffffff, 0});
  program.run("k", 1, 32, {at, 0});
  const std::vector<u32> v = program.download<u32>(at, 12);
  u32 all_xor = 0, all_or = 0, all_and = ~0u;
  for (u32 k = 1; k <= 32; ++k) all_xor ^= k, all_or |= k, all_and &= k;
  EXPECT_EQ(v, (std::vector<u32>{100 + 32 * 33 / 2, 31, 32 % 10, all_xor, 77, 6, 32, 32, 1, 1, all_and, all_or}));
}

TEST(PtxControl, LoopsBranchesAndGuards) {
  const Inputs inputs = integer_inputs(9);
  SCOPED_TRACE("seed 9");
  const auto collatz = [](u64 a, u64, u64) -> u64 {
    u32 n = (a & 0xff) + 1, steps = 0;
    for (; n != 1; ++steps) n = n & 1 ? 3 * n + 1 : n / 2;
    return steps;
  };
  run_cases(
      {
          {"and.b32 %r1, %ra, 255; add.u32 %r1, %r1, 1; mov.u32 %r0, 0;\nLOOP: setp.eq.u32 %p1, %r1, 1; @%p1 bra DONE; "
           "and.b32 %r2, %r1, 1;\n"
           "setp.ne.u32 %p2, %r2, 0; @!%p2 bra EVEN; mad.lo.u32 %r1, %r1, 3, 1; bra.uni NEXT;\nEVEN: shr.u32 %r1, %r1, "
           "1;\nNEXT: add.u32 %r0, %r0, 1; bra LOOP;\nDONE:",
           'r', collatz},
          {"mov.u32 %r0, 5; { .reg .u32 %r0; mov.u32 %r0, 7; } add.u32 %r0, %r0, 1;", 'r',
           [](u64, u64, u64) -> u64 { return 6; }},
          {"{ L: add.u32 %r0, %ra, 1; } { @%pa bra L; add.u32 %r0, %r0, 2; L: }", 'r',
           [](u64 a, u64, u64) -> u64 { return static_cast<u32>(a + (a & 1 ? 1 : 3)); }},
          {"mov.u64 %d0, 3; @%pa ld.global.u64 %d0, [%in+8]; @!%pb st.global.u64 [%out], %d0;", 'd',
           [](u64 a, u64 b, u64) { return a & 1 ? b : 3; }},
          {"call (%r0), triple, (%ra);", 'r', [](u64 a, u64, u64) -> u64 { return static_cast<u32>(3 * a); }},
          {"{ .param .b64 x; .param .b32 y; st.param.u64 [x], %da; call.uni (y), folded, (x); ld.param.b32 %r0, [y]; }",
           'r', [](u64 a, u64, u64) -> u64 { return static_cast<u32>(a ^ a >> 32); }},
          {"{ .param .align 8 .b8 x[16]; .param .b64 y; st.param.b64 [x], %da; st.param.b32 [x+8], %rb; call (y), "
           "member, (x); ld.param.b64 %d0, [y]; }",
           'd', [](u64 a, u64 b, u64) { return a + (b & 0xffffffff); }},
          {"@%pa call (%r0), early, (%rb); @!%pa mov.u32 %r0, 1;", 'r',
           [](u64 a, u64 b, u64) -> u64 {
             return !(a & 1) ? 1 : static_cast<std::int32_t>(b) < 0 ? 0 : static_cast<u32>(b) / 2;
           }},
      },
      inputs, same_bits, PtxProgram::sm13(),
      ".func (.reg .u32 %v) triple (.reg .u32 %x) { mul.lo.u32 %v, %x, 3; ret; }\n"
      ".func (.param .b32 result) folded (.param .b64 value)\n{ .reg .b32 %r<4>; .reg .b64 %d; ld.param.b64 %d, "
      "[value]; mov.b64 {%r1,%r2}, %d; xor.b32 %r3, %r1, %r2;\n"
      "st.param.b32 [result+0], %r3; ret; }\n"
      ".func (.param .b64 result) member (.param .align 8 .b8 value[16])\n{ .reg .b64 %d<4>; mov.b64 %d1, value; "
      "ld.param.b64 %d2, [%d1]; ld.param.u32 %d3, [value+8];\n"
      "add.u64 %d2, %d2, %d3; st.param.b64 [result], %d2; ret; }\n"
      ".func (.reg .u32 %v) early (.reg .s32 %x) { .reg .pred %p; mov.u32 %v, 0; setp.lt.s32 %p, %x, 0; @%p ret; "
      "shr.u32 %v, %x, 1; ret; }\n");
}

/// The style of nvcc 1.x and 2.x: registers by type, %ctaid in 16 bits, parameters without .address_size, labels with
/// $.
TEST(PtxStyles, OldNvcc) {
  const std::string text = R"(
	.version 1.4
	.target sm_10, map_f64_to_f32
	// compiled with an old compiler
	.file	1	"<command-line>"
	.file	28	"scale.cu"

	.const .align 4 .b8 factors[8] = {0,0,0,64,0,0,64,64};
	.extern .shared .align 4 .b8 dynamic[];

	.entry _Z5scalePfi (
		.param .u64 __cudaparm__Z5scalePfi_data,
		.param .s32 __cudaparm__Z5scalePfi_n)
	{
	.reg .u16 %rh<4>;
	.reg .u32 %r<9>;
	.reg .u64 %rd<8>;
	.reg .f32 %f<5>;
	.reg .pred %p<4>;
	.shared .align 4 .b8 __cuda_local_var_1[256];
	.loc	28	3	0
$LBB1__Z5scalePfi:
	mov.u16 	%rh1, %ctaid.x;
	mov.u16 	%rh2, %ntid.x;
	mul.wide.u16 	%r1, %rh1, %rh2;
	cvt.u32.u16 	%r2, %tid.x;
	add.u32 	%r3, %r2, %r1;
	ld.param.s32 	%r4, [__cudaparm__Z5scalePfi_n];
	setp.le.s32 	%p1, %r4, %r3;
	@%p1 bra 	$Lt_0_1026;
	.loc	28	6	0
	cvt.s64.s32 	%rd1, %r3;
	mul.lo.u64 	%rd2, %rd1, 4;
	ld.param.u64 	%rd3, [__cudaparm__Z5scalePfi_data];
	add.u64 	%rd4, %rd3, %rd2;
	ld.global.f32 	%f1, [%rd4+0];
	mov.u64 	%rd5, __cuda_local_var_1;
	cvt.u64.u16 	%rd6, %tid.x;
	mul.lo.u64 	%rd6, %rd6, 4;
	add.u64 	%rd7, %rd5, %rd6;
	st.shared.f32 	[%rd7+0], %f1;
	bar.sync 	0;
	ld.shared.f32 	%f2, [%rd7+0];
	ld.const.f32 	%f3, [factors+4];
	mad.f32 	%f4, %f2, %f3, %f1;
	div.full.f32 	%f4, %f4, 0f40000000;    	// 2
	st.global.f32 	[%rd4+0], %f4;
$Lt_0_1026:
	.loc	28	7	0
	exit;
$LDWend__Z5scalePfi:
	} // _Z5scalePfi
)";
  CompileOptions options;
  PtxProgram program(text, options);
  std::vector<float> data(100);
  std::iota(data.begin(), data.end(), 1.0f);
  const std::uint32_t at = program.upload(data);
  program.run("scale", 2, 64, {at, 0, 90});
  const std::vector<float> result = program.download<float>(at, 100);
  for (int k = 0; k < 100; ++k) EXPECT_EQ(result[k], k < 90 ? data[k] * 2 : data[k]) << k;
  // Every instruction knows its line of scale.cu.
  const CompileResult& compiled = program.result();
  bool has_line_6 = false;
  for (const ir::Location& location : compiled.kernels[0].lines)
    has_line_6 |= location.line == 6 && compiled.files[location.file] == "scale.cu";
  EXPECT_TRUE(has_line_6);
}

/// Parameters inside the body and bare .func registers, as PTX 1.0 had them; dynamic shared memory.
TEST(PtxStyles, TheFirstVersion) {
  const std::string text = R"(
.version 1.0
.target sm_10
.extern .shared .b32 buffer[];
.func (.reg .u32 $result) twice (.reg .u32 $x) { add.u32 $result, $x, $x; ret; }
.entry reverse {
  .reg .u32 $r1, $r2, $r3, $r4, $n;
  .param .u32 __out;
  cvt.u32.u16 $r1, %tid.x;
  cvt.u32.u16 $n, %ntid.x;
  call ($r2), twice, ($r1);
  shl.b32 $r3, $r1, 2;
  mov.u32 $r4, buffer;
  add.u32 $r4, $r4, $r3;
  st.shared.u32 [$r4], $r2;
  bar.sync 0;
  sub.u32 $n, $n, 1;
  sub.u32 $n, $n, $r1;
  shl.b32 $n, $n, 2;
  mov.u32 $r4, buffer;
  add.u32 $r4, $r4, $n;
  ld.shared.u32 $r2, [$r4];
  ld.param.u32 $r1, [__out];
  add.u32 $r1, $r1, $r3;
  st.global.u32 [$r1], $r2;
  exit;
}
)";
  CompileOptions options;
  PtxProgram program(text, options);
  const std::uint32_t out = program.upload(std::vector<u32>(64));
  program.run("reverse", 1, 64, {out}, 256);
  const std::vector<u32> result = program.download<u32>(out, 64);
  for (u32 k = 0; k < 64; ++k) EXPECT_EQ(result[k], 2 * (63 - k));
}

/// As compilers write it that choose the width of an access by a parameter.
TEST(PtxStyles, BracesAroundOneOperandMeanTheOperand) {
  const std::string text = R"(
.version 3.2
.target sm_20
.entry k (.param .u32 io) {
  .reg .u32 %r<6>;
  .reg .pred %p<2>;
  ld.param.u32 {%r0}, [io];
  mov.pred %p1, -1;
  @%p1 ld.global.b32 { %r1 }, [ %r0 + 0 ];
  mov.b32 {%r2}, {%r1};
  add.u32 %r2, { %r2 }, { 5 };
  @%p1 st.global.b32 [ %r0 + 4 ], { %r2 };
  ret;
}
)";
  PtxProgram program(text);
  const std::uint32_t io = program.upload(std::vector<u32>{37, 0});
  program.run("k", 1, 1, {io});
  EXPECT_EQ(program.download<u32>(io, 2)[1], 42u);
}

/// `p` is none of the registers of `p<4>`, and WARP_SZ is a constant wherever one may stand.
TEST(PtxStyles, NamesBesideRangesAndTheNameOfTheWarpSize) {
  const std::string text = R"(
.version 1.4
.target sm_10
.const .u32 numbers[WARP_SZ / 8] = { WARP_SZ, 2 * WARP_SZ, -WARP_SZ, (WARP_SZ > 16) ? 7 : 9 };
.entry k (.param .u32 out) {
  .reg .u32 r, r<6>;
  .reg .pred p<2>, p;
  ld.param.u32 r0, [out];
  ld.const.u32 r, [numbers];
  st.global.u32 [r0], r;
  ld.const.u32 r1, [numbers+4];
  ld.const.u32 r2, [numbers+8];
  ld.const.u32 r3, [numbers+12];
  setp.eq.u32 p, r, WARP_SZ;
  setp.eq.u32 p1, r1, WARP_SZ;
  @p add.u32 r1, r1, 100;
  @p1 add.u32 r1, r1, 1000;
  st.global.v2.u32 [r0+WARP_SZ/2+8], {r1, r2};
  st.global.u32 [r0+4], r3;
  exit;
}
)";
  PtxProgram program(text, CompileOptions());
  const std::uint32_t out = program.upload(std::vector<u32>(8));
  program.run("k", 1, 1, {out});
  EXPECT_EQ(program.download<u32>(out, 8), (std::vector<u32>{32, 7, 0, 0, 0, 0, 164, static_cast<u32>(-32)}));
}

/// nvcc 2.x declared the registers of arguments and results once, outside of all functions.
TEST(PtxStyles, RegistersOfTheModule) {
  const std::string text = R"(
	.version 1.4
	.target sm_10, map_f64_to_f32
	.reg .u32 %ra<17>;
	.reg .f32 %fa<17>;
	.reg .f32 %fv<5>;
	.visible .func (.reg .f32 %fv1) square (.reg .f32 %fa1)
	{
	.reg .f32 %f<3>;
	mov.f32 	%f1, %fa1;
	mul.f32 	%fv1, %f1, %f1;
	ret;
	} // square
	.entry squares
	{
	.reg .u32 %r<4>;
	.reg .f32 %f<4>;
	.param .u32 __cudaparm_p;
	ld.param.u32 	%r1, [__cudaparm_p];
	cvt.u32.u16 	%r2, %tid.x;
	mul24.lo.u32 	%r2, %r2, 4;
	add.u32 	%r1, %r1, %r2;
 //<loop> Part of loop body line 91
	ld.global.f32 	%fa1, [%r1+0];
	call.uni 	(%fv1), square, (%fa1);
	mov.f32 	%f2, %fv1;
	st.global.f32 	[%r1+0], %f2;
	exit;
$LDWend_squares:
	} // squares
)";
  PtxProgram program(text, CompileOptions());
  std::vector<float> data(32);
  std::iota(data.begin(), data.end(), 1.0f);
  const std::uint32_t at = program.upload(data);
  program.run("squares", 1, 32, {at});
  const std::vector<float> result = program.download<float>(at, 32);
  for (int k = 0; k < 32; ++k) EXPECT_EQ(result[k], data[k] * data[k]) << k;
}

TEST(PtxStyles, ARegisterOfTheModuleIsTheSameInAllFunctions) {
  // `state` goes into `step` and comes back; `late` is declared when `step` has been read; %r1 of each function is its
  // own.
  const std::string text = R"(.version 1.4
.target sm_10
.reg .u32 state;
.func (.reg .u32 result) step (.reg .u32 count) {
  .reg .pred %p1;
  .reg .u32 %r1;
again:
  mad.lo.u32 state, state, 3, 1;
  sub.u32 count, count, 1;
  setp.ne.u32 %p1, count, 0;
  @%p1 bra again;
  mov.u32 %r1, 77;
  mov.u32 result, state;
  ret;
}
.reg .u32 late;
.func add_late { add.u32 state, state, late; ret; }
.entry k (.param .u32 out) {
  .reg .u32 %r<5>;
  cvt.u32.u16 %r1, %tid.x;
  mov.u32 state, %r1;
  call (%r2), step, (2);
  mov.u32 late, 1000;
  call add_late;
  ld.param.u32 %r3, [out];
  mad24.lo.u32 %r3, %r1, 8, %r3;
  st.global.u32 [%r3], %r2;
  st.global.u32 [%r3+4], state;
  exit;
}
)";
  PtxProgram program(text, CompileOptions());
  const std::uint32_t out = program.upload(std::vector<std::uint32_t>(64));
  program.run("k", 1, 32, {out});
  const std::vector<std::uint32_t> result = program.download<std::uint32_t>(out, 64);
  for (std::uint32_t t = 0; t < 32; ++t) {
    const std::uint32_t state = (t * 3 + 1) * 3 + 1;
    EXPECT_EQ(result[2 * t], state) << t;
    EXPECT_EQ(result[2 * t + 1], state + 1000) << t;
  }
}

TEST(PtxStyles, ConstantBanksAreOneMemory) {
  const std::string text = R"(.version 2.0
.target sm_10
.const .u32 zero[2] = {10, 11};
.const[3] .align 4 .b8 third[8] = {1, 0, 0, 0, 2, 0, 0, 0};
.entry k (.param .u32 out) {
  .reg .u32 %r<6>;
  ld.const.u32 %r1, [zero+4];
  ld.const[3].u32 %r2, [third+4];
  mov.u32 %r3, third;
  ld.const[3].u32 %r4, [%r3];
  add.u32 %r1, %r1, %r2;
  add.u32 %r1, %r1, %r4;
  ld.param.u32 %r5, [out];
  st.global.u32 [%r5], %r1;
  exit;
}
)";
  PtxProgram program(text, CompileOptions());
  const std::uint32_t out = program.upload(std::vector<std::uint32_t>(1));
  program.run("k", 1, 1, {out});
  EXPECT_EQ(program.download<std::uint32_t>(out, 1)[0], 14u);
}

TEST(PtxStyles, AnEmptyKernelRuns) {
  PtxProgram program(".version 1.4\n.target sm_10\n.entry nothing() { }\n", CompileOptions());
  program.run("nothing", 2, 32, {});
}

TEST(PtxStyles, WhatMaxntidAsksForBoundsTheRegisters) {
  const std::string text =
      ".version 1.4\n.target sm_10\n.entry k(.param .u32 p)\n.maxntid 512, 1, 1\n.maxnreg 8\n{ .reg .u32 %r<3>; "
      "ld.param.u32 %r1, [p]; st.global.u32 [%r1], 1; exit; }";
  CompileOptions options;
  std::vector<Diagnostic> warnings;
  const ir::Module module = lower_ptx(text, "k.ptx", options, warnings);
  EXPECT_EQ(module.kernels[0].max_threads, 512u);
  EXPECT_EQ(module.kernels[0].max_registers, 8u);
}

}  // namespace
}  // namespace g80
