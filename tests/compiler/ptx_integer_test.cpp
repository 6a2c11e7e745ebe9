// SPDX-License-Identifier: Apache-2.0
// Integer instructions of PTX against the host.
#include <algorithm>

#include "tests/compiler/ptx_cases.h"

namespace g80 {
namespace {

using u128 = unsigned __int128;
using s128 = __int128;

s64 sat(s64 v) { return std::clamp<s64>(v, INT32_MIN, INT32_MAX); }

void expect_integer(const std::vector<PtxCase>& cases) { expect_cases(cases, 20061108); }

TEST(PtxInteger, SumsAndDifferences) {
  expect_integer({
      {"add.u32 %r0, %ra, %rb;", 'r', [](u64 a, u64 b, u64) { return word(s64(U(a)) + U(b)); }},
      {"add.s32 %r0, %ra, -7;", 'r', [](u64 a, u64, u64) { return word(s64(U(a)) - 7); }},
      {"add.u16 %s0, %sa, %sb;", 's', [](u64 a, u64 b, u64) { return half(UH(a) + UH(b)); }},
      {"add.s64 %d0, %da, %db;", 'd', [](u64 a, u64 b, u64) { return a + b; }},
      {"add.sat.s32 %r0, %ra, %rb;", 'r', [](u64 a, u64 b, u64) { return word(sat(s64(S(a)) + S(b))); }},
      {"sub.s32 %r0, %ra, %rb;", 'r', [](u64 a, u64 b, u64) { return word(s64(U(a)) - U(b)); }},
      {"sub.u16 %s0, %sa, %sb;", 's', [](u64 a, u64 b, u64) { return half(UH(a) - UH(b)); }},
      {"sub.u64 %d0, %da, %db;", 'd', [](u64 a, u64 b, u64) { return a - b; }},
      {"sub.sat.s32 %r0, %ra, %rb;", 'r', [](u64 a, u64 b, u64) { return word(sat(s64(S(a)) - S(b))); }},
      {"neg.s32 %r0, %ra;", 'r', [](u64 a, u64, u64) { return word(0 - s64(U(a))); }},
      {"neg.s16 %s0, %sa;", 's', [](u64 a, u64, u64) { return half(0 - UH(a)); }},
      {"neg.s64 %d0, %da;", 'd', [](u64 a, u64, u64) { return 0 - a; }},
      {"abs.s32 %r0, %ra;", 'r', [](u64 a, u64, u64) { return word(std::abs(s64(S(a)))); }},
      {"abs.s16 %s0, %sa;", 's', [](u64 a, u64, u64) { return half(std::abs(SH(a))); }},
      {"abs.s64 %d0, %da;", 'd', [](u64 a, u64, u64) { return SD(a) < 0 ? 0 - a : a; }},
  });
}

TEST(PtxInteger, Products) {
  expect_integer({
      {"mul.lo.u32 %r0, %ra, %rb;", 'r', [](u64 a, u64 b, u64) { return word(s64(u64(U(a)) * U(b))); }},
      {"mul.hi.u32 %r0, %ra, %rb;", 'r', [](u64 a, u64 b, u64) { return u64(U(a)) * U(b) >> 32; }},
      {"mul.hi.s32 %r0, %ra, %rb;", 'r', [](u64 a, u64 b, u64) { return word(s64(S(a)) * S(b) >> 32); }},
      {"mul.wide.u32 %d0, %ra, %rb;", 'd', [](u64 a, u64 b, u64) { return u64(U(a)) * U(b); }},
      {"mul.wide.s32 %d0, %ra, %rb;", 'd', [](u64 a, u64 b, u64) { return u64(s64(S(a)) * S(b)); }},
      {"mul.wide.s32 %d0, %ra, 12;", 'd', [](u64 a, u64, u64) { return u64(s64(S(a)) * 12); }},
      {"mul.wide.s32 %d0, %ra, 8;", 'd', [](u64 a, u64, u64) { return u64(s64(S(a)) * 8); }},
      {"mul.lo.u16 %s0, %sa, %sb;", 's', [](u64 a, u64 b, u64) { return half(s64(UH(a)) * UH(b)); }},
      {"mul.hi.u16 %s0, %sa, %sb;", 's', [](u64 a, u64 b, u64) { return u64(UH(a)) * UH(b) >> 16; }},
      {"mul.hi.s16 %s0, %sa, %sb;", 's', [](u64 a, u64 b, u64) { return half(s64(SH(a)) * SH(b) >> 16); }},
      {"mul.wide.u16 %r0, %sa, %sb;", 'r', [](u64 a, u64 b, u64) { return u64(UH(a)) * UH(b); }},
      {"mul.wide.s16 %r0, %sa, %sb;", 'r', [](u64 a, u64 b, u64) { return word(s64(SH(a)) * SH(b)); }},
      {"mul.lo.u64 %d0, %da, %db;", 'd', [](u64 a, u64 b, u64) { return a * b; }},
      {"mul.hi.u64 %d0, %da, %db;", 'd', [](u64 a, u64 b, u64) { return u64(u128(a) * b >> 64); }},
      {"mul.hi.s64 %d0, %da, %db;", 'd', [](u64 a, u64 b, u64) { return u64(s128(SD(a)) * SD(b) >> 64); }},
      {"mad.lo.s32 %r0, %ra, %rb, %rc;", 'r', [](u64 a, u64 b, u64 c) { return word(s64(u64(U(a)) * U(b) + U(c))); }},
      {"mad.hi.u32 %r0, %ra, %rb, %rc;", 'r',
       [](u64 a, u64 b, u64 c) { return word(s64((u64(U(a)) * U(b) >> 32) + U(c))); }},
      {"mad.hi.sat.s32 %r0, %ra, %rb, %rc;", 'r',
       [](u64 a, u64 b, u64 c) { return word(sat((s64(S(a)) * S(b) >> 32) + S(c))); }},
      {"mad.wide.s32 %d0, %ra, %rb, %dc;", 'd', [](u64 a, u64 b, u64 c) { return u64(s64(S(a)) * S(b)) + c; }},
      {"mad.wide.u16 %r0, %sa, %sb, %rc;", 'r', [](u64 a, u64 b, u64 c) { return word(s64(UH(a)) * UH(b) + U(c)); }},
      {"mad.lo.u16 %s0, %sa, %sb, %sc;", 's', [](u64 a, u64 b, u64 c) { return half(s64(UH(a)) * UH(b) + UH(c)); }},
      {"mad.lo.u64 %d0, %da, %db, %dc;", 'd', [](u64 a, u64 b, u64 c) { return a * b + c; }},
      {"mul24.lo.u32 %r0, %ra, %rb;", 'r',
       [](u64 a, u64 b, u64) { return word(s64((a & 0xffffff) * (b & 0xffffff))); }},
      {"mul24.hi.u32 %r0, %ra, %rb;", 'r',
       [](u64 a, u64 b, u64) { return word(s64((a & 0xffffff) * (b & 0xffffff) >> 16)); }},
      {"mul24.lo.s32 %r0, %ra, %rb;", 'r',
       [](u64 a, u64 b, u64) { return word((s64(a << 40) >> 40) * (s64(b << 40) >> 40)); }},
      {"mul24.hi.s32 %r0, %ra, %rb;", 'r',
       [](u64 a, u64 b, u64) { return word((s64(a << 40) >> 40) * (s64(b << 40) >> 40) >> 16); }},
      {"mad24.lo.u32 %r0, %ra, %rb, %rc;", 'r',
       [](u64 a, u64 b, u64 c) { return word(s64((a & 0xffffff) * (b & 0xffffff) + c)); }},
      {"mad24.hi.s32 %r0, %ra, %rb, %rc;", 'r',
       [](u64 a, u64 b, u64 c) { return word(((s64(a << 40) >> 40) * (s64(b << 40) >> 40) >> 16) + S(c)); }},
      {"mad24.hi.sat.s32 %r0, %ra, %rb, %rc;", 'r',
       [](u64 a, u64 b, u64 c) {
         return word(sat(s64(s32((s64(a << 40) >> 40) * (s64(b << 40) >> 40) >> 16)) + S(c)));
       }},
      {"sad.u32 %r0, %ra, %rb, %rc;", 'r',
       [](u64 a, u64 b, u64 c) { return word(s64(U(a) > U(b) ? U(a) - U(b) : U(b) - U(a)) + U(c)); }},
      {"sad.s32 %r0, %ra, %rb, %rc;", 'r', [](u64 a, u64 b, u64 c) { return word(std::abs(s64(S(a)) - S(b)) + U(c)); }},
      {"sad.s16 %s0, %sa, %sb, %sc;", 's', [](u64 a, u64 b, u64 c) { return half(std::abs(SH(a) - SH(b)) + UH(c)); }},
      {"sad.u64 %d0, %da, %db, %dc;", 'd', [](u64 a, u64 b, u64 c) { return (a > b ? a - b : b - a) + c; }},
  });
}

/// Results of divisions by zero are not specified: the cases leave them out by making the divisor odd.
TEST(PtxInteger, QuotientsAndRemainders) {
  expect_integer({
      {"or.b32 %r1, %rb, 1; div.u32 %r0, %ra, %r1;", 'r', [](u64 a, u64 b, u64) -> u64 { return U(a) / (U(b) | 1); }},
      {"or.b32 %r1, %rb, 1; rem.u32 %r0, %ra, %r1;", 'r', [](u64 a, u64 b, u64) -> u64 { return U(a) % (U(b) | 1); }},
      {"or.b32 %r1, %rb, 1; div.s32 %r0, %ra, %r1;", 'r',
       [](u64 a, u64 b, u64) { return word(s64(S(a)) / s32(S(b) | 1)); }},
      {"or.b32 %r1, %rb, 1; rem.s32 %r0, %ra, %r1;", 'r',
       [](u64 a, u64 b, u64) { return word(s64(S(a)) % s32(S(b) | 1)); }},
      {"or.b16 %s1, %sb, 1; div.u16 %s0, %sa, %s1;", 's', [](u64 a, u64 b, u64) { return half(UH(a) / (UH(b) | 1)); }},
      {"or.b16 %s1, %sb, 1; rem.s16 %s0, %sa, %s1;", 's',
       [](u64 a, u64 b, u64) { return half(SH(a) % s16(SH(b) | 1)); }},
      {"or.b64 %d1, %db, 1; div.u64 %d0, %da, %d1;", 'd', [](u64 a, u64 b, u64) { return a / (b | 1); }},
      {"or.b64 %d1, %db, 1; rem.u64 %d0, %da, %d1;", 'd', [](u64 a, u64 b, u64) { return a % (b | 1); }},
      {"or.b64 %d1, %db, 1; div.s64 %d0, %da, %d1;", 'd',
       [](u64 a, u64 b, u64) { return SD(b | 1) == -1 ? 0 - a : u64(SD(a) / SD(b | 1)); }},
      {"or.b64 %d1, %db, 1; rem.s64 %d0, %da, %d1;", 'd',
       [](u64 a, u64 b, u64) { return SD(b | 1) == -1 ? 0 : u64(SD(a) % SD(b | 1)); }},
  });
}

TEST(PtxInteger, DivisionsByConstants) {
  std::vector<PtxCase> cases;
  for (const s64 d :
       {1, 2, 3, 5, 6, 7, 9, 10, 12, 25, 60, 64, 100, 125, 255, 256, 641, 1000, 65535, 65536, 99999, 0x7fffffff}) {
    const std::string n = std::to_string(d);
    cases.push_back({"div.u32 %r0, %ra, " + n + ";", 'r', [d](u64 a, u64, u64) { return U(a) / u64(d); }});
    cases.push_back({"rem.u32 %r0, %ra, " + n + ";", 'r', [d](u64 a, u64, u64) { return U(a) % u64(d); }});
    cases.push_back({"div.s32 %r0, %ra, " + n + ";", 'r', [d](u64 a, u64, u64) { return word(S(a) / d); }});
    cases.push_back({"rem.s32 %r0, %ra, " + n + ";", 'r', [d](u64 a, u64, u64) { return word(S(a) % d); }});
    cases.push_back({"div.s32 %r0, %ra, -" + n + ";", 'r', [d](u64 a, u64, u64) { return word(s64(S(a)) / -d); }});
    cases.push_back(
        {"cvt.u32.u16 %r1, %sa; div.u32 %r0, %r1, " + n + ";", 'r', [d](u64 a, u64, u64) { return UH(a) / u64(d); }});
    cases.push_back(
        {"cvt.u32.u16 %r1, %sa; rem.s32 %r0, %r1, " + n + ";", 'r', [d](u64 a, u64, u64) { return UH(a) % u64(d); }});
  }
  cases.push_back({"div.u32 %r0, %ra, 0xfffffffb;", 'r', [](u64 a, u64, u64) -> u64 { return U(a) / 0xfffffffbu; }});
  cases.push_back({"div.s32 %r0, %ra, 0x80000000;", 'r', [](u64 a, u64, u64) -> u64 { return S(a) == INT32_MIN; }});
  expect_integer(cases);
}

TEST(PtxInteger, LeastAndGreatest) {
  expect_integer({
      {"min.u32 %r0, %ra, %rb;", 'r', [](u64 a, u64 b, u64) -> u64 { return std::min(U(a), U(b)); }},
      {"max.u32 %r0, %ra, %rb;", 'r', [](u64 a, u64 b, u64) -> u64 { return std::max(U(a), U(b)); }},
      {"min.s32 %r0, %ra, %rb;", 'r', [](u64 a, u64 b, u64) { return word(std::min(S(a), S(b))); }},
      {"max.s32 %r0, %ra, %rb;", 'r', [](u64 a, u64 b, u64) { return word(std::max(S(a), S(b))); }},
      {"min.u16 %s0, %sa, %sb;", 's', [](u64 a, u64 b, u64) -> u64 { return std::min(UH(a), UH(b)); }},
      {"max.s16 %s0, %sa, %sb;", 's', [](u64 a, u64 b, u64) { return half(std::max(SH(a), SH(b))); }},
      {"min.s64 %d0, %da, %db;", 'd', [](u64 a, u64 b, u64) { return u64(std::min(SD(a), SD(b))); }},
      {"max.u64 %d0, %da, %db;", 'd', [](u64 a, u64 b, u64) { return std::max(a, b); }},
  });
}

TEST(PtxInteger, CarryChains) {
  expect_integer({
      {"mov.b64 {%r1,%r2}, %da; mov.b64 {%r3,%r0}, %db; add.cc.u32 %r1, %r1, %r3; addc.u32 %r2, %r2, %r0; mov.b64 %d0, "
       "{%r1,%r2};",
       'd', [](u64 a, u64 b, u64) { return a + b; }},
      {"mov.b64 {%r1,%r2}, %da; mov.b64 {%r3,%r0}, %db; sub.cc.u32 %r1, %r1, %r3; subc.u32 %r2, %r2, %r0; mov.b64 %d0, "
       "{%r1,%r2};",
       'd', [](u64 a, u64 b, u64) { return a - b; }},
      // three words: the carry goes through the middle one
      {"add.cc.u32 %r1, %ra, %rb; addc.cc.u32 %r2, %rb, %rc; addc.u32 %r0, 0, 0;", 'r',
       [](u64 a, u64 b, u64 c) { return (((u64(U(a)) + U(b)) >> 32) + U(b) + U(c)) >> 32; }},
      {"sub.cc.u32 %r1, %ra, %rb; subc.cc.u32 %r2, %rb, %rc; subc.u32 %r0, 0, 0;", 'r',
       [](u64 a, u64 b, u64 c) { return word(-s64(U(b) < u64(U(c)) + (U(a) < U(b)))); }},
      {"mad.lo.cc.u32 %r1, %ra, %rb, %rc; madc.hi.u32 %r0, %ra, %rb, 0;", 'r',
       [](u64 a, u64 b, u64 c) { return (u64(U(a)) * U(b) + U(c)) >> 32; }},
      {"mad.lo.cc.u32 %r1, %ra, %rb, %rc; madc.hi.cc.u32 %r2, %ra, %rb, %rc; addc.u32 %r0, 0, 0;", 'r',
       [](u64 a, u64 b, u64 c) { return u64((u128(u64(U(a)) * U(b)) + U(c) + (u128(U(c)) << 32)) >> 64); }},
      // the carry of a sum that was not executed stays
      {"add.cc.u32 %r1, %ra, %rb; @%pc add.cc.u32 %r1, %rb, %rb; addc.u32 %r0, 0, 0;", 'r',
       [](u64 a, u64 b, u64 c) { return c & 1 ? (u64(U(b)) + U(b)) >> 32 : (u64(U(a)) + U(b)) >> 32; }},
  });
}

}  // namespace
}  // namespace g80
