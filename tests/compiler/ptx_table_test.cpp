// SPDX-License-Identifier: Apache-2.0
// Every instruction of PTX with every type and modifier that the compiler's own table lists: compiled, run on the
// golden reference, and compared with its definition. The list is made from opcodes.def. An instruction without a
// definition here fails, and so does a variant that has a definition and is refused, or has none and is accepted.
#include "tests/compiler/ptx_rows.h"

#if G80_HAS_MPFR
#include <set>

#include "tb/scenario/texture_descriptor.h"
#endif

namespace g80 {
namespace {

#if G80_HAS_MPFR

/// Instructions about control, warps and textures: by hand, with a word or none that chooses the variant.
struct ControlRow {
  Opcode op;
  const char* word;  // a modifier that the code uses
  const char* code;
  char result;
  std::uint64_t (*expected)(std::uint64_t a, std::uint64_t b, std::uint64_t c);
};
using Word = std::uint64_t;
#define VOTES(mode)                                                 \
  "mov.u32 %r1, %laneid; setp.ne.u32 %p1, %r1, %r1; vote." mode     \
  ".pred %p0, %p1; selp.u32 %r0, 1, 0, %p0; "                       \
  "setp.eq.u32 %p1, %r1, 5; vote." mode                             \
  ".pred %p0, %p1; selp.u32 %r2, 2, 0, %p0; or.b32 %r0, %r0, %r2; " \
  "setp.ne.u32 %p1, %r1, 5; vote." mode                             \
  ".pred %p0, %p1; selp.u32 %r2, 4, 0, %p0; or.b32 %r0, %r0, %r2; " \
  "setp.eq.u32 %p1, %r1, %r1; vote." mode ".pred %p0, %p1; selp.u32 %r2, 8, 0, %p0; or.b32 %r0, %r0, %r2;"
constexpr ControlRow kControl[] = {
    {Opcode::kBra, "", "mov.u32 %r0, 1; @%pa bra L; mov.u32 %r0, 2; L:", 'r',
     [](Word a, Word, Word) -> Word { return a & 1 ? 1 : 2; }},
    {Opcode::kBra, "uni", "mov.u32 %r0, 1; bra.uni L; mov.u32 %r0, 2; L:", 'r',
     [](Word, Word, Word) -> Word { return 1; }},
    {Opcode::kCall, "", "call (%r0), tripled, (%ra);", 'r',
     [](Word a, Word, Word) -> Word { return low_bits(3 * a, 32); }},
    {Opcode::kCall, "uni", "call.uni (%r0), tripled, (%ra);", 'r',
     [](Word a, Word, Word) -> Word { return low_bits(3 * a, 32); }},
    {Opcode::kRet, "", "st.global.u64 [%out], %da; @%pa ret; mov.u64 %d0, 5;", 'd',
     [](Word a, Word, Word) -> Word { return a & 1 ? a : 5; }},
    {Opcode::kRet, "uni", "st.global.u64 [%out], %da; ret.uni;", 'd', [](Word a, Word, Word) -> Word { return a; }},
    {Opcode::kExit, "", "st.global.u64 [%out], %da; @%pb exit; mov.u64 %d0, 5;", 'd',
     [](Word a, Word b, Word) -> Word { return b & 1 ? a : 5; }},
    {Opcode::kTrap, "", "mov.u32 %r0, 7; setp.ne.u32 %p1, %t, %t; @%p1 trap;", 'r',
     [](Word, Word, Word) -> Word { return 7; }},
    {Opcode::kBrkpt, "", "mov.u32 %r0, 7; setp.ne.u32 %p1, %t, %t; @%p1 brkpt;", 'r',
     [](Word, Word, Word) -> Word { return 7; }},
    {Opcode::kPmevent, "", "pmevent 3; mov.u32 %r0, 7;", 'r', [](Word, Word, Word) -> Word { return 7; }},
    {Opcode::kBar, "sync",
     "mov.u32 %r1, tile; st.shared.u32 [%r1], 0; bar.sync 0; atom.shared.add.u32 %r2, [%r1], 1; bar.sync 1; "
     "ld.shared.u32 %r0, [%r1];",
     'r', [](Word, Word, Word) -> Word { return kThreads; }},
    {Opcode::kMembar, "cta", "st.global.u64 [%out], %da; membar.cta; ld.global.u64 %d0, [%out];", 'd',
     [](Word a, Word, Word) { return a; }},
    {Opcode::kMembar, "gl", "st.global.u64 [%out], %da; membar.gl; ld.global.u64 %d0, [%out];", 'd',
     [](Word a, Word, Word) { return a; }},
    // bit k of the result: the vote of a predicate that holds in no, one, all but one and all lanes
    {Opcode::kVote, "any", VOTES("any"), 'r', [](Word, Word, Word) -> Word { return 0b1110; }},
    {Opcode::kVote, "all", VOTES("all"), 'r', [](Word, Word, Word) -> Word { return 0b1000; }},
    {Opcode::kVote, "uni", VOTES("uni"), 'r', [](Word, Word, Word) -> Word { return 0b1001; }},
    {Opcode::kMov, "", "mov.b32 %r0, {%sa, %sb};", 'r',
     [](Word a, Word b, Word) -> Word { return low_bits(a, 16) | low_bits(b, 16) << 16; }},
    {Opcode::kMov, "", "mov.b32 {%s1, %s0}, %ra;", 's', [](Word a, Word, Word) -> Word { return a >> 16 & 0xffff; }},
    {Opcode::kMov, "", "mov.b64 %d0, {%ra, %rb};", 'd',
     [](Word a, Word b, Word) -> Word { return low_bits(a, 32) | b << 32; }},
    {Opcode::kMov, "", "mov.b64 {%r1, %r0}, %da;", 'r', [](Word a, Word, Word) -> Word { return a >> 32; }},
    {Opcode::kMov, "", "mov.b64 %d0, {%sa, %sb, %sc, %sa};", 'd',
     [](Word a, Word b, Word c) -> Word {
       return low_bits(a, 16) | low_bits(b, 16) << 16 | low_bits(c, 16) << 32 | a << 48;
     }},
    {Opcode::kMov, "", "mov.u32 %r0, %ntid.x;", 'r', [](Word, Word, Word) -> Word { return kThreads; }},
    {Opcode::kMov, "", "mov.u16 %s0, %nctaid.y;", 's', [](Word, Word, Word) -> Word { return 1; }},
    {Opcode::kMov, "", "mov.u32 %r0, WARP_SZ;", 'r', [](Word, Word, Word) -> Word { return 32; }},
    {Opcode::kMov, "", "mov.u32 %r1, %clock; mov.u32 %r2, %clock; setp.ne.u32 %p0, %r1, %r2;", 'p',
     [](Word, Word, Word) -> Word { return 1; }},
    {Opcode::kSetp, "", "setp.lt.s32 %p1|%p0, %ra, %rb;", 'p',
     [](Word a, Word b, Word) -> Word { return !(static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b)); }},
};

/// Runs all variants of the forms that `wanted` chooses. What has no definition, the compiler must refuse.
void run_table(const std::function<bool(Opcode)>& wanted) {
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::vector<Row> rows;
  for (const PtxVariant& v : variants_of_all(wanted)) {
    std::optional<Row> row = row_of(v);
    if (!row) {
      Row plain;
      plain.code.code = plain_code(v, plain.code.result);
      EXPECT_NE(refusal(plain), "") << plain.code.code << " is accepted";
      continue;
    }
    const std::string why = refusal(*row);
    EXPECT_EQ(why, "") << row->code.code;
    if (why.empty()) rows.push_back(std::move(*row));
  }
  run_rows(rows);
  ::testing::Test::RecordProperty("rows", static_cast<int>(rows.size()));
}

bool is_float_opcode(Opcode op) {
  for (const std::string_view name : ptx::opcode_names())
    for (const ptx::OpcodeForm& form : ptx::forms_of(name))
      if (form.opcode == op)
        for (const std::vector<Scalar>& types : form.types)
          for (const Scalar type : types)
            if (ptx::is_float(type)) return true;
  return false;
}
bool is_comparison(Opcode op) { return op == Opcode::kSet || op == Opcode::kSetp; }
bool is_arithmetic(Opcode op) { return !is_by_hand(op) && !is_memory(op) && !is_comparison(op) && op != Opcode::kCvt; }

TEST(PtxTable, IntegersAndLogic) {
  run_table([](Opcode op) { return is_arithmetic(op) && !is_float_opcode(op); });
}
TEST(PtxTable, FloatsAndWhatTheyShareWithIntegers) {
  run_table([](Opcode op) { return is_arithmetic(op) && is_float_opcode(op); });
}
TEST(PtxTable, Comparisons) { run_table(is_comparison); }
TEST(PtxTable, Conversions) {
  run_table([](Opcode op) { return op == Opcode::kCvt; });
}
TEST(PtxTable, Memory) { run_table(is_memory); }

/// Control, warps, and the forms of others that take more than registers.
TEST(PtxTable, ControlAndWarps) {
  std::set<std::pair<Opcode, std::string>> ran;
  std::vector<Row> rows;
  for (const ControlRow& row : kControl) {
    rows.push_back({row.code, {row.code, row.result, row.expected}, {}, whole_numbers, false});
    ran.insert({row.op, row.word});
  }
  run_rows(rows);
  for (const std::string_view name : ptx::opcode_names()) {
    for (const ptx::OpcodeForm& form : ptx::forms_of(name)) {
      if (!is_by_hand(form.opcode) || form.opcode == Opcode::kTex) continue;
      for (const PtxVariant& v : variants_of(form)) {
        if (v.refused) continue;
        const std::string word = v.words.empty() ? "" : std::string(v.words[0]);
        EXPECT_EQ(ran.count({v.op(), word}), 1u) << v.text() << " was not run";
      }
    }
  }
}

/// Texels that know their place: x + 8 y + 64 z, as each of the three kinds of numbers.
TEST(PtxTable, Textures) {
  for (const ptx::OpcodeForm& form : ptx::forms_of("tex")) {
    for (const PtxVariant& v : variants_of(form)) {
      if (v.refused || v.mods.vector != 4 || v.mods.dimensions == 0) continue;
      const unsigned dimensions = v.mods.dimensions;
      const bool whole = v.type(1) == Scalar::kS32;
      static constexpr const char* kNames[] = {"line", "plane", "volume"};
      static constexpr const char* kWholeAt[] = {"{%r1, %r1, %r1, %r1}", "{%r1, %r2, %r1, %r1}",
                                                 "{%r1, %r2, %r3, %r1}"};
      static constexpr const char* kAt[] = {"{%f1, %f1, %f1, %f1}", "{%f1, %f2, %f1, %f1}", "{%f1, %f2, %f3, %f1}"};
      const std::string letter(1, register_class(v.type()));
      Row row;
      row.code.result = letter[0];
      row.code.code =
          "and.b32 %r1, %ra, 7; and.b32 %r2, %rb, 7; and.b32 %r3, %rc, 7; cvt.rn.f32.u32 %f1, %r1; "
          "cvt.rn.f32.u32 %f2, %r2; .reg .f32 %f3; cvt.rn.f32.u32 %f3, %r3; add.f32 %f1, %f1, 0f3f000000; "
          "add.f32 %f2, %f2, 0f3f000000; add.f32 %f3, %f3, 0f3f000000; " +
          v.text() + " {%" + letter + "0, _, _, _}, [" + kNames[dimensions - 1] + ", " +
          (whole ? kWholeAt : kAt)[dimensions - 1] + "];";
      PtxProgram program(module_text({row}));
      const bool is_float = v.type() == Scalar::kF32;
      std::vector<std::uint32_t> texels(512);
      const auto number = [&](std::uint32_t place) {
        return is_float ? static_cast<std::uint32_t>(bits_of(static_cast<float>(place))) : 0x80000000u + place;
      };
      for (std::uint32_t k = 0; k < 512; ++k) texels[k] = number(k);
      TextureLayout layout;
      for (const auto& texture : program.result().module.textures)
        if (texture.name == kNames[dimensions - 1]) layout.unit = texture.unit;
      layout.texel = is_float ? TexelElement::kF32 : v.type() == Scalar::kS32 ? TexelElement::kS32 : TexelElement::kU32;
      layout.dimensions = dimensions;
      layout.linear_memory = whole && dimensions == 1;
      layout.address = program.upload(texels);
      layout.width = 8, layout.height = dimensions > 1 ? 8 : 1, layout.depth = dimensions > 2 ? 8 : 1;
      if (!layout.linear_memory) layout.pitch = 32;
      program.memory().bind_texture(encode_texture(layout));
      const Inputs inputs = whole_numbers();
      const std::uint32_t in = program.upload(inputs), out = program.upload(std::vector<std::uint64_t>(kThreads, 0));
      program.run("k0", 1, kThreads, {in, 0, out, 0, 0, 0, 0, 0});
      const std::vector<std::uint64_t> actual = program.download<std::uint64_t>(out, kThreads);
      for (std::size_t t = 0; t < kThreads; ++t) {
        const auto at = [&](unsigned k) { return static_cast<std::uint32_t>(inputs[3 * t + k] & 7); };
        const std::uint32_t place = at(0) + (dimensions > 1 ? 8 * at(1) : 0) + (dimensions > 2 ? 64 * at(2) : 0);
        EXPECT_EQ(actual[t], number(place)) << v.text() << " thread " << t;
      }
    }
  }
}

#else

TEST(PtxTable, NeedsMpfr) { GTEST_SKIP() << "built without MPFR"; }

#endif

}  // namespace
}  // namespace g80
