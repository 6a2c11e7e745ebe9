// SPDX-License-Identifier: Apache-2.0
// Logic, shifts, comparisons, choices and conversions of PTX against the host.
#include <algorithm>
#include <cmath>

#include "tests/compiler/ptx_cases.h"

namespace g80 {
namespace {

void expect_logic(const std::vector<PtxCase>& cases) { expect_cases(cases, 20070615); }

TEST(PtxLogic, BitwiseOperations) {
  expect_logic({
      {"and.b32 %r0, %ra, %rb;", 'r', [](u64 a, u64 b, u64) -> u64 { return U(a & b); }},
      {"or.b16 %s0, %sa, %sb;", 's', [](u64 a, u64 b, u64) { return half(s64(a | b)); }},
      {"xor.b64 %d0, %da, %db;", 'd', [](u64 a, u64 b, u64) { return a ^ b; }},
      {"not.b32 %r0, %ra;", 'r', [](u64 a, u64, u64) -> u64 { return U(~a); }},
      {"not.b16 %s0, %sa;", 's', [](u64 a, u64, u64) { return half(s64(~a)); }},
      {"not.b64 %d0, %da;", 'd', [](u64 a, u64, u64) { return ~a; }},
      {"cnot.b32 %r0, %ra;", 'r', [](u64 a, u64, u64) -> u64 { return U(a) == 0; }},
      {"cnot.b16 %s0, %sa;", 's', [](u64 a, u64, u64) -> u64 { return UH(a) == 0; }},
      {"cnot.b64 %d0, %da;", 'd', [](u64 a, u64, u64) -> u64 { return a == 0; }},
      {"and.pred %p0, %pa, %pb;", 'p', [](u64 a, u64 b, u64) { return a & b & 1; }},
      {"or.pred %p0, %pa, %pb;", 'p', [](u64 a, u64 b, u64) { return (a | b) & 1; }},
      {"xor.pred %p0, %pa, %pb;", 'p', [](u64 a, u64 b, u64) { return (a ^ b) & 1; }},
      {"xor.pred %p0, %pa, -1;", 'p', [](u64 a, u64, u64) { return ~a & 1; }},
      {"not.pred %p0, %pa;", 'p', [](u64 a, u64, u64) { return ~a & 1; }},
      {"mov.pred %p0, %pb;", 'p', [](u64, u64 b, u64) { return b & 1; }},
  });
}

TEST(PtxLogic, ShiftsByAnyCount) {
  const auto n = [](u64 b) { return std::min<u64>(U(b), 200); };
  expect_logic({
      {"shl.b32 %r0, %ra, %rb;", 'r', [n](u64 a, u64 b, u64) -> u64 { return n(b) > 31 ? 0 : U(U(a) << n(b)); }},
      {"shl.b16 %s0, %sa, %rb;", 's',
       [n](u64 a, u64 b, u64) -> u64 { return n(b) > 15 ? 0 : half(s64(UH(a)) << n(b)); }},
      {"shl.b64 %d0, %da, %rb;", 'd', [n](u64 a, u64 b, u64) -> u64 { return n(b) > 63 ? 0 : a << n(b); }},
      {"shr.u32 %r0, %ra, %rb;", 'r', [n](u64 a, u64 b, u64) -> u64 { return n(b) > 31 ? 0 : U(a) >> n(b); }},
      {"shr.s32 %r0, %ra, %rb;", 'r', [n](u64 a, u64 b, u64) { return word(S(a) >> std::min<u64>(n(b), 31)); }},
      {"shr.b32 %r0, %ra, %rb;", 'r', [n](u64 a, u64 b, u64) -> u64 { return n(b) > 31 ? 0 : U(a) >> n(b); }},
      {"shr.u16 %s0, %sa, %rb;", 's', [n](u64 a, u64 b, u64) -> u64 { return n(b) > 15 ? 0 : UH(a) >> n(b); }},
      {"shr.s16 %s0, %sa, %rb;", 's', [n](u64 a, u64 b, u64) { return half(SH(a) >> std::min<u64>(n(b), 15)); }},
      {"shr.u64 %d0, %da, %rb;", 'd', [n](u64 a, u64 b, u64) -> u64 { return n(b) > 63 ? 0 : a >> n(b); }},
      {"shr.s64 %d0, %da, %rb;", 'd', [n](u64 a, u64 b, u64) { return u64(SD(a) >> std::min<u64>(n(b), 63)); }},
      {"shr.s64 %d0, %da, 40;", 'd', [](u64 a, u64, u64) { return u64(SD(a) >> 40); }},
      {"shl.b32 %r0, %ra, 32;", 'r', [](u64, u64, u64) -> u64 { return 0; }},
      {"shr.s32 %r0, %ra, 99;", 'r', [](u64 a, u64, u64) { return word(S(a) >> 31); }},
      {"shl.b32 %r1, %ra, 8; shr.u32 %r0, %r1, 8;", 'r', [](u64 a, u64, u64) -> u64 { return U(a) & 0xffffff; }},
      {"shr.s32 %r1, %ra, 5; shl.b32 %r0, %r1, 5;", 'r', [](u64 a, u64, u64) -> u64 { return U(a) & ~31u; }},
      {"shl.b32 %r1, %ra, 16; shr.s32 %r0, %r1, 16;", 'r', [](u64 a, u64, u64) { return word(SH(a)); }},
  });
}

u64 bfe(u64 a, unsigned pos, unsigned len, bool is_signed, unsigned width) {
  u64 r = 0;
  const unsigned top = width - 1;
  const u64 sign = !is_signed || len == 0 ? 0 : a >> std::min(pos + len - 1, top) & 1;
  for (unsigned i = 0; i <= top; ++i) r |= (i < len && pos + i <= top ? a >> (pos + i) & 1 : sign) << i;
  return r;
}

u64 bfi(u64 a, u64 b, unsigned pos, unsigned len, unsigned width) {
  for (unsigned i = 0; i < len && pos + i < width; ++i) b = (b & ~(u64{1} << (pos + i))) | (a >> i & 1) << (pos + i);
  return b;
}

u32 prmt(u64 a, u64 b, u32 selector) {
  const u64 all = U(a) | b << 32;
  u32 r = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const u32 nibble = selector >> 4 * k & 15, byte = all >> 8 * (nibble & 7) & 0xff;
    r |= (nibble & 8 ? (byte & 0x80 ? 0xff : 0) : byte) << 8 * k;
  }
  return r;
}

TEST(PtxLogic, BitInstructionsOfLaterChips) {
  const auto reverse = [](u64 v, unsigned width) {
    u64 r = 0;
    for (unsigned i = 0; i < width; ++i) r |= (v >> i & 1) << (width - 1 - i);
    return r;
  };
  const auto clz32 = [](u32 v) -> u64 { return v == 0 ? 32 : __builtin_clz(v); };
  const auto clz64 = [](u64 v) -> u64 { return v == 0 ? 64 : __builtin_clzll(v); };
  expect_logic({
      {"popc.b32 %r0, %ra;", 'r', [](u64 a, u64, u64) -> u64 { return __builtin_popcount(U(a)); }},
      {"popc.b64 %r0, %da;", 'r', [](u64 a, u64, u64) -> u64 { return __builtin_popcountll(a); }},
      {"clz.b32 %r0, %ra;", 'r', [=](u64 a, u64, u64) { return clz32(U(a)); }},
      {"clz.b64 %r0, %da;", 'r', [=](u64 a, u64, u64) { return clz64(a); }},
      {"bfind.u32 %r0, %ra;", 'r', [=](u64 a, u64, u64) { return word(31 - s64(clz32(U(a)))); }},
      {"bfind.s32 %r0, %ra;", 'r', [=](u64 a, u64, u64) { return word(31 - s64(clz32(S(a) < 0 ? ~U(a) : U(a)))); }},
      {"bfind.u64 %r0, %da;", 'r', [=](u64 a, u64, u64) { return word(63 - s64(clz64(a))); }},
      {"bfind.shiftamt.u32 %r0, %ra;", 'r', [=](u64 a, u64, u64) { return U(a) == 0 ? 0xffffffffu : clz32(U(a)); }},
      {"brev.b32 %r0, %ra;", 'r', [=](u64 a, u64, u64) { return reverse(U(a), 32); }},
      {"brev.b64 %d0, %da;", 'd', [=](u64 a, u64, u64) { return reverse(a, 64); }},
      {"bfe.u32 %r0, %ra, %rb, %rc;", 'r', [](u64 a, u64 b, u64 c) { return bfe(U(a), b & 255, c & 255, false, 32); }},
      {"bfe.s32 %r0, %ra, %rb, %rc;", 'r', [](u64 a, u64 b, u64 c) { return bfe(U(a), b & 255, c & 255, true, 32); }},
      {"bfe.u64 %d0, %da, %rb, %rc;", 'd', [](u64 a, u64 b, u64 c) { return bfe(a, b & 255, c & 255, false, 64); }},
      {"bfe.s64 %d0, %da, %rb, %rc;", 'd', [](u64 a, u64 b, u64 c) { return bfe(a, b & 255, c & 255, true, 64); }},
      {"bfe.s32 %r0, %ra, 8, 8;", 'r', [](u64 a, u64, u64) { return bfe(U(a), 8, 8, true, 32); }},
      {"bfi.b32 %r0, %ra, %rb, %rc, 7;", 'r', [](u64 a, u64 b, u64 c) { return bfi(a, U(b), c & 255, 7, 32); }},
      {"bfi.b32 %r0, %ra, %rb, 5, %rc;", 'r', [](u64 a, u64 b, u64 c) { return bfi(a, U(b), 5, c & 255, 32); }},
      {"bfi.b64 %d0, %da, %db, %rc, 40;", 'd', [](u64 a, u64 b, u64 c) { return bfi(a, b, c & 255, 40, 64); }},
      {"prmt.b32 %r0, %ra, %rb, %rc;", 'r', [](u64 a, u64 b, u64 c) -> u64 { return prmt(a, b, U(c)); }},
      {"prmt.b32 %r0, %ra, %rb, 0x7054;", 'r', [](u64 a, u64 b, u64) -> u64 { return prmt(a, b, 0x7054); }},
      {"prmt.b32.f4e %r0, %ra, %rb, %rc;", 'r',
       [](u64 a, u64 b, u64 c) -> u64 { return prmt(a, b, 0x3210 + 0x1111 * U(c & 3)); }},
      {"prmt.b32.rc16 %r0, %ra, %rb, %rc;", 'r',
       [](u64 a, u64 b, u64 c) -> u64 { return prmt(a, b, c & 1 ? 0x3232 : 0x1010); }},
  });
}

TEST(PtxLogic, ComparisonsOfIntegers) {
  std::vector<PtxCase> cases;
  const auto add = [&](const std::string& name, auto relation) {
    cases.push_back(
        {"setp." + name + ".s32 %p0, %ra, %rb;", 'p', [=](u64 a, u64 b, u64) -> u64 { return relation(S(a), S(b)); }});
    cases.push_back(
        {"setp." + name + ".u32 %p0, %ra, %rb;", 'p', [=](u64 a, u64 b, u64) -> u64 { return relation(U(a), U(b)); }});
    cases.push_back({"setp." + name + ".s16 %p0, %sa, %sb;", 'p',
                     [=](u64 a, u64 b, u64) -> u64 { return relation(SH(a), SH(b)); }});
    cases.push_back({"setp." + name + ".u16 %p0, %sa, %sb;", 'p',
                     [=](u64 a, u64 b, u64) -> u64 { return relation(UH(a), UH(b)); }});
    cases.push_back({"setp." + name + ".s64 %p0, %da, %db;", 'p',
                     [=](u64 a, u64 b, u64) -> u64 { return relation(SD(a), SD(b)); }});
    cases.push_back(
        {"setp." + name + ".u64 %p0, %da, %db;", 'p', [=](u64 a, u64 b, u64) -> u64 { return relation(a, b); }});
    cases.push_back(
        {"setp." + name + ".s32 %p0, %ra, -5;", 'p', [=](u64 a, u64, u64) -> u64 { return relation(S(a), -5); }});
  };
  add("eq", [](auto a, auto b) { return a == b; });
  add("ne", [](auto a, auto b) { return a != b; });
  add("lt", [](auto a, auto b) { return a < b; });
  add("le", [](auto a, auto b) { return a <= b; });
  add("gt", [](auto a, auto b) { return a > b; });
  add("ge", [](auto a, auto b) { return a >= b; });
  cases.push_back({"setp.lo.u32 %p0, %ra, %rb;", 'p', [](u64 a, u64 b, u64) -> u64 { return U(a) < U(b); }});
  cases.push_back({"setp.hs.u64 %p0, %da, %db;", 'p', [](u64 a, u64 b, u64) -> u64 { return a >= b; }});
  cases.push_back({"setp.eq.b32 %p0, %ra, %rb;", 'p', [](u64 a, u64 b, u64) -> u64 { return U(a) == U(b); }});
  expect_logic(cases);
}

TEST(PtxLogic, ComparisonsCombineAndChoose) {
  expect_logic({
      {"setp.lt.and.s32 %p0, %ra, %rb, %pc;", 'p', [](u64 a, u64 b, u64 c) -> u64 { return S(a) < S(b) && (c & 1); }},
      {"setp.lt.or.s32 %p0, %ra, %rb, !%pc;", 'p', [](u64 a, u64 b, u64 c) -> u64 { return S(a) < S(b) || !(c & 1); }},
      {"setp.lt.xor.u32 %p0, %ra, %rb, %pc;", 'p', [](u64 a, u64 b, u64 c) -> u64 { return (U(a) < U(b)) != (c & 1); }},
      {"setp.gt.s32 %p1|%p0, %ra, %rb;", 'p', [](u64 a, u64 b, u64) -> u64 { return !(S(a) > S(b)); }},
      {"setp.gt.and.s32 %p1|%p0, %ra, %rb, %pc;", 'p',
       [](u64 a, u64 b, u64 c) -> u64 { return !(S(a) > S(b)) && (c & 1); }},
      {"setp.gt.and.s32 %pc|%p0, %ra, %rb, %pc;", 'p',
       [](u64 a, u64 b, u64 c) -> u64 { return !(S(a) > S(b)) && (c & 1); }},
      {"set.lt.u32.s32 %r0, %ra, %rb;", 'r', [](u64 a, u64 b, u64) -> u64 { return S(a) < S(b) ? 0xffffffffu : 0; }},
      {"set.ge.f32.u16 %f0, %sa, %sb;", 'f', [](u64 a, u64 b, u64) -> u64 { return UH(a) >= UH(b) ? 0x3f800000u : 0; }},
      {"set.ne.or.s32.s64 %r0, %da, %db, %pc;", 'r',
       [](u64 a, u64 b, u64 c) -> u64 { return a != b || (c & 1) ? 0xffffffffu : 0; }},
      {"selp.b32 %r0, %ra, %rb, %pc;", 'r', [](u64 a, u64 b, u64 c) -> u64 { return c & 1 ? U(a) : U(b); }},
      {"selp.u16 %s0, %sa, 7, %pc;", 's', [](u64 a, u64, u64 c) -> u64 { return c & 1 ? UH(a) : 7; }},
      {"selp.b64 %d0, %da, %db, %pc;", 'd', [](u64 a, u64 b, u64 c) { return c & 1 ? a : b; }},
      {"selp.f32 %f0, %fa, %fb, %pc;", 'f', [](u64 a, u64 b, u64 c) -> u64 { return c & 1 ? U(a) : U(b); }},
      {"selp.f64 %g0, %ga, %gb, %pc;", 'g', [](u64 a, u64 b, u64 c) { return c & 1 ? a : b; }},
      {"slct.u32.s32 %r0, %ra, %rb, %rc;", 'r', [](u64 a, u64 b, u64 c) -> u64 { return S(c) >= 0 ? U(a) : U(b); }},
      {"slct.b64.s32 %d0, %da, %db, %rc;", 'd', [](u64 a, u64 b, u64 c) { return S(c) >= 0 ? a : b; }},
      {"slct.f32.s32 %f0, %fa, %fb, %rc;", 'f', [](u64 a, u64 b, u64 c) -> u64 { return S(c) >= 0 ? U(a) : U(b); }},
      {"slct.s32.f32 %r0, %ra, %rb, %fc;", 'r',  // denormals are zero
       [](u64 a, u64 b, u64 c) -> u64 { return F(c) >= 0 || (U(c) & 0x7f800000) == 0 ? U(a) : U(b); }},
      {"@%pa mov.u32 %r0, %rb; @!%pa mov.u32 %r0, %rc;", 'r',
       [](u64 a, u64 b, u64 c) -> u64 { return a & 1 ? U(b) : U(c); }},
      {"mov.u32 %r0, %rc; @%pa add.u32 %r0, %r0, %rb;", 'r',
       [](u64 a, u64 b, u64 c) -> u64 { return a & 1 ? U(b + c) : U(c); }},
      {"mov.u32 %r0, 9; @%pa div.u32 %r0, %rb, 7;", 'r', [](u64 a, u64 b, u64) -> u64 { return a & 1 ? U(b) / 7 : 9; }},
      {"mov.pred %p0, -1; @%pa mov.pred %p0, 0;", 'p', [](u64 a, u64, u64) { return ~a & 1; }},
  });
}

TEST(PtxLogic, ConversionsOfIntegers) {
  expect_logic({
      {"cvt.u32.u16 %r0, %sa;", 'r', [](u64 a, u64, u64) -> u64 { return UH(a); }},
      {"cvt.s32.s16 %r0, %sa;", 'r', [](u64 a, u64, u64) { return word(SH(a)); }},
      {"cvt.u16.u32 %s0, %ra;", 's', [](u64 a, u64, u64) -> u64 { return UH(a); }},
      {"cvt.s32.s8 %r0, %ra;", 'r', [](u64 a, u64, u64) { return word(std::int8_t(a)); }},
      {"cvt.u32.u8 %r0, %ra;", 'r', [](u64 a, u64, u64) { return a & 255; }},
      {"cvt.s8.s32 %r0, %ra;", 'r', [](u64 a, u64, u64) { return word(std::int8_t(a)); }},
      {"cvt.u8.u32 %s0, %ra;", 's', [](u64 a, u64, u64) { return a & 255; }},
      {"cvt.s64.s32 %d0, %ra;", 'd', [](u64 a, u64, u64) { return u64(s64(S(a))); }},
      {"cvt.u64.u32 %d0, %ra;", 'd', [](u64 a, u64, u64) -> u64 { return U(a); }},
      {"cvt.s64.s16 %d0, %sa;", 'd', [](u64 a, u64, u64) { return u64(s64(SH(a))); }},
      {"cvt.s64.s8 %d0, %ra;", 'd', [](u64 a, u64, u64) { return u64(s64(std::int8_t(a))); }},
      {"cvt.s16.s64 %s0, %da;", 's', [](u64 a, u64, u64) -> u64 { return UH(a); }},
      {"cvt.sat.u8.s32 %r0, %ra;", 'r', [](u64 a, u64, u64) { return word(std::clamp(S(a), 0, 255)); }},
      {"cvt.sat.s8.s32 %r0, %ra;", 'r', [](u64 a, u64, u64) { return word(std::clamp(S(a), -128, 127)); }},
      {"cvt.sat.s16.u32 %r0, %ra;", 'r', [](u64 a, u64, u64) -> u64 { return std::min(U(a), 32767u); }},
      {"cvt.sat.u16.s64 %r0, %da;", 'r', [](u64 a, u64, u64) -> u64 { return u64(std::clamp<s64>(SD(a), 0, 65535)); }},
      {"cvt.sat.s32.s64 %r0, %da;", 'r',
       [](u64 a, u64, u64) { return word(std::clamp<s64>(SD(a), INT32_MIN, INT32_MAX)); }},
      {"cvt.sat.u32.s32 %r0, %ra;", 'r', [](u64 a, u64, u64) { return word(std::max(S(a), 0)); }},
      {"cvt.sat.u64.s32 %d0, %ra;", 'd', [](u64 a, u64, u64) { return u64(std::max(S(a), 0)); }},
      {"mov.b32 %r0, {%sa, %sb};", 'r', [](u64 a, u64 b, u64) -> u64 { return UH(a) | u32(UH(b)) << 16; }},
      {"mov.b32 {%s1, %s0}, %ra;", 's', [](u64 a, u64, u64) -> u64 { return UH(a >> 16); }},
      {"mov.b64 %d0, {%ra, %rb};", 'd', [](u64 a, u64 b, u64) { return U(a) | b << 32; }},
      {"mov.b64 {%r1, %r0}, %da;", 'r', [](u64 a, u64, u64) { return a >> 32; }},
      {"mov.b64 %d0, {%sa, %sb, %sc, %sa};", 'd',
       [](u64 a, u64 b, u64 c) { return UH(a) | u64(UH(b)) << 16 | u64(UH(c)) << 32 | u64(UH(a)) << 48; }},
      {"mov.b64 %d0, {%fa, %fb};", 'd', [](u64 a, u64 b, u64) { return U(a) | b << 32; }},
      {"mov.b64 %d0, %ga;", 'd', [](u64 a, u64, u64) { return a; }},
  });
}

}  // namespace
}  // namespace g80
