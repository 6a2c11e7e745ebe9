// SPDX-License-Identifier: Apache-2.0
// Every operation that reads a 64-bit integer, on 64-bit integers made in every way: the code generator holds some as
// two registers, some as one word and what the other must be, and an operation must take each. The operations are the
// rows of opcodes.def and a few by hand; the ways are the table below.
#include "tests/compiler/ptx_rows.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

#if G80_HAS_MPFR

using Word = std::uint64_t;

Word low(Word x) { return x & 0xffffffff; }
Word from_signed(std::int64_t x) { return static_cast<Word>(x); }

/// Makes %d$ of the input x, which is in %d$, %r$ and %s$; `$` is a, b or c. Free registers: %w0..3, %v0..3, %q0, %q1.
struct Way {
  const char* code;
  Word (*value)(Word x);
  bool needs_sm_13 = false;
};
#define SLOT "mul.wide.u32 %w1, %t, 16; mov.u64 %w0, tile; add.u64 %w0, %w0, %w1; "
#define FRAME ".local .align 8 .b8 cell[8]; mov.u64 %w0, cell; "
constexpr Way kWays[] = {
    {"", [](Word x) { return x; }},
    // extensions
    {"cvt.u64.u32 %d$, %r$;", low},
    {"cvt.s64.s32 %d$, %r$;", [](Word x) { return from_signed(static_cast<std::int32_t>(x)); }},
    {"cvt.u64.u16 %d$, %s$;", [](Word x) { return x & 0xffff; }},
    {"cvt.s64.s16 %d$, %s$;", [](Word x) { return from_signed(static_cast<std::int16_t>(x)); }},
    {"cvt.u64.u8 %d$, %r$;", [](Word x) { return x & 0xff; }},
    {"cvt.s64.s8 %d$, %r$;", [](Word x) { return from_signed(static_cast<std::int8_t>(x)); }},
    {"cvt.u64.u32 %d$, %tid.y;", [](Word) -> Word { return 0; }},
    {"cvt.u64.u32 %d$, %ntid.x;", [](Word) -> Word { return kThreads; }},
    // constants
    {"mov.u64 %d$, 0;", [](Word) -> Word { return 0; }},
    {"mov.u64 %d$, 77;", [](Word) -> Word { return 77; }},
    {"mov.s64 %d$, -3;", [](Word) { return from_signed(-3); }},
    {"mov.u64 %d$, 0x80000000;", [](Word) -> Word { return 0x80000000; }},
    {"mov.u64 %d$, 0x4500000000;", [](Word) -> Word { return 0x4500000000; }},
    {"mov.u64 %d$, 0xfedcba9876543210;", [](Word) -> Word { return 0xfedcba9876543210; }},
    // pairs of words
    {"mov.b64 {%v0, %v1}, %d$; mov.b64 %d$, {%v1, %v0};", [](Word x) { return x << 32 | x >> 32; }},
    {"mov.b64 %d$, {%r$, %r$};", [](Word x) { return x << 32 | low(x); }},
    {"mov.u32 %v0, 0; mov.b64 %d$, {%r$, %v0};", low},
    {"mov.u32 %v0, 0; mov.b64 %d$, {%v0, %r$};", [](Word x) { return x << 32; }},
    {"mov.u32 %v0, 9; mov.b64 %d$, {%r$, %v0};", [](Word x) { return low(x) | Word{9} << 32; }},
    {"shr.s32 %v0, %r$, 31; mov.b64 %d$, {%r$, %v0};",
     [](Word x) { return from_signed(static_cast<std::int32_t>(x)); }},
    // memories and parameters
    {SLOT "st.shared.u64 [%w0], %d$; ld.shared.u64 %d$, [%w0];", [](Word x) { return x; }},
    {SLOT "st.shared.u32 [%w0], %r$; ld.shared.u32 %d$, [%w0];", low},
    {SLOT "st.shared.u32 [%w0], %r$; ld.shared.s8 %d$, [%w0];",
     [](Word x) { return from_signed(static_cast<std::int8_t>(x)); }},
    {FRAME "st.local.u64 [%w0], %d$; ld.local.u64 %d$, [%w0];", [](Word x) { return x; }},
    {FRAME "mov.u32 %v0, 0; st.local.v2.u32 [%w0], {%r$, %v0}; ld.local.u64 %d$, [%w0];", low},
    {FRAME "and.b32 %v0, %r$, 4; cvt.u64.u32 %w1, %v0; add.u64 %w1, %w0, %w1; st.local.u64 [%w0], 0; "
           "st.local.u32 [%w1], %r$; ld.local.u64 %d$, [%w0];",
     [](Word x) { return x & 4 ? x << 32 : low(x); }},
    {"ld.const.u64 %d$, [fixed];", [](Word) { return kParameterBlock[0] | Word{kParameterBlock[1]} << 32; }},
    {"ld.param.u64 %d$, [p_block];", [](Word) { return kParameterBlock[0] | Word{kParameterBlock[1]} << 32; }},
    {"ld.param.u32 %d$, [p_block];", [](Word) -> Word { return kParameterBlock[0]; }},
    // arithmetic and logic
    {"add.u64 %d$, %d$, 1;", [](Word x) { return x + 1; }},
    {"cvt.u64.u32 %w0, %r$; add.u64 %d$, %w0, %w0;", [](Word x) { return low(x) * 2; }},
    {"cvt.u64.u32 %w0, %r$; sub.u64 %d$, 0, %w0;", [](Word x) { return 0 - low(x); }},
    {"mul.wide.u32 %d$, %r$, %r$;", [](Word x) { return low(x) * low(x); }},
    {"mul.wide.s32 %d$, %r$, 4;", [](Word x) { return from_signed(static_cast<std::int32_t>(x)) * 4; }},
    {"mul.wide.u16 %v0, %s$, %s$; cvt.u64.u32 %d$, %v0;", [](Word x) { return low((x & 0xffff) * (x & 0xffff)); }},
    {"mul.lo.u64 %d$, %d$, 10;", [](Word x) { return x * 10; }},
    {"mul.hi.u64 %d$, %d$, %d$;",
     [](Word x) { return static_cast<Word>(static_cast<unsigned __int128>(x) * x >> 64); }},
    {"div.u64 %d$, %d$, 10;", [](Word x) { return x / 10; }},
    {"cvt.u64.u32 %w0, %r$; rem.u64 %d$, %w0, 1000;", [](Word x) { return low(x) % 1000; }},
    {"abs.s64 %d$, %d$;", [](Word x) { return x >> 63 ? 0 - x : x; }},
    {"cvt.u64.u32 %w0, %r$; max.u64 %d$, %w0, 5;", [](Word x) { return std::max<Word>(low(x), 5); }},
    {"and.b64 %d$, %d$, 0xffffffff;", low},
    {"and.b64 %d$, %d$, 0xffffffff00000000;", [](Word x) { return x >> 32 << 32; }},
    {"cvt.u64.u32 %w0, %r$; not.b64 %d$, %w0;", [](Word x) { return ~low(x); }},
    {"cvt.u64.u32 %w0, %r$; shl.b64 %w1, %d$, 32; or.b64 %d$, %w0, %w1;", [](Word x) { return low(x) | x << 32; }},
    {"popc.b64 %v0, %d$; cvt.u64.u32 %d$, %v0;", [](Word x) { return static_cast<Word>(__builtin_popcountll(x)); }},
    // shifts
    {"cvt.u64.u32 %w0, %r$; shl.b64 %d$, %w0, 3;", [](Word x) { return low(x) << 3; }},
    {"shl.b64 %d$, %d$, 32;", [](Word x) { return x << 32; }},
    {"shr.u64 %d$, %d$, 32;", [](Word x) { return x >> 32; }},
    {"shr.u64 %d$, %d$, 45;", [](Word x) { return x >> 45; }},
    {"shr.s64 %d$, %d$, 32;", [](Word x) { return from_signed(static_cast<std::int64_t>(x) >> 32); }},
    {"shr.s64 %d$, %d$, 63;", [](Word x) { return from_signed(static_cast<std::int64_t>(x) >> 63); }},
    {"cvt.u64.u32 %w0, %r$; and.b32 %v0, %r$, 63; shl.b64 %d$, %w0, %v0;", [](Word x) { return low(x) << (x & 63); }},
    // choices and joins
    {"selp.u64 %d$, 1, 0, %p$;", [](Word x) { return x & 1; }},
    {"selp.u64 %d$, 5, 0x500000000, %p$;", [](Word x) -> Word { return x & 1 ? 5 : 0x500000000; }},
    {"cvt.u64.u32 %w0, %r$; selp.b64 %d$, %w0, %d$, %p$;", [](Word x) { return x & 1 ? low(x) : x; }},
    {"cvt.u64.u32 %w0, %r$; selp.b64 %d$, %w0, 8, %p$;", [](Word x) { return x & 1 ? low(x) : 8; }},
    {"@%p$ bra O$; cvt.u64.u32 %d$, %r$; O$:", [](Word x) { return x & 1 ? x : low(x); }},
    {"@%p$ bra O$; cvt.u64.u32 %d$, %r$; bra.uni E$; O$: mov.u64 %d$, 6; E$:",
     [](Word x) -> Word { return x & 1 ? 6 : low(x); }},
    {"@%p$ bra O$; mov.u64 %d$, 0; bra.uni E$; O$: mov.u64 %d$, 6; E$:", [](Word x) -> Word { return x & 1 ? 6 : 0; }},
    {"cvt.u64.u32 %w0, %r$; mov.u64 %d$, 0; L$: add.u64 %d$, %d$, %w0; setp.lt.u64 %q0, %d$, 100; "
     "setp.ne.u64 %q1, %w0, 0; and.pred %q0, %q0, %q1; @%q0 bra L$;",
     [](Word x) { return low(x) == 0 ? 0 : std::max(low(x), (99 + low(x)) / low(x) * low(x)); }},
    // conversions
    {"cvt.rn.f32.u16 %z, %s$; cvt.rzi.u64.f32 %d$, %z;", [](Word x) { return x & 0xffff; }},
    {"cvt.rn.f32.s16 %z, %s$; cvt.rzi.s64.f32 %d$, %z;",
     [](Word x) { return from_signed(static_cast<std::int16_t>(x)); }},
    {"cvt.rn.f64.u32 %y, %r$; cvt.rzi.u64.f64 %d$, %y;", low, true},
    {"mov.b64 %y, %d$; neg.f64 %y, %y; mov.b64 %d$, %y;", [](Word x) { return x ^ Word { 1 } << 63; }, true},
    {"mov.b32 %v0, %r$; mov.b32 %z, %v0; neg.f32 %z, %z; mov.b32 %v0, %z; cvt.u64.u32 %d$, %v0;",
     [](Word x) { return low(x) ^ 0x80000000; }},
    // other threads' and other functions'
    {"mul.wide.u32 %w1, %t, 16; mov.u64 %w0, scratch; add.u64 %w0, %w0, %w1; st.global.u64 [%w0+8], %d$; "
     "atom.global.exch.b64 %d$, [%w0+8], 0;",
     [](Word x) { return x; }, true},
    {"call (%d$), wide_of, (%r$);", low},
    {"call (%d$), negated, (%d$);", [](Word x) { return 0 - x; }},
};
constexpr const char* kFunctions =
    ".func (.reg .u64 %v) wide_of (.reg .u32 %x) .noinline { cvt.u64.u32 %v, %x; ret; }\n"
    ".func (.reg .u64 %v) negated (.reg .u64 %x) .noinline { neg.s64 %v, %x; ret; }\n";

/// Operations whose operands are more than registers, and functions.
std::vector<Row> rows_by_hand() {
  const auto row = [](const char* code, char result, Word (*expected)(Word, Word, Word)) {
    Row r;
    r.code = {code, result, expected};
    r.inputs = whole_numbers;
    return r;
  };
  return {
      row("mov.b64 {%r1, %r0}, %da;", 'r', [](Word a, Word, Word) { return a >> 32; }),
      row("mov.b64 {%r0, %r1}, %da;", 'r', [](Word a, Word, Word) { return low(a); }),
      row("mov.b64 {%s1, %s2, %s0, %s1}, %da;", 's', [](Word a, Word, Word) { return a >> 32 & 0xffff; }),
      row("call (%d0), negated, (%da);", 'd', [](Word a, Word, Word) { return 0 - a; }),
      row("setp.lt.u64 %p1, %da, %db; @%p1 bra D; mov.u64 %da, %db; D: mov.u64 %d0, %da;", 'd',
          [](Word a, Word b, Word) { return std::min(a, b); }),
      row("selp.b64 %d0, %da, %db, %pc;", 'd', [](Word a, Word b, Word c) { return c & 1 ? a : b; }),
  };
}

bool is_wide_integer(Scalar type) {
  return !ptx::is_float(type) && type != Scalar::kPred && ptx::scalar_bits(type) == 64;
}

/// Written in another way, another row is the same to the code generator: set is setp and a choice, a store of u64 one
/// of b64.
bool is_same_as_another(const PtxVariant& v) {
  const bool other_name = v.mods.compare >= ir::Compare::kLtU && v.mods.compare <= ir::Compare::kGeU;
  return v.mods.boolean != ptx::Boolean::kNone || v.mods.is_volatile || v.has(ModifierGroup::kCache) || v.mods.ftz ||
         v.op() == Opcode::kSet || (v.op() == Opcode::kSetp && other_name) ||
         ((v.op() == Opcode::kSt || v.op() == Opcode::kSlct) && v.type() != Scalar::kB64) ||
         (v.op() == Opcode::kSt && v.mods.space == ptx::StateSpace::kGeneric);
}

/// The rows that read a 64-bit integer, those that `wanted` chooses.
std::vector<Row> wide_rows(const std::function<bool(const PtxVariant&)>& wanted) {
  std::vector<Row> rows;
  const auto reads = [](Opcode op) { return !is_by_hand(op) && op != Opcode::kLd && op != Opcode::kCvta; };
  for (const PtxVariant& v : variants_of_all(reads)) {
    if (std::none_of(v.types.begin(), v.types.end(), is_wide_integer) || is_same_as_another(v) || !wanted(v)) continue;
    std::optional<Row> row = row_of(v);
    if (row && row->code.code.find("%da") != std::string::npos) rows.push_back(std::move(*row));
  }
  return rows;
}

std::string with_letter(std::string code, char letter) {
  for (char& c : code)
    if (c == '$') c = letter;
  return code;
}

/// The row with its 64-bit operands made in three ways.
Row made(const Row& row, const Way& a, const Way& b, const Way& c) {
  Row result = row;
  const Way* const ways[] = {&a, &b, &c};
  bool reads[3];
  std::string code;
  for (int k = 0; k < 3; ++k) {
    const char letter = static_cast<char>('a' + k);
    reads[k] = row.code.code.find(std::string("%d") + letter) != std::string::npos;
    if (!reads[k]) continue;
    code +=
        "{ .reg .b64 %w0, %w1, %w2, %w3; .reg .b32 %v0, %v1, %v2, %v3; .reg .pred %q0, %q1; .reg .f32 %z; .reg .f64 "
        "%y; " +
        with_letter(ways[k]->code, letter) + " }\n" + parts_of(std::string(1, letter));
  }
  result.code.code = code + row.code.code;
  const auto expected = row.code.expected;
  const auto value_a = reads[0] ? a.value : kWays[0].value, value_b = reads[1] ? b.value : kWays[0].value,
             value_c = reads[2] ? c.value : kWays[0].value;
  result.code.expected = [=](Word x, Word y, Word z) { return expected(value_a(x), value_b(y), value_c(z)); };
  return result;
}

/// Each row with each way, for each of its operands in turn.
void run_wide(isa::Arch arch, const std::vector<Row>& operations) {
  CompileOptions options;
  options.arch = arch;
  std::vector<const Way*> ways;
  for (const Way& way : kWays)
    if (!way.needs_sm_13 || arch >= isa::Arch::kSm13) ways.push_back(&way);
  std::mt19937 rng(random_seed());
  std::vector<Row> rows;
  for (const Row& row : operations) {
    const std::size_t second = 1 + rng() % (ways.size() - 1), third = rng() % ways.size();
    for (std::size_t k = 0; k < ways.size(); ++k) {
      const auto way = [&](std::size_t n) -> const Way& { return *ways[(k + n) % ways.size()]; };
      rows.push_back(made(row, way(0), way(second), way(third)));
    }
  }
  run_rows(rows, options, kFunctions);
  ::testing::Test::RecordProperty("rows", static_cast<int>(rows.size()));
}

TEST(PtxWide, EveryOperationTakesA64BitIntegerHoweverItIsMade) {
  std::vector<Row> rows = wide_rows([](const PtxVariant&) { return true; });
  for (Row& row : rows_by_hand()) rows.push_back(std::move(row));
  run_wide(isa::Arch::kSm13, rows);
}

/// Below sm_13 it converts from and to single precision in words.
TEST(PtxWide, SoDoesAConversionThatTheChipHasNot) {
  run_wide(isa::Arch::kSm10, wide_rows([](const PtxVariant& v) {
             return v.op() == Opcode::kCvt && (v.type(0) == Scalar::kF32 || v.type(1) == Scalar::kF32);
           }));
}

#else

TEST(PtxWide, NeedsMpfr) { GTEST_SKIP() << "built without MPFR"; }

#endif

}  // namespace
}  // namespace g80
